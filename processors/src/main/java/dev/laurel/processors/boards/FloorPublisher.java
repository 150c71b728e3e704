package dev.laurel.processors.boards;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.processors.store.boards.FloorRecords;
import dev.laurel.processors.store.boards.FloorRecords.Floor;
import dev.laurel.processors.store.boards.FloorRecords.Key;
import dev.laurel.processors.store.boards.FloorRecords.Progress;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Publishes floors for the ledger, the values that a newcomer to a full group must exceed: first the floors that have changed, then
 * the log offsets up to which they are valid. One task, one thread.
 */
final class FloorPublisher {

    /** The name of the node that gets them. */
    static final String FLOORS_SINK = "floors-sink";

    /** The maximum number of changed floors in memory. */
    private static final int MAX_CHANGED = 10_000;

    private final ProcessorContext<Object, Object> context;
    private final int boardPartition;
    private final Map<LeaderboardGroup, @Nullable BigDecimal> changed = new LinkedHashMap<>();

    /** Identifies this life of the task; no other life in this partition began at the same time. */
    private final long life;

    FloorPublisher(ProcessorContext<Object, Object> context) {
        this.context = context;
        this.boardPartition = context.taskId().partition();
        this.life = context.currentSystemTimeMs();
    }

    /** @param floor null: the group is not full, or is closed to newcomers */
    void set(LeaderboardGroup group, @Nullable BigDecimal floor) {
        changed.put(group, floor);
        if (changed.size() > MAX_CHANGED) {
            publishFloors();
        }
    }

    /** @param offsets by partition of the log, not beyond those that the floors include */
    void publish(long[] offsets) {
        publishFloors();
        forward(new Key.OfPartition(boardPartition), FloorRecords.PROGRESS.encode(new Progress(life, offsets)));
    }

    private void publishFloors() {
        changed.forEach((group, floor) -> forward(
                new Key.OfGroup(group),
                floor == null ? null : FloorRecords.FLOOR.encode(new Floor(boardPartition, life, floor))));
        changed.clear();
    }

    boolean hasChanges() {
        return !changed.isEmpty();
    }

    private void forward(Key key, byte @Nullable [] value) {
        context.forward(new Record<>(FloorRecords.KEY.encode(key), value, context.currentSystemTimeMs()), FLOORS_SINK);
    }
}
