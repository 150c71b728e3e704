package dev.laurel.platform.client;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import nl.altindag.ssl.SSLFactory;
import nl.altindag.ssl.pem.util.PemUtils;

/** Creates TLS contexts for clients that trust given certificates only. */
public final class TrustedCertificates {

    private TrustedCertificates() {}

    /**
     * A context for calls of a process to itself: trusts only a server with exactly this certificate, under any host
     * name.
     *
     * @param file the server's certificate, PEM; read once
     * @throws IllegalArgumentException if the file cannot be used; the message gives the reason in one line
     */
    public static SSLContext only(Path file) {
        return context(file, certificates -> {
            X509Certificate own = certificates.getFirst();
            return SSLFactory.builder().withTrustMaterial(List.of(own))
                    .withTrustEnhancer(server -> own.equals(server.getChain()[0]));
        });
    }

    /**
     * A context that trusts only servers whose certificates these authorities have issued.
     *
     * @param file PEM file with the certificates of the authorities; read once
     * @throws IllegalArgumentException if the file cannot be used; the message gives the reason in one line
     */
    public static SSLContext in(Path file) {
        return context(file, certificates -> SSLFactory.builder().withTrustMaterial(certificates));
    }

    private static SSLContext context(Path file, Function<List<X509Certificate>, SSLFactory.Builder> trust) {
        try {
            return trust.apply(PemUtils.loadCertificate(file)).build().getSslContext();
        } catch (RuntimeException e) {
            // The library throws various runtime exceptions for files that are missing or not valid PEM.
            throw new IllegalArgumentException("there are no certificates (PEM) in " + file, e);
        }
    }
}
