package dev.laurel.processors.runtime;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.Follower;
import dev.laurel.platform.kafka.Follower.Position;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.processors.store.counters.CounterSums;
import dev.laurel.schemas.topic.Generation;
import io.micrometer.core.instrument.Tags;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the counters of all partitions of an application on this node, from the changelog of their store, which a {@link Follower}
 * reads: each partition writes its changes there before each commit. So every node knows the counters of the account without asking
 * others. Nothing can be read while the sums begin anew. Thread-safe.
 */
public final class CounterFollower implements AutoCloseable {

    /** The format of the sums. A change of their entries, or of what is counted, must increase it. */
    private static final int FORMAT = 1;

    /** Of a poll: the more records are added together, the fewer versions of a block are added for nothing. */
    private static final int MAX_RECORDS = 5_000;

    private static final MeterName LAG = MeterName.of(
            "laurel.counters.lag",
            "Records of counters that this node has not added to its sums yet; reports lack them.");

    private final String topic;
    private final Path folder;
    private final Map<String, Object> rocksDb;
    private final Follower follower;

    /** Opened by the follower when the topic exists. */
    private volatile @Nullable CounterSums sums;

    /**
     * @param application whose counters are followed
     * @param store with the counters
     * @param onFault receives the failure that ended the follower
     */
    private CounterFollower(LedgerConfig config, String application, String store, Consumer<Throwable> onFault) {
        this.topic = Generation.changelog(application, store);
        this.folder = config.streams().stateDir().resolve(application).resolve(store + "-sums");
        this.rocksDb = config.streams().rocksDb();
        this.follower = new Follower(
                topic,
                Follower.Reading.of(List.of(topic), FORMAT, MAX_RECORDS),
                config.clientProperties(),
                new Sums(),
                onFault);
    }

    /** A follower of the ledger of a generation, which is not started. */
    static CounterFollower ofLedger(LedgerConfig config, Generation generation, Consumer<Throwable> onFault) {
        return new CounterFollower(config, generation.ledgerApplication(), StoreNames.COUNTERS, onFault);
    }

    /**
     * Follows delivery, which may run in other processes only, later, or never.
     *
     * @param application the id of delivery
     * @param meters gets the lag
     * @param onFault receives the failure that ended the follower
     */
    public static CounterFollower followApplication(
            LedgerConfig config, String application, MeterScope meters, Consumer<Throwable> onFault) {
        var follower = new CounterFollower(config, application, StoreNames.OUTCOMES, onFault);
        follower.register(meters, StreamsMeters.tags("delivery"));
        follower.start();
        return follower;
    }

    void start() {
        follower.start();
    }

    void register(MeterScope meters, Tags tags) {
        meters.gauge(LAG, tags, follower::lag);
    }

    /**
     * Reads the counters until the reader is closed, by the thread that calls this; null while they lack something that was there when this
     * node began to follow, and once this is closed.
     */
    public @Nullable AccountCounters read() {
        CounterSums added = sums;
        return added == null || !isCaughtUp() ? null : added.read();
    }

    boolean isCaughtUp() {
        return follower.isCaughtUp();
    }

    /** @return false if nothing was read in time, or the follower has ended */
    boolean awaitCaughtUp(Duration timeout) throws InterruptedException {
        try {
            follower.awaitCaughtUp(timeout);
        } catch (CommandFailed _) {
            return false; // a follower that has ended has reported its fault already
        }
        return isCaughtUp();
    }

    private final class Sums implements Follower.Sink {

        private @Nullable Position written;

        @Override
        public @Nullable Position position() {
            return open().position(topic);
        }

        private CounterSums open() {
            CounterSums known = sums;
            if (known == null) {
                known = new CounterSums(folder, rocksDb);
                sums = known;
            }
            return known;
        }

        @Override
        public void begin(@Nullable String problem) {
            if (problem != null) {
                open().clear();
            }
        }

        @Override
        public void put(ConsumerRecord<byte[], byte[]> record) {
            open().add(record.partition(), record.key(), record.value());
        }

        @Override
        public void write(Position position) {
            if (!position.equals(written)) {
                open().write(position);
                written = position;
            }
        }
    }

    @Override
    public void close() {
        follower.close();
        CounterSums open = sums;
        if (open != null) {
            open.close();
        }
    }
}
