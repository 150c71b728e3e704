package dev.laurel.processors.generation;

import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;

import dev.laurel.core.leaderboard.PartitionLeaderboards;
import dev.laurel.platform.kafka.LocalRecords;
import dev.laurel.processors.boards.LeaderboardViews;
import dev.laurel.processors.boards.LeaderboardsTopology;
import dev.laurel.processors.ledger.LedgerMeters;
import dev.laurel.processors.ledger.LedgerTopology;
import dev.laurel.processors.ledger.Ticks;
import dev.laurel.processors.runtime.EarlyOutput;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.processors.runtime.StreamsSettings;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.boards.LeaderboardReader;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.OutputWindow.Handover;
import dev.laurel.processors.stream.OutputWindow.OffsetRange;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * A generation that is being built: the same topologies process the whole log again from its first record, at full speed, into stores
 * of their own. It produces no output and requests no ticks, since those in the log are enough. When it has caught up it continues to
 * follow the log, and can be read like the live state. Thread-safe.
 */
public final class ShadowGeneration implements AutoCloseable {

    private static final long CACHE_BYTES = 128L * 1024 * 1024;
    private static final int TRANSACTION_MS = 60_000;

    private final GenerationProgress progress;
    private final ShadowApplication ledger;
    private final ShadowApplication boards;
    private final RulesetVersions rulesets;
    private final LeaderboardLayout boardLayout;
    private final LogLayout layout;
    private final LeaderboardViews views = new LeaderboardViews(LeaderboardViews.DEFAULT_MAX_PARTICIPANTS);

    private ShadowGeneration(
            LedgerConfig config,
            GenerationRecord record,
            boolean isLogged,
            Rulesets published,
            Consumer<Throwable> onFault)
            throws InterruptedException {
        Generation generation = record.generation();
        if (!isLogged && !generation.isReport()) {
            throw new IllegalArgumentException(
                    "nodes cannot continue generation " + generation.number() + " without changelogs");
        }
        Map<String, Object> client = config.clientProperties();
        try (var topics = new GenerationResources(client, generation, TIMEOUT)) {
            topics.create();
        }
        progress = new GenerationProgress(client, generation, record.copiedFrom(), TIMEOUT);
        rulesets = new RulesetVersions(published, TIMEOUT);
        layout = new LogLayout(progress.ledger().partitions());
        boardLayout = new LeaderboardLayout(progress.boards().partitions());
        LedgerConfig fast = config.forThroughput(); // No client waits for an answer.
        Properties settings = ShadowApplication.settings(fast.streamsProperties(generation), isLogged);
        settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, CACHE_BYTES);
        StreamsSettings.putProducer(settings, Map.of(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_MS));
        var pipeline = new PipelineSettings(
                generation,
                generation.isReport() ? OutputWindow.NOTHING : untilOwnMarker(generation.number()),
                true,
                isLogged);
        ledger = new ShadowApplication(
                "shadow ledger",
                generation.log(),
                progress.ledger(),
                settings,
                KafkaStreams::new,
                tracker -> LedgerTopology.build(
                        new LedgerTopology.Dependencies(
                                rulesets, Ticks.NONE, layout, boardLayout, LedgerMeters.unread()),
                        tracker,
                        pipeline),
                StoreNames.PARTITION_STATE,
                pipeline.isLogged(),
                onFault);
        boards = new ShadowApplication(
                "shadow boards",
                generation.scores(),
                progress.boards(),
                ShadowApplication.settings(fast.boardsProperties(generation), isLogged),
                (topology, properties) -> EarlyOutput.streams(topology, properties, new LocalRecords()),
                tracker -> LeaderboardsTopology.build(
                        new LeaderboardsTopology.Dependencies(rulesets, views, boardLayout, layout.partitions()),
                        tracker,
                        pipeline),
                StoreNames.LEADERBOARD_ENTRIES,
                pipeline.isLogged(),
                onFault);
    }

    /**
     * The silence of a generation that nodes will continue. It ends before the marker from which on they publish: a process that was
     * suspended and comes back after that must not process in silence what they would publish.
     */
    private static OutputWindow untilOwnMarker(int number) {
        return new OutputWindow.Constant(OffsetRange.NONE, true, generation -> {
            if (generation == number) {
                throw new IllegalStateException("generation " + number + " is in force: nodes continue it");
            }
            return Handover.OTHER;
        });
    }

    /**
     * Starts to process the log, on threads of its own, together with other processes that have a part of the same shadow. Continues from
     * the state of an earlier shadow of the same generation if that had changelogs and still exists.
     *
     * @param config of a node; the state is in its folder, under the names of the generation
     * @param isLogged whether its stores have changelogs, so that other processes can continue with them: nodes, or those that share it
     * @param published the rulesets, followed and caught up; {@code RulesetOverlay} to process commands with later rules
     * @param onFault receives the fault that stopped it, on one of its threads
     */
    public static ShadowGeneration start(
            LedgerConfig config,
            GenerationRecord record,
            boolean isLogged,
            Rulesets published,
            Consumer<Throwable> onFault)
            throws InterruptedException {
        var shadow = new ShadowGeneration(config, record, isLogged, published, onFault);
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

    /** How far it is in its log and on its leaderboards, with all processes that share it. */
    public GenerationProgress progress() {
        return progress;
    }

    /**
     * Waits until everything that is in the log now is processed, ranked and committed, and the stores can be read.
     *
     * @return false if the timeout expired
     */
    public boolean awaitCaughtUp(Duration timeout) throws InterruptedException {
        return progress.await(timeout, _ -> {
                    ledger.expectNoFault();
                    boards.expectNoFault();
                })
                && awaitOpen(timeout);
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
        progress.close();
    }
}
