package dev.laurel.schemas.topic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.Ruleset.RulesetKey;
import dev.laurel.schemas.serde.Json;
import java.time.Instant;
import java.util.UUID;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.api.Test;

class TopicSerdesTest {

    @Test
    void shouldReadBackKeys() {
        assertReadBack(
                Topics.COMMANDS.key(),
                new UserKey(new TenantId("a/b"), UserKey.of("x%").user()));
        assertReadBack(Topics.RULESET_EDITS.key(), TenantId.NONE);
        assertReadBack(Topics.RULESET_EDITS.key(), new TenantId("acme"));
        assertReadBack(Topics.RULESETS.key(), new RulesetKey(TenantId.NONE, 1));
        assertReadBack(Topics.RULESETS.key(), new RulesetKey(new TenantId("a@2"), Long.MAX_VALUE));
    }

    @Test
    void shouldPassNullThrough() {
        assertNull(Topics.COMMANDS.value().deserializer().deserialize("t", null));
        assertNull(Topics.COMMANDS.value().serializer().serialize("t", null));
    }

    @Test
    void shouldThrowOnInvalidBytes() {
        assertThrows(
                SerializationException.class,
                () -> Topics.COMMANDS.value().deserializer().deserialize("t", "{}".getBytes(UTF_8)));
        assertThrows(
                IllegalArgumentException.class,
                () -> Topics.COMMANDS.key().deserializer().deserialize("t", new byte[] {(byte) 0xff}));
    }

    @Test
    void shouldReadBackCommands() {
        assertReadBack(Topics.COMMANDS.value(), new Tick());
    }

    @Test
    void shouldReadAQuestionOfTheFirstVersion() {
        var id = new UUID(0, 1);
        assertEquals(
                new Outgoing.Question(id, TenantId.NONE, Instant.EPOCH),
                Json.read(
                        ("{\"type\":\"question\",\"id\":\"" + id
                                        + "\",\"tenant\":\"\",\"at\":\"1970-01-01T00:00:00.000Z\",\"more\":true}")
                                .getBytes(UTF_8),
                        Outgoing.class));
    }

    private static <T> void assertReadBack(Serde<T> serde, T value) {
        assertEquals(
                value, serde.deserializer().deserialize("t", serde.serializer().serialize("t", value)));
    }
}
