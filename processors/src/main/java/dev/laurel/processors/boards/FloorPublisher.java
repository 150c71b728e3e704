package dev.laurel.processors.boards;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.store.FloorRecords.Floor;
import dev.laurel.processors.store.FloorRecords.Progress;
import dev.laurel.processors.store.FloorRecords.Key;
import dev.laurel.processors.store.FloorRecords;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Publishes floors for the ledger, the values that a newcomer to a full group must exceed: first the floors that have changed, then
 * the log offsets up to which they are valid. One task, one thread.
 */
final class FloorPublisher {

    /** The maximum number of changed floors that are held back. */
    private static final int MAX_HELD_BACK = 10_000;

    private final ProcessorContext<Object, Object> context;
    private final String outlet;
    private final int boardPartition;
    private final Map<BoardGroup, BigDecimal> changed = new LinkedHashMap<>();

    /** Identifies this life of the task; no other life in this partition began at the same time. */
    private final long life;

    FloorPublisher(ProcessorContext<Object, Object> context, String outlet) {
        this.context = context;
        this.outlet = outlet;
        this.boardPartition = context.taskId().partition();
        this.life = context.currentSystemTimeMs();
    }

    /** @param floor null if the group is not full, or closed to newcomers */
    void set(BoardGroup group, BigDecimal floor) {
        changed.put(group, floor);
        if (changed.size() > MAX_HELD_BACK) {
            publishFloors();
        }
    }

    /** @param heard offsets by partition of the log, no further than the floors include */
    void publish(long[] heard) {
        publishFloors();
        forward(new Key.OfPartition(boardPartition), FloorRecords.progress(new Progress(life, heard)));
    }

    private void publishFloors() {
        changed.forEach((group, floor) -> forward(new Key.OfGroup(group),
                floor == null ? null : FloorRecords.floor(new Floor(boardPartition, life, floor))));
        changed.clear();
    }

    boolean hasChanges() {
        return !changed.isEmpty();
    }

    private void forward(Key key, byte[] value) {
        context.forward(new Record<>(FloorRecords.key(key), value, context.currentSystemTimeMs()), outlet);
    }
}
