package dev.laurel.query.locate;

import dev.laurel.query.locate.NotReadyException.StorePartition;
import dev.laurel.query.locate.OwnerTracker.Owner;

/**
 * The present owners of the partitions of users and of leaderboards. Thread-safe.
 *
 * @param self host:port under which other nodes reach this one
 */
public record PartitionOwners(String self, OwnerTracker users, OwnerTracker boards) implements AutoCloseable {

    public Owner of(StorePartition partition) {
        return switch (partition.stores()) {
            case USERS -> users.of(partition.partition());
            case BOARDS -> boards.of(partition.partition());
        };
    }

    @Override
    public void close() {
        users.close();
        boards.close();
    }
}
