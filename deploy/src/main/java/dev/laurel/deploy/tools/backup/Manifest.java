package dev.laurel.deploy.tools.backup;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What makes a folder of segments a backup: {@code backup.json}, replaced as a whole when everything that it names is on the
 * disk. What lies beside it and is not named is the beginning of the next one.
 *
 * @param format {@link #FORMAT}
 * @param cluster id of the Kafka cluster that it was made of
 * @param taken when the cut was made: what was acknowledged before is in it
 * @param users partitions of effects and of what goes out, by user; the log may have become wider since
 * @param boards partitions of leaderboards, which a restored instance gets, too
 * @param gateways partitions of replies, likewise
 * @param topics by name
 */
record Manifest(int format, String cluster, Instant taken, int users, int boards, int gateways,
        Map<String, Copied> topics) {

    static final int FORMAT = 1;

    /**
     * A topic.
     *
     * @param id no other topic has it
     * @param partitions each as its segments, which follow each other without a gap
     */
    record Copied(String id, List<List<Segment>> partitions) {

        Copied {
            partitions = partitions.stream().map(List::copyOf).toList();
        }

        /** Offset behind what there is of a partition, 0 if there is nothing. */
        long end(int partition) {
            List<Segment> segments = partitions.get(partition);
            return segments.isEmpty() ? 0 : segments.getLast().next();
        }
    }

    Manifest {
        topics = Map.copyOf(topics);
    }
}
