package dev.laurel.query.locate;

import java.time.Duration;
import java.util.Collection;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.streams.StreamsMetadata;

/**
 * Tracks the owners of the partitions of an application. Kafka Streams keeps them in memory and updates them on the thread that
 * takes part in a rebalance, without a notification. A thread of this class therefore polls several times a second and swaps an
 * immutable map. Requests only read that map. Thread-safe.
 */
public final class OwnerTracker implements AutoCloseable {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private final Source source;
    private final Thread poller;
    private volatile OwnerMap owners = OwnerMap.UNKNOWN;

    /**
     * An application.
     *
     * @param clients its members; empty while it does not run. Must not block
     * @param topic the beginning of the name of the topic that it reads
     * @param partitions the number of partitions of that topic, which may grow
     */
    public record Source(Supplier<Collection<StreamsMetadata>> clients, String topic, IntSupplier partitions) {}

    public OwnerTracker(Source source) {
        this.source = source;
        this.poller = Thread.ofVirtual().name("laurel-owners").unstarted(this::pollForever);
    }

    public OwnerTracker start() {
        poll();
        poller.start();
        return this;
    }

    void poll() {
        OwnerMap seen = OwnerMap.of(source.clients().get(), source.topic(), source.partitions().getAsInt());
        // During a rebalance Streams may report no members: the previous owners are the best guess.
        if (!seen.isEmpty() && !seen.equals(owners)) {
            owners = seen;
        }
    }

    private void pollForever() {
        try {
            while (true) {
                Thread.sleep(POLL_INTERVAL);
                poll();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    public OwnerMap owners() {
        return owners;
    }

    @Override
    public void close() {
        poller.interrupt();
    }
}
