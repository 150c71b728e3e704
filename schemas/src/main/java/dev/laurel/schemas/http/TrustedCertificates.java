package dev.laurel.schemas.http;

import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import nl.altindag.ssl.SSLFactory;
import nl.altindag.ssl.pem.util.PemUtils;

/** By whom a server that is called must be vouched for. */
public final class TrustedCertificates {

    private TrustedCertificates() {}

    /**
     * What an HTTP client needs to trust servers that these certificates, and no others, vouch for.
     *
     * @param file certificates of authorities, PEM; read once
     * @throws IllegalArgumentException if it cannot be used, with the reason in one line
     */
    public static SSLContext in(Path file) {
        try {
            return SSLFactory.builder().withTrustMaterial(PemUtils.loadTrustMaterial(file)).build().getSslContext();
        } catch (RuntimeException e) {
            // The library has exceptions of many kinds for what is no PEM, or not there.
            throw new IllegalArgumentException("there are no certificates (PEM) in " + file, e);
        }
    }
}
