package dev.laurel.processors.stream;

import dev.laurel.processors.core.leaderboard.BoardFloors;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger's tasks of one application share; all of it is thread-safe.
 *
 * @param layout assigns users to the partitions of the log
 * @param floors lowest values of full leaderboards
 * @param boards assigns leaderboards to the partitions of {@code laurel.scores}
 * @param statistics receives the statistics of all users of each partition; null if nobody reads them
 */
public record LedgerDependencies(RulesetVersions rulesets, Ticks ticks, LogLayout layout, BoardFloors floors,
        BoardLayout boards, @Nullable StatisticsViews statistics, LedgerMeters meters) {}
