package dev.laurel.query.locate;

import dev.laurel.processors.core.leaderboard.BoardReads;
import dev.laurel.processors.stream.BoardLayout;
import dev.laurel.query.read.NotReadyException.Place;
import dev.laurel.query.read.NotReadyException.Stores;
import dev.laurel.query.read.NotReadyException;
import dev.laurel.schemas.key.TenantId;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/**
 * Finds what holds a leaderboard, among the partitions of this node. Thread-safe.
 *
 * @param isServed whether a partition has come so far that its rankings are those of now
 * @param readsOf a partition's leaderboards; fails as its answers do while they are not open here
 */
public record BoardPartitions(BoardLayout layout, IntPredicate isServed, IntFunction<BoardReads> readsOf) {

    /** @throws NotReadyException while the partition that holds the leaderboard is not served here */
    public <T> T readOwner(TenantId tenant, int board, Function<BoardReads, T> read) {
        int partition = layout.partitionOf(tenant, board);
        if (!isServed.test(partition)) {
            throw notHere(partition);
        }
        try {
            return read.apply(readsOf.apply(partition));
        } catch (InvalidStateStoreException _) {
            throw notHere(partition);
        }
    }

    private static NotReadyException notHere(int partition) {
        return new NotReadyException(new Place(Stores.BOARDS, partition),
                "leaderboard partition " + partition + " is not served here now");
    }
}
