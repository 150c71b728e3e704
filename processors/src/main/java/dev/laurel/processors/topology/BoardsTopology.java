package dev.laurel.processors.topology;

import dev.laurel.processors.stream.BoardLayout;
import dev.laurel.processors.stream.BoardOutlets;
import dev.laurel.processors.stream.BoardViews;
import dev.laurel.processors.stream.BoardsSupplier;
import dev.laurel.processors.stream.Progress;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.TracedSupplier;
import dev.laurel.schemas.topic.Topics;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;

/**
 * The boards application: users' values in, rankings in stores and in memory; ranks to who waits, facts, and floors back to
 * the ledger; what webhooks ask to hear of goes to the outbox, too.
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

    /**
     * @param logPartitions how many {@code laurel.commands} has: all of them must have spoken before time moves
     * @param progress told of the tasks
     * @param fold which one it is
     */
    public static Topology build(RulesetVersions rulesets, BoardViews views, BoardLayout layout, int logPartitions,
            Progress progress, Fold fold) {
        var outlets = new BoardOutlets(EFFECTS_SINK, REPLIES_SINK, FLOORS_SINK, OUTBOX_SINK);
        var topology = new Topology();
        topology.addSource(AutoOffsetReset.earliest(), SCORES_SOURCE, new LogTime(), new ByteArrayDeserializer(),
                new ByteArrayDeserializer(), fold.generation().scores());
        topology.addProcessor(RANK_SCORE,
                progress.follow(TracedSupplier.of(fold.tracing(), Set.of(REPLIES_SINK),
                        new BoardsSupplier(rulesets, views, layout, logPartitions, outlets, fold.telling(),
                                fold.isLogged()))),
                SCORES_SOURCE);
        topology.addSink(EFFECTS_SINK, Topics.EFFECTS.name(), new ByteArraySerializer(),
                Topics.EFFECTS.value().serializer(), RANK_SCORE);
        topology.addSink(REPLIES_SINK, Topics.REPLIES.name(), LedgerTopology.noKey(), new ByteArraySerializer(),
                LedgerTopology.toWaitingGateway(), RANK_SCORE);
        topology.<byte[], byte[]>addSink(FLOORS_SINK, fold.generation().floors(), new ByteArraySerializer(),
                new ByteArraySerializer(), (_, _, _, _) -> Optional.of(Set.of(0)), RANK_SCORE);
        topology.addSink(OUTBOX_SINK, Topics.OUTBOX.name(), new ByteArraySerializer(),
                Topics.OUTBOX.value().serializer(), RANK_SCORE);
        return topology;
    }
}
