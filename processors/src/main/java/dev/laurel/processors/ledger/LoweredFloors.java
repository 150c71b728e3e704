package dev.laurel.processors.ledger;

import dev.laurel.core.leaderboard.LeaderboardFloors;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The floors that one partition of the log judges its scores by: those that the leaderboards published, lowered by what this partition
 * itself has sent since. So the changes of its users are judged in the order of the log. One task, one thread.
 */
final class LoweredFloors {

    /** Beyond that, no floor is known until the leaderboards have read what was sent. */
    private static final int MAX_FALLS = 10_000;

    private final LeaderboardFloors published;
    private final Map<LeaderboardGroup, Fall> falls = new HashMap<>();

    /**
     * Floors are not known before the leaderboards have read beyond this offset. At the beginning of a task that is the record before its
     * first one, since the former task may have sent scores up to there.
     */
    private long unknownTo = Long.MIN_VALUE;

    /**
     * A score that may lower the floor of its group.
     *
     * @param boardPartition the partition of the leaderboards that has the group
     * @param offset of the command that caused it
     * @param value the floor is not lower than this, unless it was lower before; null: the group may have room
     */
    private record Fall(
            int boardPartition, long offset, @Nullable BigDecimal value) {

        Fall and(Fall later) {
            return new Fall(
                    boardPartition, later.offset, value == null || later.value == null ? null : value.min(later.value));
        }
    }

    LoweredFloors(LeaderboardFloors published) {
        this.published = published;
    }

    /** Called with every command that has scores. */
    void reached(long offset) {
        if (unknownTo == Long.MIN_VALUE) {
            unknownTo = offset - 1;
        }
    }

    /** The offset in this partition of the log up to which a partition of the leaderboards had processed scores. */
    long processedTo(int boardPartition, int logPartition) {
        return published.processedTo(boardPartition, logPartition);
    }

    /**
     * The value that a newcomer must exceed; null: unknown, or there may be room.
     *
     * @param processedTo of the partition of the leaderboard, read before: floors are published before the offsets they belong to, so
     *            that a floor read later is not older
     */
    @Nullable
    BigDecimal floorOf(LeaderboardGroup group, long processedTo) {
        BigDecimal floor = processedTo <= unknownTo ? null : published.floorOf(group);
        if (floor == null || falls.isEmpty()) {
            return floor;
        }
        Fall fall = falls.get(group);
        if (fall == null || processedTo > fall.offset) {
            return floor;
        }
        return fall.value == null ? null : floor.min(fall.value);
    }

    /**
     * A score was sent after which the floor may be as low as {@code value}.
     *
     * @param boardPartition the partition of the leaderboards that has the group
     * @param value null: the group may have room
     */
    void fell(LeaderboardGroup group, int boardPartition, long offset, @Nullable BigDecimal value) {
        if (falls.size() >= MAX_FALLS && !falls.containsKey(group)) {
            allFell(offset);
        } else if (offset > unknownTo) {
            falls.merge(group, new Fall(boardPartition, offset, value), Fall::and);
        }
    }

    /** Something was sent that may lower the floors of all groups. */
    void allFell(long offset) {
        // Before the first command, nothing was sent.
        unknownTo = offset < 0 ? unknownTo : Math.max(unknownTo, offset);
        falls.clear();
    }

    /**
     * Forgets falls that the published floors include.
     *
     * @param processedTo the offset up to which a partition of the leaderboards had processed scores
     */
    void forget(IntToLongFunction processedTo) {
        falls.values().removeIf(fall -> processedTo.applyAsLong(fall.boardPartition) > fall.offset);
    }
}
