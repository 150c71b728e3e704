package dev.laurel.processors.runtime;

import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.processors.stream.StartupCatchUp;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.errors.StreamsNotStartedException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.HostInfo;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Kafka Streams application of this process: its lifecycle, readiness and metrics. A fault stops it. */
public final class StreamsApplication implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StreamsApplication.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    /** A file in the folder of an application with transactions, which exists while the application runs. */
    private static final String MARK = ".running";

    private final String name;
    private final KafkaStreams streams;
    private final StartupCatchUp catchUp;
    private final MeterScope meters;
    private final Consumer<Throwable> onFault;
    private final ExecutorService starting = Executors.newVirtualThreadPerTaskExecutor();
    private final RestoreProgress restores = new RestoreProgress();

    /** Leaves the group and closes the stores; runs once. The result is false if the timeout expired. */
    private final FutureTask<Boolean> closing;

    private final CountDownLatch running = new CountDownLatch(1);
    private final Path folder;

    /** Null: the application has no transactions. */
    private final @Nullable DanglingTransactionCleaner cleaner;

    /** Null: no other process runs this application. */
    private final @Nullable HostInfo self;

    private final Set<Integer> allPartitions;
    private volatile boolean wasCaughtUp;

    /**
     * Creates an application without starting it.
     *
     * @param name of the application, for the log
     * @param streams an application with these properties, not started
     * @param partitions of its input
     * @param catchUp follows the tasks of the topology
     * @param tags of the meters
     * @param meters closed with this
     * @param onFault receives the fault that stopped the application, once, on one of its threads
     */
    public StreamsApplication(
            String name,
            KafkaStreams streams,
            Properties properties,
            int partitions,
            StartupCatchUp catchUp,
            Tags tags,
            MeterScope meters,
            Consumer<Throwable> onFault) {
        this.name = name;
        this.catchUp = catchUp;
        String advertised = properties.getProperty(StreamsConfig.APPLICATION_SERVER_CONFIG);
        this.self = advertised == null ? null : HostInfo.buildFromEndpoint(advertised);
        this.allPartitions = IntStream.range(0, partitions).boxed().collect(Collectors.toUnmodifiableSet());
        this.meters = meters;
        this.onFault = onFault;
        this.streams = streams;
        this.closing = new FutureTask<>(() -> leave(streams, CLOSE_TIMEOUT));
        StreamsMeters.register(meters, tags, streams);
        this.folder = Path.of(
                properties.getProperty(StreamsConfig.STATE_DIR_CONFIG),
                properties.getProperty(StreamsConfig.APPLICATION_ID_CONFIG));
        StateMeters.register(meters, tags, restores, new StateMeters.StateSizes(folder));
        this.cleaner = StreamsConfig.EXACTLY_ONCE_V2.equals(properties.get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG))
                ? DanglingTransactionCleaner.of(properties, streams)
                : null;
        streams.setUncaughtExceptionHandler(fault -> {
            LOG.error("The {} application stops", name, fault);
            onFault.accept(fault);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        streams.setGlobalStateRestoreListener(restores);
        streams.setStateListener((now, before) -> {
            LOG.info("{}: {} → {}", name, before, now);
            if (now == KafkaStreams.State.RUNNING) {
                running.countDown();
            }
        });
    }

    /** Starts the application on a thread of its own, since that takes up to a second; a failure is reported as a fault. */
    public void start() {
        if (cleaner != null) {
            removeDistrustedStores();
        }
        starting.execute(() -> {
            try {
                if (cleaner == null) {
                    streams.start();
                } else {
                    cleaner.start(streams);
                }
            } catch (RuntimeException e) {
                LOG.error("The {} application could not start", name, e);
                onFault.accept(e);
            }
        });
        starting.shutdown();
    }

    /**
     * Removes the stores of a process that was killed, which may contain uncommitted changes. Kafka Streams would do so, too, but one task
     * after the other and after it has joined the group, while other members wait for it.
     */
    private void removeDistrustedStores() {
        try {
            if (Files.exists(folder.resolve(MARK))) {
                LOG.info("The previous process was killed: the stores in {} are restored from the changelogs", folder);
                streams.cleanUp();
            } else {
                Files.createFile(Files.createDirectories(folder).resolve(MARK));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to the state directory " + folder, e);
        }
    }

    /**
     * Waits until the stores are restored and all records are processed that existed at that time.
     *
     * @return false if the timeout expired
     */
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        long startedNs = System.nanoTime();
        boolean isReady = running.await(timeout.toMillis(), TimeUnit.MILLISECONDS)
                && catchUp.await(timeout.minusNanos(System.nanoTime() - startedNs), this::ownPartitions);
        wasCaughtUp |= isReady;
        return isReady;
    }

    /**
     * Whether this process can serve requests: no store lacks more than {@code maxLag} records, and all partitions that were assigned
     * first show everything that existed when their tasks started. Tasks that are assigned later do not count, since their partitions are
     * checked one by one at each request: a process that takes over from a dead one continues to serve its own. False before the first
     * assignment, and after a fault.
     */
    public boolean isReady(long maxLag) {
        boolean isUp = running.getCount() == 0 && streams.state().isRunningOrRebalancing() && restores.left() <= maxLag;
        if (isUp && !wasCaughtUp) {
            wasCaughtUp = catchUp.isCaughtUp(ownPartitions());
        }
        return isUp && wasCaughtUp;
    }

    /**
     * The partitions that the last rebalance assigned to this process, whether their tasks run yet or not. During a rebalance Kafka Streams
     * may know no member: then all, so that this process does not count as ready.
     */
    private Set<Integer> ownPartitions() {
        Collection<StreamsMetadata> members = self == null ? List.of() : members();
        return members.isEmpty()
                ? allPartitions
                : members.stream()
                        .filter(member -> member.hostInfo().equals(self))
                        .flatMap(member -> member.topicPartitions().stream())
                        .map(TopicPartition::partition)
                        .collect(Collectors.toUnmodifiableSet());
    }

    public StartupCatchUp catchUp() {
        return catchUp;
    }

    KafkaStreams streams() {
        return streams;
    }

    /** A partition's store; fails with {@code InvalidStateStoreException} while it is not open here. */
    @SuppressWarnings("unchecked") // All stores of Laurel have these types.
    public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
        // Kafka Streams would look for the task in all its threads at each read.
        StateStore opened = catchUp.store(name, partition);
        return opened != null ? (ReadOnlyKeyValueStore<Bytes, byte[]>) opened : streams.store(query(name, partition));
    }

    /** Works like {@link #store}, but the store may be a standby copy or still be restored. */
    ReadOnlyKeyValueStore<Bytes, byte[]> copy(String name, int partition) {
        return streams.store(query(name, partition).enableStaleStores());
    }

    /** Asks for the store of a partition. */
    public static StoreQueryParameters<ReadOnlyKeyValueStore<Bytes, byte[]>> query(String name, int partition) {
        return StoreQueryParameters.fromNameAndType(name, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
                .withPartition(partition);
    }

    /** Closes an application, and leaves its group, so that others take over at once. @return false if the timeout expired */
    public static boolean leave(KafkaStreams streams, Duration timeout) {
        return streams.close(CloseOptions.timeout(timeout)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
    }

    /** The members of this application with their partitions; empty while it does not run here. Does not block. */
    public Collection<StreamsMetadata> members() {
        try {
            return streams.metadataForAllStreamsClients();
        } catch (IllegalStateException | StreamsNotStartedException _) {
            return List.of();
        }
    }

    /** Begins what {@link #close} does, without waiting for it. */
    void beginClose() {
        starting.close();
        Thread.ofVirtual().name("close-" + name).start(closing);
    }

    private boolean isClosed() {
        try {
            return closing.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the " + name + " application did not close", e.getCause());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Leaves the group, so that another node takes over at once, and closes the stores. */
    @Override
    public void close() {
        beginClose();
        meters.close();
        if (cleaner != null) {
            cleaner.close();
        }
        if (isClosed() && cleaner != null) {
            try {
                Files.deleteIfExists(folder.resolve(MARK));
            } catch (IOException e) {
                LOG.warn(
                        "Could not remove {} in {}; the next process restores all stores: {}",
                        MARK,
                        folder,
                        e.toString());
            }
        }
    }
}
