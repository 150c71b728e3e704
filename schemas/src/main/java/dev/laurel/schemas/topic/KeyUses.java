package dev.laurel.schemas.topic;

import dev.laurel.schemas.access.AccessBook;
import dev.laurel.schemas.access.AccessRecord.LastUsed;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to {@code laurel.access} when keys are used: at most once a minute for each key, on a thread of its own, so that a
 * request only ever looks at memory. A stamp that is lost is no harm: the next use writes another.
 */
public final class KeyUses implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KeyUses.class);
    private static final long RESOLUTION_MS = 60_000;
    private static final long WRITE_EVERY_MS = 1_000;

    /** What is over waits for the next second, likewise where Kafka is away and every write takes its time. */
    private static final int MAX_WRITES = 500;
    private static final long MAX_WRITING_NS = TimeUnit.SECONDS.toNanos(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final AccessBook book;
    private final InstantSource clock;
    private final Producer<byte[], byte[]> producer;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    /** Times of use in milliseconds by key. At most as many as there are keys. */
    private final Map<UUID, Long> unwritten = new ConcurrentHashMap<>();

    /** @param book into which the stamps come back */
    public KeyUses(Map<String, Object> clientConfig, AccessBook book, InstantSource clock) {
        this(producer(clientConfig), book, clock);
    }

    KeyUses(Producer<byte[], byte[]> producer, AccessBook book, InstantSource clock) {
        this.book = book;
        this.clock = clock;
        this.producer = producer;
        this.thread = Thread.ofPlatform().name("key-uses").daemon().unstarted(this::run);
    }

    private static Producer<byte[], byte[]> producer(Map<String, Object> clientConfig) {
        var config = new HashMap<>(clientConfig);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 10);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 1_000);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    public void start() {
        thread.start();
    }

    /** Takes the key as used now. Never blocks. */
    public void used(UUID keyId) {
        long nowMs = clock.millis();
        if (isDue(keyId, nowMs)) {
            unwritten.put(keyId, nowMs);
        }
    }

    private boolean isDue(UUID keyId, long nowMs) {
        Instant last = book.lastUsed(keyId);
        return last == null || nowMs - last.toEpochMilli() >= RESOLUTION_MS;
    }

    private void run() {
        try {
            while (!closing.await(WRITE_EVERY_MS, TimeUnit.MILLISECONDS)) {
                write();
            }
        } catch (InterruptedException _) {
            // Somebody wants the thread to end.
        }
    }

    /** What is known to be written meanwhile, by this process or another, is not written again. */
    void write() {
        int written = 0;
        long startedNs = System.nanoTime();
        for (var entry : unwritten.entrySet()) {
            UUID key = entry.getKey();
            if (isDue(key, entry.getValue())) {
                if (++written > MAX_WRITES || System.nanoTime() - startedNs > MAX_WRITING_NS) {
                    return;
                }
                send(new LastUsed(key, Instant.ofEpochMilli(entry.getValue())));
            }
            unwritten.remove(key, entry.getValue());
        }
    }

    private void send(LastUsed stamp) {
        var topic = Topics.ACCESS;
        var record = new ProducerRecord<>(topic.name(),
                topic.key().serializer().serialize(topic.name(), stamp.recordKey()),
                topic.value().serializer().serialize(topic.name(), stamp));
        try {
            producer.send(record, (_, failure) -> {
                if (failure != null) {
                    LOG.debug("a time of use was not written", failure);
                }
            });
        } catch (KafkaException e) {
            LOG.debug("a time of use was not written", e);
        }
    }

    /** Writes what is left, for some seconds at most. */
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
