package dev.laurel.processors.topology;

import dev.laurel.processors.boards.ScoreProcessor;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.TaskTracker;
import dev.laurel.processors.stream.TracedProcessor;
import dev.laurel.schemas.topic.Topics;
import java.util.Set;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;

/**
 * The boards application: reads scores, keeps rankings in stores and in memory, and writes answers, effects, floors for the ledger, and
 * events that webhooks want.
 *
 * <pre>
 * laurel.scores → scores-source → rank-score ─┬→ effects-sink → laurel.effects
 *                               (three stores)├→ replies-sink → laurel.replies
 *                                             ├→ floors-sink  → laurel.board-floors
 *                                             └→ outbox-sink  → laurel.outbox
 * </pre>
 */
public final class BoardsTopology {

    private static final String SCORES_SOURCE = "scores-source";
    private static final String RANK_SCORE = "rank-score";
    private static final String EFFECTS_SINK = "effects-sink";
    private static final String REPLIES_SINK = "replies-sink";
    private static final String FLOORS_SINK = "floors-sink";
    private static final String OUTBOX_SINK = "outbox-sink";

    private BoardsTopology() {}

    /** @param tracker follows the tasks */
    public static Topology build(ScoreProcessor.Dependencies shared, TaskTracker tracker, PipelineSettings settings) {
        var sinks = new ScoreProcessor.Sinks(EFFECTS_SINK, REPLIES_SINK, FLOORS_SINK, OUTBOX_SINK);
        var topology = new Topology();
        CommonNodes.addSource(topology, SCORES_SOURCE, settings.generation().scores());
        topology.addProcessor(RANK_SCORE,
                tracker.track(TracedProcessor.supplier(settings.tracing(), Set.of(REPLIES_SINK),
                        ScoreProcessor.supplier(shared, sinks, settings))),
                SCORES_SOURCE);
        topology.addSink(EFFECTS_SINK, Topics.EFFECTS.name(), new ByteArraySerializer(),
                Topics.EFFECTS.value().serializer(), RANK_SCORE);
        CommonNodes.addReplySink(topology, REPLIES_SINK, settings.replies(), RANK_SCORE);
        topology.<byte[], byte[]>addSink(FLOORS_SINK, settings.generation().floors(), new ByteArraySerializer(),
                new ByteArraySerializer(), CommonNodes.partitioner((_, _, _) -> Set.of(0)), RANK_SCORE);
        topology.addSink(OUTBOX_SINK, Topics.OUTBOX.name(), new ByteArraySerializer(),
                Topics.OUTBOX.value().serializer(), RANK_SCORE);
        return topology;
    }
}
