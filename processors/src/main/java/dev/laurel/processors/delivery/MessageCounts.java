package dev.laurel.processors.delivery;

import dev.laurel.processors.core.sending.MessageDelivery.Ending;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts of messages by outcome since the start of the process. Thread-safe. */
public final class MessageCounts {

    private final Map<Ending, LongAdder> ended = new EnumMap<>(Ending.class);
    private final LongAdder failedAttempts = new LongAdder();
    private final AtomicInteger underWay = new AtomicInteger();

    public MessageCounts() {
        for (Ending how : Ending.values()) {
            ended.put(how, new LongAdder());
        }
    }

    public void countEnded(Ending how) {
        ended.get(how).increment();
    }

    /** An attempt failed and will be retried. */
    public void countFailedAttempt() {
        failedAttempts.increment();
    }

    /** @param more messages that a task has begun; negative for messages that have ended */
    public void countUnderWay(int more) {
        underWay.addAndGet(more);
    }

    public long ended(Ending how) {
        return ended.get(how).sum();
    }

    public long failedAttempts() {
        return failedAttempts.sum();
    }

    /** Messages that are being sent now. */
    public int underWay() {
        return underWay.get();
    }
}
