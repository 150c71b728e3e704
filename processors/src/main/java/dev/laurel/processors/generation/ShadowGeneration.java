package dev.laurel.processors.generation;

import dev.laurel.core.leaderboard.PartitionLeaderboards;
import dev.laurel.platform.kafka.LocalRecords;
import dev.laurel.processors.boards.LeaderboardFloorTable;
import dev.laurel.processors.boards.LeaderboardViews;
import dev.laurel.processors.boards.LeaderboardsTopology;
import dev.laurel.processors.generation.ShadowApplication.Settings;
import dev.laurel.processors.ledger.LedgerTopology;
import dev.laurel.processors.ledger.LedgerMeters;
import dev.laurel.processors.ledger.Ticks;
import dev.laurel.processors.runtime.EarlyOutput;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.boards.LeaderboardReader;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.Generation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * A generation that is being built: the same topologies process the whole log again from its first record, at full speed, into stores
 * of their own. It produces no output and requests no ticks, since those in the log are enough. When it has caught up it continues to
 * follow the log, and can be read like the live state. Thread-safe.
 */
public final class ShadowGeneration implements AutoCloseable {

    /**
     * The silence of a generation that nodes will continue. It ends before the marker from which on they publish: a process that was
     * suspended and comes back after that must not process in silence what they would publish.
     */
    private record UntilOwnMarker(int number) implements OutputWindow {

        @Override
        public void refresh() {
            NOTHING.refresh();
        }

        @Override
        public OffsetRange range(int partition) {
            return NOTHING.range(partition);
        }

        @Override
        public boolean startsSilent() {
            return true;
        }

        @Override
        public Handover readMarker(int generation, int partition, long offset) {
            if (generation == number) {
                throw new IllegalStateException("generation " + number + " is in force: nodes continue it");
            }
            return NOTHING.readMarker(generation, partition, offset);
        }
    }

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final GenerationResources topics;
    private final ShadowApplication ledger;
    private final ShadowApplication boards;
    private final LeaderboardFloorTable floors;
    private final RulesetVersions rulesets;
    private final LeaderboardLayout boardLayout;
    private final LogLayout layout;
    private final LeaderboardViews views = new LeaderboardViews(LeaderboardViews.DEFAULT_MAX_PARTICIPANTS);

    private ShadowGeneration(LedgerConfig config, Generation generation, boolean isLogged, Rulesets published,
            Consumer<Throwable> onFault) throws InterruptedException {
        if (!isLogged && !generation.isReport()) {
            throw new IllegalArgumentException("nodes cannot continue generation " + generation.number()
                    + " without changelogs");
        }
        Map<String, Object> client = config.clientProperties();
        topics = new GenerationResources(client, generation, TIMEOUT);
        topics.create();
        rulesets = new RulesetVersions(published, TIMEOUT);
        layout = new LogLayout(topics.logPartitions());
        boardLayout = new LeaderboardLayout(topics.scoresPartitions());
        floors = new LeaderboardFloorTable(client, generation, config.maxFloors(), onFault);
        floors.start();
        floors.awaitCaughtUp(TIMEOUT);
        var shadowSettings = new Settings(config, generation, isLogged);
        var pipeline = new PipelineSettings(generation,
                generation.isReport() ? OutputWindow.NOTHING : new UntilOwnMarker(generation.number()), true,
                isLogged);
        ledger = new ShadowApplication("shadow ledger", generation.log(), topics.ledgerProgress(),
                shadowSettings.ledger(), KafkaStreams::new,
                tracker -> LedgerTopology
                        .build(new LedgerTopology.Dependencies(rulesets, Ticks.NONE, layout, floors,
                                boardLayout, LedgerMeters.unread()), tracker, pipeline),
                StoreNames.PARTITION_STATE, pipeline.isLogged(), onFault);
        boards = new ShadowApplication("shadow boards", generation.scores(), topics.boardsProgress(),
                shadowSettings.boards(),
                (topology, properties) -> EarlyOutput.streams(topology, properties, new LocalRecords()),
                tracker -> LeaderboardsTopology.build(
                        new LeaderboardsTopology.Dependencies(rulesets, views, boardLayout, layout.partitions()), tracker,
                        pipeline),
                StoreNames.LEADERBOARD_ENTRIES, pipeline.isLogged(), onFault);
    }

    /**
     * Starts to process the log, on threads of its own, together with other processes that have a part of the same shadow. Continues from
     * the state of an earlier shadow of the same generation if that had changelogs and still exists.
     *
     * @param config of a node; the state is in its folder, under the names of the generation
     * @param isLogged whether its stores have changelogs, so that other processes can continue with them: nodes, or those that share it
     * @param published the rulesets, followed and caught up; {@code RewrittenRulesets} to process commands with later rules
     * @param onFault receives the fault that stopped it, on one of its threads
     */
    public static ShadowGeneration start(LedgerConfig config, Generation generation, boolean isLogged,
            Rulesets published, Consumer<Throwable> onFault) throws InterruptedException {
        var shadow = new ShadowGeneration(config, generation, isLogged, published, onFault);
        shadow.ledger.start();
        shadow.boards.start();
        return shadow;
    }

    /**
     * The partitions of the log whose stores are open in this process, each with a token of its task: as long as the token is the same,
     * no other process has continued the partition. Cheap: sends no request.
     */
    public Map<Integer, Object> owned() {
        return ledger.owned();
    }

    /**
     * Waits until everything that is in the log now is processed, ranked and committed, and the stores can be read.
     *
     * @return false if the timeout expired
     */
    public boolean awaitCaughtUp(Duration timeout) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        return ledger.awaitCommitted(deadlineNs) && boards.awaitCommitted(deadlineNs) && awaitOpen(deadlineNs);
    }

    /** Waits until the stores of the partitions that this process has can be read. @return false if the timeout expired */
    public boolean awaitOpen(Duration timeout) throws InterruptedException {
        return awaitOpen(System.nanoTime() + timeout.toNanos());
    }

    private boolean awaitOpen(long deadlineNs) throws InterruptedException {
        return ledger.awaitOpen(deadlineNs) && boards.awaitOpen(deadlineNs);
    }

    /**
     * Pauses the ledger, and waits until everything that was read is processed and committed. The stores of the ledger do not change
     * until {@link #resume}; leaderboards may still process its scores.
     *
     * @return false if the timeout expired
     */
    public boolean pause(Duration timeout) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        if (!awaitOpen(deadlineNs)) {
            return false;
        }
        ledger.pause();
        return ledger.awaitUnchanging(deadlineNs);
    }

    /** Resumes the ledger. */
    public void resume() {
        ledger.resume();
    }

    /** The committed offsets of the log: the state from everything before them is durable. In the order of partitions. */
    public List<Long> committed() throws InterruptedException {
        return ledger.committed();
    }

    /** A store of the ledger; fails with {@code InvalidStateStoreException} before it is open. */
    public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
        return ledger.store(name, partition);
    }

    /** The leaderboards of one partition of the scores. */
    public PartitionLeaderboards boards(int partition) {
        return new LeaderboardReader(name -> boards.store(name, partition), group -> views.find(partition, group));
    }

    /** Assigns users to the partitions of the log. */
    public LogLayout layout() {
        return layout;
    }

    /** Assigns leaderboards to the partitions of the scores. */
    public LeaderboardLayout boardLayout() {
        return boardLayout;
    }

    /** The compiled rulesets that it uses. */
    public RulesetVersions rulesets() {
        return rulesets;
    }

    /** Stops. Its changelogs remain. */
    @Override
    public void close() {
        ledger.close();
        boards.close();
        floors.close();
        topics.close();
    }

    /** Stops, and deletes the groups, topics and folders. */
    public void abandon() throws InterruptedException {
        ledger.close();
        boards.close();
        floors.close();
        try (topics) {
            topics.delete();
        }
        ledger.deleteFolder();
        boards.deleteFolder();
    }
}
