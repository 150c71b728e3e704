package dev.laurel.processors.replay;

import dev.laurel.processors.EagerClients;
import dev.laurel.processors.LedgerConfig;
import dev.laurel.processors.core.leaderboard.BoardReads;
import dev.laurel.processors.store.BoardReader;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.UserReader;
import dev.laurel.processors.stream.AccountViews;
import dev.laurel.processors.stream.BoardFloorTable;
import dev.laurel.processors.stream.BoardLayout;
import dev.laurel.processors.stream.BoardViews;
import dev.laurel.processors.stream.LedgerMeters;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.StoredBoards;
import dev.laurel.processors.stream.Telling;
import dev.laurel.processors.topology.BoardsTopology;
import dev.laurel.processors.topology.Fold;
import dev.laurel.processors.topology.LedgerTopology;
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
 * A generation in the making: the whole log, read once more from its first record at full speed by the same topologies, into
 * stores of its own. It tells nobody and asks for no ticks; those of the log are enough. When it has caught up it goes on
 * following, and can be read of like the live state. Thread-safe.
 */
public final class Shadow implements AutoCloseable {

    /** What a shadow is for. */
    public enum Purpose {
        /** To be looked at. Its stores end with it, so they have no changelogs. */
        REPORT,
        /** To be promoted: nodes go on with what it has made. */
        PROMOTION
    }

    /**
     * How far a partition of the log has been read.
     *
     * @param position offset of the record that is read next
     * @param endAtStart offset behind the last record there was when the shadow was started
     */
    public record Position(int partition, long position, long endAtStart) {

        /** Records left of those that there were at the start; marks of transactions are counted, too. */
        public long left() {
            return Math.max(0, endAtStart - position);
        }
    }

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final GenerationTopics topics;
    private final ShadowApplication ledger;
    private final ShadowApplication boards;
    private final BoardFloorTable floors;
    private final RulesetVersions rulesets;
    private final BoardLayout boardLayout;
    private final LogLayout layout;
    private final BoardViews views = new BoardViews(BoardViews.DEFAULT_MAX_PARTICIPANTS);

    private Shadow(LedgerConfig config, Generation generation, Purpose purpose, Rulesets published,
            Consumer<Throwable> onFault) throws InterruptedException {
        if (generation.isReport() != (purpose == Purpose.REPORT)) {
            throw new IllegalArgumentException("generation " + generation.number() + " is not for " + purpose);
        }
        Map<String, Object> client = config.clientProperties();
        topics = new GenerationTopics(client, generation, PATIENCE);
        topics.create();
        rulesets = new RulesetVersions(published, PATIENCE);
        layout = new LogLayout(topics.logPartitions());
        boardLayout = new BoardLayout(topics.scoresPartitions());
        floors = new BoardFloorTable(client, generation, onFault);
        floors.start();
        floors.awaitCaughtUp(PATIENCE);
        var settings = new ShadowSettings(config, generation, purpose);
        var fold = new Fold(generation, Telling.NOTHING, settings.isCached(), purpose == Purpose.PROMOTION, false);
        ledger = new ShadowApplication("shadow ledger", generation.log(), topics.ledgerPlace(), settings.ledger(),
                KafkaStreams::new,
                progress -> LedgerTopology.build(rulesets, new NoTicks(), layout, floors, boardLayout,
                        new AccountViews(), progress, LedgerMeters.unread(), fold),
                StoreNames.PARTITION_STATE, fold.isLogged(), onFault);
        boards = new ShadowApplication("shadow boards", generation.scores(), topics.boardsPlace(), settings.boards(),
                EagerClients::streams,
                progress -> BoardsTopology.build(rulesets, views, boardLayout, layout.partitions(), progress, fold),
                StoreNames.LEADERBOARD_ENTRIES, fold.isLogged(), onFault);
    }

    /**
     * Starts to fold; runs on threads of its own. What an earlier shadow of the same generation has come to is gone on from,
     * if that was for promotion and is still there.
     *
     * @param config of a node; state lies in its folder, under the names of the generation
     * @param published the rulesets, followed and caught up; {@code RulesetsAsIf} for other rules than those of the time
     * @param onFault told of what stopped it, on one of its threads
     */
    public static Shadow start(LedgerConfig config, Generation generation, Purpose purpose, Rulesets published,
            Consumer<Throwable> onFault) throws InterruptedException {
        var shadow = new Shadow(config, generation, purpose, published, onFault);
        shadow.ledger.start();
        shadow.boards.start();
        return shadow;
    }

    /** Where each partition of the log has been read to, in their order. Cheap: asks nobody. */
    public List<Position> progress() {
        return ledger.progress();
    }

    /** Where each partition of the scores has been ranked to, in their order; their end is that of this moment. */
    public List<Position> boardsProgress() {
        return boards.progress();
    }

    /**
     * Waits until everything is folded and ranked, and committed, that was in the log when this was called, and stores can be read.
     *
     * @return false if that took too long
     */
    public boolean awaitCaughtUp(Duration timeout) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        return ledger.awaitCommitted(deadlineNs) && boards.awaitCommitted(deadlineNs) && awaitOpen(deadlineNs);
    }

    private boolean awaitOpen(long deadlineNs) throws InterruptedException {
        return ledger.awaitOpen(deadlineNs) && boards.awaitOpen(deadlineNs);
    }

    /**
     * Reads no further, and waits until everything that was read is folded and committed. The ledger's stores stand still then,
     * until {@link #goOn}; leaderboards may still have to hear of it.
     *
     * @return false if that took too long
     */
    public boolean hold(Duration timeout) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        if (!awaitOpen(deadlineNs)) {
            return false;
        }
        ledger.pause();
        return ledger.awaitStill(deadlineNs);
    }

    /** Follows the log again. */
    public void goOn() {
        ledger.resume();
    }

    /** What is committed of each partition of the log: the fold of all before these offsets is durable. In their order. */
    public List<Long> committed() throws InterruptedException {
        return ledger.committed();
    }

    /** Reads users of one partition, while it goes on; fails with {@code InvalidStateStoreException} before it is open. */
    public UserReader users(int partition) {
        return new UserReader(name -> store(name, partition));
    }

    /** A store of the ledger; fails with {@code InvalidStateStoreException} before it is open. */
    public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
        return ledger.store(name, partition);
    }

    /** The leaderboards of one partition of the scores. */
    public BoardReads boards(int partition) {
        return new StoredBoards(views, partition, () -> new BoardReader(name -> boards.store(name, partition)));
    }

    /** How users are spread over the partitions. */
    public LogLayout layout() {
        return layout;
    }

    /** How leaderboards are spread over the partitions of the scores. */
    public BoardLayout boardLayout() {
        return boardLayout;
    }

    /** The rulesets that it goes by, compiled. */
    public RulesetVersions rulesets() {
        return rulesets;
    }

    /** Stops; what was committed stays where it may be promoted. */
    @Override
    public void close() {
        ledger.close();
        boards.close();
        floors.close();
        topics.close();
    }

    /** Stops and deletes all of it: groups, topics and folders. */
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
