package dev.laurel.producer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.topic.Topics.DirectTopics;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaurelProducerTest {

    private final MockProducer<byte[], byte[]> kafka =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());

    private static UserCommand event(String user) {
        return UserCommand.event(User.of(user), "laps", BigDecimal.ONE).build();
    }

    private ProducerRecord<byte[], byte[]> sent() {
        return kafka.history().getLast();
    }

    private String sentKey() {
        return new String(sent().key(), UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ida", "a/b", "50%", "%2F", "ü🏊"})
    void shouldWriteTheKeyOfTheUser(String user) {
        var laurel = new LaurelProducer(kafka, null);

        laurel.send(event(user));
        assertEquals(UserKey.of(user).text(), sentKey());

        laurel.send("acme/%", event(user));
        assertEquals(new UserKey(new TenantId("acme/%"), new UserId(user)).text(), sentKey());
        assertEquals(Topics.DIRECT.name(), sent().topic());
    }

    @Test
    void shouldSendTheCommandAtItsTime() throws Exception {
        Instant at = Instant.parse("2011-05-06T07:08:09.123Z");
        UserCommand command =
                UserCommand.complete(User.of("ida"), "first").time(at).build();

        new LaurelProducer(kafka, null).send(command);

        assertEquals(at.toEpochMilli(), sent().timestamp());
        assertArrayEquals(command.json(), sent().value());
        CommandJson.read(sent().value());
        assertNull(sent().partition());
        assertFalse(sent().headers().iterator().hasNext());
    }

    @ParameterizedTest
    @ValueSource(strings = {"acme", "acme.EU-2", "a_b", "a b/c", "Zoë"})
    void shouldWriteTheTopicOfTheTenant(String tenant) {
        var laurel = new LaurelProducer(kafka, tenant);

        laurel.send(event("ida"));

        assertEquals(DirectTopics.of(tenant).name(), sent().topic());
        assertEquals("ida", sentKey());
        laurel.send(tenant, event("ida"));
        assertThrows(IllegalArgumentException.class, () -> laurel.send("other", event("ida")));
        assertThrows(IllegalArgumentException.class, () -> laurel.send("", event("ida")));
    }

    @Test
    void shouldTellWhereTheRecordIsOrWhyNot() throws Exception {
        var laurel = new LaurelProducer(kafka, null);
        CompletableFuture<RecordMetadata> first = laurel.send(event("ida"));
        CompletableFuture<RecordMetadata> second = laurel.send(event("ida"));
        assertFalse(first.isDone());

        kafka.completeNext();
        kafka.errorNext(new TopicAuthorizationException("laurel.direct"));

        assertEquals(0, first.get().offset());
        assertInstanceOf(
                TopicAuthorizationException.class,
                assertThrows(ExecutionException.class, second::get).getCause());
    }

    @Test
    void shouldSettleEverythingThatWasSent() {
        var laurel = new LaurelProducer(kafka, null);
        List<CompletableFuture<RecordMetadata>> sent = List.of(laurel.send(event("ida")), laurel.send(event("bo")));

        laurel.flush();

        assertTrue(sent.stream().allMatch(CompletableFuture::isDone));
        laurel.close();
        assertTrue(kafka.closed());
    }

    @Test
    void shouldLeaveNoChoiceWhereCountingDependsOnIt() {
        Map<String, Object> settings =
                LaurelProducer.settings(Map.of("bootstrap.servers", "127.0.0.1:9092", "acks", "all"));

        assertEquals("all", settings.get("acks"));
        assertEquals(true, settings.get("enable.idempotence"));
        assertEquals(
                "acks must be all, leave it out",
                assertThrows(IllegalArgumentException.class, () -> LaurelProducer.settings(Map.of("acks", "1")))
                        .getMessage());
    }
}
