package dev.laurel.platform.http;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
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
        try {
            X509Certificate own = PemUtils.loadCertificate(file).getFirst();
            return SSLFactory.builder().withTrustMaterial(List.of(own))
                    .withTrustEnhancer(server -> own.equals(server.getChain()[0])).build().getSslContext();
        } catch (RuntimeException e) {
            throw unusable(file, e);
        }
    }

    /**
     * A context that trusts only servers whose certificates these authorities have issued.
     *
     * @param file PEM file with the certificates of the authorities; read once
     * @throws IllegalArgumentException if the file cannot be used; the message gives the reason in one line
     */
    public static SSLContext in(Path file) {
        try {
            return SSLFactory.builder().withTrustMaterial(PemUtils.loadTrustMaterial(file)).build().getSslContext();
        } catch (RuntimeException e) {
            // The library throws various runtime exceptions for files that are missing or not valid PEM.
            throw unusable(file, e);
        }
    }

    private static IllegalArgumentException unusable(Path file, RuntimeException e) {
        return new IllegalArgumentException("there are no certificates (PEM) in " + file, e);
    }
}
