package dev.laurel.deploy.tools;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.schemas.http.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What a process shows to HTTP clients that speak TLS. */
public final class TlsOptions {

    @Option(names = "--tls-cert", paramLabel = "FILE", description = "Serve HTTP by TLS only, with this certificate and those between it and its authority (PEM). Changed files are taken up within seconds.")
    private Path certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "The private key of that certificate (PEM, without a password).")
    private Path key;

    /** Whether there is to be TLS. */
    public boolean isOn() {
        return certificate != null || key != null;
    }

    /** @return null: plain HTTP */
    public TlsFiles files() {
        if (!isOn()) {
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
