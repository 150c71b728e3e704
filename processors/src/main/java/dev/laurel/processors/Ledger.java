package dev.laurel.processors;

import dev.laurel.processors.core.account.AccountIndex;
import dev.laurel.processors.core.leaderboard.BoardFloors;
import dev.laurel.processors.store.GuardedStore;
import dev.laurel.processors.stream.AccountViews;
import dev.laurel.processors.stream.BoardLayout;
import dev.laurel.processors.stream.CatchUp;
import dev.laurel.processors.stream.GroupLease;
import dev.laurel.processors.stream.KafkaTicks;
import dev.laurel.processors.stream.LedgerMeters;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.Telling;
import dev.laurel.processors.stream.TopicReach;
import dev.laurel.processors.topology.Fold;
import dev.laurel.processors.topology.LedgerTopology;
import dev.laurel.schemas.metrics.MeterScope;
import dev.laurel.schemas.metrics.Metrics;
import dev.laurel.schemas.ruleset.Rulesets;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.LagInfo;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** The running ledger application of this process. */
public final class Ledger implements AutoCloseable {

    private static final Duration RULESET_PATIENCE = Duration.ofSeconds(30);

    private final long maxLag;
    private final RulesetVersions rulesets;
    private volatile Running running;

    /** What one generation has; two change places as a whole. */
    private record Running(StreamsApplication application, KafkaTicks ticks, GroupLease lease, LogLayout layout,
            AccountViews accounts, RulesetVersions folded, Telling telling) {}

    private Ledger(LedgerConfig config, NodeId node, Fold fold, Rulesets published, BoardFloors floors,
            BoardLayout boards, InstantSource clock, Metrics metrics, Consumer<Throwable> onFault) {
        var ticks = new KafkaTicks(config.clientProperties(), fold.generation(), clock);
        this.rulesets = new RulesetVersions(published, RULESET_PATIENCE);
        // Apart from those that are shown, which are another generation's when that comes into force: this one tells its last.
        var folded = new RulesetVersions(published, RULESET_PATIENCE);
        var layout = new LogLayout(ticks.partitions());
        var accounts = new AccountViews();
        TopicReach log = ticks.log(fold.isLogCopied());
        var lease = new GroupLease(fold.generation().ledgerApplication(), TakeOver.UNHEARD, log);
        var catchUp = new CatchUp(log, lease);
        this.maxLag = config.maxLag();
        MeterScope meters = metrics.scope();
        Tags tags = StreamsMeters.tags("ledger", fold.generation());
        var application = new StreamsApplication("ledger",
                LedgerTopology.build(folded, ticks, layout, floors, boards, accounts, catchUp,
                        new LedgerMeters(meters, tags, clock), fold),
                config.streamsProperties(node, fold.generation()), catchUp, tags, meters, onFault);
        this.running = new Running(application, ticks, lease.start(catchUp::askAgain), layout, accounts, folded,
                fold.telling());
    }

    /**
     * Starts the application, with metrics of its own; it runs on threads of its own.
     *
     * @param node which member of the group this is, for as long as its state lives
     * @param published the rulesets, followed and caught up
     * @param floors what full leaderboards ask for
     * @param boards how leaderboards are spread over {@code laurel.scores}
     * @param clock gives the time of ticks, and nothing else
     * @param onFault told once of what stopped it, on one of those threads
     */
    public static Ledger start(LedgerConfig config, NodeId node, Rulesets published, BoardFloors floors,
            BoardLayout boards, InstantSource clock, Consumer<Throwable> onFault) {
        Ledger ledger = of(config, node, Fold.only(config.isCached()), published, floors, boards, clock, new Metrics(),
                onFault);
        ledger.start();
        return ledger;
    }

    /**
     * The ledger of one of several generations, with the parameters of {@link #start}. It is not started.
     *
     * @param fold what is made of the log
     * @param metrics of this process
     */
    static Ledger of(LedgerConfig config, NodeId node, Fold fold, Rulesets published, BoardFloors floors,
            BoardLayout boards, InstantSource clock, Metrics metrics, Consumer<Throwable> onFault) {
        return new Ledger(config, node, fold, published, floors, boards, clock, metrics, onFault);
    }

    /** Once. */
    void start() {
        running.application().start();
    }

    /**
     * Waits until the stores are restored and everything is processed that was in the log when that was done. Tasks that
     * start later are asked of one by one, see {@link #catchUp}.
     *
     * @return false if that took too long
     */
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        return running.application().awaitReady(timeout);
    }

    /**
     * Whether the users that are assigned to this process can be read: no store lacks more records than
     * {@link LedgerConfig#MAX_LAG}, and the tasks have caught up. Thread-safe.
     */
    public boolean isReady() {
        return running.application().isReady(maxLag);
    }

    /** How far the tasks of now have come. */
    public CatchUp catchUp() {
        return running.application().catchUp();
    }

    /**
     * Whether a partition of the log is here and shows everything that was answered before this call, also where this process stood
     * still meanwhile, or is cut off from Kafka, and others have answered. Thread-safe; never waits.
     */
    public boolean isCurrent(int partition) {
        Running asked = running;
        return asked.telling().isCurrent(partition) && asked.application().catchUp().isCaughtUp(partition);
    }

    /**
     * Whether another generation is in force than is shown: for moments while nodes turn to it, and for longer on one that slept
     * meanwhile. Nothing of what is here is current then, nor a copy of that. Thread-safe; never waits.
     */
    public boolean isOver() {
        return running.telling().isOver();
    }

    public KafkaStreams streams() {
        return running.application().streams();
    }

    /** A partition's store; fails with {@code InvalidStateStoreException} while it is not open here. Thread-safe. */
    public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
        Running asked = running;
        return new GuardedStore(asked.application().store(name, partition), () -> running == asked);
    }

    /** As {@link #store}, also of a partition that is only copied here, or still restored: it may be behind. Thread-safe. */
    public ReadOnlyKeyValueStore<Bytes, byte[]> copy(String name, int partition) {
        return running.application().copy(name, partition);
    }

    /** How far the stores here are behind their changelogs, by name and partition. Asks the brokers; may block. */
    public Map<String, Map<Integer, LagInfo>> lags() {
        return running.application().streams().allLocalStorePartitionLags();
    }

    /** Who takes part in the ledger, and with which partitions of the log; nobody while it does not run here. */
    public Collection<StreamsMetadata> members() {
        return running.application().members();
    }

    /** What is known here of all users of a partition; null while that is being found out, and where it is not here. */
    public AccountIndex account(int partition) {
        return running.accounts().find(partition);
    }

    /** How users are spread over the log's partitions; the same object as long as no other generation is shown. */
    public LogLayout layout() {
        return running.layout();
    }

    /** The rulesets by which its tasks go. */
    RulesetVersions folded() {
        return running.folded();
    }

    /** The rulesets as this process has compiled them, for reads. */
    public RulesetVersions rulesets() {
        return rulesets;
    }

    /** Changes places with another generation: who holds this one has the other's application from here on. */
    void become(Ledger other) {
        rulesets.become(other.rulesets);
        Running others = other.running;
        other.running = running;
        running = others;
    }

    /** Leaves the group, so that another node takes over at once, and closes the stores. */
    @Override
    public void close() {
        running.application().close();
        running.lease().close();
        running.ticks().close();
    }
}
