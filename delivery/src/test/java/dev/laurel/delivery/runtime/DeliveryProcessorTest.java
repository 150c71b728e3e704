package dev.laurel.delivery.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.laurel.delivery.DeliveryCounts;
import dev.laurel.delivery.DeliveryCounts.Kind;
import dev.laurel.delivery.DeliveryTopology;
import dev.laurel.delivery.message.Messages;
import dev.laurel.delivery.queue.DeliveryScheduler.InFlightLimits;
import dev.laurel.delivery.throttle.Throttle;
import dev.laurel.delivery.webhook.Webhooks;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.stream.TaskTracker;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.wire.EventBody.TickBody;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The step that delivers: which records it drops, and what it answers. Its store is durable data. No webhook exists. */
class DeliveryProcessorTest {

    private static final Pattern STORES = Pattern.compile("stores: \\[(.*)]");
    private static final TenantId TENANT = TenantId.NONE;
    private static final UUID ID = new UUID(1, 2);
    private static final Instant NOW = Instant.parse("2026-03-04T09:00:00Z");
    private static final Duration STALE_AFTER = Duration.ofHours(24);
    private static final Instant DAY_AGO = NOW.minus(STALE_AFTER);
    private static final Instant TOO_OLD = DAY_AGO.minusMillis(1);

    @TempDir
    private Path folder;

    private final DeliveryCounts counts = new DeliveryCounts();
    private final Webhooks webhooks = Webhooks.of(
            null, null, false, InstantSource.fixed(NOW), STALE_AFTER, new InFlightLimits(1_024, 32), 1, counts);
    // No server listens there, and nothing is sent.
    private final Messages messages = new Messages(
            Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1"),
            () -> "",
            null,
            Map.of(),
            InstantSource.fixed(NOW),
            STALE_AFTER,
            counts);
    private final Topology topology = DeliveryTopology.build(
            new DeliveryProcessor.Shared(
                    new Throttle.Environment(null, null, InstantSource.fixed(NOW), false),
                    webhooks,
                    messages,
                    STALE_AFTER,
                    counts,
                    null),
            TaskTracker.NONE);
    private TopologyTestDriver driver;
    private TestInputTopic<byte[], Outgoing> outbox;
    private TestOutputTopic<byte[], byte[]> replies;

    @BeforeEach
    void start() {
        var settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "delivery");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
        driver = new TopologyTestDriver(topology, settings, NOW);
        outbox = driver.createInputTopic(
                Topics.OUTBOX.name(),
                new ByteArraySerializer(),
                Topics.OUTBOX.value().serializer());
        replies = driver.createOutputTopic(
                Topics.REPLIES.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @AfterEach
    void close() {
        driver.close();
        webhooks.close();
        messages.close();
    }

    @Test
    void shouldMatchTheApprovedTopology() throws IOException {
        try (var in = DeliveryProcessorTest.class.getResourceAsStream("/topology/delivery.txt")) {
            String approved = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            // Kafka Streams prints stores in no order.
            String described = STORES.matcher(topology.describe().toString())
                    .replaceAll(stores -> "stores: ["
                            + Stream.of(stores.group(1).split(", ")).sorted().collect(Collectors.joining(", ")) + "]");
            assertEquals(
                    approved.strip(),
                    described.strip(),
                    "names of stores are durable data; if this change is meant, put it into topology/delivery.txt");
        }
    }

    private long stored() {
        KeyValueStore<Bytes, byte[]> store = driver.getKeyValueStore(StoreNames.DELIVERIES);
        return store.approximateNumEntries();
    }

    private void pipe(Outgoing outgoing) {
        outbox.pipeInput(new byte[] {1}, outgoing);
    }

    private static Outgoing message(Instant at) {
        return new Outgoing.Message(ID, TENANT, at, 1, new UserId("ida"), NotificationType.RECAP, List.of(), "{}");
    }

    private static Outgoing event(WebhookEvent event, Instant at) {
        return new Outgoing.HookEvent(ID, TENANT, at, event, List.of(), ID.toString(), "{}");
    }

    @Test
    void shouldDropStaleRecordsByTheInstancesClock() {
        pipe(event(WebhookEvent.STREAK_LOST, DAY_AGO));
        pipe(message(DAY_AGO));
        assertEquals(0, counts.of(Kind.STALE));

        pipe(event(WebhookEvent.STREAK_LOST, TOO_OLD));
        pipe(event(WebhookEvent.POINTS_CHANGED, TOO_OLD));
        pipe(message(TOO_OLD));
        pipe(new Outgoing.LeaderboardEvent(
                ID,
                TENANT,
                TOO_OLD,
                1,
                new Effect.LeaderboardStarted(TOO_OLD, ID, "laps", LocalDate.of(2026, 3, 1), null)));
        assertEquals(4, counts.of(Kind.STALE));
        assertEquals(0, stored());
    }

    @Test
    void shouldTakeEventsOfTheFuture() {
        Instant future = NOW.plus(Duration.ofDays(400));
        pipe(event(WebhookEvent.POINTS_CHANGED, future));

        assertEquals(0, counts.of(Kind.STALE));
        assertEquals(2, stored(), "a window, and when it ends");
    }

    /** An operator waits for an answer, even if the clocks of writer and reader differ. */
    @Test
    void shouldNeverDropRequestsAndErasures() {
        pipe(new Outgoing.HookRetry(ID, TENANT, TOO_OLD, ID, ID));
        pipe(new Outgoing.UserErased(ID, TENANT, TOO_OLD, new UserId("ida")));

        assertEquals(0, counts.of(Kind.STALE));
    }

    private TestRecord<byte[], byte[]> answerTo(Outgoing request) {
        var headers = new RecordHeaders();
        ReplyHeaders.write(headers, new ReplyHeaders.ReplyTo(0, ID));
        outbox.pipeInput(new TestRecord<>(new byte[] {1}, request, headers, NOW));
        return replies.readRecord();
    }

    @Test
    void shouldAnswerThatADeliveryIsUnknown() {
        assertEquals(
                404,
                ReplyHeaders.status(answerTo(new Outgoing.HookRetry(ID, TENANT, TOO_OLD, ID, ID))
                        .headers()));
    }

    @Test
    void shouldAnswerThatNothingIsDue() {
        TestRecord<byte[], byte[]> answer = answerTo(new Outgoing.Question(ID, TENANT, TOO_OLD));

        assertEquals(200, ReplyHeaders.status(answer.headers()));
        assertFalse(Json.read(answer.value(), TickBody.class).more());
    }
}
