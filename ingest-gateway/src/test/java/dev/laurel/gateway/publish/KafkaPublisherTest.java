package dev.laurel.gateway.publish;

import dev.laurel.gateway.publish.Publisher.Outcome;
import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.command.IdentifyUser;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.RulesetSource;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(30)
class KafkaPublisherTest {

    private static final UserKey IDA = UserKey.of("a/b");
    private static final IdentifyUser COMMAND = new IdentifyUser(UserChange.mention(IDA.user()), true);
    private static final UUID ID = new UUID(1, 2);
    private static final Instant NOW = Instant.parse("2026-03-04T09:15:00.123Z");

    private final MockProducer<byte[], byte[]> kafka = new MockProducer<>(false, null, new ByteArraySerializer(),
            new ByteArraySerializer());
    private final List<Throwable> faults = new ArrayList<>();
    private final KafkaPublisher publisher = publisher(Duration.ofSeconds(60));

    @Test
    void shouldWriteCommandUnderTheUsersKeyAtTheTimeOfReceipt() throws Exception {
        publisher.publish(IDA, COMMAND, ID);

        var record = kafka.history().getFirst();
        assertEquals(Topics.COMMANDS.name(), record.topic());
        assertEquals("a%2Fb", new String(record.key(), UTF_8));
        assertEquals(COMMAND, CommandJson.read(record.value()));
        assertEquals(NOW.toEpochMilli(), record.timestamp());
        assertEquals(new ReplyTo(3, ID), ReplyHeaders.read(record.headers()));
    }

    @Test
    void shouldWriteRulesetEditWithTheAddressOfItsAnswer() {
        var edit = new Edit.Replace(RulesetSource.EMPTY, null);

        publisher.publish(TenantId.NONE, edit, ID);

        var topic = Topics.RULESET_EDITS;
        var record = kafka.history().getFirst();
        assertEquals(topic.name(), record.topic());
        assertEquals(TenantId.NONE, topic.key().deserializer().deserialize(topic.name(), record.key()));
        assertEquals(edit, topic.value().deserializer().deserialize(topic.name(), record.value()));
        assertEquals(new ReplyTo(3, ID), ReplyHeaders.read(record.headers()));
    }

    @Test
    void shouldBeStoredOnlyWhenAcknowledged() {
        var outcome = publisher.publish(IDA, COMMAND, ID);
        assertFalse(outcome.isDone());
        assertEquals(1, publisher.unacknowledged());

        kafka.completeNext();

        assertEquals(Outcome.STORED, outcome.join());
        assertEquals(0, publisher.unacknowledged());
    }

    @Test
    void shouldNotBeStoredWhenTheSendFailsAtOnce() {
        kafka.sendException = new TimeoutException("no metadata");

        assertEquals(Outcome.NOT_STORED, publisher.publish(IDA, COMMAND, ID).join());
        assertEquals(0, publisher.unacknowledged());
        assertTrue(faults.isEmpty());
    }

    @Test
    void shouldNotBeStoredOnceTheProducerIsClosed() {
        publisher.close();

        assertEquals(Outcome.NOT_STORED, publisher.publish(IDA, COMMAND, ID).join());
    }

    @Test
    void shouldBeTooLargeWhenTheClientOrTheBrokerSaysSo() throws Exception {
        assertEquals(Outcome.TOO_LARGE, outcomeOf(new RecordTooLargeException("1 MiB")));

        kafka.sendException = new RecordTooLargeException("1 MiB");
        assertEquals(Outcome.TOO_LARGE, publisher.publish(IDA, COMMAND, ID).join());
    }

    @Test
    void shouldBeUnknownWhenNoAcknowledgementComes() throws Exception {
        assertEquals(Outcome.UNKNOWN, outcomeOf(new TimeoutException("delivery")));
        assertEquals(Outcome.UNKNOWN, outcomeOf(new NotEnoughReplicasAfterAppendException("1 of 2")));
        assertTrue(faults.isEmpty());
    }

    @Test
    void shouldNotBeStoredWhenTheBrokerForbidsIt() throws Exception {
        assertEquals(Outcome.NOT_STORED, outcomeOf(new TopicAuthorizationException("no")));
    }

    @Test
    void shouldTellTheOwnerWhenTheProducerMayBeBroken() throws Exception {
        var broken = new KafkaException("fatal");

        assertEquals(Outcome.UNKNOWN, outcomeOf(broken));
        assertEquals(List.of(broken), faults);
    }

    @Test
    void shouldBeStalledOnlyWhileSomethingIsOverdue() {
        try (var impatient = publisher(Duration.ZERO)) {
            assertFalse(impatient.isStalled());
            impatient.publish(IDA, COMMAND, ID);
            assertTrue(impatient.isStalled());
            kafka.completeNext();
            assertFalse(impatient.isStalled());
        }
    }

    @Test
    void shouldNotBeStalledRightAfterSending() {
        publisher.publish(IDA, COMMAND, ID);

        assertFalse(publisher.isStalled());
    }

    private KafkaPublisher publisher(Duration stall) {
        return new KafkaPublisher(kafka, 3, InstantSource.fixed(NOW), stall, faults::add);
    }

    /** Fails the next send on another thread, as the producer's own thread does. */
    private Outcome outcomeOf(RuntimeException failure) throws InterruptedException {
        CompletableFuture<Outcome> outcome = publisher.publish(IDA, COMMAND, ID);
        Thread.ofPlatform().start(() -> kafka.errorNext(failure)).join();
        return outcome.join();
    }
}
