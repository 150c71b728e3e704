package dev.laurel.platform.kafka;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.LastUsed;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the times at which keys are used to {@code laurel.access}, at most once a minute for each key, on a thread of
 * its own, so that requests only access memory. The loss of a time is harmless, because the next use writes another.
 */
public final class KeyUses implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KeyUses.class);
    private static final long RESOLUTION_MS = 60_000;
    private static final long WRITE_EVERY_MS = 1_000;

    /**
     * Limits per round; the remaining times wait for the next round. {@link #MAX_WRITING_NS} applies when Kafka is
     * unavailable and every write blocks.
     */
    private static final int MAX_WRITES = 500;

    /** The times that wait to be written; the times of further keys are lost. */
    private static final int MAX_KEYS = 100_000;

    private static final long MAX_WRITING_NS = TimeUnit.SECONDS.toNanos(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final AccessIndex index;
    private final InstantSource clock;
    private final Producer<byte[], byte[]> producer;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    /** Times of use in milliseconds, by key id. */
    private final Map<UUID, Long> unwritten = new ConcurrentHashMap<>();

    /** Times of use that were noted, written or not, so that a request does not read the written ones, which are on disk. */
    private final Cache<UUID, Long> noted =
            Caffeine.newBuilder().maximumSize(MAX_KEYS).executor(Runnable::run).build();

    /** @param index receives the written times when it follows the topic */
    public KeyUses(Map<String, Object> clientConfig, AccessIndex index, InstantSource clock) {
        this(
                KafkaClients.producer(
                        clientConfig,
                        Map.of(ProducerConfig.LINGER_MS_CONFIG, 10, ProducerConfig.MAX_BLOCK_MS_CONFIG, 1_000)),
                index,
                clock);
    }

    KeyUses(Producer<byte[], byte[]> producer, AccessIndex index, InstantSource clock) {
        this.index = index;
        this.clock = clock;
        this.producer = producer;
        this.thread = Thread.ofPlatform().name("key-uses").daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Records that the key is used now. Never blocks. */
    public void used(UUID keyId) {
        long nowMs = clock.millis();
        Long last = noted.getIfPresent(keyId);
        if (last == null || nowMs - last >= RESOLUTION_MS) {
            noted.put(keyId, nowMs);
            if (unwritten.size() < MAX_KEYS) {
                unwritten.put(keyId, nowMs);
            }
        }
    }

    private boolean isDue(UUID keyId, long nowMs) {
        Instant last = index.lastUsed(keyId);
        return last == null || nowMs - last.toEpochMilli() >= RESOLUTION_MS;
    }

    private void run() {
        try {
            while (!closing.await(WRITE_EVERY_MS, TimeUnit.MILLISECONDS)) {
                write();
            }
        } catch (InterruptedException _) {
            // An interrupt ends the thread.
        }
    }

    /** Writes the pending times, except those that this or another process has written in the meantime. */
    void write() {
        int written = 0;
        long startedNs = System.nanoTime();
        for (var entry : unwritten.entrySet()) {
            UUID key = entry.getKey();
            if (System.nanoTime() - startedNs > MAX_WRITING_NS) {
                return;
            }
            if (isDue(key, entry.getValue())) {
                if (++written > MAX_WRITES) {
                    return;
                }
                send(new LastUsed(key, Instant.ofEpochMilli(entry.getValue())));
            }
            unwritten.remove(key, entry.getValue());
        }
    }

    private void send(LastUsed use) {
        var topic = Topics.ACCESS;
        var record = new ProducerRecord<>(topic.name(), topic.keyBytes(use.recordKey()), topic.valueBytes(use));
        try {
            producer.send(record, (_, failure) -> {
                if (failure != null) {
                    LOG.debug("Could not write the last use of a key", failure);
                }
            });
        } catch (KafkaException e) {
            LOG.debug("Could not write the last use of a key", e);
        }
    }

    /** Writes the pending times, for a few seconds at most. */
    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join(CLOSE_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        write();
        producer.close(CLOSE_TIMEOUT);
    }
}
