package dev.laurel.deploy.cli;

import java.net.URI;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that select a server and the key to call it with. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
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

    /** @throws CommandFailed if it is not the address of an HTTP server */
    public static URI expectHttp(URI url) {
        if (url.getHost() == null
                || !("http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()))) {
            throw new CommandFailed("--url must be an http or https address, is " + url);
        }
        return url;
    }

    /** @param dataDir folder in which a standalone keeps its key */
    public String key(Path dataDir) {
        return key.in(dataDir);
    }

    /** Returns a shell expression for the key, for command lines to be pasted; a key from a file is not shown. */
    public String keyForShell(Path dataDir) {
        return key.forShell(dataDir);
    }

    /** Creates a client of that server with that key; the caller closes it. */
    public ServerCalls calls(Path dataDir) {
        return new ServerCalls(url(), key(dataDir), trust.tls());
    }
}
