package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.delivery.guard.AddressGuard;
import dev.laurel.processors.delivery.DeliveryCounts;
import dev.laurel.processors.store.WebhookStore;
import dev.laurel.schemas.access.AccessView;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.wire.SamplePayloads;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** Makes the step of each task that delivers to webhooks, with the store it owns. Closed after the tasks. */
public final class WebhookSupplier implements ProcessorSupplier<byte[], Outgoing, Integer, byte[]>, AutoCloseable {

    private final HookSettings settings;
    private final Flights flights;
    private final DeliveryCounts counts;

    WebhookSupplier(HookSettings settings, Flights flights, DeliveryCounts counts) {
        this.settings = settings;
        this.flights = flights;
        this.counts = counts;
    }

    /**
     * @param allowsPrivate whether webhooks may be at addresses that are not public
     * @param clock of the instance
     * @param staleAfter see {@link HookSettings}
     * @param partitions of the outbox: tasks share what the instance may have in the air
     */
    public static WebhookSupplier of(Rulesets rulesets, AccessView access, boolean allowsPrivate, InstantSource clock,
            Duration staleAfter, int partitions, DeliveryCounts counts) {
        var poster = new HttpPoster(new AddressGuard(allowsPrivate), Version.text());
        var flights = new Flights(new HookTargets(rulesets, access), poster, clock);
        return new WebhookSupplier(
                new HookSettings(clock, staleAfter, HookLimits.of(partitions), SamplePayloads::of), flights, counts);
    }

    @Override
    public Processor<byte[], Outgoing, Integer, byte[]> get() {
        return new WebhookProcessor(settings, flights, counts);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
        return Set.of(WebhookStore.builder());
    }

    /** Connections to webhooks that are in use. */
    public int flights() {
        return flights.inAir();
    }

    /** Starts nothing more, and lets what is on its way come to its end, for a little time. To be called before the tasks are closed. */
    public void settle() throws InterruptedException {
        flights.settle();
    }

    @Override
    public void close() {
        flights.close();
    }
}
