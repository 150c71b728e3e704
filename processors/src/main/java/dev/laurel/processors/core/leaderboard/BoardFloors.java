package dev.laurel.processors.core.leaderboard;

import java.math.BigDecimal;

/**
 * What full leaderboards ask for, as the ledger has last heard: a score that cannot matter need not travel. A hint; it may
 * lag, and the leaderboard decides. Thread-safe.
 */
public interface BoardFloors {

    /** The lowest ranked value of a full group; null if it is not full, or nothing is known. */
    BigDecimal floorOf(BoardGroup group);

    /**
     * Up to which offset of a partition of the log the leaderboards of a partition had heard when they said what
     * {@link #floorOf} says; -1 if that is not known.
     */
    long heardTo(int boardPartition, int logPartition);

    /** Nothing is known: every score travels. */
    BoardFloors NONE = new BoardFloors() {
        @Override
        public BigDecimal floorOf(BoardGroup group) {
            return null;
        }

        @Override
        public long heardTo(int boardPartition, int logPartition) {
            return -1;
        }
    };
}
