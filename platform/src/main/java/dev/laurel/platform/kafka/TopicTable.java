package dev.laurel.platform.kafka;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.Follower.Position;
import dev.laurel.schemas.topic.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The sink of a {@link Follower} that serves a compacted topic of one partition to other threads: from memory, or from disk in a
 * {@link TableFolder}, where it continues after it was closed or killed. While it serves, a table on disk does not begin anew, which would
 * show keys as deleted that are only read again: it ends with a failure, and the next start begins anew. A table in memory keeps what it
 * has while all records come again.
 */
public abstract class TopicTable<K, V> implements AutoCloseable {

    /** The format of the entries of all tables on disk. A change of the entries of any table must increase it. */
    private static final int FORMAT = 2;

    private static final int MAX_RECORDS = 500;
    private static final Duration ONCE_TIMEOUT = Duration.ofSeconds(15);

    private final Topic<K, V> topic;
    private final Follower follower;

    /** Null: in memory. */
    private final @Nullable TableStore store;

    /**
     * Creates a table in memory.
     *
     * @param clientConfig settings of the Kafka clients
     * @param onFault receives the failure that ended the follower, on its thread
     */
    protected TopicTable(Topic<K, V> topic, Map<String, Object> clientConfig, Consumer<Throwable> onFault) {
        this(topic, clientConfig, null, onFault);
    }

    /** @param store closed with the table; null: in memory */
    TopicTable(
            Topic<K, V> topic,
            Map<String, Object> clientConfig,
            @Nullable TableStore store,
            Consumer<Throwable> onFault) {
        this.topic = topic;
        this.store = store;
        this.follower = new Follower(
                topic.name(),
                Follower.Reading.of(List.of(topic.name()), FORMAT, MAX_RECORDS),
                clientConfig,
                new Rows(),
                onFault);
    }

    /**
     * Applies a record; called in the order of the offsets, by the follower.
     *
     * @param value null: the key was deleted
     */
    protected abstract void put(K key, byte @Nullable [] value, long offset);

    /** Takes over what the table has on disk. Called by the follower before the first record, unless there is nothing. */
    void load() {}

    /** Called by the follower when other threads can read the records that were applied. */
    void written() {}

    private final class Rows implements Follower.Sink {

        private boolean isServing;
        private boolean hasPut;
        private @Nullable Position kept;

        @Override
        public @Nullable Position position() {
            kept = store == null ? null : store.position();
            return kept;
        }

        @Override
        public void begin(@Nullable String problem) {
            if (store != null && problem == null) {
                load();
            } else if (store != null && isServing) {
                store.discard(String.valueOf(problem));
                throw new IllegalStateException(topic.name() + " can no longer be followed: " + problem
                        + "; the next start reads it from its beginning");
            } else if (store != null) {
                store.clear();
            }
            isServing = true;
        }

        @Override
        public void put(ConsumerRecord<byte[], byte[]> record) {
            hasPut = true;
            TopicTable.this.put(topic.readKey(record.key()), record.value(), record.offset());
        }

        @Override
        public void write(Position position) {
            if (store != null && !position.equals(kept)) {
                store.write(position);
                kept = position;
            }
            if (hasPut) {
                hasPut = false;
                written();
            }
        }
    }

    /** Deserializes a value of the topic; null if there is none. */
    protected final @Nullable V read(byte @Nullable [] value) {
        return value == null ? null : topic.readValue(value);
    }

    /** Starts following; returns at once. */
    public void start() {
        follower.start();
    }

    /** Waits until all records that existed at the start have been read, see {@link Follower#awaitCaughtUp}. */
    public void awaitCaughtUp(Duration timeout) throws InterruptedException {
        follower.awaitCaughtUp(timeout);
    }

    /** Completes when all records that were written before this call have been applied, see {@link Follower#barrier}. */
    public CompletableFuture<Void> barrier() {
        return follower.barrier();
    }

    /**
     * Waits until all records that were written before this call have been applied.
     *
     * @return false if the timeout expires first or the table has stopped
     */
    public boolean awaitNewest(Duration timeout) throws InterruptedException {
        try {
            barrier().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException _) {
            return false; // a table that has stopped has reported its fault already
        }
    }

    /** The offset up to which the topic was read. */
    public long position() {
        return follower.position();
    }

    /** Stops following and waits for the thread. */
    @Override
    public void close() {
        follower.close();
        if (store != null) {
            store.close();
        }
    }

    /** Has a table read its topic, which must exist, once. @throws CommandFailed if it cannot be read */
    static <T extends TopicTable<?, ?>, R> R read(
            KafkaAccess kafka, String topic, Function<Consumer<Throwable>, T> tables, Function<T, R> query) {
        var fault = new AtomicReference<@Nullable Throwable>();
        try (T table = tables.apply(fault::set)) {
            table.start();
            table.awaitCaughtUp(ONCE_TIMEOUT);
            return query.apply(table);
        } catch (CommandFailed e) {
            Throwable cause = fault.get() == null ? e : fault.get();
            throw new CommandFailed(
                    "Kafka at " + kafka.bootstrapServers() + " refuses to read " + topic + ": " + cause.getMessage(),
                    cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted while reading " + topic, e);
        }
    }
}
