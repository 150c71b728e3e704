package dev.laurel.deploy.tools;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.schemas.http.TrustedCertificates;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Option;

/** By whom https servers that are called must be vouched for. */
public final class TrustOption {

    @Option(names = "--ca", paramLabel = "FILE", description = "Certificates (PEM) that https servers are trusted by, instead of those that Java knows.")
    private Path ca;

    /** @throws CommandFailed if the file cannot be used */
    public SSLContext tls() {
        try {
            return ca == null ? SSLContext.getDefault() : TrustedCertificates.in(ca);
        } catch (IllegalArgumentException e) {
            throw new CommandFailed("--ca: " + e.getMessage(), e);
        } catch (NoSuchAlgorithmException e) {
            throw new CommandFailed("what this Java trusts cannot be used: " + e.getMessage(), e);
        }
    }
}
