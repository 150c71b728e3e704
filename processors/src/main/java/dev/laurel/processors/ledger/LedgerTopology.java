package dev.laurel.processors.ledger;

import dev.laurel.processors.store.users.TopList;
import dev.laurel.processors.stream.CommonNodes;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.LeaderboardLayout.ScoreKey;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.TaskTracker;
import dev.laurel.schemas.ruleset.Leaderboard;
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
     * @param boards assigns leaderboards to the partitions of {@code laurel.scores}
     * @param leading how many users of a group each task tells the leaderboards of
     */
    public record Dependencies(
            RulesetVersions rulesets,
            Ticks ticks,
            LogLayout layout,
            LeaderboardLayout boards,
            LedgerMeters meters,
            LeadLimits leading) {

        public Dependencies(
                RulesetVersions rulesets,
                Ticks ticks,
                LogLayout layout,
                LeaderboardLayout boards,
                LedgerMeters meters) {
            this(rulesets, ticks, layout, boards, meters, LeadLimits.DEFAULT);
        }
    }

    /**
     * How many users of a group lead in a partition of the log. The partition sends the scores of these users to the leaderboards.
     *
     * @param size of the lists of them
     * @param least how many lead at least, if the group has so many: as many as a leaderboard can have participants
     */
    public record LeadLimits(TopList.Size size, int least) {

        /**
         * More than the least lead, so that a list is filled again rarely, which takes a scan of the users of the partition: as many reads
         * for each user who leaves as the partition has users for each of the {@code kept - least}.
         */
        public static final LeadLimits DEFAULT =
                new LeadLimits(new TopList.Size(1_500, 1_250), Leaderboard.MAX_PARTICIPANTS);
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
