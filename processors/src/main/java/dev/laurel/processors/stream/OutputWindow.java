package dev.laurel.processors.stream;

import java.util.function.IntFunction;
import org.apache.kafka.common.header.Headers;

/**
 * Decides for which records of the log a generation produces output: in each partition one range of offsets, from the marker
 * with which the generation came into force to the marker of the next one. Outside of its range a generation is silent: it
 * computes the same state and writes nothing for others, since another generation does. Thread-safe.
 */
public interface OutputWindow {

    /** An offset that no record has. */
    long NEVER = Long.MAX_VALUE;

    String SILENT_HEADER = "laurel-silent";

    /**
     * A range of offsets in a partition of the log.
     *
     * @param from offset of the marker with which it begins, 0 for the first generation, {@link #NEVER} if it has not begun
     * @param until offset of the marker with which it ends, {@link #NEVER} if it has not ended
     */
    record OffsetRange(long from, long until) {

        static final OffsetRange ALL = new OffsetRange(0, NEVER);
        public static final OffsetRange NONE = new OffsetRange(NEVER, NEVER);

        /** Whether it has begun and not ended. */
        public boolean isOpen() {
            return from != NEVER && until == NEVER;
        }
    }

    /** Waits until {@link #range} reflects everything that was decided before this call. Fails if that takes too long: a fault. */
    void refresh();

    OffsetRange range(int partition);

    /** A task of this process follows this range from now on. */
    default void adopt(int partition, OffsetRange range) {
        // A single generation has no use for it.
    }

    /**
     * Whether a task of this partition, if it runs here and has caught up, shows everything that was answered: by this generation,
     * or by the former one up to the beginning of this one's range. Never waits.
     */
    default boolean isCurrent(int partition) {
        return true;
    }

    /** Whether a later generation is in force, so that this one shows the past. Never waits. */
    default boolean isSuperseded() {
        return false;
    }

    /** Whether another generation produces or produced the output for the beginning of the log. */
    boolean startsSilent();

    /** Marks a record between the applications of a generation: another generation produces the output for it. */
    static void markSilent(Headers headers) {
        headers.add(SILENT_HEADER, new byte[0]);
    }

    static boolean isMarkedSilent(Headers headers) {
        return headers.lastHeader(SILENT_HEADER) != null;
    }

    /** The meaning of a marker for the generation that reads it. */
    enum Handover {
        /** No promotion has written the marker. */
        UNKNOWN,
        /** The marker concerns other generations only. */
        OTHER,
        /** This generation produces the output from here on. The former one has committed its last output in this partition. */
        BEGIN,
        /** This generation has produced its last output. */
        END
    }

    /**
     * Finds the meaning of a marker. Waits for records that are on their way; fails if that takes too long: a fault.
     *
     * @param generation in force from the marker on
     * @param offset of the marker
     */
    Handover readMarker(int generation, int partition, long offset);

    /** The window of a single generation. */
    OutputWindow EVERYTHING = new Constant(OffsetRange.ALL, false, _ -> Handover.UNKNOWN);

    /** The window of a shadow, which never produces output. */
    OutputWindow NOTHING = new Constant(OffsetRange.NONE, true, _ -> Handover.OTHER);

    /** A window that never changes. @param handovers the meaning of the markers of generations */
    record Constant(OffsetRange range, boolean startsSilent, IntFunction<Handover> handovers) implements OutputWindow {

        @Override
        public void refresh() {
            // Nothing changes.
        }

        @Override
        public OffsetRange range(int partition) {
            return range;
        }

        @Override
        public Handover readMarker(int generation, int partition, long offset) {
            return handovers.apply(generation);
        }
    }
}
