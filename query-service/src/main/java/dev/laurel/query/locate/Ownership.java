package dev.laurel.query.locate;

import dev.laurel.query.locate.OwnerMap.Owner;
import dev.laurel.query.read.NotReadyException.Place;

/** Who has which partitions now, of users and of leaderboards, as {@link Owners} of each. Thread-safe. */
public final class Ownership implements AutoCloseable {

    private final String self;
    private final Owners users;
    private final Owners boards;

    /** @param self host:port under which other nodes reach this one */
    public Ownership(String self, Owners.Source users, Owners.Source boards) {
        this.self = self;
        this.users = new Owners(users);
        this.boards = new Owners(boards);
    }

    public Ownership start() {
        users.start();
        boards.start();
        return this;
    }

    void look() {
        users.look();
        boards.look();
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

    public Owner of(Place place) {
        return switch (place.stores()) {
            case USERS -> users().of(place.partition());
            case BOARDS -> boards().of(place.partition());
        };
    }

    @Override
    public void close() {
        users.close();
        boards.close();
    }
}
