package dev.laurel.platform.kafka;

import dev.laurel.platform.kafka.LocalRecords.Isolation;
import dev.laurel.platform.kafka.LocalRecords.Tail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * A consumer that takes records which this process has written from memory, {@link LocalRecords}, and fetches all others. While records
 * come from memory, fetches are suspended: of all partitions, because a fetch that waits at a broker for one partition would delay
 * those of the others. They go on when the next record is not in memory, when none came for {@value #IDLE_MS} ms, and every
 * {@value #MAX_SUSPENDED_MS} ms in any case; while this process is the only one that writes to the partitions, every
 * {@value #ALONE_SUSPENDED_MS} ms. Waits are short while there is work, see {@link AdaptivePollWait}. For one thread, except for waking it.
 */
public final class LocalFirstConsumer extends KafkaConsumer<byte[], byte[]> {

    private static final long IDLE_MS = 5;

    /** What others write waits for it at most, while there are records in memory. */
    private static final long MAX_SUSPENDED_MS = 10;

    /** The first record of others after {@value #ALONE_MS} ms without any waits for it at most. */
    private static final long ALONE_SUSPENDED_MS = 100;

    private static final long ALONE_MS = 2_000;

    private final LocalRecords tails;
    private final Isolation isolation;
    private final Duration activeWait;
    private final Map<TopicPartition, Source> sources = new HashMap<>();

    /** The partitions that the caller has paused. */
    private final Set<TopicPartition> pausedByCaller = new HashSet<>();

    /** The partitions whose fetches are suspended. */
    private Set<TopicPartition> suspended = Set.of();

    private long suspendedNs;
    private long takenNs;

    /** When a record of another process was seen last. */
    private long foreignNs = System.nanoTime();

    private final Object wakeLock = new Object();
    private volatile Wait wait = Wait.NONE;

    /** Whether a record that the thread waits for has come, or other work. Guarded by the lock. */
    private boolean isExpectedThere;

    /** That of the thread that polls; null before its first poll. */
    private @Nullable AdaptivePollWait wakeup;

    /** What the thread of the consumer waits for. */
    private enum Wait {
        NONE,
        FOR_MEMORY,
        FOR_BROKERS
    }

    /** @param activeWait the longest wait of a thread that has work */
    public LocalFirstConsumer(Map<String, Object> config, LocalRecords tails, Duration activeWait) {
        super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.tails = tails;
        this.activeWait = activeWait;
        this.isolation = "read_committed".equals(config.get(ConsumerConfig.ISOLATION_LEVEL_CONFIG))
                ? Isolation.COMMITTED
                : Isolation.UNCOMMITTED;
    }

    /** An assigned partition. */
    private final class Source implements AutoCloseable {

        private final TopicPartition partition;
        private final Tail tail;

        Source(TopicPartition partition) {
            this.partition = partition;
            this.tail = tails.follow(partition, isolation, LocalFirstConsumer.this::added);
        }

        private boolean isPaused() {
            return pausedByCaller.contains(partition);
        }

        /** The offset of the next record; -1 while the consumer itself does not know it. */
        private long position() {
            try {
                return LocalFirstConsumer.this.position(partition, Duration.ZERO);
            } catch (TimeoutException _) {
                return -1;
            }
        }

        void takeInto(Batch batch) {
            if (isPaused() || tail.isEmpty()) {
                return;
            }
            List<ConsumerRecord<byte[], byte[]>> taken = tail.take(position());
            if (!taken.isEmpty()) {
                long next = taken.getLast().offset() + 1;
                LocalFirstConsumer.super.seek(partition, next);
                batch.add(partition, taken, new OffsetAndMetadata(next));
            }
        }

        /** Prepares to wait. @return whether the next record is in memory */
        boolean expect() {
            return !isPaused() && tail.expect(position());
        }

        @Override
        public void close() {
            tail.close();
        }
    }

    /** Records of several polls. */
    private static final class Batch {

        private final Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records = new HashMap<>();
        private final Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();

        void add(TopicPartition partition, List<ConsumerRecord<byte[], byte[]>> more, OffsetAndMetadata after) {
            records.computeIfAbsent(partition, _ -> new ArrayList<>()).addAll(more);
            next.put(partition, after);
        }

        void add(ConsumerRecords<byte[], byte[]> polled) {
            polled.nextOffsets().forEach((partition, after) -> add(partition, polled.records(partition), after));
        }

        void keepOnly(Set<TopicPartition> partitions) {
            records.keySet().retainAll(partitions);
            next.keySet().retainAll(partitions);
        }

        boolean isEmpty() {
            return next.isEmpty();
        }

        ConsumerRecords<byte[], byte[]> toRecords() {
            return new ConsumerRecords<>(records, next);
        }
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        AdaptivePollWait own = ofThread();
        own.polls();
        follow();
        var batch = new Batch();
        // A poll may throw or take partitions away, so nothing is taken from memory before it.
        if (!suspended.isEmpty() && isOver(maxSuspendedMs(), suspendedNs)) {
            resumeFetches();
            addFetched(batch, super.poll(Duration.ZERO));
            follow();
        }
        takeInto(batch);
        if (batch.isEmpty()) {
            addFetched(batch, await(timeout, own));
            follow();
            if (batch.isEmpty()) {
                takeInto(batch);
            }
        }
        if (batch.isEmpty()) {
            return ConsumerRecords.empty();
        }
        own.soon();
        return batch.toRecords();
    }

    private AdaptivePollWait ofThread() {
        AdaptivePollWait known = wakeup;
        if (known == null) {
            known = AdaptivePollWait.ofThisThread();
            known.setWaker(this::wake);
            wakeup = known;
        }
        return known;
    }

    /** Adds these records, and looks whether others have written any of them, unless one was found within the last second. */
    private void addFetched(Batch batch, ConsumerRecords<byte[], byte[]> fetched) {
        batch.add(fetched);
        if (!isOver(ALONE_MS / 2, foreignNs)) {
            return;
        }
        long nowNs = System.nanoTime();
        for (Source source : sources.values()) {
            if (source.tail.isAnyForeign(fetched.records(source.partition), nowNs)) {
                foreignNs = nowNs;
            }
        }
    }

    /** Whether this process is the only one that writes to the partitions, as far as known. */
    private boolean isAlone() {
        return isOver(ALONE_MS, foreignNs);
    }

    private long maxSuspendedMs() {
        return isAlone() ? ALONE_SUSPENDED_MS : MAX_SUSPENDED_MS;
    }

    private static boolean isOver(long millis, long sinceNs) {
        return System.nanoTime() - sinceNs > TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private void takeInto(Batch batch) {
        sources.values().forEach(source -> source.takeInto(batch));
        if (!batch.isEmpty()) {
            takenNs = System.nanoTime();
            if (suspended.isEmpty()) {
                suspendedNs = takenNs;
                suspended = new HashSet<>(sources.keySet());
                suspended.removeAll(pausedByCaller);
                super.pause(suspended);
            }
        }
    }

    private void resumeFetches() {
        if (!suspended.isEmpty()) {
            suspended.removeAll(pausedByCaller);
            suspended.retainAll(sources.keySet());
            super.resume(suspended);
            suspended = Set.of();
        }
    }

    private void follow() {
        Set<TopicPartition> assigned = assignment();
        if (!assigned.equals(sources.keySet())) {
            sources.values().removeIf(source -> {
                if (assigned.contains(source.partition)) {
                    return false;
                }
                source.close();
                return true;
            });
            assigned.forEach(partition -> sources.computeIfAbsent(partition, Source::new));
            pausedByCaller.retainAll(assigned);
            ofThread().soon();
        }
    }

    /** Waits for records of the brokers, unless fetches are suspended; returns early if there are any in memory, or other work. */
    private ConsumerRecords<byte[], byte[]> await(Duration timeout, AdaptivePollWait own) {
        wait = Wait.FOR_MEMORY;
        try {
            Duration limit = waitFor(own.limit(timeout, activeWait));
            if (suspended.isEmpty()) {
                return pollBrokers(limit);
            }
            awaitMemory(limit);
            return ConsumerRecords.empty();
        } finally {
            synchronized (wakeLock) {
                wait = Wait.NONE;
                isExpectedThere = false;
            }
        }
    }

    /** Waits on the lock only: what a poll does besides fetching can wait until the next one. */
    private void awaitMemory(Duration limit) {
        synchronized (wakeLock) {
            if (!isExpectedThere && limit.isPositive()) {
                try {
                    wakeLock.wait(Math.max(1, limit.toMillis()));
                } catch (InterruptedException e) {
                    throw new InterruptException(e);
                }
            }
        }
    }

    private ConsumerRecords<byte[], byte[]> pollBrokers(Duration limit) {
        boolean isThere;
        synchronized (wakeLock) {
            isThere = isExpectedThere;
            wait = Wait.FOR_BROKERS;
        }
        var polled = ConsumerRecords.<byte[], byte[]>empty();
        boolean hasThrown = false;
        boolean wasWoken;
        try {
            polled = super.poll(isThere ? Duration.ZERO : limit);
        } catch (WakeupException _) {
            hasThrown = true;
        } finally {
            synchronized (wakeLock) {
                wasWoken = isExpectedThere && !isThere;
                wait = Wait.NONE;
            }
        }
        return wasWoken && !hasThrown ? withoutWakeup(polled) : polled;
    }

    /** Called after {@link #wait} is set, so that a record either is seen here or wakes the thread. */
    private Duration waitFor(Duration timeout) {
        boolean isMissing = false;
        for (Source source : sources.values()) {
            if (source.expect()) {
                return Duration.ZERO;
            }
            // Others have written what comes before the records in memory.
            isMissing |= !source.isPaused() && !source.tail.isEmpty();
        }
        long idleMs = isAlone() ? ALONE_SUSPENDED_MS : IDLE_MS;
        if (isMissing || isOver(idleMs, takenNs) || isOver(maxSuspendedMs(), suspendedNs)) {
            resumeFetches();
        }
        return suspended.isEmpty() || timeout.toMillis() < idleMs ? timeout : Duration.ofMillis(idleMs);
    }

    /** Ends a wake-up that came after the poll; otherwise the next call of any method may throw its exception. */
    private ConsumerRecords<byte[], byte[]> withoutWakeup(ConsumerRecords<byte[], byte[]> polled) {
        var batch = new Batch();
        batch.add(polled);
        try {
            batch.add(super.poll(Duration.ZERO));
        } catch (WakeupException _) {
            return polled;
        }
        batch.keepOnly(assignment());
        return batch.toRecords();
    }

    private void wake() {
        added(true);
    }

    /** Ends a wait for memory, too, if what comes before the record must be fetched, such as the marker of a transaction. */
    private void added(boolean isExpected) {
        synchronized (wakeLock) {
            if (wait == Wait.NONE || isExpectedThere || (!isExpected && wait == Wait.FOR_BROKERS)) {
                return;
            }
            isExpectedThere = true;
            if (wait == Wait.FOR_BROKERS) {
                wakeup();
            } else {
                wakeLock.notifyAll();
            }
        }
    }

    @Override
    public void pause(Collection<TopicPartition> partitions) {
        pausedByCaller.addAll(partitions);
        super.pause(partitions);
    }

    @Override
    public void resume(Collection<TopicPartition> partitions) {
        pausedByCaller.removeAll(partitions);
        super.resume(partitions.stream()
                .filter(partition -> !suspended.contains(partition))
                .toList());
    }

    @Override
    public Set<TopicPartition> paused() {
        Set<TopicPartition> paused = new HashSet<>(super.paused());
        paused.retainAll(pausedByCaller);
        return paused;
    }

    @Override
    public void close() {
        closeSources();
        super.close();
    }

    @Override
    public void close(CloseOptions options) {
        closeSources();
        super.close(options);
    }

    private void closeSources() {
        sources.values().forEach(Source::close);
        sources.clear();
    }
}
