package dev.laurel.processors;

import dev.laurel.processors.store.StateSizes;
import dev.laurel.processors.stream.CatchUp;
import dev.laurel.processors.stream.Restores;
import dev.laurel.schemas.metrics.MeterScope;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsNotStartedException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the applications of a process have in common: how one runs, when it is ready, what a fault does, how it stops. */
final class StreamsApplication implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StreamsApplication.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final KafkaStreams streams;
    private final CatchUp catchUp;
    private final MeterScope meters;
    private final Restores restores = new Restores();
    private final CountDownLatch running = new CountDownLatch(1);
    private final LeftTransactions left;
    private volatile boolean wasCaughtUp;

    /**
     * @param name for people
     * @param catchUp follows the tasks of the topology
     * @param tags of its meters
     * @param meters closed with this
     * @param onFault told once of what stopped it, on one of its threads
     */
    StreamsApplication(String name, Topology topology, Properties properties, CatchUp catchUp,
            Tags tags, MeterScope meters, Consumer<Throwable> onFault) {
        this(name, new KafkaStreams(topology, properties), properties, catchUp, tags, meters, onFault);
    }

    /** Likewise. @param streams with these properties, not started */
    StreamsApplication(String name, KafkaStreams streams, Properties properties, CatchUp catchUp, Tags tags,
            MeterScope meters, Consumer<Throwable> onFault) {
        this.catchUp = catchUp;
        this.meters = meters;
        this.streams = streams;
        StreamsMeters.register(meters, tags, streams);
        StateMeters.register(meters, tags, restores,
                new StateSizes(properties.getProperty(StreamsConfig.STATE_DIR_CONFIG),
                        properties.getProperty(StreamsConfig.APPLICATION_ID_CONFIG)));
        // Who has no transactions leaves none.
        this.left = properties.get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG).equals(StreamsConfig.EXACTLY_ONCE_V2)
                ? LeftTransactions.of(properties, streams)
                : null;
        streams.setUncaughtExceptionHandler(fault -> {
            LOG.error("the {} application stops", name, fault);
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

    void start() {
        if (left == null) {
            streams.start();
        } else {
            left.start(streams);
        }
    }

    /**
     * Waits until the stores are restored and everything is processed that was there when that was done.
     *
     * @return false if that took too long
     */
    boolean awaitReady(Duration timeout) throws InterruptedException {
        long startedNs = System.nanoTime();
        boolean isReady = running.await(timeout.toMillis(), TimeUnit.MILLISECONDS)
                && catchUp.await(timeout.minusNanos(System.nanoTime() - startedNs));
        wasCaughtUp |= isReady;
        return isReady;
    }

    /**
     * Whether requests may come here: no store lacks more than {@code maxLag} records, and what was there when the first tasks were
     * started is processed. Tasks that come later are asked of one by one: a process that takes over from a dead one serves
     * what it had before meanwhile, and there may be no other. False before the first assignment, and after a fault.
     */
    boolean isReady(long maxLag) {
        boolean isUp = running.getCount() == 0 && streams.state().isRunningOrRebalancing()
                && restores.left() <= maxLag;
        if (isUp && !wasCaughtUp) {
            wasCaughtUp = catchUp.isCaughtUp();
        }
        return isUp && wasCaughtUp;
    }

    Restores restores() {
        return restores;
    }

    CatchUp catchUp() {
        return catchUp;
    }

    KafkaStreams streams() {
        return streams;
    }

    /** A partition's store; fails with {@code InvalidStateStoreException} while it is not open here. */
    ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
        return streams.store(StoreQueryParameters
                .fromNameAndType(name, QueryableStoreTypes.<Bytes, byte[]>keyValueStore()).withPartition(partition));
    }

    /** As {@link #store}, also of a partition that is only copied here, or still restored. */
    ReadOnlyKeyValueStore<Bytes, byte[]> copy(String name, int partition) {
        return streams.store(
                StoreQueryParameters.fromNameAndType(name, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
                        .withPartition(partition).enableStaleStores());
    }

    /** Who takes part in this application, and with which partitions; nobody while it does not run here. Does not block. */
    Collection<StreamsMetadata> members() {
        try {
            return streams.metadataForAllStreamsClients();
        } catch (IllegalStateException | StreamsNotStartedException _) {
            return List.of();
        }
    }

    /** Leaves the group, so that another node takes over at once, and closes the stores. */
    @Override
    public void close() {
        meters.close();
        if (left != null) {
            left.close();
        }
        streams.close(CloseOptions.timeout(CLOSE_TIMEOUT)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
    }
}
