package dev.laurel.query.locate;

import dev.laurel.query.locate.NotReadyException.StorePartition;
import dev.laurel.query.locate.OwnerMap.Owner;

/** The present owners of the partitions of users and of leaderboards. Thread-safe. */
public final class PartitionOwners implements AutoCloseable {

    private final String self;
    private final OwnerTracker users;
    private final OwnerTracker boards;

    /** @param self host:port under which other nodes reach this one */
    public PartitionOwners(String self, OwnerTracker.Source users, OwnerTracker.Source boards) {
        this.self = self;
        this.users = new OwnerTracker(users);
        this.boards = new OwnerTracker(boards);
    }

    public PartitionOwners start() {
        users.start();
        boards.start();
        return this;
    }

    void poll() {
        users.poll();
        boards.poll();
    }

    /** host:port of this node. */
    public String self() {
        return self;
    }

    public OwnerMap users() {
        return users.owners();
    }

    public OwnerMap boards() {
        return boards.owners();
    }

    public Owner of(StorePartition partition) {
        return switch (partition.stores()) {
            case USERS -> users().of(partition.partition());
            case BOARDS -> boards().of(partition.partition());
        };
    }

    @Override
    public void close() {
        users.close();
        boards.close();
    }
}
