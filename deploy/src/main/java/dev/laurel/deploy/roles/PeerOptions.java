package dev.laurel.deploy.roles;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.query.peer.PeerClient;
import picocli.CommandLine.Option;

/** Options for the calls of a process to nodes and to other processes of its role. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class PeerOptions {

    private static final int LIMIT = 10_000;

    @Option(names = "--max-peer-calls", paramLabel = "N", defaultValue = ""
            + PeerClient.DEFAULT_MAX_CALLS, description = "Calls to one other process at a time; reads that need more are answered 503 (default: ${DEFAULT-VALUE}).")
    private int maxCalls;

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
