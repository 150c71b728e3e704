package dev.laurel.query.locate;

import java.time.Duration;
import java.util.Collection;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.streams.StreamsMetadata;

/**
 * Who has which partitions of an application now. Kafka Streams has that in memory and renews it on the thread that takes part
 * in a rebalance, without telling anybody; so a thread here looks several times a second, and swaps a map if there is
 * another one. Requests read the map, nothing more. Thread-safe.
 */
public final class Owners implements AutoCloseable {

    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    private final Source source;
    private final Thread looking;
    private volatile OwnerMap owners = OwnerMap.UNKNOWN;

    /**
     * An application whose partitions are asked for.
     *
     * @param clients its members; empty while it does not run. Must not block
     * @param topic that it reads
     * @param partitions of that, which may grow
     */
    public record Source(Supplier<Collection<StreamsMetadata>> clients, String topic, IntSupplier partitions) {}

    public Owners(Source source) {
        this.source = source;
        this.looking = Thread.ofVirtual().name("laurel-owners").unstarted(this::lookOn);
    }

    public Owners start() {
        look();
        looking.start();
        return this;
    }

    void look() {
        OwnerMap seen = OwnerMap.of(source.clients().get(), source.topic(), source.partitions().getAsInt());
        // While a rebalance is under way Streams may know nobody: who was there before is the best guess.
        if (!seen.isEmpty() && !seen.equals(owners)) {
            owners = seen;
        }
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

    /** Never null. */
    public OwnerMap owners() {
        return owners;
    }

    @Override
    public void close() {
        looking.interrupt();
    }
}
