package dev.laurel.processors.delivery.message;

import dev.laurel.processors.core.sending.Delivery.Ending;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How messages ended, counted since the start of the process. Thread-safe. */
public final class MessageCounts {

    private final Map<Ending, LongAdder> ended = new EnumMap<>(Ending.class);
    private final LongAdder failedAttempts = new LongAdder();

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

    public long ended(Ending how) {
        return ended.get(how).sum();
    }

    public long failedAttempts() {
        return failedAttempts.sum();
    }
}
