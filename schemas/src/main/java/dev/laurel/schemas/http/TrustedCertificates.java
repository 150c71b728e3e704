package dev.laurel.schemas.http;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import nl.altindag.ssl.SSLFactory;
import nl.altindag.ssl.pem.util.PemUtils;

/** By whom a server that is called must be vouched for. */
public final class TrustedCertificates {

    private TrustedCertificates() {}

    /**
     * For who calls itself: trusts the one server that shows exactly this certificate, under whatever name.
     *
     * @param file the server's certificate, PEM; read once
     * @throws IllegalArgumentException if it cannot be used, with the reason in one line
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
            throw unusable(file, e);
        }
    }

    private static IllegalArgumentException unusable(Path file, RuntimeException e) {
        return new IllegalArgumentException("there are no certificates (PEM) in " + file, e);
    }
}
