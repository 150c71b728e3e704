package dev.laurel.processors.delivery;

import dev.laurel.processors.core.sending.MessageDelivery.Ending;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counts of messages by outcome since the start of the process. Thread-safe. */
public final class MessageCounts {

    /** The counts by the ordinal of the ending. */
    private final LongAdder[] ended = Stream.generate(LongAdder::new).limit(Ending.values().length)
            .toArray(LongAdder[]::new);
    private final LongAdder failedAttempts = new LongAdder();
    private final AtomicInteger underWay = new AtomicInteger();

    public void countEnded(Ending how) {
        ended[how.ordinal()].increment();
    }

    /** An attempt failed and will be retried. */
    public void countFailedAttempt() {
        failedAttempts.increment();
    }

    /** Changes the number of messages in progress. @param more number of messages that have begun, less those that have ended */
    public void countUnderWay(int more) {
        underWay.addAndGet(more);
    }

    public long ended(Ending how) {
        return ended[how.ordinal()].sum();
    }

    public long failedAttempts() {
        return failedAttempts.sum();
    }

    /** The number of messages that are being sent. */
    public int underWay() {
        return underWay.get();
    }
}
