package dev.laurel.gateway.publish;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The log to which this gateway writes commands. A wider log, which is a copy, may replace it. Then new commands wait until the
 * unacknowledged ones are acknowledged and copied, so that the commands of a user keep their order. Thread-safe.
 */
public final class TargetLog {

    /** One log, with the records that are being written to it. */
    static final class Target {

        private final String name;
        private final AtomicInteger unsettled = new AtomicInteger();
        private final Map<Integer, Long> acknowledged = new ConcurrentHashMap<>();

        private Target(String name) {
            this.name = name;
        }

        String name() {
            return name;
        }

        /** Records that a write was acknowledged or has failed. @param stored position of the record; null if the write has failed */
        void settled(@Nullable RecordMetadata stored) {
            if (stored != null && stored.hasOffset()) {
                acknowledged.merge(stored.partition(), stored.offset(), Math::max);
            }
            unsettled.decrementAndGet();
        }
    }

    private final long timeoutNs;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition isOpen = lock.newCondition();
    private volatile Target current;
    private volatile boolean isHeld;

    /** @param timeout maximum time for which a command is held back */
    public TargetLog(String name, Duration timeout) {
        this.current = new Target(name);
        this.timeoutNs = timeout.toNanos();
    }

    public String name() {
        return current.name;
    }

    /**
     * Begins the write of a command, which {@link Target#settled} ends. Waits while commands are held back.
     *
     * @return null after the timeout; then the command must not be written
     */
    @Nullable
    Target enter() {
        Target target = current;
        // Count before checking isHeld, because the caller of hold() reads the count afterwards.
        target.unsettled.incrementAndGet();
        if (!isHeld && target == current) {
            return target;
        }
        target.unsettled.decrementAndGet();
        return enterWhenOpen();
    }

    private @Nullable Target enterWhenOpen() {
        long leftNs = timeoutNs;
        lock.lock();
        try {
            while (isHeld) {
                if (leftNs <= 0) {
                    return null;
                }
                leftNs = isOpen.awaitNanos(leftNs);
            }
            current.unsettled.incrementAndGet(); // hold() and open() need the lock, too
            return current;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Holds commands back until {@link #open}. */
    void hold() {
        lock.lock();
        try {
            isHeld = true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until every command is acknowledged or has failed. */
    void awaitSettled() throws InterruptedException {
        while (current.unsettled.get() > 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** The offset of the last command that this gateway wrote, by partition. */
    Map<Integer, Long> acknowledged() {
        return new HashMap<>(current.acknowledged);
    }

    /** Directs commands to this log from now on. */
    void open(String name) {
        lock.lock();
        try {
            current = new Target(name);
            isHeld = false;
            isOpen.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
