package dev.laurel.deploy.roles;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.processors.boards.LeaderboardViews;
import picocli.CommandLine.Option;

/** Options for the leaderboards that a node keeps in memory, in a process of its own or in a standalone. */
final class LeaderboardOptions {

    @Option(
            names = "--max-ranked",
            paramLabel = "N",
            defaultValue = "" + LeaderboardViews.DEFAULT_MAX_PARTICIPANTS,
            description = "Users of leaderboards in memory, about 200 bytes each; further rankings are read from the"
                    + " store (default: ${DEFAULT-VALUE}).")
    private long maxRanked;

    /**
     * Returns the maximum number of users in memory.
     *
     * @throws CommandFailed if it is out of range
     */
    long maxRanked() {
        if (maxRanked < 0) {
            throw new CommandFailed("--max-ranked must be at least 0, is " + maxRanked);
        }
        return maxRanked;
    }
}
