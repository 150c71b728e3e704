package dev.laurel.processors.generation;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What a thread waits for by asking again and again, since Kafka does not report it. */
public interface Condition {

    boolean holds() throws InterruptedException;

    /** Waits as long as this. @return false if the condition did not hold in this time */
    static boolean await(Duration timeout, long everyMs, Condition condition) throws InterruptedException {
        return condition.await(System.nanoTime() + timeout.toNanos(), everyMs);
    }

    /** Waits until this holds. It is asked at least once. @return false if the deadline passed */
    default boolean await(long deadlineNs, long everyMs) throws InterruptedException {
        while (!holds()) {
            if (System.nanoTime() - deadlineNs > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(everyMs);
        }
        return true;
    }
}
