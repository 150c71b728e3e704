package dev.laurel.query.peer;

import dev.laurel.query.partition.PartitionQuery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query for another process: the body of {@code POST /internal/ask}. The response body is the result record of the query.
 *
 * @param question the name of the query
 * @param of the query
 * @param partitions to run it on, which the peer must have; null: the peer forwards the query to their owners
 * @param maxLag the number of records that a copy may be behind; null: copies must not be read
 * @param logPartitions the number of partitions of the log that {@code partitions} refers to; a peer that serves another log
 *        cannot answer. Null if the query is not about the log, or about all of its partitions
 */
public record PeerRequest(String question, PartitionQuery<?> of, @Nullable List<Integer> partitions,
        @Nullable Long maxLag, @Nullable Integer logPartitions) {

    /** The path of the requests. */
    public static final String PATH = "/internal/ask";

    static PeerRequest of(PartitionQuery<?> query, @Nullable List<Integer> partitions) {
        return of(query, partitions, null, null);
    }

    static PeerRequest of(PartitionQuery<?> query, @Nullable List<Integer> partitions, @Nullable Long maxLag,
            @Nullable Integer logPartitions) {
        return new PeerRequest(query.name(), query, partitions, maxLag, logPartitions);
    }
}
