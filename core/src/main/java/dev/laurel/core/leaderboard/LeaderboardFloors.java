package dev.laurel.core.leaderboard;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The lowest values of full leaderboard groups as far as the ledger knows them. Scores below need not be sent. A floor is a
 * hint that may lag behind; the leaderboard decides. Thread-safe.
 */
public interface LeaderboardFloors {

    /** The lowest value of a full group; null: the group is not full, or its floor is unknown. */
    @Nullable
    BigDecimal floorOf(LeaderboardGroup group);

    /**
     * The offset in a partition of the log up to which a partition of the leaderboards had processed scores when it reported
     * the floors; -1 if it is unknown.
     */
    long processedTo(int boardPartition, int logPartition);
}
