package dev.laurel.deploy.tools.topics;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The contents of a backup: {@code backup.json}. It is replaced atomically when all files that it names are durable.
 * Files that it does not name belong to the next backup.
 *
 * @param format {@link #FORMAT}
 * @param cluster id of the Kafka cluster
 * @param taken time of the snapshot; records acknowledged before are in it
 * @param users partitions of effects and of outgoing messages; the log may be wider
 * @param boards partitions of leaderboards, kept by a restore
 * @param gateways partitions of replies, kept by a restore
 * @param topics topics by name
 */
record Manifest(
        int format, String cluster, Instant taken, int users, int boards, int gateways, Map<String, Copied> topics) {

    static final int FORMAT = 1;

    /**
     * A copied topic.
     *
     * @param id unique id of the topic
     * @param partitions contiguous segments of each partition
     */
    record Copied(String id, List<List<Segment>> partitions) {

        /** Returns the offset after the last copied record of a partition, 0 if there is none. */
        long end(int partition) {
            List<Segment> segments = partitions.get(partition);
            return segments.isEmpty() ? 0 : segments.getLast().next();
        }
    }

    /** Returns a topic that every backup has. */
    Copied copied(String topic) {
        return requireNonNull(topics.get(topic), topic);
    }
}
