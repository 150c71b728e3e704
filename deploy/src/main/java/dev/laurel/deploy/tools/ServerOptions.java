package dev.laurel.deploy.tools;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.ruleset.RulesetClient;
import java.net.URI;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which server to talk to over HTTP, and as whom. */
public final class ServerOptions {

    @Option(names = "--url", paramLabel = "URL", defaultValue = "http://127.0.0.1:8080", description = "Address of the server (default: ${DEFAULT-VALUE}).")
    private URI url;

    @Mixin
    private KeyOptions key;

    @Mixin
    private TrustOption trust;

    public URI url() {
        return expectHttp(url);
    }

    /** @throws CommandFailed if it is no address of a server */
    public static URI expectHttp(URI url) {
        if (url.getHost() == null
                || !("http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()))) {
            throw new CommandFailed("--url must be an http or https address, is " + url);
        }
        return url;
    }

    /** @param dataDir where a standalone keeps its key, if none was given */
    public String key(Path dataDir) {
        return key.in(dataDir);
    }

    /** For a command line that people paste: a key from a file stays in its file. */
    public String keyForShell(Path dataDir) {
        return key.forShell(dataDir);
    }

    public RulesetClient rulesetClient(Path dataDir) {
        return new RulesetClient(url(), key(dataDir), trust.tls());
    }
}
