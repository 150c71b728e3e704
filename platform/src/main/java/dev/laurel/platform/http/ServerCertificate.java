package dev.laurel.platform.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.http.HttpSettings.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import nl.altindag.ssl.SSLFactory;
import nl.altindag.ssl.pem.util.PemUtils;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate and key of a server, reloaded from their files when these change; new connections use the new
 * certificate. The contents of the files are compared, because modification times and file events are unreliable for
 * links into mounted volumes. If changed files cannot be used, usually because only one of the two has been replaced so
 * far, an error is logged and the former certificate remains in use. No message contains any part of a key.
 */
final class ServerCertificate implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ServerCertificate.class);
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
    private static final int MAX_BYTES = 1024 * 1024;
    private static final char[] NO_PASSWORD = new char[0];

    private final TlsFiles files;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("certificate").daemon().factory());
    private final SslContextFactory.Server tls = new SslContextFactory.Server();
    private Contents loaded;
    private @Nullable String reportedFailure;

    private record Contents(String certificate, String key) {}

    /** @throws CommandFailed if the files cannot be used; the message gives the reason in one line */
    ServerCertificate(TlsFiles files) {
        this.files = files;
        this.loaded = contents();
        tls.setIncludeProtocols(PROTOCOLS);
        tls.setSslContext(contextOf(loaded));
        long intervalMs = files.checkInterval().toMillis();
        timer.scheduleWithFixedDelay(this::reload, intervalMs, intervalMs, TimeUnit.MILLISECONDS);
    }

    SslContextFactory.Server tls() {
        return tls;
    }

    private void reload() {
        try {
            Contents now = contents();
            if (!now.equals(loaded)) {
                // A context per certificate: each handshake uses one certificate together with its own key.
                SSLContext context = contextOf(now);
                tls.reload(factory -> factory.setSslContext(context));
                loaded = now;
            }
            reportedFailure = null;
        } catch (Exception e) {
            // Any failure must leave the server and this schedule running.
            if (!Objects.equals(e.getMessage(), reportedFailure)) {
                LOG.error("Could not reload the certificate; the previous one remains in use", e);
            }
            reportedFailure = e.getMessage();
        }
    }

    private Contents contents() {
        return new Contents(text("certificate", files.certificate()), text("private key", files.key()));
    }

    private static String text(String what, Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new CommandFailed("the " + what + " " + file + " is larger than 1 MiB");
            }
            return Files.readString(file, ISO_8859_1);
        } catch (IOException e) {
            throw new CommandFailed(
                    "the " + what + " " + file + " cannot be read: "
                            + e.getClass().getSimpleName(),
                    e);
        }
    }

    private SSLContext contextOf(Contents contents) {
        List<X509Certificate> chain = chain(contents.certificate());
        PrivateKey key = key(contents.key());
        X509Certificate own = chain.getFirst();
        if (!isPair(key, own.getPublicKey())) {
            throw new CommandFailed(
                    "the private key " + files.key() + " does not belong to the certificate " + files.certificate());
        }
        Instant end = own.getNotAfter().toInstant();
        if (end.isBefore(Instant.now())) {
            LOG.warn("Certificate {} expired at {}", files.certificate(), end);
        } else {
            LOG.info("Loaded certificate {}, valid until {}", files.certificate(), end);
        }
        return SSLFactory.builder()
                .withIdentityMaterial(key, NO_PASSWORD, chain)
                .withProtocols(PROTOCOLS)
                .build()
                .getSslContext();
    }

    /**
     * Whether the key belongs to the certificate. Nothing else checks this: the server would start, and no client could
     * connect.
     */
    private static boolean isPair(PrivateKey key, PublicKey publicKey) {
        String algorithm = switch (publicKey.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> publicKey.getAlgorithm();
        };
        byte[] anything = {1};
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(anything);
            byte[] signed = signing.sign();
            Signature verifying = Signature.getInstance(algorithm);
            verifying.initVerify(publicKey);
            verifying.update(anything);
            return verifying.verify(signed);
        } catch (GeneralSecurityException _) {
            return false; // the keys have different algorithms
        }
    }

    /** Reads a certificate chain. The library throws various runtime exceptions for invalid PEM. */
    private List<X509Certificate> chain(String pem) {
        try {
            List<X509Certificate> chain = PemUtils.parseCertificate(pem);
            if (chain.isEmpty()) {
                throw new IllegalArgumentException("no certificate");
            }
            return chain;
        } catch (RuntimeException e) {
            throw new CommandFailed("there is no certificate (PEM) in " + files.certificate(), e);
        }
    }

    private PrivateKey key(String pem) {
        try {
            return PemUtils.parsePrivateKey(pem);
        } catch (RuntimeException e) {
            throw new CommandFailed("there is no private key (PEM, without a password) in " + files.key(), e);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
