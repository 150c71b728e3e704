package dev.laurel.gateway;

import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log to which this gateway writes commands. A wider log, which is a copy, may replace it. Then new commands wait until the
 * unacknowledged ones are acknowledged and copied, so that the commands of a user keep their order. Thread-safe.
 */
final class TargetLog {

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
    private volatile Target current;
    private volatile boolean isHeld;

    /** @param timeout maximum time for which a command is held back */
    TargetLog(String name, Duration timeout) {
        this.current = new Target(name);
        this.timeoutNs = timeout.toNanos();
    }

    String name() {
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

    private synchronized @Nullable Target enterWhenOpen() {
        long deadlineNs = System.nanoTime() + timeoutNs;
        try {
            while (isHeld) {
                long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
                if (leftMs <= 0) {
                    return null;
                }
                wait(leftMs);
            }
            current.unsettled.incrementAndGet(); // hold() and open() are synchronized, too
            return current;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Holds commands back until {@link #open}. */
    synchronized void hold() {
        isHeld = true;
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
    synchronized void open(String name) {
        current = new Target(name);
        isHeld = false;
        notifyAll();
    }

    /**
     * Switches a {@link TargetLog} to the log of the generation in force, on a thread of its own. For a wider log it holds commands back
     * until everything that this gateway wrote to the previous log is copied. Requests that Kafka cannot answer are repeated.
     */
    static final class TargetLogFollower implements AutoCloseable {

        private static final Logger LOG = LoggerFactory.getLogger(TargetLog.class);
        private static final Duration TIMEOUT = Duration.ofSeconds(5);
        private static final long POLL_INTERVAL_MS = 20;

        private final TargetLog log;
        private final GenerationTable table;
        private final Admin admin;
        private final Consumer<Throwable> onFault;
        private final Semaphore changes = new Semaphore(0);
        private final Thread thread;

        /**
         * @param table already started; the caller closes it
         * @param onFault called with the failure that ended the thread, on that thread
         */
        TargetLogFollower(
                TargetLog log, GenerationTable table, Map<String, Object> clientConfig, Consumer<Throwable> onFault) {
            this.log = log;
            this.table = table;
            this.admin = KafkaClients.admin(clientConfig);
            this.onFault = onFault;
            this.thread = Thread.ofPlatform().name("written-log").daemon().unstarted(this::run);
            table.onChange(changes::release);
            changes.release(); // the generation may have changed since the target log was created
        }

        TargetLogFollower start() {
            thread.start();
            return this;
        }

        private void run() {
            try {
                while (true) {
                    changes.acquire();
                    changes.drainPermits();
                    String wanted = table.inForce().log();
                    if (!wanted.equals(log.name())) {
                        switchTo(wanted);
                    }
                }
            } catch (InterruptedException _) {
                // The follower is closed.
            } catch (RuntimeException | Error e) {
                LOG.error("Stopped following the generation in force; commands may go to a replaced log", e);
                onFault.accept(e);
            }
        }

        private void switchTo(String wanted) throws InterruptedException {
            long begunNs = System.nanoTime();
            log.hold();
            log.awaitSettled();
            Map<Integer, Long> written = log.acknowledged();
            while (!isCopied(wanted, written)) {
                TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL_MS);
            }
            String previous = log.name();
            log.open(wanted);
            LOG.info(
                    "Commands go to {} instead of {}; they were held back for {} ms",
                    wanted,
                    previous,
                    Duration.ofNanos(System.nanoTime() - begunNs).toMillis());
        }

        /** Whether the wider log contains everything that this gateway wrote to the previous one. */
        private boolean isCopied(String wanted, Map<Integer, Long> written) throws InterruptedException {
            GenerationRecord wider = table.find(Generation.numberOf(wanted));
            if (written.isEmpty() || wider == null || !log.name().equals(wider.copiedFrom())) {
                return true;
            }
            try {
                Map<TopicPartition, OffsetAndMetadata> done = admin.listConsumerGroupOffsets(
                                wider.generation().copier())
                        .partitionsToOffsetAndMetadata()
                        .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
                return written.entrySet().stream().allMatch(last -> {
                    OffsetAndMetadata next = done.get(new TopicPartition(log.name(), last.getKey()));
                    return next != null && next.offset() > last.getValue();
                });
            } catch (ExecutionException | TimeoutException e) {
                LOG.warn(
                        "Could not read the progress of the copy of {}; commands are held back: {}",
                        log.name(),
                        e.getMessage());
                return false;
            }
        }

        @Override
        public void close() {
            thread.interrupt();
            admin.close(TIMEOUT);
        }
    }
}
