package dev.laurel.processors.runtime;

import dev.laurel.core.leaderboard.PartitionLeaderboards;
import dev.laurel.processors.boards.LeaderboardViews;
import dev.laurel.processors.boards.LeaderboardsTopology;
import dev.laurel.processors.boards.ScoresCatchUpSource;
import dev.laurel.processors.store.boards.LeaderboardReader;
import dev.laurel.processors.stream.GroupLease;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.StartupCatchUp;
import dev.laurel.schemas.topic.Generation;
import java.time.Duration;
import java.util.Collection;
import java.util.Properties;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsMetadata;

/** The running boards application of this process. */
public final class Leaderboards implements AutoCloseable {

    private final long maxLag;
    private final LeaderboardLayout layout;
    private volatile Running running;

    /** The parts of one generation, which are shown as a whole. */
    private record Running(
            StreamsApplication application,
            ScoresCatchUpSource scores,
            GroupLease lease,
            LeaderboardViews views,
            OutputWindow window) {

        boolean isCurrent(int partition) {
            return views.isCurrent(partition)
                    && !window.isSuperseded()
                    && application.catchUp().isCaughtUp(partition);
        }
    }

    private Leaderboards(NodeContext node, PipelineSettings settings, RulesetVersions rulesets, LogLayout log) {
        LedgerConfig config = node.config();
        Generation generation = settings.generation();
        this.layout = node.boards();
        this.maxLag = config.maxLag();
        var scores = new ScoresCatchUpSource(config.clientProperties(), generation);
        var lease = new GroupLease(generation.boardsApplication(), StreamsSettings.UNHEARD, scores, System::nanoTime);
        var views = new LeaderboardViews(config.maxRanked());
        var catchUp = new StartupCatchUp(scores, lease);
        Properties properties = node.node().addedTo(config.boardsProperties(generation));
        KafkaStreams streams = EarlyOutput.streams(
                LeaderboardsTopology.build(
                        new LeaderboardsTopology.Dependencies(rulesets, views, layout, log.partitions()),
                        catchUp,
                        settings),
                properties,
                node.tails());
        var application = new StreamsApplication(
                "boards",
                streams,
                properties,
                layout.partitions(),
                catchUp,
                StreamsMeters.tags("boards", generation),
                node.metrics().scope(),
                node.onFault());
        this.running = new Running(application, scores, lease.start(catchUp::askAgain), views, settings.window());
    }

    private Leaderboards(Leaderboards shown) {
        this.maxLag = shown.maxLag;
        this.layout = shown.layout;
        this.running = shown.running;
    }

    /**
     * Starts the application of a generation, which runs on threads of its own.
     *
     * @param rulesets with which the tasks process scores
     * @param log the log, whose partitions must all report a time before time moves
     */
    public static Leaderboards start(
            NodeContext node, PipelineSettings settings, RulesetVersions rulesets, LogLayout log) {
        var boards = new Leaderboards(node, settings, rulesets, log);
        boards.running.application().start();
        return boards;
    }

    /**
     * Waits until the stores are restored and all scores are ranked that existed at that time.
     *
     * @return false if the timeout expired
     */
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        return running.application().awaitReady(timeout);
    }

    /**
     * Whether the leaderboards assigned to this process can be read: no store lacks more records than
     * {@link LedgerConfig#maxLag}, and the tasks have caught up. Thread-safe.
     */
    public boolean isReady() {
        return running.application().isReady(maxLag);
    }

    /** The progress of the current tasks. */
    public StartupCatchUp catchUp() {
        return running.application().catchUp();
    }

    /** Whether a partition is here and shows the current rankings, see {@link Ledger#isCurrent}. Thread-safe; never waits. */
    public boolean isCurrent(int partition) {
        return running.isCurrent(partition);
    }

    /** Assigns leaderboards to partitions. */
    public LeaderboardLayout layout() {
        return layout;
    }

    /** Reads the leaderboards of one partition, which need not be open here yet. Thread-safe. */
    public PartitionLeaderboards reads(int partition) {
        Running now = running;
        return new LeaderboardReader(
                name -> now.application().store(name, partition),
                group -> now.views().find(partition, group));
    }

    /** The members of the boards application, with their partitions of the scores; empty while it does not run here. */
    public Collection<StreamsMetadata> members() {
        return running.application().members();
    }

    /** Whether everything due by time and rules is done in every partition that is here. */
    public boolean isSettled() {
        return running.views().areSettled();
    }

    /** Another object that reads the same application, until it shows that of another generation. */
    public Leaderboards view() {
        return new Leaderboards(this);
    }

    /** Reads the application of another object from now on, which is one of another generation. */
    public void show(Leaderboards other) {
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
        running.lease().close();
        running.scores().close();
    }
}
