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

/**
 * The log that commands of this gateway go to. It may be replaced by a wider one, which is a copy of it: then new commands are
 * held back, for a while, until those on their way are acknowledged and copied, so that nobody's commands change their order.
 * Thread-safe.
 */
public final class WrittenLog {

    /** One log, while it is written to. */
    static final class Term {

        private final String name;
        private final AtomicInteger underWay = new AtomicInteger();
        private final Map<Integer, Long> acknowledged = new ConcurrentHashMap<>();

        private Term(String name) {
            this.name = name;
        }

        String name() {
            return name;
        }

        /** @param stored where the record is; null if it failed */
        void left(RecordMetadata stored) {
            if (stored != null && stored.hasOffset()) {
                acknowledged.merge(stored.partition(), stored.offset(), Math::max);
            }
            underWay.decrementAndGet();
        }
    }

    private final long patienceNs;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition isOpen = lock.newCondition();
    private volatile Term current;
    private volatile boolean isHeld;

    /** @param patience how long a command is held back, if need be */
    public WrittenLog(String name, Duration patience) {
        this.current = new Term(name);
        this.patienceNs = patience.toNanos();
    }

    public String name() {
        return current.name;
    }

    /**
     * One more command is on its way; {@link Term#left} ends that. Waits while commands are held back.
     *
     * @return null if it has waited too long: nothing may be written now
     */
    Term enter() {
        Term term = current;
        // Counted before the look: who holds commands back looks at the count after that.
        term.underWay.incrementAndGet();
        if (!isHeld && term == current) {
            return term;
        }
        term.underWay.decrementAndGet();
        return enterWhenOpen();
    }

    private Term enterWhenOpen() {
        long leftNs = patienceNs;
        lock.lock();
        try {
            while (isHeld) {
                if (leftNs <= 0) {
                    return null;
                }
                leftNs = isOpen.awaitNanos(leftNs);
            }
            current.underWay.incrementAndGet(); // holding back and replacing take the lock, too
            return current;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** From here on commands are held back. */
    void hold() {
        lock.lock();
        try {
            isHeld = true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until none is on its way. */
    void awaitNoneUnderWay() throws InterruptedException {
        while (current.underWay.get() > 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** The offset of the last command that this gateway has put into each partition of the log; none where it has not. */
    Map<Integer, Long> acknowledged() {
        return new HashMap<>(current.acknowledged);
    }

    /** Commands go to this log from now on. */
    void open(String name) {
        lock.lock();
        try {
            current = new Term(name);
            isHeld = false;
            isOpen.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
