package dev.laurel.processors.ledger;

import dev.laurel.core.leaderboard.LeaderboardFloors;
import dev.laurel.processors.stream.CommonNodes;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.LeaderboardLayout.ScoreKey;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.TaskTracker;
import dev.laurel.schemas.topic.Topics;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * The ledger application: reads commands, keeps the state of users in stores, and writes effects, scores, answers and rejections.
 *
 * <pre>
 * laurel.commands → commands-source → process-command ─┬→ effects-sink    → laurel.effects
 *                                     (eight stores)   ├→ outbox-sink     → laurel.outbox
 *                                                      ├→ scores-sink     → laurel.scores
 *                                                      ├→ replies-sink    → laurel.replies
 *                                                      └→ rejections-sink → laurel.rejections
 * </pre>
 *
 * <p>Every generation has its own scores, and its own log if that is wider; all generations share the other topics. The source
 * forwards bytes, so that a record that cannot be read becomes a rejection with its position in the log instead of a failed task.
 */
public final class LedgerTopology {

    private static final String COMMANDS_SOURCE = "commands-source";
    private static final String PROCESS_COMMAND = "process-command";

    /**
     * The objects that the tasks of an application share. All are thread-safe.
     *
     * @param layout assigns users to the partitions of the log
     * @param floors the lowest values of full groups
     * @param boards assigns leaderboards to the partitions of {@code laurel.scores}
     * @param spareScores how many scores below floors each task sends to the leaderboards in each round
     */
    public record Dependencies(
            RulesetVersions rulesets,
            Ticks ticks,
            LogLayout layout,
            LeaderboardFloors floors,
            LeaderboardLayout boards,
            LedgerMeters meters,
            int spareScores) {

        public Dependencies(
                RulesetVersions rulesets,
                Ticks ticks,
                LogLayout layout,
                LeaderboardFloors floors,
                LeaderboardLayout boards,
                LedgerMeters meters) {
            this(rulesets, ticks, layout, floors, boards, meters, ScoreSender.MAX_SPARE);
        }
    }

    private LedgerTopology() {}

    /** @param tracker follows the tasks */
    public static Topology build(Dependencies shared, TaskTracker tracker, PipelineSettings settings) {
        var topology = new Topology();
        CommonNodes.addSource(topology, COMMANDS_SOURCE, settings.generation().log());
        topology.addProcessor(
                PROCESS_COMMAND, tracker.track(CommandProcessor.supplier(shared, settings)), COMMANDS_SOURCE);
        CommonNodes.addSink(topology, LedgerOutput.EFFECTS_SINK, Topics.EFFECTS, PROCESS_COMMAND);
        CommonNodes.addSink(topology, LedgerOutput.OUTBOX_SINK, Topics.OUTBOX, PROCESS_COMMAND);
        topology.addSink(
                LedgerOutput.SCORES_SINK,
                settings.generation().scores(),
                scoreKeys(),
                new ByteArraySerializer(),
                toBoards(shared.boards()),
                PROCESS_COMMAND);
        CommonNodes.addReplySink(topology, LedgerOutput.REPLIES_SINK, settings.replies(), PROCESS_COMMAND);
        CommonNodes.addSink(topology, LedgerOutput.REJECTIONS_SINK, Topics.REJECTIONS, PROCESS_COMMAND);
        return topology;
    }

    private static Serializer<ScoreKey> scoreKeys() {
        return (_, key) -> key == null ? null : key.bytes();
    }

    /** A record without key goes to every partition. */
    static StreamPartitioner<ScoreKey, byte[]> toBoards(LeaderboardLayout boards) {
        Set<Integer> everywhere =
                IntStream.range(0, boards.partitions()).boxed().collect(Collectors.toUnmodifiableSet());
        return CommonNodes.partitioner((key, _, _) -> key == null ? everywhere : Set.of(boards.partitionOf(key)));
    }
}
