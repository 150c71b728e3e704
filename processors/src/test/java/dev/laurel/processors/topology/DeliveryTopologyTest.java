package dev.laurel.processors.topology;

import dev.laurel.processors.delivery.DeliveryCounts;
import dev.laurel.processors.delivery.OutgoingRouter;
import dev.laurel.processors.delivery.ReportCounters;
import dev.laurel.processors.delivery.message.MessageSupplier;
import dev.laurel.processors.delivery.throttle.Throttle;
import dev.laurel.processors.delivery.webhook.WebhookSupplier;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.stream.TaskTracker;
import dev.laurel.processors.delivery.queue.InFlightLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.streams.Topology;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The topology of delivery, whose store names are durable data. */
class DeliveryTopologyTest {

    private static final Pattern STORES = Pattern.compile("stores: \\[(.*)]");
    private static final Duration STALE_AFTER = Duration.ofHours(24);
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-03-04T10:00:00Z"));

    /** The topology of the application. The steps do not run, so what they would read is missing. */
    private static String description() {
        var counts = new DeliveryCounts();
        var counters = new ReportCounters.Source(null);
        // No server listens there, and nothing is sent.
        Map<String, Object> clients = Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        try (var webhooks = WebhookSupplier.of(null, null, false,
                new Throttle.Environment(null, null, CLOCK, false), STALE_AFTER,
                new InFlightLimits(1_024, 32), 1, counts, counters);
                var messages = new MessageSupplier(clients, () -> "", null, Map.of(), CLOCK, STALE_AFTER, counters)) {
            Topology topology = DeliveryTopology
                    .build(new DeliveryTopology.Steps(() -> new OutgoingRouter(CLOCK, STALE_AFTER, counts),
                            webhooks, messages), TaskTracker.NONE);
            return topology.describe().toString();
        }
    }

    @Test
    void shouldMatchTheApprovedTopology() throws IOException {
        String approved;
        try (var in = DeliveryTopologyTest.class.getResourceAsStream("/topology/delivery.txt")) {
            approved = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }

        assertEquals(approved.strip(), withSortedStores(description()).strip(),
                "names of stores are durable data; if this change is meant, put it into topology/delivery.txt");
    }

    @Test
    void shouldHaveItsStoresByName() {
        Set<String> stores = STORES.matcher(description()).results().map(MatchResult::group)
                .flatMap(group -> Stream.of(group.replaceAll("stores: \\[|]", "").split(", ")))
                .filter(name -> !name.isEmpty()).collect(Collectors.toCollection(TreeSet::new));

        assertEquals(Set.of("webhooks", "messages", "counters"), stores);
        assertEquals(Set.of(StoreNames.WEBHOOKS, StoreNames.MESSAGES, StoreNames.COUNTERS),
                stores);
    }

    /** Sorts lines, since Kafka Streams prints them in no order. */
    private static String withSortedStores(String description) {
        return STORES.matcher(description).replaceAll(stores -> "stores: ["
                + Stream.of(stores.group(1).split(", ")).sorted().collect(Collectors.joining(", ")) + "]");
    }
}
