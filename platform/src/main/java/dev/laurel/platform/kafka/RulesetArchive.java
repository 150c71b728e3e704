package dev.laurel.platform.kafka;

import dev.laurel.schemas.ruleset.RulesetKey;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * The documents of old ruleset versions, as bytes. Recently used ones are cached in memory; the others are read from the
 * topic by their offsets. A fetch returns several records, all of which are cached, so that a task that applies one
 * version after the other finds the next ones in memory. Thread-safe; one read at a time.
 */
final class RulesetArchive implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(100);

    private final Map<String, Object> clientConfig;
    private final long maxBytes;
    private final TopicPartition partition = new TopicPartition(Topics.RULESETS.name(), 0);

    /** The cached documents in the order of their last use; guarded by itself. */
    private final Map<RulesetKey, byte[]> cache = new LinkedHashMap<>(16, 0.75f, true);
    private long cachedBytes;

    private final ReentrantLock reading = new ReentrantLock();
    private @Nullable KafkaConsumer<byte[], byte[]> consumer;
    private boolean isClosed;

    /** @param maxBytes maximum size of all cached documents together; a larger document is not cached */
    RulesetArchive(Map<String, Object> clientConfig, long maxBytes) {
        this.clientConfig = clientConfig;
        this.maxBytes = maxBytes;
    }

    void cache(RulesetKey key, byte[] document) {
        synchronized (cache) {
            byte[] before = cache.put(key, document);
            cachedBytes += document.length - (before == null ? 0 : before.length);
            var eldest = cache.entrySet().iterator();
            while (cachedBytes > maxBytes) {
                cachedBytes -= eldest.next().getValue().length;
                eldest.remove();
            }
        }
    }

    /** Returns null if the document is not in the cache. */
    private byte @Nullable [] cached(RulesetKey key) {
        synchronized (cache) {
            return cache.get(key);
        }
    }

    /**
     * Returns the document of a committed version.
     *
     * @param offset offset of its record
     * @throws IllegalStateException if it cannot be read in time or is no longer in the topic
     */
    byte[] read(RulesetKey key, long offset, Duration timeout) throws InterruptedException {
        byte[] document = cached(key);
        if (document != null) {
            return document;
        }
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        if (!reading.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            throw unread(key, timeout);
        }
        try {
            document = cached(key); // the previous fetch may have cached it
            return document == null ? fetch(key, offset, deadlineNs, timeout) : document;
        } finally {
            reading.unlock();
        }
    }

    private byte[] fetch(RulesetKey key, long offset, long deadlineNs, Duration timeout) {
        KafkaConsumer<byte[], byte[]> consumer = open();
        consumer.seek(partition, offset);
        byte[] document = null;
        while (document == null) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw unread(key, timeout);
            }
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (record.offset() == offset) {
                    document = record.value();
                } else if (document == null) {
                    throw new IllegalStateException(
                            "ruleset " + key + " is no longer at offset " + offset + " of " + partition);
                }
                if (record.value() != null) {
                    cache(Topics.RULESETS.key().deserializer().deserialize(record.topic(), record.key()),
                            record.value());
                }
            }
        }
        return document;
    }

    private KafkaConsumer<byte[], byte[]> open() {
        if (isClosed) {
            throw new IllegalStateException("the rulesets are no longer read");
        }
        KafkaConsumer<byte[], byte[]> opened = consumer;
        if (opened == null) {
            var config = new HashMap<>(clientConfig);
            config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
            config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
            config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
            opened = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            opened.assign(List.of(partition));
            consumer = opened;
        }
        return opened;
    }

    private static IllegalStateException unread(RulesetKey key, Duration timeout) {
        return new IllegalStateException("could not read ruleset " + key + " within " + timeout);
    }

    @Override
    public void close() {
        reading.lock();
        try {
            isClosed = true;
            if (consumer != null) {
                consumer.close();
                consumer = null;
            }
        } finally {
            reading.unlock();
        }
    }
}
