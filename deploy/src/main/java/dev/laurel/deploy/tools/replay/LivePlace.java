package dev.laurel.deploy.tools.replay;

import dev.laurel.schemas.topic.Generation;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;

/** How far the generation in force has come, in its log and on its leaderboards. One thread. */
final class LivePlace {

    /** Its boards commit every five seconds. */
    private static final Duration BOARDS_PATIENCE = Duration.ofSeconds(15);
    private static final long LOOK_AGAIN_MS = 200;

    private final KafkaReach kafka;
    private final Generation generation;
    private final int partitions;
    private final int boardPartitions;

    LivePlace(KafkaReach kafka, Generation generation) {
        this.kafka = kafka;
        this.generation = generation;
        this.partitions = kafka.partitions(generation.log());
        this.boardPartitions = kafka.partitions(generation.scores());
    }

    int partitions() {
        return partitions;
    }

    int boardPartitions() {
        return boardPartitions;
    }

    /** The ledger's, by partition of the log: what stands before is in its changelogs, and perhaps more. */
    long[] committed() throws InterruptedException {
        return kafka.committed(generation.ledgerApplication(), generation.log(), partitions);
    }

    /** What stands between two places in a partition of the log, in either order. */
    KafkaReach.Stretch between(int partition, long one, long other) {
        return kafka.between(new TopicPartition(generation.log(), partition), Math.min(one, other),
                Math.max(one, other));
    }

    /** Waits until the leaderboards have heard all that the ledger has told them by now. @return false if they have not */
    boolean awaitBoards() throws InterruptedException {
        long[] ends = kafka.ends(generation.scores(), boardPartitions);
        long deadlineNs = System.nanoTime() + BOARDS_PATIENCE.toNanos();
        while (true) {
            long[] heard = kafka.committed(generation.boardsApplication(), generation.scores(), boardPartitions);
            boolean all = true;
            for (int i = 0; i < boardPartitions && all; i++) {
                all = heard[i] >= ends[i]
                        || kafka.between(new TopicPartition(generation.scores(), i), heard[i], ends[i]).isEmpty();
            }
            if (all || System.nanoTime() - deadlineNs > 0) {
                return all;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MS);
        }
    }
}
