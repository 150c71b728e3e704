package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.RulesetKey;
import java.time.Instant;
import java.util.UUID;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

class JsonSerdesTest {

    @Test
    void shouldReadBackKeys() {
        assertReadBack(JsonSerdes.userKey(), new UserKey(new TenantId("a/b"), UserKey.of("x%").user()));
        assertReadBack(JsonSerdes.tenant(), TenantId.NONE);
        assertReadBack(JsonSerdes.tenant(), new TenantId("acme"));
        assertReadBack(JsonSerdes.rulesetKey(), new RulesetKey(TenantId.NONE, 1));
        assertReadBack(JsonSerdes.rulesetKey(), new RulesetKey(new TenantId("a@2"), Long.MAX_VALUE));
    }

    @Test
    void shouldPassNullThrough() {
        assertNull(JsonSerdes.command().deserializer().deserialize("t", null));
        assertNull(JsonSerdes.command().serializer().serialize("t", null));
    }

    @Test
    void shouldThrowOnInvalidBytes() {
        assertThrows(SerializationException.class,
                () -> JsonSerdes.command().deserializer().deserialize("t", "{}".getBytes(UTF_8)));
        assertThrows(IllegalArgumentException.class,
                () -> JsonSerdes.userKey().deserializer().deserialize("t", new byte[]{(byte) 0xff}));
    }

    @Test
    void shouldReadBackCommands() {
        assertReadBack(JsonSerdes.command(), new Tick());
    }

    @Test
    void shouldReadAQuestionOfTheFirstVersion() {
        var id = new UUID(0, 1);
        assertEquals(new Outgoing.Question(id, TenantId.NONE, Instant.EPOCH),
                Json.read(("{\"type\":\"question\",\"id\":\""
                        + id + "\",\"tenant\":\"\",\"at\":\"1970-01-01T00:00:00.000Z\",\"more\":true}").getBytes(UTF_8),
                        Outgoing.class));
    }

    private static <T> void assertReadBack(Serde<T> serde, T value) {
        assertEquals(value, serde.deserializer().deserialize("t", serde.serializer().serialize("t", value)));
    }
}
