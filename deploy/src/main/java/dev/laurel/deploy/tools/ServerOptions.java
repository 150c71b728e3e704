package dev.laurel.deploy.tools;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.ruleset.RulesetClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which server to talk to over HTTP, and as whom. */
public final class ServerOptions {

    private static final String KEY_FILE = "admin-key";

    @Option(names = "--url", paramLabel = "URL", defaultValue = "http://127.0.0.1:8080", description = "Address of the server (default: ${DEFAULT-VALUE}).")
    private URI url;

    @Option(names = "--key", paramLabel = "KEY", description = "Admin key (default: that of the standalone in the data folder). Other users of this machine may see it here: --key-file and LAUREL_KEY do not show it.")
    private String key;

    @Option(names = "--key-file", paramLabel = "FILE", description = "File with the admin key.")
    private Path keyFile;

    @Mixin
    private TrustOption trust;

    public URI url() {
        if (url.getHost() == null
                || !("http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()))) {
            throw new CommandFailed("--url must be an http or https address, is " + url);
        }
        return url;
    }

    /** @param dataDir where a standalone keeps its key, if none was given */
    public String key(Path dataDir) {
        String given = SecretFile.either("--key", key, keyFile);
        if (given != null) {
            return given;
        }
        Path file = dataDir.resolve(KEY_FILE);
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new CommandFailed(
                    "no admin key: give --key, --key-file, or --data-dir of a standalone; there is no " + file, e);
        }
    }

    /** For a command line that people paste: a key from a file stays in its file. */
    public String keyForShell(Path dataDir) {
        Path file = keyFile != null ? keyFile : dataDir.resolve(KEY_FILE);
        return key != null ? "$LAUREL_KEY" : "$(cat " + file + ")";
    }

    public RulesetClient rulesetClient(Path dataDir) {
        return new RulesetClient(url(), key(dataDir), trust.tls());
    }
}
