package dev.laurel.deploy.cli;

import dev.laurel.platform.client.OutboundHttp;
import dev.laurel.platform.command.CommandFailed;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Option for the certificate authorities that https servers are trusted by. */
public final class TrustOption {

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "Certificates (PEM) of authorities to trust for https servers, instead of those of the JDK.")
    private @Nullable Path ca;

    /** @throws CommandFailed if the file cannot be used */
    public SSLContext tls() {
        try {
            return ca == null ? SSLContext.getDefault() : OutboundHttp.trusting(ca);
        } catch (IllegalArgumentException e) {
            throw new CommandFailed("--ca: " + e.getMessage(), e);
        } catch (NoSuchAlgorithmException e) {
            throw new CommandFailed("the authorities that this Java trusts cannot be used: " + e.getMessage(), e);
        }
    }
}
