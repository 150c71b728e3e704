package dev.laurel.processors.ledger;

import java.util.function.LongPredicate;

/**
 * Tells whether a former task may have processed commands beyond the last commit: those that were in the log when this task started. A
 * transaction has fewer commands than {@link #MAX_REPEATED}. One task, one thread.
 */
final class RepeatedCommands implements LongPredicate {

    private static final long MAX_REPEATED = 500_000;
    private static final long UNKNOWN = -1;

    private final Ticks ticks;
    private final int partition;
    private final long startNs;
    private long end = UNKNOWN;
    private long first = UNKNOWN;
    private boolean isOver;

    RepeatedCommands(Ticks ticks, int partition) {
        this.ticks = ticks;
        this.partition = partition;
        this.startNs = System.nanoTime();
    }

    /** Whether a former task may have got further than this. @param offset of the last command read; -1 if none was */
    @Override
    public boolean test(long offset) {
        if (!isOver) {
            if (first == UNKNOWN) {
                first = offset;
            }
            if (end == UNKNOWN) {
                end = ticks.endOfLog(partition, startNs);
            }
            isOver = end != UNKNOWN && ticks.readTo(partition, offset + 1) >= end
                    || first != UNKNOWN && offset - first >= MAX_REPEATED;
        }
        return !isOver;
    }
}
