package dev.laurel.query.locate;

import dev.laurel.core.leaderboard.PartitionLeaderboards;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.query.locate.NotReadyException.StorePartition;
import dev.laurel.query.locate.NotReadyException.Stores;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Reads leaderboards from the partitions of this node. Thread-safe.
 *
 * @param isServed whether the rankings of a partition are up to date
 * @param readsOf the leaderboards of a partition; throws {@code InvalidStateStoreException}, as do its methods, while they are not
 *        open on this node
 */
public record LeaderboardPartitions(
        LeaderboardLayout layout, IntPredicate isServed, IntFunction<PartitionLeaderboards> readsOf) {

    /** @throws NotReadyException while the partition is not served here */
    public <T extends @Nullable Object> T read(int partition, Function<PartitionLeaderboards, T> read) {
        if (!isServed.test(partition)) {
            throw notServed(partition);
        }
        try {
            return read.apply(readsOf.apply(partition));
        } catch (InvalidStateStoreException _) {
            throw notServed(partition);
        }
    }

    private static NotReadyException notServed(int partition) {
        return new NotReadyException(
                new StorePartition(Stores.BOARDS, partition),
                "leaderboard partition " + partition + " is not served here now");
    }
}
