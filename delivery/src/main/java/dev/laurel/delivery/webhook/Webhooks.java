package dev.laurel.delivery.webhook;

import dev.laurel.delivery.DeliveryCounts;
import dev.laurel.delivery.DeliveryCounters;
import dev.laurel.delivery.guard.AddressGuard;
import dev.laurel.delivery.queue.DeliveryScheduler.InFlightLimits;
import dev.laurel.delivery.store.WebhookStore;
import dev.laurel.delivery.webhook.WebhookDispatcher.Settings;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.wire.WebhookPayload.SamplePayloads;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Properties;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** The delivery to webhooks of this process. Thread-safe; closed after the tasks. */
public final class Webhooks implements AutoCloseable {

    private final Settings settings;
    private final WebhookSender sender;
    private final DeliveryCounts counts;

    Webhooks(Settings settings, WebhookSender sender, DeliveryCounts counts) {
        this.settings = settings;
        this.sender = sender;
        this.counts = counts;
    }

    /**
     * @param allowsPrivate whether webhooks may be at addresses that are not public
     * @param clock of the instance
     * @param staleAfter see {@link Settings}
     * @param limits in flight, of the instance and of one webhook
     * @param partitions of the outbox, whose tasks share these limits
     */
    public static Webhooks of(Rulesets rulesets, AccessView access, boolean allowsPrivate, InstantSource clock,
            Duration staleAfter, InFlightLimits limits, int partitions, DeliveryCounts counts) {
        var client = new HttpWebhookClient(new AddressGuard(allowsPrivate), version());
        return new Webhooks(
                new Settings(clock, staleAfter, WebhookDispatcher.limits(limits, partitions), SamplePayloads::of),
                new WebhookSender(new WebhookTargets(rulesets, access), client, clock), counts);
    }

    /** Starts a life of a task. */
    public WebhookTask open(KeyValueStore<Bytes, byte[]> deliveries, DeliveryCounters counters) {
        return new WebhookTask(settings, sender, new WebhookStore(deliveries), counts, counters);
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
        try (InputStream resource = Webhooks.class.getResourceAsStream("version.properties")) {
            var properties = new Properties();
            properties.load(resource);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException("reading version.properties", e);
        }
    }
}
