package dev.laurel.processors;

import dev.laurel.processors.core.leaderboard.BoardReads;
import dev.laurel.processors.store.BoardReader;
import dev.laurel.processors.stream.BoardLayout;
import dev.laurel.processors.stream.BoardViews;
import dev.laurel.processors.stream.CatchUp;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.ScoresReach;
import dev.laurel.processors.stream.StoredBoards;
import dev.laurel.processors.topology.BoardsTopology;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running boards application of this process. */
public final class Boards implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Boards.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final ScoresReach scores;
    private final CatchUp catchUp;
    private final KafkaStreams streams;
    private final BoardLayout layout;
    private final BoardViews views = new BoardViews(BoardViews.DEFAULT_MAX_PARTICIPANTS);
    private final CountDownLatch running = new CountDownLatch(1);

    private Boards(LedgerConfig config, NodeId node, RulesetVersions rulesets, LogLayout log, BoardLayout layout,
            Consumer<Throwable> onFault) {
        this.layout = layout;
        this.scores = new ScoresReach(config.clientProperties(), LedgerConfig.BOARDS_APPLICATION_ID);
        this.catchUp = new CatchUp(scores);
        this.streams = new KafkaStreams(BoardsTopology.build(rulesets, views, layout, log.partitions(), catchUp),
                config.boardsProperties(node));
        streams.setUncaughtExceptionHandler(fault -> {
            LOG.error("the boards application stops", fault);
            onFault.accept(fault);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        streams.setStateListener((now, before) -> {
            LOG.info("boards: {} → {}", before, now);
            if (now == KafkaStreams.State.RUNNING) {
                running.countDown();
            }
        });
    }

    /**
     * Starts the application; it runs on threads of its own.
     *
     * @param node which member of the group this is, for as long as its state lives
     * @param rulesets as this process has compiled them
     * @param log how many partitions of the log must speak before time moves
     * @param layout which partition of {@code laurel.scores} each leaderboard is in
     * @param onFault told once of what stopped it, on one of those threads
     */
    public static Boards start(LedgerConfig config, NodeId node, RulesetVersions rulesets, LogLayout log,
            BoardLayout layout, Consumer<Throwable> onFault) {
        var boards = new Boards(config, node, rulesets, log, layout, onFault);
        boards.streams.start();
        return boards;
    }

    /**
     * Waits until the stores are restored and all scores are ranked that were there when that was done.
     *
     * @return false if that took too long
     */
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        long startedNs = System.nanoTime();
        return running.await(timeout.toMillis(), TimeUnit.MILLISECONDS)
                && catchUp.await(timeout.minusNanos(System.nanoTime() - startedNs));
    }

    /** Which partitions of the leaderboards can be read of. */
    public CatchUp catchUp() {
        return catchUp;
    }

    public KafkaStreams streams() {
        return streams;
    }

    /** How leaderboards are spread over the partitions. */
    public BoardLayout layout() {
        return layout;
    }

    /** The leaderboards of one partition, whether it is open here or not yet. Thread-safe. */
    public BoardReads reads(int partition) {
        return new StoredBoards(views, partition, () -> new BoardReader(name -> store(name, partition)));
    }

    private ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
        return streams.store(StoreQueryParameters
                .fromNameAndType(name, QueryableStoreTypes.<Bytes, byte[]>keyValueStore()).withPartition(partition));
    }

    /** Leaves the group, so that another node takes over at once, and closes the stores. */
    @Override
    public void close() {
        streams.close(CloseOptions.timeout(CLOSE_TIMEOUT)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        scores.close();
    }
}
