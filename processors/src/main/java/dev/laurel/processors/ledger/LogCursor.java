package dev.laurel.processors.ledger;

import static java.util.Objects.requireNonNull;

import dev.laurel.processors.ledger.LedgerMeters.TimerWatch;
import dev.laurel.processors.stream.LogLayout.OriginTracker;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.OutputWindow.Handover;
import dev.laurel.processors.stream.OutputWindow.OffsetRange;
import dev.laurel.schemas.key.LogPosition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The position of the current record in one partition of the log, and whether this generation produces the output that follows
 * from it. One task, one thread.
 */
final class LogCursor {

    private final ProcessorContext<?, ?> context;
    private final OutputWindow window;
    private final TimerWatch meters;
    private final int partition;
    private final OriginTracker origins = new OriginTracker();
    private OffsetRange range;
    private boolean isSilent;

    /** The offset of the current record; -1 before the first one. */
    private long offset = -1;

    /** Null before the first record. */
    private @Nullable LogPosition origin;

    LogCursor(ProcessorContext<?, ?> context, OutputWindow window, TimerWatch meters) {
        this.context = context;
        this.window = window;
        this.meters = meters;
        this.partition = context.taskId().partition();
        window.refresh();
        this.range = window.range(partition);
        adopt(range);
    }

    private void adopt(OffsetRange next) {
        range = next;
        meters.rangeChanged(next);
        window.adopt(partition, next);
    }

    /** Moves to the record that the task processes now. @return false if only the next generation processes it */
    boolean advance(Headers headers) {
        RecordMetadata position = context.recordMetadata().orElseThrow();
        offset = position.offset();
        if (offset >= range.until()) {
            return false;
        }
        origin = origins.of(position, headers);
        isSilent = offset < range.from();
        return true;
    }

    int partition() {
        return partition;
    }

    long offset() {
        return offset;
    }

    /** The offset after the current record; 0 before the first one. */
    long nextOffset() {
        return offset + 1;
    }

    /** The position at which the record was first written, before its log was copied into a wider one. */
    LogPosition origin() {
        return requireNonNull(origin, "no record has been read");
    }

    /** Whether another generation produces the output for the current record. */
    boolean isSilent() {
        return isSilent;
    }

    /** Whether this generation produces the output for what is appended to the partition now. */
    boolean isInForce() {
        return range.isOpen();
    }

    /** Reads the marker at the current position. */
    Handover readMarker(int generation) {
        return window.readMarker(generation, partition, offset);
    }

    /** This generation produces the output from the current record on. */
    void beginOutput() {
        adopt(new OffsetRange(offset, OutputWindow.NEVER));
        isSilent = false;
    }

    /** The current record is the last one that this generation processes. */
    void endOutput() {
        adopt(new OffsetRange(range.from(), offset));
    }
}
