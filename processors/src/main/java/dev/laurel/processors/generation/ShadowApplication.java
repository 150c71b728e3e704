package dev.laurel.processors.generation;

import static java.util.Objects.requireNonNull;

import dev.laurel.processors.generation.GenerationProgress.GroupProgress;
import dev.laurel.processors.runtime.StreamsApplication;
import dev.laurel.processors.runtime.StreamsSettings;
import dev.laurel.processors.stream.TaskTracker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.internals.assignment.LegacyStickyTaskAssignor;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One of the two applications of a shadow. Thread-safe. */
final class ShadowApplication implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ShadowApplication.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(60);
    private static final long CHECK_MS = 100;

    /** State without changelogs is lost with the membership, which a pause of the process must not end. */
    private static final int LONG_SESSION_MS = 300_000;

    /** A task that has read this number of records has written to its stores. */
    private static final long SURELY_STORED = 1_000;

    private final String source;
    private final GroupProgress group;
    private final KafkaStreams streams;
    private final AtomicLongArray positions;
    private final Map<Integer, TrackedTask> open = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
    private boolean isClosed;

    /**
     * @param name of the application, for the log
     * @param source the topic that it reads
     * @param group the progress of its group in the source
     * @param streams creates the application of a topology with these properties
     * @param topology creates the topology with a tracker of its tasks
     * @param filledStore a store that is not empty after some records
     * @param isLogged whether the stores have changelogs
     * @param onFault receives the fault that stopped the application
     */
    ShadowApplication(
            String name,
            String source,
            GroupProgress group,
            Properties properties,
            BiFunction<Topology, Properties, KafkaStreams> streams,
            Function<TaskTracker, Topology> topology,
            String filledStore,
            boolean isLogged,
            Consumer<Throwable> onFault)
            throws InterruptedException {
        this.source = source;
        this.group = group;
        this.positions = new AtomicLongArray(
                group.committed().stream().mapToLong(Long::longValue).toArray());
        this.streams = streams.apply(
                topology.apply((partition, stores) -> {
                    if (!isLogged) {
                        expectState(partition, stores, filledStore);
                    }
                    return new TrackedTask(partition);
                }),
                properties);
        this.streams.setUncaughtExceptionHandler(thrown -> {
            LOG.error("The {} stopped after a fault", name, thrown);
            fault.compareAndSet(null, thrown);
            onFault.accept(thrown);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
    }

    /** A member that counted as dead loses its state without changelogs, and would continue from its committed offsets. */
    private void expectState(int partition, Map<String, StateStore> stores, String filledStore) {
        if (positions.get(partition) <= SURELY_STORED) {
            return;
        }
        var store = (ReadOnlyKeyValueStore<?, ?>) requireNonNull(stores.get(filledStore), "the topology has the store");
        try (var entries = store.all()) {
            if (!entries.hasNext()) {
                throw new IllegalStateException("the state of partition " + partition + " of " + source
                        + " was lost because this process was suspended for too long: start again");
            }
        }
    }

    void start() {
        streams.start();
    }

    /** The open tasks by partition. */
    Map<Integer, Object> owned() {
        return Map.copyOf(open);
    }

    /**
     * Waits until the stores can be read. A task without records commits nothing, and may be opened last; while the application is
     * paused, no task is opened.
     *
     * @return false if the deadline passed
     */
    boolean awaitOpen(long deadlineNs) throws InterruptedException {
        return ((Condition) () -> {
                    expectNoFault();
                    return streams.state() == KafkaStreams.State.RUNNING;
                })
                .await(deadlineNs, CHECK_MS);
    }

    void pause() {
        streams.pause();
    }

    void resume() {
        streams.resume();
    }

    /**
     * Waits, while the application is paused, until everything that it has read is committed. A thread that commits has processed its
     * last record, so the stores do not change from then on.
     *
     * @return false if the deadline passed
     */
    boolean awaitUnchanging(long deadlineNs) throws InterruptedException {
        return ((Condition) () -> {
                    expectNoFault();
                    List<Long> committed = group.committed();
                    return open.keySet().stream()
                            .allMatch(partition -> committed.get(partition) >= positions.get(partition));
                })
                .await(deadlineNs, CHECK_MS);
    }

    void expectNoFault() {
        Throwable thrown = fault.get();
        if (thrown != null) {
            throw new IllegalStateException("processing " + source + " failed: " + thrown.getMessage(), thrown);
        }
    }

    ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
        return streams.store(StreamsApplication.query(name, partition));
    }

    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        if (!StreamsApplication.leave(streams, CLOSE_TIMEOUT)) {
            throw new IllegalStateException("the reader of " + source + " did not stop within " + CLOSE_TIMEOUT);
        }
    }

    /** One start of a task, which may move from one thread to another. */
    private final class TrackedTask implements TaskTracker.Task {

        private final int partition;

        TrackedTask(int partition) {
            this.partition = partition;
            open.put(partition, this);
        }

        @Override
        public void reached(long offset) {
            positions.lazySet(partition, offset + 1);
        }

        @Override
        public void stopped() {
            open.remove(partition, this);
        }
    }

    /**
     * Changes the Streams properties of an application for throughput into those of a shadow.
     *
     * @param isLogged whether the stores have changelogs
     */
    static Properties settings(Properties streams, boolean isLogged) {
        streams.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, 0);
        // Nodes do not send it reads.
        streams.remove(StreamsConfig.APPLICATION_SERVER_CONFIG);
        if (isLogged) {
            // A member that counts as dead loses time only, so the sessions are those of nodes. Tasks go at once to a
            // process that
            // joins: at full speed no copy would catch up.
            streams.put(
                    StreamsConfig.InternalConfig.INTERNAL_TASK_ASSIGNOR_CLASS,
                    LegacyStickyTaskAssignor.class.getName());
        } else {
            StreamsSettings.putConsumer(streams, Map.of(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, LONG_SESSION_MS));
        }
        StreamsSettings.putConsumer(
                streams,
                Map.of(
                        ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG,
                        2 * LONG_SESSION_MS,
                        ConsumerConfig.CONNECTIONS_MAX_IDLE_MS_CONFIG,
                        3 * LONG_SESSION_MS));
        return streams;
    }
}
