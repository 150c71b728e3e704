package dev.laurel.deploy.roles;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.processors.boards.LeaderboardFloorTable;
import dev.laurel.processors.boards.LeaderboardViews;
import dev.laurel.processors.runtime.LedgerConfig;
import java.util.Map;
import picocli.CommandLine.Option;

/** Options for the leaderboards that a node keeps in memory, in a process of its own or in a standalone. */
final class LeaderboardOptions {

    @Option(
            names = "--max-ranked",
            paramLabel = "N",
            defaultValue = "" + LeaderboardViews.DEFAULT_MAX_PARTICIPANTS,
            description =
                    "Participants of leaderboards in memory, about 200 bytes each; further rankings are read from the"
                            + " store (default: ${DEFAULT-VALUE}).")
    private long maxRanked;

    @Option(
            names = "--max-floors",
            paramLabel = "N",
            defaultValue = "" + LeaderboardFloorTable.DEFAULT_MAX_FLOORS,
            description =
                    "Full groups of leaderboards whose lowest value is in memory, about 300 bytes each; all scores of"
                            + " further groups are sent to the leaderboards (default: ${DEFAULT-VALUE}).")
    private int maxFloors;

    /**
     * Returns settings of {@link LedgerConfig}.
     *
     * @throws CommandFailed if a value is out of range
     */
    Map<String, Object> settings() {
        expectNotNegative("--max-ranked", maxRanked);
        expectNotNegative("--max-floors", maxFloors);
        return Map.of(LedgerConfig.MAX_RANKED, maxRanked, LedgerConfig.MAX_FLOORS, maxFloors);
    }

    private static void expectNotNegative(String option, long value) {
        if (value < 0) {
            throw new CommandFailed(option + " must be at least 0, is " + value);
        }
    }
}
