package dev.laurel.deploy.tools.replay;

import dev.laurel.schemas.topic.Generation;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;

/** How far a generation has come, in its log and on its leaderboards. One thread. */
final class GenerationPlace {

    private static final long LOOK_AGAIN_MS = 200;

    private final KafkaReach kafka;
    private final Generation generation;
    private final int partitions;
    private final int boardPartitions;

    GenerationPlace(KafkaReach kafka, Generation generation) {
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
    boolean awaitBoards(Duration patience) throws InterruptedException {
        return await(generation.boardsApplication(), generation.scores(), boardPartitions, patience);
    }

    /** Waits until everything is folded that is in the log by now. @return false if it is not */
    boolean awaitLedger(Duration patience) throws InterruptedException {
        return await(generation.ledgerApplication(), generation.log(), partitions, patience);
    }

    private boolean await(String group, String topic, int all, Duration patience) throws InterruptedException {
        long[] ends = kafka.ends(topic, all);
        long deadlineNs = System.nanoTime() + patience.toNanos();
        while (true) {
            long[] done = kafka.committed(group, topic, all);
            boolean isThere = true;
            for (int i = 0; i < all && isThere; i++) {
                isThere = done[i] >= ends[i] || kafka.between(new TopicPartition(topic, i), done[i], ends[i]).isEmpty();
            }
            if (isThere || System.nanoTime() - deadlineNs > 0) {
                return isThere;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MS);
        }
    }
}
