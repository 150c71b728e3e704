package dev.laurel.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.DeliveryIds;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.RulesetHeader;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class KafkaPublisherTest {

    private static final UserKey IDA = UserKey.of("a/b");
    private static final IdentifyUser COMMAND = new IdentifyUser(UserChange.mention(IDA.user()), true);
    private static final UUID ID = new UUID(1, 2);
    private static final Instant NOW = Instant.parse("2026-03-04T09:15:00.123Z");

    private final MockProducer<byte[], byte[]> kafka =
            new MockProducer<>(outboxOf(6), false, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final List<Throwable> faults = new ArrayList<>();
    private final KafkaPublisher publisher = publisher(Duration.ofSeconds(60));

    @Test
    void shouldWriteCommandUnderTheUsersKeyAtTheTimeOfReceipt() throws Exception {
        publisher.publish(IDA, COMMAND, null, ID, _ -> {});

        var record = kafka.history().getFirst();
        assertEquals(Topics.COMMANDS.name(), record.topic());
        assertEquals("a%2Fb", new String(record.key(), UTF_8));
        assertEquals(COMMAND, CommandJson.read(record.value()));
        assertEquals(NOW.toEpochMilli(), record.timestamp());
        assertEquals(new ReplyTo(3, ID), ReplyHeaders.read(record.headers()));
        assertEquals(41, RulesetHeader.read(record.headers()));
    }

    @Test
    void shouldNotStampWhatNoRulesetHasAdmitted() {
        publisher.publishTick(0, ID);

        assertEquals(
                RulesetHeader.NONE,
                RulesetHeader.read(kafka.history().getFirst().headers()));
    }

    @Test
    void shouldWriteRulesetEditWithTheAddressForItsReply() {
        var edit = new Edit.Replace(RulesetSource.EMPTY, null);

        publisher.publish(TenantId.NONE, edit, null, ID);

        var topic = Topics.RULESET_EDITS;
        var record = kafka.history().getFirst();
        assertEquals(topic.name(), record.topic());
        assertEquals(TenantId.NONE, topic.key().deserializer().deserialize(topic.name(), record.key()));
        assertEquals(edit, topic.value().deserializer().deserialize(topic.name(), record.value()));
        assertEquals(new ReplyTo(3, ID), ReplyHeaders.read(record.headers()));
    }

    @Test
    void shouldWriteATestToThePartitionOfItsDelivery() throws Exception {
        var tenant = new TenantId("acme");
        var delivery = DeliveryIds.of(tenant.bytes(), NOW, UUID.randomUUID(), ID);
        var test = new Outgoing.HookTest(delivery, tenant, NOW, ID, WebhookEvent.STREAK_LOST);

        assertFalse(publisher.publish(test).isDone());

        var record = kafka.history().getFirst();
        assertEquals(Topics.OUTBOX.name(), record.topic());
        assertEquals("acme", new String(record.key(), UTF_8));
        // The record has no partition, so that Kafka's partitioner selects the partition of the key.
        assertNull(record.partition());
        assertEquals(BuiltInPartitioner.partitionForKey(record.key(), 6), DeliveryIds.partitionOf(delivery, 6));
        assertEquals(test, read(record.value()));
        assertNull(ReplyHeaders.read(record.headers()));
    }

    @Test
    void shouldWriteARetryToThePartitionOfItsDelivery() {
        for (int i = 0; i < 6; i++) {
            var retry = new Outgoing.HookRetry(new UUID(9, i), TenantId.NONE, NOW, ID, new UUID((long) i << 32, 7));

            publisher.publish(retry, ID);

            var record = kafka.history().getLast();
            assertEquals(Topics.OUTBOX.name(), record.topic());
            assertEquals(i, record.partition());
            assertEquals(retry, read(record.value()));
            assertEquals(new ReplyTo(3, ID), ReplyHeaders.read(record.headers()));
        }
    }

    private static Outgoing read(byte[] value) {
        return Topics.OUTBOX.value().deserializer().deserialize(Topics.OUTBOX.name(), value);
    }

    @Test
    void shouldReportStoredOnceAcknowledged() {
        var outcome = publisher.publish(IDA, COMMAND, null, ID, _ -> {});
        assertFalse(outcome.isDone());
        assertEquals(1, publisher.unacknowledged());

        kafka.completeNext();

        assertEquals(Outcome.STORED, outcome.join());
        assertEquals(0, publisher.unacknowledged());
    }

    @Test
    void shouldReportNotStoredIfTheSendFailsAtOnce() {
        kafka.sendException = new TimeoutException("no metadata");

        assertEquals(
                Outcome.NOT_STORED,
                publisher.publish(IDA, COMMAND, null, ID, _ -> {}).join());
        assertEquals(0, publisher.unacknowledged());
        assertTrue(faults.isEmpty());
    }

    @Test
    void shouldReportNotStoredOnceTheProducerIsClosed() {
        publisher.close();

        assertEquals(
                Outcome.NOT_STORED,
                publisher.publish(IDA, COMMAND, null, ID, _ -> {}).join());
    }

    @Test
    void shouldReportTooLargeIfTheProducerOrTheBrokerRefusesTheSize() throws Exception {
        assertEquals(Outcome.TOO_LARGE, outcomeOf(new RecordTooLargeException("1 MiB")));

        kafka.sendException = new RecordTooLargeException("1 MiB");
        assertEquals(
                Outcome.TOO_LARGE,
                publisher.publish(IDA, COMMAND, null, ID, _ -> {}).join());
    }

    @Test
    void shouldReportUnknownIfNoAcknowledgementArrives() throws Exception {
        assertEquals(Outcome.UNKNOWN, outcomeOf(new TimeoutException("delivery")));
        assertEquals(Outcome.UNKNOWN, outcomeOf(new NotEnoughReplicasAfterAppendException("1 of 2")));
        assertTrue(faults.isEmpty());
    }

    @Test
    void shouldReportNotStoredIfTheBrokerDeniesAccess() throws Exception {
        assertEquals(Outcome.NOT_STORED, outcomeOf(new TopicAuthorizationException("no")));
    }

    @Test
    void shouldReportAFaultIfTheProducerMayBeBroken() throws Exception {
        var broken = new KafkaException("fatal");

        assertEquals(Outcome.UNKNOWN, outcomeOf(broken));
        assertEquals(List.of(broken), faults);
    }

    @Test
    void shouldBeStalledOnlyWhileAcknowledgementsAreOverdue() {
        try (var stalling = publisher(Duration.ZERO)) {
            assertFalse(stalling.isStalled());
            stalling.publish(IDA, COMMAND, null, ID, _ -> {});
            assertTrue(stalling.isStalled());
            kafka.completeNext();
            assertFalse(stalling.isStalled());
        }
    }

    @Test
    void shouldNotBeStalledRightAfterSending() {
        publisher.publish(IDA, COMMAND, null, ID, _ -> {});

        assertFalse(publisher.isStalled());
    }

    private static Cluster outboxOf(int partitions) {
        return new Cluster(
                "test",
                List.of(),
                IntStream.range(0, partitions)
                        .mapToObj(partition -> new PartitionInfo(Topics.OUTBOX.name(), partition, null, null, null))
                        .toList(),
                Set.of(),
                Set.of());
    }

    private KafkaPublisher publisher(Duration stall) {
        return new KafkaPublisher(
                kafka,
                () -> 3,
                InstantSource.fixed(NOW),
                stall,
                Tracing.NONE,
                new TargetLog(Topics.COMMANDS.name(), Duration.ZERO),
                _ -> 41,
                faults::add);
    }

    /** Fails the next send on another thread, like the producer's own thread. */
    private Outcome outcomeOf(RuntimeException failure) throws InterruptedException {
        CompletableFuture<Outcome> outcome = publisher.publish(IDA, COMMAND, null, ID, _ -> {});
        Thread.ofPlatform().start(() -> kafka.errorNext(failure)).join();
        return outcome.join();
    }
}
