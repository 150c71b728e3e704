package dev.laurel.query.locate;

import dev.laurel.query.locate.OwnerMap.Owner;
import dev.laurel.query.read.NotReadyException.Place;
import java.time.Duration;
import java.util.Collection;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.streams.StreamsMetadata;

/**
 * Who has which partitions now, of users and of leaderboards. Kafka Streams has both in memory and renews them on the thread
 * that takes part in a rebalance, without telling anybody; so a thread here looks several times a second, and swaps a map
 * if there is another one. Requests read the maps, nothing more. Thread-safe.
 */
public final class Ownership implements AutoCloseable {

    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    private final String self;
    private final Application users;
    private final Application boards;
    private final Thread looking;

    /**
     * An application whose partitions are asked for.
     *
     * @param clients its members; empty while it does not run. Must not block
     * @param topic that it reads
     * @param partitions of that, which may grow
     */
    public record Source(Supplier<Collection<StreamsMetadata>> clients, String topic, IntSupplier partitions) {}

    private static final class Application {
        private final Source source;
        private volatile OwnerMap owners = OwnerMap.UNKNOWN;

        Application(Source source) {
            this.source = source;
        }

        void look() {
            OwnerMap seen = OwnerMap.of(source.clients().get(), source.topic(), source.partitions().getAsInt());
            // While a rebalance is under way Streams may know nobody: who was there before is the best guess.
            if (!seen.isEmpty() && !seen.equals(owners)) {
                owners = seen;
            }
        }
    }

    /** @param self host:port under which other nodes reach this one */
    public Ownership(String self, Source users, Source boards) {
        this.self = self;
        this.users = new Application(users);
        this.boards = new Application(boards);
        this.looking = Thread.ofVirtual().name("laurel-owners").unstarted(this::lookOn);
    }

    public Ownership start() {
        look();
        looking.start();
        return this;
    }

    void look() {
        users.look();
        boards.look();
    }

    private void lookOn() {
        try {
            while (true) {
                Thread.sleep(LOOK_EVERY);
                look();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** host:port of this node. */
    public String self() {
        return self;
    }

    public OwnerMap users() {
        return users.owners;
    }

    public OwnerMap boards() {
        return boards.owners;
    }

    public Owner of(Place place) {
        return switch (place.stores()) {
            case USERS -> users().of(place.partition());
            case BOARDS -> boards().of(place.partition());
        };
    }

    @Override
    public void close() {
        looking.interrupt();
    }
}
