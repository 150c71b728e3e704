package dev.laurel.processors.topology;

import dev.laurel.processors.core.leaderboard.BoardFloors;
import dev.laurel.processors.stream.AccountViews;
import dev.laurel.processors.stream.BoardLayout;
import dev.laurel.processors.stream.CommandProcessorSupplier;
import dev.laurel.processors.stream.LedgerMeters;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.Outlets;
import dev.laurel.processors.stream.Progress;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.ScoreKey;
import dev.laurel.processors.stream.Ticks;
import dev.laurel.processors.stream.TracedSupplier;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.topic.Rejection;
import dev.laurel.schemas.topic.Topics;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * The ledger application: commands in; users' state in stores; effects, scores, answers and rejections out.
 *
 * <pre>
 * laurel.commands → commands-source → process-command ─┬→ effects-sink    → laurel.effects
 *                                     (seven stores)   ├→ outbox-sink     → laurel.outbox
 *                                                      ├→ scores-sink     → laurel.scores
 *                                                      ├→ replies-sink    → laurel.replies
 *                                                      └→ rejections-sink → laurel.rejections
 * </pre>
 *
 * Every generation has scores of its own, and a log where it has a wider one; the other topics are those of all of them.
 * The source hands over bytes: what cannot be read is a rejection with its place in the log, not a failed task.
 */
public final class LedgerTopology {

    private static final String COMMANDS_SOURCE = "commands-source";
    private static final String PROCESS_COMMAND = "process-command";
    private static final String EFFECTS_SINK = "effects-sink";
    private static final String OUTBOX_SINK = "outbox-sink";
    private static final String SCORES_SINK = "scores-sink";
    private static final String REPLIES_SINK = "replies-sink";
    private static final String REJECTIONS_SINK = "rejections-sink";

    private LedgerTopology() {}

    /**
     * @param floors what full leaderboards ask for
     * @param accounts where the tasks show what they know of all their users
     * @param progress told of the tasks
     * @param meters count what is processed
     * @param fold which one it is
     */
    public static Topology build(RulesetVersions rulesets, Ticks ticks, LogLayout layout, BoardFloors floors,
            BoardLayout boards, AccountViews accounts, Progress progress, LedgerMeters meters, Fold fold) {
        var outlets = new Outlets(EFFECTS_SINK, OUTBOX_SINK, SCORES_SINK, REPLIES_SINK, REJECTIONS_SINK);
        var topology = new Topology();
        topology.addSource(AutoOffsetReset.earliest(), COMMANDS_SOURCE, new LogTime(), new ByteArrayDeserializer(),
                new ByteArrayDeserializer(), fold.generation().log());
        topology.addProcessor(PROCESS_COMMAND,
                progress.follow(TracedSupplier.of(fold.tracing(), Set.of(SCORES_SINK, REPLIES_SINK),
                        new CommandProcessorSupplier(rulesets, ticks, layout, floors, boards,
                                fold.isRead() ? accounts : null,
                                outlets, meters, fold.telling(), fold.isCached(), fold.isLogged()))),
                COMMANDS_SOURCE);
        topology.addSink(EFFECTS_SINK, Topics.EFFECTS.name(), new ByteArraySerializer(), effectSerializer(),
                PROCESS_COMMAND);
        topology.addSink(OUTBOX_SINK, Topics.OUTBOX.name(), new ByteArraySerializer(),
                Topics.OUTBOX.value().serializer(), PROCESS_COMMAND);
        topology.addSink(SCORES_SINK, fold.generation().scores(), scoreKeys(), new ByteArraySerializer(),
                toBoards(boards),
                PROCESS_COMMAND);
        topology.addSink(REPLIES_SINK, Topics.REPLIES.name(), noKey(), new ByteArraySerializer(), toWaitingGateway(),
                PROCESS_COMMAND);
        topology.addSink(REJECTIONS_SINK, Topics.REJECTIONS.name(), new ByteArraySerializer(), rejectionSerializer(),
                PROCESS_COMMAND);
        return topology;
    }

    private static Serializer<ScoreKey> scoreKeys() {
        return (_, key) -> key == null ? null : key.bytes();
    }

    /** What has no key goes to every partition. */
    static StreamPartitioner<ScoreKey, byte[]> toBoards(BoardLayout boards) {
        Optional<Set<Integer>> everywhere = Optional
                .of(IntStream.range(0, boards.partitions()).boxed().collect(Collectors.toUnmodifiableSet()));
        return (_, key, _, _) -> key == null
                ? everywhere
                : Optional.of(Set.of(boards.partitionOf(key.tenant(), key.board())));
    }

    /** An answer's key names its partition, on the way to the sink only; the record has none. */
    static Serializer<Integer> noKey() {
        return (_, _) -> null;
    }

    static StreamPartitioner<Integer, byte[]> toWaitingGateway() {
        return (_, partition, _, partitions) -> Optional.of(Set.of(partition % partitions));
    }

    private static Serializer<Effect> effectSerializer() {
        return Topics.EFFECTS.value().serializer();
    }

    private static Serializer<Rejection> rejectionSerializer() {
        return Topics.REJECTIONS.value().serializer();
    }
}
