package dev.laurel.processors.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.processors.intake.IntakeCheck.Verdict;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.Instance;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.access.AccessRecord.TenantStatus;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.Rejection;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IntakeCheckTest {

    private static final Instant NOW = Instant.parse("2026-03-04T10:00:00Z");
    private static final String ALL = "laurel.direct";

    private final AccessIndex access = InMemoryAccessStore.index();
    private final IntakeCheck check = new IntakeCheck(access);

    // Instances without tenants.

    @Test
    void shouldTakeAnEventAndKeepWhatItSays() throws Exception {
        Verdict.Taken taken = taken(ALL, "ida", """
            {"user": {"id": "ida", "tz": "Europe/Paris"}, "type": "event", "metric": "laps", "value": 4.50,
             "attributes": {"pool": "indoor"}, "idempotencyKey": "k", "note": {"type": "tick"}}\
            """);

        assertEquals("ida", new String(taken.key(), UTF_8));
        assertEquals(
                "{\"type\":\"event\",\"metric\":\"laps\",\"value\":4.5,"
                        + "\"user\":{\"id\":\"ida\",\"tz\":\"Europe/Paris\"},\"attributes\":{\"pool\":\"indoor\"},"
                        + "\"idempotencyKey\":\"k\"}",
                new String(taken.value(), UTF_8));
        assertEquals("k", ((RecordEvent) CommandJson.read(taken.value())).idempotencyKey());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"identify\",\"user\":{\"id\":\"ida\",\"name\":\"Ida\"}}",
                "{\"type\":\"complete\",\"achievement\":\"first\",\"user\":{\"id\":\"ida\"}}",
                "{\"type\":\"preferences\",\"user\":{\"id\":\"ida\"},\"streak\":{\"enabled\":false}}"
            })
    void shouldTakeWhatUsersDoAndChoose(String value) {
        taken(ALL, "ida", value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"tick\"}",
                "{\"type\":\"ruleset-published\",\"version\":7}",
                "{\"type\":\"timers-held\",\"hold\":\"h\"}",
                "{\"type\":\"timers-released\",\"hold\":\"h\"}",
                "{\"type\":\"generation-promoted\",\"generation\":2}",
                "{\"type\":\"erase-user\",\"user\":{\"id\":\"ida\"}}",
                "{\"type\":\"grant-freeze\",\"user\":{\"id\":\"ida\"}}",
                "{\"type\":\"reset-streak\",\"user\":{\"id\":\"ida\"}}",
                "{\"type\":\"restore-streak\",\"user\":{\"id\":\"ida\"}}",
                "{\"type\":\"drop-device-tokens\",\"user\":{\"id\":\"ida\"},\"tokens\":[\"t\"]}",
                "{\"type\":\"run-finished\",\"user\":{\"id\":\"ida\"},\"leaderboard\":1,\"run\":0,\"rank\":1,\"participants\":1}",
                "{\"type\":\"issue-key\",\"user\":{\"id\":\"ida\"},\"keyId\":\"6f0d7a8e-0000-8010-8000-000000000001\"}",
                "{\"type\":\"revoke-key\",\"user\":{\"id\":\"ida\"},\"keyId\":\"6f0d7a8e-0000-8010-8000-000000000001\"}",
                "{\"type\":\"note-key-use\",\"user\":{\"id\":\"ida\"},\"keyId\":\"6f0d7a8e-0000-8010-8000-000000000001\"}",
                "{\"type\":\"revoke-owned-key\",\"id\":\"6f0d7a8e-0000-8010-8000-000000000001\"}",
                "{\"type\":\"delete-owned-pause\",\"id\":\"6f0d7a8e-0000-4000-8000-000000000001\"}"
            })
    void shouldRefuseMarkersAndWhatOperatorsDo(String value) {
        expectRefused(
                "type is one that direct producers may not use, must be one of: event, identify, complete, "
                        + "preferences.",
                ALL,
                "ida",
                value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"event\"|Not valid JSON",
                "[]|A JSON object is expected.",
                "{\"type\":\"evnt\"}|type is 'evnt', must be one of: ",
                "{\"type\":\"event\",\"metric\":\"laps\",\"value\":\"4\",\"user\":{\"id\":\"ida\"}}|value must be a"
                        + " number",
                "{\"type\":\"event\",\"metric\":\"laps\",\"user\":{\"id\":\"ida\"}}|value is required"
            })
    void shouldRefuseWhatTheLogWouldReject(String value, String beginning) {
        Verdict.Refused refused = refused(ALL, "ida", value);

        assertTrue(refused.reason().startsWith(beginning), refused.reason());
        assertEquals("ida", refused.key());
    }

    @ParameterizedTest
    @CsvSource({
        "eve, 'the record''s key does not name the same user as user.id; for ''ida'' it is ''ida'''",
        "a/b/c, 'a key has at most one ''/'', write %2F inside an id'",
        "'', must not be empty",
        "acme/ida, 'tenant ''acme'' is named, and this instance has no tenants'"
    })
    void shouldRefuseAKeyThatIsNotTheUsers(String key, String reason) {
        expectRefused(reason, ALL, key, event("ida"));
    }

    @Test
    void shouldRefuseRecordsThatAreNoCommands() {
        assertEquals(
                "the record has no key: it is the user's id",
                refused(record(ALL, null, event("ida"), NOW)).reason());
        assertEquals(
                "the record has no value",
                refused(record(ALL, "ida", null, NOW)).reason());
        assertEquals(
                "the record has no timestamp: it is the time of the command",
                refused(record(ALL, "ida", event("ida"), Instant.EPOCH.minusMillis(1)))
                        .reason());
        assertEquals(
                "the value has 1048577 bytes, must have at most 1048576",
                refused(ALL, "ida", " ".repeat(1024 * 1024 + 1)).reason());
    }

    @Test
    void shouldTakeThePastAndTheNextHour() {
        taken(record(ALL, "ida", event("ida"), Instant.parse("1980-01-01T00:00:00Z")));
        taken(record(ALL, "ida", event("ida"), NOW.plus(Duration.ofHours(1))));

        assertEquals(
                "the record's timestamp is more than 60 minutes in the future: it is in milliseconds since 1970",
                refused(record(
                                ALL,
                                "ida",
                                event("ida"),
                                NOW.plus(Duration.ofHours(1)).plusMillis(1)))
                        .reason());
    }

    @Test
    void shouldRefuseTheTopicOfATenantWithoutTenants() {
        Verdict.Refused refused = refused("laurel.direct.acme", "ida", event("ida"));

        assertEquals("tenant 'acme' is named, and this instance has no tenants", refused.reason());
        assertTrue(refused.lacksTenant());
    }

    // Instances with tenants.

    @ParameterizedTest
    @CsvSource({
        "laurel.direct, first/ida, ida",
        "laurel.direct, ida, ida",
        "laurel.direct, acme/ida, acme/ida",
        "laurel.direct.acme, ida, acme/ida",
        "laurel.direct.acme, acme/ida, acme/ida",
        "laurel.direct.first, ida, ida",
        "laurel.direct.first, first/ida, ida",
        "laurel.direct.b_20_2f, b %2F/ida, b %2F/ida"
    })
    void shouldWriteTheUserOfTheTenant(String topic, String key, String inLog) {
        enableTenants("first");

        Verdict.Taken taken = taken(topic, key, event("ida"));

        assertEquals(inLog, new String(taken.key(), UTF_8));
        assertEquals(UserKey.parse(inLog).tenant(), taken.tenant());
    }

    @ParameterizedTest
    @CsvSource({"beta/ida, acme/beta%2Fida", "first/ida, acme/first%2Fida", "a/b/c, acme/a%2Fb%2Fc"})
    void shouldRefuseUsersOfOthersAndShowItToNobodyElse(String key, String shown) {
        enableTenants("first");

        Verdict.Refused refused = refused("laurel.direct.acme", key, event("ida"));

        assertEquals(shown, refused.key());
        assertEquals(
                new TenantId("acme"),
                Rejection.of(new TopicPartition("laurel.direct.acme", 0), 0, 1, refused.key(), null, "")
                        .tenantOfKey());
    }

    @ParameterizedTest
    @CsvSource({
        "laurel.direct, nobody/ida, there is no active tenant 'nobody'",
        "laurel.direct, gone/ida, there is no active tenant 'gone'",
        "laurel.direct, ida, the key names no tenant: it is 'tenant/user'",
        "laurel.direct.gone, ida, there is no active tenant 'gone'",
        "laurel.direct.nobody, ida, there is no active tenant 'nobody'"
    })
    void shouldRefuseUsersOfNoActiveTenant(String topic, String key, String reason) {
        enableTenants(null);

        Verdict.Refused refused = refused(topic, key, event("ida"));

        assertEquals(reason, refused.reason());
        assertTrue(refused.lacksTenant());
    }

    @Test
    void shouldRefuseATopicWhoseNameIsThatOfNoTenant() {
        enableTenants("first");

        Verdict.Refused refused = refused("laurel.direct.a_b", "beta/ida", event("ida"));

        assertTrue(refused.reason().startsWith("the topic belongs to no tenant"), refused.reason());
        assertNull(refused.key());
    }

    /** Two active tenants, one with characters that topics cannot have, and an archived one. */
    private void enableTenants(String first) {
        access.put("instance", new Instance(true, first));
        for (String customerId : new String[] {"acme", "beta", "b /", "gone", "first"}) {
            var id = UUID.nameUUIDFromBytes(customerId.getBytes(UTF_8));
            access.put(
                    "tenant/" + id,
                    new Tenant(
                            id,
                            customerId,
                            customerId,
                            customerId.equals("gone") ? TenantStatus.ARCHIVED : TenantStatus.ACTIVE,
                            NOW,
                            NOW));
        }
    }

    private static String event(String user) {
        return "{\"type\":\"event\",\"metric\":\"laps\",\"value\":1,\"user\":{\"id\":\"" + user + "\"}}";
    }

    private Verdict.Taken taken(String topic, String key, String value) {
        return taken(record(topic, key, value, NOW));
    }

    private Verdict.Taken taken(ConsumerRecord<byte[], byte[]> record) {
        return assertInstanceOf(Verdict.Taken.class, check.check(record, NOW.toEpochMilli()));
    }

    private void expectRefused(String reason, String topic, String key, String value) {
        assertEquals(reason, refused(topic, key, value).reason());
    }

    private Verdict.Refused refused(String topic, String key, String value) {
        return refused(record(topic, key, value, NOW));
    }

    private Verdict.Refused refused(ConsumerRecord<byte[], byte[]> record) {
        return assertInstanceOf(Verdict.Refused.class, check.check(record, NOW.toEpochMilli()));
    }

    private static ConsumerRecord<byte[], byte[]> record(String topic, String key, String value, Instant at) {
        return new ConsumerRecord<>(
                topic,
                0,
                7,
                at.toEpochMilli(),
                TimestampType.CREATE_TIME,
                0,
                0,
                key == null ? null : key.getBytes(UTF_8),
                value == null ? null : value.getBytes(UTF_8),
                new RecordHeaders(),
                Optional.empty());
    }
}
