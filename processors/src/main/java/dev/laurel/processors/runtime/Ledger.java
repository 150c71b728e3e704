package dev.laurel.processors.runtime;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.processors.ledger.KafkaTicks;
import dev.laurel.processors.ledger.LedgerMeters;
import dev.laurel.processors.ledger.LedgerTopology;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.processors.stream.GroupLease;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.StartupCatchUp;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.Generation;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.BitSet;
import java.util.Collection;
import java.util.Map;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.LagInfo;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/** The running ledger application of this process. */
public final class Ledger implements AutoCloseable {

    private static final Duration RULESET_TIMEOUT = Duration.ofSeconds(30);

    private final long maxLag;
    private final RulesetVersions rulesets;
    private volatile Running running;

    /** The parts of one generation, which are shown as a whole. */
    private record Running(
            StreamsApplication application,
            KafkaTicks ticks,
            GroupLease lease,
            OutputWindow window,
            CounterFollower counters,
            LedgerTopology.Dependencies shared) {}

    /**
     * Creates the application of a generation without starting it.
     *
     * @param published the rulesets, followed and caught up
     */
    public Ledger(NodeContext node, PipelineSettings settings, Rulesets published) {
        LedgerConfig config = node.config();
        Generation generation = settings.generation();
        var ticks = new KafkaTicks(config.clientProperties(), generation, settings.isLogCopied(), node.clock());
        this.maxLag = config.maxLag();
        var lease = new GroupLease(generation.ledgerApplication(), StreamsSettings.UNHEARD, ticks, System::nanoTime);
        var catchUp = new StartupCatchUp(ticks, lease);
        MeterScope meters = node.metrics().scope();
        Tags tags = StreamsMeters.tags("ledger", generation);
        this.rulesets = new RulesetVersions(published, RULESET_TIMEOUT);
        var shared = new LedgerTopology.Dependencies(
                rulesets,
                ticks,
                new LogLayout(ticks.partitions()),
                node.boards(),
                new LedgerMeters(meters, tags, node.clock()));
        Properties properties = node.node().addedTo(config.streamsProperties(generation));
        var application = new StreamsApplication(
                "ledger",
                new KafkaStreams(
                        LedgerTopology.build(shared, catchUp, settings), properties, new StreamsClients(node.tails())),
                properties,
                ticks.partitions(),
                catchUp,
                tags,
                meters,
                node.onFault());
        CounterFollower counters = CounterFollower.ofLedger(config, generation, node.onFault());
        counters.register(meters, tags);
        this.running =
                new Running(application, ticks, lease.start(catchUp::askAgain), settings.window(), counters, shared);
    }

    private Ledger(Ledger shown) {
        this.maxLag = shown.maxLag;
        this.rulesets = shown.rulesets.shared();
        this.running = shown.running;
    }

    /** Starts the application, which runs on threads of its own. Called once. */
    public void start() {
        running.application().start();
        running.counters().start();
    }

    /**
     * Waits until the stores are restored, everything is processed that was in the log at that time, and the counters of the account are
     * known. For tasks that start later, see {@link #catchUp}.
     *
     * @return false if the timeout expired
     */
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        long startedNs = System.nanoTime();
        return running.application().awaitReady(timeout)
                && running.counters().awaitCaughtUp(timeout.minusNanos(System.nanoTime() - startedNs));
    }

    /**
     * Whether the users assigned to this process can be read: no store lacks more records than {@link LedgerConfig#maxLag}, the
     * tasks have caught up, and the counters of the account are known. Thread-safe.
     */
    public boolean isReady() {
        return running.application().isReady(maxLag) && running.counters().isCaughtUp();
    }

    /** The progress of the current tasks. */
    public StartupCatchUp catchUp() {
        return running.application().catchUp();
    }

    /**
     * Whether a partition of the log is here and shows everything that any process had answered before this call. False if this process
     * was suspended, or is cut off from Kafka, so that others may have answered. Thread-safe; never waits.
     */
    public boolean isCurrent(int partition) {
        Running now = running;
        return now.window().isCurrent(partition) && now.application().catchUp().isCaughtUp(partition);
    }

    /**
     * Whether a later generation than the one shown is in force: briefly while nodes change to it, longer on a node that was suspended.
     * Then neither its stores nor copies of them are current. Thread-safe; never waits.
     */
    public boolean isOver() {
        return running.window().isSuperseded();
    }

    public KafkaStreams streams() {
        return running.application().streams();
    }

    /** A partition's store; fails with {@code InvalidStateStoreException} while it is not open here. Thread-safe. */
    public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
        Running now = running;
        return new GuardedStore(now.application().store(name, partition), () -> running == now);
    }

    /** Works like {@link #store}, but the store may be a standby copy or still be restored, and lag behind. Thread-safe. */
    public ReadOnlyKeyValueStore<Bytes, byte[]> copy(String name, int partition) {
        return running.application().copy(name, partition);
    }

    /** The lags of the stores here behind their changelogs, by name and partition. Asks the brokers; may block. */
    public Map<String, Map<Integer, LagInfo>> lags() {
        return running.application().streams().allLocalStorePartitionLags();
    }

    /** The members of the ledger, with their partitions of the log; empty while it does not run here. */
    public Collection<StreamsMetadata> members() {
        return running.application().members();
    }

    /**
     * Reads the counters of the account, as of now, until the reader is closed by the same thread; null while they are being read after a
     * start.
     */
    public @Nullable AccountCounters counters() {
        return running.counters().read();
    }

    /**
     * The partitions of the log with users of a tenant, as far as committed and known here; null while the counters of the account are
     * being read, and if the log does not have this number of partitions.
     */
    public @Nullable BitSet withUsersOf(TenantId tenant, int partitions) {
        Running now = running;
        if (now.shared().layout().partitions() != partitions) {
            return null;
        }
        try (AccountCounters counters = now.counters().read()) {
            if (counters == null) {
                return null;
            }
            var found = new BitSet(partitions);
            for (int partition = 0; partition < partitions; partition++) {
                found.set(
                        partition,
                        counters.part(partition).numbers(tenant, Counter.USERS, 0, SegmentGroup.ALL, 0, 0)[0] != 0);
            }
            return found;
        }
    }

    /** Assigns users to the partitions of the log; the same object as long as the same generation is shown. */
    public LogLayout layout() {
        return running.shared().layout();
    }

    /** The compiled rulesets; those of a {@link #view} are not those of the tasks, and are replaced when it shows another generation. */
    public RulesetVersions rulesets() {
        return rulesets;
    }

    /** Another object that reads the same application, until it shows that of another generation. */
    public Ledger view() {
        return new Ledger(this);
    }

    /** Reads the application of another object from now on, which is one of another generation. */
    public void show(Ledger other) {
        rulesets.become(other.rulesets);
        running = other.running;
    }

    /** Begins to leave the group and to close the stores; {@link #close} waits for it. */
    public void beginClose() {
        running.application().beginClose();
    }

    /** Leaves the group, so that another node takes over at once, and closes the stores. */
    @Override
    public void close() {
        running.application().close();
        running.counters().close();
        running.lease().close();
        running.ticks().close();
    }

    /**
     * A store that can be read as long as a condition holds. Afterwards it fails as a closed store does, so that readers look for the
     * store again.
     */
    private record GuardedStore(ReadOnlyKeyValueStore<Bytes, byte[]> store, BooleanSupplier isValid)
            implements StoreScans.ForwardedReads {

        @Override
        public ReadOnlyKeyValueStore<Bytes, byte[]> wrapped() {
            if (!isValid.getAsBoolean()) {
                throw new InvalidStateStoreException("another generation is in force");
            }
            return store;
        }
    }
}
