package dev.laurel.processors.replay;

import dev.laurel.processors.replay.Shadow.Position;
import dev.laurel.processors.stream.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One of the two applications of a shadow. Thread-safe. */
final class ShadowApplication implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ShadowApplication.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(60);
    private static final long CHECK_MS = 100;

    /** A task that has read so much has left something in its stores. */
    private static final long SURELY_STORED = 1_000;

    private final String source;
    private final int partitions;
    private final GroupPlace place;
    private final KafkaStreams streams;
    private final List<Long> endsAtStart;
    private final AtomicLongArray positions;
    private final AtomicReference<Throwable> fault = new AtomicReference<>();
    private final Object stateChange = new Object();
    private boolean isClosed;

    /**
     * @param source the topic that it reads
     * @param place of its group in that; closed with it
     * @param streams of a topology and these properties
     * @param topology made with what follows its tasks
     * @param filledStore one that is not empty after some records
     * @param isLogged whether the stores have changelogs
     */
    ShadowApplication(String name, String source, GroupPlace place, Properties properties,
            BiFunction<Topology, Properties, KafkaStreams> streams, Function<Progress, Topology> topology,
            String filledStore, boolean isLogged, Consumer<Throwable> onFault) throws InterruptedException {
        this.source = source;
        this.partitions = place.partitions();
        this.place = place;
        this.endsAtStart = place.ends();
        this.positions = new AtomicLongArray(partitions);
        List<Long> committed = place.committed();
        for (int partition = 0; partition < partitions; partition++) {
            positions.set(partition, committed.get(partition));
        }
        this.streams = streams.apply(
                topology.apply(partition -> new Watch(partition, isLogged ? null : filledStore)), properties);
        this.streams.setStateListener((_, _) -> {
            synchronized (stateChange) {
                stateChange.notifyAll();
            }
        });
        this.streams.setUncaughtExceptionHandler(thrown -> {
            LOG.error("the {} stops", name, thrown);
            fault.compareAndSet(null, thrown);
            onFault.accept(thrown);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
    }

    void start() {
        streams.start();
    }

    List<Position> progress() {
        var progress = new ArrayList<Position>(partitions);
        for (int partition = 0; partition < partitions; partition++) {
            progress.add(new Position(partition, positions.get(partition), endsAtStart.get(partition)));
        }
        return progress;
    }

    List<Long> committed() throws InterruptedException {
        return place.committed();
    }

    /**
     * Waits until its stores can be read. A task whose partition has nothing to read commits nothing, and may be the last that is
     * open; while paused none would be opened.
     *
     * @return false if that took too long
     */
    boolean awaitOpen(long deadlineNs) throws InterruptedException {
        synchronized (stateChange) {
            while (streams.state() != KafkaStreams.State.RUNNING) {
                expectNoFault();
                long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
                if (leftMs <= 0) {
                    return false;
                }
                stateChange.wait(leftMs);
            }
            return true;
        }
    }

    void pause() {
        streams.pause();
    }

    void resume() {
        streams.resume();
    }

    /**
     * Waits, while it is paused, until what it has read is committed. A thread that commits is through with its last record, so
     * the stores stand still from then on.
     *
     * @return false if that took too long
     */
    boolean awaitStill(long deadlineNs) throws InterruptedException {
        while (true) {
            expectNoFault();
            List<Long> committed = committed();
            boolean isStill = true;
            for (int partition = 0; partition < partitions; partition++) {
                isStill &= committed.get(partition) >= positions.get(partition);
            }
            if (isStill || System.nanoTime() - deadlineNs > 0) {
                return isStill;
            }
            TimeUnit.MILLISECONDS.sleep(CHECK_MS);
        }
    }

    private void expectNoFault() {
        Throwable thrown = fault.get();
        if (thrown != null) {
            throw new IllegalStateException("the fold of " + source + " has failed: " + thrown.getMessage(), thrown);
        }
    }

    /** Waits until all is committed that there is now. @return false if that is not done by then */
    boolean awaitCommitted(long deadlineNs) throws InterruptedException {
        return place.await(deadlineNs, committed -> {
            expectNoFault();
            for (int partition = 0; partition < partitions; partition++) {
                positions.accumulateAndGet(partition, committed.get(partition), Math::max);
            }
        });
    }

    ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
        return streams.store(StoreQueryParameters
                .fromNameAndType(name, QueryableStoreTypes.<Bytes, byte[]>keyValueStore()).withPartition(partition));
    }

    /** After {@link #close}. */
    void deleteFolder() {
        streams.cleanUp();
    }

    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        if (!streams.close(CloseOptions.timeout(CLOSE_TIMEOUT)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP))) {
            throw new IllegalStateException("the fold of " + source + " has not stopped within " + CLOSE_TIMEOUT);
        }
        place.close();
    }

    /** One start of a task; in the life of a shadow it may move from one thread to another. */
    private final class Watch implements Progress.Watch {

        private final int partition;

        /** Null if the state cannot get lost. */
        private final String unloggedStore;

        Watch(int partition, String unloggedStore) {
            this.partition = partition;
            this.unloggedStore = unloggedStore;
        }

        /** A member that was taken for dead comes back without its state, and would go on from where that one was. */
        @Override
        public void opened(Function<String, StateStore> stores) {
            if (unloggedStore == null || positions.get(partition) <= SURELY_STORED) {
                return;
            }
            var store = (ReadOnlyKeyValueStore<?, ?>) stores.apply(unloggedStore);
            try (var entries = store.all()) {
                if (!entries.hasNext()) {
                    throw new IllegalStateException("the state of partition " + partition + " of " + source
                            + " was lost: this process stood still for too long, start again");
                }
            }
        }

        @Override
        public void reached(long offset) {
            positions.lazySet(partition, offset + 1);
        }

        @Override
        public void stopped() {
            // Its place stays known.
        }
    }
}
