package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.delivery.DeliveryCounts;
import dev.laurel.processors.delivery.ReportCounters;
import dev.laurel.processors.delivery.queue.InFlightLimits;
import dev.laurel.processors.delivery.throttle.Throttle;
import dev.laurel.processors.delivery.guard.AddressGuard;
import dev.laurel.processors.delivery.webhook.WebhookProcessor.Settings;
import dev.laurel.processors.store.WebhookStore;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.wire.SamplePayloads;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** Creates the webhook step of each task, with its store. Closed after the tasks. */
public final class WebhookSupplier implements ProcessorSupplier<byte[], Outgoing, Integer, byte[]>, AutoCloseable {

    private final Settings settings;
    private final Throttle.Environment throttled;
    private final WebhookSender sender;
    private final DeliveryCounts counts;
    private final ReportCounters.Source counters;

    WebhookSupplier(Settings settings, Throttle.Environment throttled, WebhookSender sender, DeliveryCounts counts,
            ReportCounters.Source counters) {
        this.settings = settings;
        this.throttled = throttled;
        this.sender = sender;
        this.counts = counts;
        this.counters = counters;
    }

    /**
     * @param allowsPrivate whether webhooks may be at addresses that are not public
     * @param throttled has the clock of the instance
     * @param staleAfter see {@link Settings}
     * @param limits in flight, of the instance and of one webhook
     * @param partitions of the outbox, whose tasks share these limits
     * @param counters for reports
     */
    public static WebhookSupplier of(Rulesets rulesets, AccessView access, boolean allowsPrivate,
            Throttle.Environment throttled, Duration staleAfter, InFlightLimits limits, int partitions, DeliveryCounts counts,
            ReportCounters.Source counters) {
        InstantSource clock = throttled.clock();
        var client = new HttpWebhookClient(new AddressGuard(allowsPrivate), version());
        var sender = new WebhookSender(new WebhookTargets(rulesets, access), client, clock);
        return new WebhookSupplier(
                new Settings(clock, staleAfter, WebhookDispatcher.limits(limits, partitions), SamplePayloads::of),
                throttled, sender,
                counts, counters);
    }

    @Override
    public Processor<byte[], Outgoing, Integer, byte[]> get() {
        return new WebhookProcessor(settings, throttled, sender, counts, counters);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
        return Set.of(WebhookStore.builder(), counters.store());
    }

    /** The number of batches that are being sent to webhooks. */
    public int inFlight() {
        return sender.inFlight();
    }

    /** Starts no more batches, and waits up to 5 s for those in flight. Called before the tasks are closed. */
    public void settle() throws InterruptedException {
        sender.settle();
    }

    @Override
    public void close() {
        sender.close();
    }

    /** Reads the version that the build wrote into the resource. */
    private static String version() {
        try (InputStream resource = WebhookSupplier.class.getResourceAsStream("version.properties")) {
            var properties = new Properties();
            properties.load(resource);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException("reading version.properties", e);
        }
    }
}
