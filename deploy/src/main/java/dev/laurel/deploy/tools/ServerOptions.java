package dev.laurel.deploy.tools;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.ruleset.RulesetClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which server to talk to over HTTP, and as whom. */
public final class ServerOptions {

    private static final String KEY_FILE = "admin-key";

    @Option(names = "--url", paramLabel = "URL", defaultValue = "http://127.0.0.1:8080", description = "Address of the server (default: ${DEFAULT-VALUE}).")
    private URI url;

    @Option(names = "--key", paramLabel = "KEY", description = "Admin key (default: that of the standalone in the data folder).")
    private String key;

    public URI url() {
        if (url.getHost() == null || !("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
            throw new CommandFailed("--url must be an http or https address, is " + url);
        }
        return url;
    }

    /** @param dataDir where a standalone keeps its key, if none was given */
    public String key(Path dataDir) {
        if (key != null) {
            return key;
        }
        Path file = dataDir.resolve(KEY_FILE);
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new CommandFailed("no admin key: give --key, or --data-dir of a standalone; there is no " + file, e);
        }
    }

    /** For a command line that people paste: a key from a file stays in its file. */
    public String keyForShell(Path dataDir) {
        return key != null ? "$LAUREL_KEY" : "$(cat " + dataDir.resolve(KEY_FILE) + ")";
    }

    public RulesetClient rulesetClient(Path dataDir) {
        return new RulesetClient(url(), key(dataDir));
    }
}
