package dev.laurel.processors.delivery.message;

import dev.laurel.processors.core.sending.Delivery.Ending;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** How messages ended, counted since the start of the process. Thread-safe. */
public final class MessageCounts {

    private final Map<Ending, LongAdder> ended = new EnumMap<>(Ending.class);
    private final LongAdder failedAttempts = new LongAdder();
    private final AtomicInteger underWay = new AtomicInteger();

    public MessageCounts() {
        for (Ending how : Ending.values()) {
            ended.put(how, new LongAdder());
        }
    }

    void countEnded(Ending how) {
        ended.get(how).increment();
    }

    /** Another one will follow. */
    void countFailedAttempt() {
        failedAttempts.increment();
    }

    /** @param more that a task has begun, or is done with if negative */
    void countUnderWay(int more) {
        underWay.addAndGet(more);
    }

    public long ended(Ending how) {
        return ended.get(how).sum();
    }

    public long failedAttempts() {
        return failedAttempts.sum();
    }

    /** Being sent now. */
    public int underWay() {
        return underWay.get();
    }
}
