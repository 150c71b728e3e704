package dev.laurel.deploy.roles;

import dev.laurel.deploy.cli.TrustOption;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.query.peer.PeerClient;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the calls between processes. */
final class PeerOptions {

    private static final int LIMIT = 10_000;

    @Option(
            names = "--advertised",
            paramLabel = "HOST:PORT",
            description = "Address under which the others of this role reach this process (default: --host and --port,"
                    + " unless --host stands for all addresses).")
    @Nullable
    String advertised;

    @Mixin
    private TrustOption trust;

    @Option(
            names = "--max-peer-calls",
            paramLabel = "N",
            defaultValue = "" + PeerClient.DEFAULT_MAX_CALLS,
            description = "Calls to one other process at a time; reads that need more are answered 503 (default:"
                    + " ${DEFAULT-VALUE}).")
    private int maxCalls;

    /** Returns the trust in the certificates of others; null without TLS. */
    @Nullable
    SSLContext tls(boolean isOn) {
        return isOn ? trust.tls() : null;
    }

    /**
     * Returns the number of calls to one process at a time.
     *
     * @throws CommandFailed if it is out of range
     */
    int maxCalls() {
        CommandFailed.expectRange("--max-peer-calls", maxCalls, 1, LIMIT);
        return maxCalls;
    }
}
