package dev.laurel.processors.core.leaderboard;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The lowest ranked values of full leaderboards, as the ledger knows them: a score below need not be sent. A hint that may
 * lag behind; the leaderboard decides. Thread-safe.
 */
public interface BoardFloors {

    /** The lowest ranked value of a full group; null if it is not full, or nothing is known. */
    @Nullable
    BigDecimal floorOf(BoardGroup group);

    /**
     * The offset of a partition of the log up to which the leaderboards of a partition had processed scores when they
     * reported the values of {@link #floorOf}; -1 if it is not known.
     */
    long processedTo(int boardPartition, int logPartition);

    /** No floors are known: every score is sent. */
    BoardFloors NONE = new BoardFloors() {
        @Override
        public @Nullable BigDecimal floorOf(BoardGroup group) {
            return null;
        }

        @Override
        public long processedTo(int boardPartition, int logPartition) {
            return -1;
        }
    };
}
