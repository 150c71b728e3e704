package dev.laurel.processors.stream;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.store.FloorRecords;
import dev.laurel.processors.store.FloorRecords.Floor;
import dev.laurel.processors.store.FloorRecords.Heard;
import dev.laurel.processors.store.FloorRecords.Key;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Tells the ledger what a value must exceed to matter: floors that have changed first, then how far the log had been heard
 * by then. One task, one thread.
 */
final class Floors {

    /** More than these are not kept back. */
    private static final int MAX_UNTOLD = 10_000;

    private final ProcessorContext<Object, Object> context;
    private final String outlet;
    private final int boardPartition;
    private final Map<BoardGroup, BigDecimal> untold = new LinkedHashMap<>();

    /** Names this life of the task; no other one of this partition began at the same time. */
    private final long life;

    Floors(ProcessorContext<Object, Object> context, String outlet) {
        this.context = context;
        this.outlet = outlet;
        this.boardPartition = context.taskId().partition();
        this.life = context.currentSystemTimeMs();
    }

    /** @param floor null if the group is not full, or takes nobody any more */
    void set(BoardGroup group, BigDecimal floor) {
        untold.put(group, floor);
        if (untold.size() > MAX_UNTOLD) {
            tellFloors();
        }
    }

    /** @param heard by partition of the log, no further than what the floors were made of */
    void tell(long[] heard) {
        tellFloors();
        forward(new Key.OfPartition(boardPartition), FloorRecords.heard(new Heard(life, heard)));
    }

    private void tellFloors() {
        untold.forEach((group, floor) -> forward(new Key.OfGroup(group),
                floor == null ? null : FloorRecords.floor(new Floor(boardPartition, life, floor))));
        untold.clear();
    }

    boolean areUntold() {
        return !untold.isEmpty();
    }

    private void forward(Key key, byte[] value) {
        context.forward(new Record<>(FloorRecords.key(key), value, context.currentSystemTimeMs()), outlet);
    }
}
