package dev.laurel.deploy.cli;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.http.HttpSettings.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the certificate that a process shows to HTTP clients. */
public final class TlsOptions {

    @Option(names = "--tls-cert", paramLabel = "FILE", description = "Serve HTTP by TLS only, with this certificate and its intermediate certificates (PEM). Changed files are reloaded within seconds.")
    private @Nullable Path certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "The private key of that certificate (PEM, without a password).")
    private @Nullable Path key;

    /** Returns whether the process serves TLS. */
    public boolean isOn() {
        return certificate != null || key != null;
    }

    /** Returns the certificate and its key; null: plain HTTP. */
    public @Nullable TlsFiles files() {
        if (certificate == null && key == null) {
            return null;
        }
        if (certificate == null || key == null) {
            throw new CommandFailed("--tls-cert and --tls-key belong together: give both");
        }
        try {
            SecretFile.warnIfOpen(key);
        } catch (IOException e) {
            throw new CommandFailed("--tls-key: cannot read " + key, e);
        }
        return new TlsFiles(certificate, key);
    }
}
