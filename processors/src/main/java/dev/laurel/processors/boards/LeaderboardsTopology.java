package dev.laurel.processors.boards;

import dev.laurel.processors.stream.CommonNodes;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.TaskTracker;
import dev.laurel.schemas.topic.Topics;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;

/**
 * The boards application: reads scores, keeps rankings in stores and in memory, and writes answers, effects, events that webhooks want,
 * and commands that reward ranks in final runs.
 *
 * <pre>
 * laurel.scores → scores-source → rank-score ─┬→ effects-sink → laurel.effects
 *                               (three stores)├→ replies-sink → laurel.replies
 *                                             ├→ outbox-sink  → laurel.outbox
 *                                             └→ commands-sink → laurel.commands
 * </pre>
 */
public final class LeaderboardsTopology {

    private static final String SCORES_SOURCE = "scores-source";
    private static final String RANK_SCORE = "rank-score";

    /**
     * The objects that the tasks of an application share. All are thread-safe.
     *
     * @param views shows the rankings that the tasks hold in memory
     * @param layout assigns leaderboards to the partitions of {@code laurel.scores}
     * @param logPartitions the number of partitions of the log, which must all report a time before time moves
     */
    public record Dependencies(
            RulesetVersions rulesets, LeaderboardViews views, LeaderboardLayout layout, int logPartitions) {}

    private LeaderboardsTopology() {}

    /** @param tracker follows the tasks */
    public static Topology build(Dependencies shared, TaskTracker tracker, PipelineSettings settings) {
        var topology = new Topology();
        CommonNodes.addSource(topology, SCORES_SOURCE, settings.generation().scores());
        topology.addProcessor(RANK_SCORE, tracker.track(ScoreProcessor.supplier(shared, settings)), SCORES_SOURCE);
        CommonNodes.addSink(topology, LeaderboardEffects.EFFECTS_SINK, Topics.EFFECTS, RANK_SCORE);
        CommonNodes.addReplySink(topology, ScoreProcessor.REPLIES_SINK, settings.replies(), RANK_SCORE);
        CommonNodes.addSink(topology, LeaderboardEffects.OUTBOX_SINK, Topics.OUTBOX, RANK_SCORE);
        topology.addSink(
                LeaderboardEffects.COMMANDS_SINK,
                settings.generation().log(),
                new ByteArraySerializer(),
                Topics.COMMANDS.value().serializer(),
                RANK_SCORE);
        return topology;
    }
}
