package dev.laurel.processors;

import dev.laurel.processors.core.leaderboard.BoardReads;
import dev.laurel.processors.store.BoardReader;
import dev.laurel.processors.stream.BoardLayout;
import dev.laurel.processors.stream.BoardViews;
import dev.laurel.processors.stream.CatchUp;
import dev.laurel.processors.stream.GroupLease;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.ScoresReach;
import dev.laurel.processors.stream.StoredBoards;
import dev.laurel.processors.stream.Telling;
import dev.laurel.processors.topology.BoardsTopology;
import dev.laurel.processors.topology.Fold;
import dev.laurel.schemas.metrics.Metrics;
import java.time.Duration;
import java.util.Collection;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsMetadata;

/** The running boards application of this process. */
public final class Boards implements AutoCloseable {

    private final long maxLag;
    private final BoardLayout layout;
    private volatile Running running;

    /** What one generation has; two change places as a whole. */
    private record Running(StreamsApplication application, ScoresReach scores, GroupLease lease, BoardViews views,
            Telling telling) {

        boolean isCurrent(int partition) {
            return views.isCurrent(partition) && !telling.isOver() && application.catchUp().isCaughtUp(partition);
        }

        BoardReader reader(int partition) {
            return new BoardReader(name -> application.store(name, partition));
        }
    }

    private Boards(LedgerConfig config, NodeId node, Fold fold, RulesetVersions rulesets, LogLayout log,
            BoardLayout layout, Metrics metrics, Consumer<Throwable> onFault) {
        this.layout = layout;
        this.maxLag = config.maxLag();
        var scores = new ScoresReach(config.clientProperties(), fold.generation());
        var lease = new GroupLease(fold.generation().boardsApplication(), TakeOver.UNHEARD, scores);
        var views = new BoardViews(BoardViews.DEFAULT_MAX_PARTICIPANTS);
        var catchUp = new CatchUp(scores, lease);
        Properties properties = config.boardsProperties(node, fold.generation());
        KafkaStreams streams = EagerClients.streams(
                BoardsTopology.build(rulesets, views, layout, log.partitions(), catchUp, fold), properties);
        var application = new StreamsApplication("boards", streams, properties, catchUp,
                StreamsMeters.tags("boards", fold.generation()), metrics.scope(), onFault);
        this.running = new Running(application, scores, lease.start(catchUp::askAgain), views, fold.telling());
    }

    /**
     * Starts the application, with metrics of its own; it runs on threads of its own.
     *
     * @param node which member of the group this is, for as long as its state lives
     * @param rulesets as this process has compiled them
     * @param log how many partitions of the log must speak before time moves
     * @param layout which partition of {@code laurel.scores} each leaderboard is in
     * @param onFault told once of what stopped it, on one of those threads
     */
    public static Boards start(LedgerConfig config, NodeId node, RulesetVersions rulesets, LogLayout log,
            BoardLayout layout, Consumer<Throwable> onFault) {
        return start(config, node, Fold.only(config.isCached()), rulesets, log, layout, new Metrics(), onFault);
    }

    /** Likewise, of one of several generations. @param metrics of this process */
    public static Boards start(LedgerConfig config, NodeId node, Fold fold, RulesetVersions rulesets, LogLayout log,
            BoardLayout layout, Metrics metrics, Consumer<Throwable> onFault) {
        var boards = new Boards(config, node, fold, rulesets, log, layout, metrics, onFault);
        boards.running.application().start();
        return boards;
    }

    /**
     * Waits until the stores are restored and all scores are ranked that were there when that was done.
     *
     * @return false if that took too long
     */
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        return running.application().awaitReady(timeout);
    }

    /**
     * Whether the leaderboards that are assigned to this process can be read: no store lacks more records than
     * {@link LedgerConfig#MAX_LAG}, and the tasks have caught up. Thread-safe.
     */
    public boolean isReady() {
        return running.application().isReady(maxLag);
    }

    /** How far the tasks of now have come. */
    public CatchUp catchUp() {
        return running.application().catchUp();
    }

    /** Whether a partition is here and shows the rankings of now, see {@link Ledger#isCurrent}. Thread-safe; never waits. */
    public boolean isCurrent(int partition) {
        return running.isCurrent(partition);
    }

    /** How leaderboards are spread over the partitions. */
    public BoardLayout layout() {
        return layout;
    }

    /** The leaderboards of one partition, whether it is open here or not yet. Thread-safe. */
    public BoardReads reads(int partition) {
        Running asked = running;
        return new StoredBoards(asked.views(), partition, () -> asked.reader(partition));
    }

    /** Who takes part in the boards, and with which partitions of the scores; nobody while they do not run here. */
    public Collection<StreamsMetadata> members() {
        return running.application().members();
    }

    /** Whether what time and rules have made due is done, in every partition that is here. */
    boolean isSettled() {
        return running.views().areSettled();
    }

    /** Changes places with another generation: who holds this one has the other's application from here on. */
    void become(Boards other) {
        Running others = other.running;
        other.running = running;
        running = others;
    }

    /** Leaves the group, so that another node takes over at once, and closes the stores. */
    @Override
    public void close() {
        running.application().close();
        running.lease().close();
        running.scores().close();
    }
}
