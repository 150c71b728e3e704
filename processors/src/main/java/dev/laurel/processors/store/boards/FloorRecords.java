package dev.laurel.processors.store.boards;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.processors.store.Codec;
import java.math.BigDecimal;

/**
 * The records of {@code laurel.board-floors}. The boards application writes changed floors before its progress, so a reader of the
 * progress has read the floors. That holds within the life of a task, which each record names: a life that has ended never writes
 * the floors that were still to be written. Thread-safe.
 */
public final class FloorRecords {

    /** The subject of a record. */
    public sealed interface Key {

        /** The value is the group's floor, deleted while the group is not full. */
        record OfGroup(LeaderboardGroup group) implements Key {}

        /** The value is the progress of this partition of the boards application. */
        record OfPartition(int boardPartition) implements Key {}
    }

    /**
     * The value that a newcomer to a full group must exceed.
     *
     * @param boardPartition that contains the group
     * @param life of the task that wrote it
     */
    public record Floor(int boardPartition, long life, BigDecimal value) {}

    /**
     * The position in the log up to which a partition of the boards application has processed scores.
     *
     * @param life of the task that wrote it; it says nothing about floors of other lives
     * @param offsets by partition of the log; -1 where none was processed
     */
    public record Progress(long life, long[] offsets) {}

    public static final Codec<Key> KEY = Codec.of("floor key", 2, Key.class);
    public static final Codec<Floor> FLOOR = Codec.of("floor", 2, Floor.class);
    public static final Codec<Progress> PROGRESS = Codec.of("list of offsets", 2, Progress.class);

    private FloorRecords() {}
}
