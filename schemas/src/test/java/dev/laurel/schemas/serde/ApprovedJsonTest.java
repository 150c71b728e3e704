package dev.laurel.schemas.serde;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.Outgoing.SendMark;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.topic.Rejection;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;

/**
 * Compares the JSON forms of records with approved files. Topics keep records for years, so each form must be written
 * as approved, and approved forms must stay readable.
 */
class ApprovedJsonTest {

    private static final Path FOLDER = Path.of("src/test/resources/dev/laurel/schemas/approved");
    private static final boolean APPROVE = Boolean.getBoolean("laurel.approve");

    @TestFactory
    Stream<DynamicTest> shouldWriteTheApprovedForm() {
        return written().entrySet().stream()
                .map(form ->
                        DynamicTest.dynamicTest(form.getKey(), () -> compare(form.getKey(), pretty(form.getValue()))));
    }

    @TestFactory
    Stream<DynamicTest> shouldReadTheApprovedCommand() {
        return Examples.commands().entrySet().stream()
                .map(example -> DynamicTest.dynamicTest(
                        example.getKey(),
                        () -> assertEquals(example.getValue(), CommandJson.read(approved(example.getKey())))));
    }

    @TestFactory
    Stream<DynamicTest> shouldReadTheApprovedDocument() {
        var documents = new LinkedHashMap<String, Object>(Examples.effects());
        documents.putAll(Examples.accessRecords());
        documents.putAll(Examples.outgoing());
        documents.put("send-mark", Examples.sendMark());
        documents.put("ruleset", Examples.ruleset());
        documents.put("rejection", Examples.rejection());
        documents.putAll(Examples.audit());
        return documents.entrySet().stream()
                .map(example -> DynamicTest.dynamicTest(
                        example.getKey(),
                        () -> assertEquals(
                                example.getValue(),
                                Json.read(approved(example.getKey()), typeOf(example.getValue())))));
    }

    @Test
    void shouldReadARulesetFromBeforeStatusesAndLevels() throws IOException {
        assertEquals(Examples.rulesetV1(), Json.read(approved("ruleset-v1"), Ruleset.class));
    }

    @Test
    void shouldReadARulesetFromBeforeLeaderboards() throws IOException {
        assertEquals(Examples.rulesetV2(), Json.read(approved("ruleset-v2"), Ruleset.class));
    }

    @Test
    void shouldReadARulesetFromBeforeWebhooksAndNotifications() throws IOException {
        assertEquals(Examples.rulesetV3(), Json.read(approved("ruleset-v3"), Ruleset.class));
    }

    @Test
    void shouldReadARulesetFromBeforeIconsOfApplications() throws IOException {
        assertEquals(Examples.rulesetV4(), Json.read(approved("ruleset-v4"), Ruleset.class));
    }

    private static Class<?> typeOf(Object document) {
        return switch (document) {
            case Effect _ -> Effect.class;
            case AccessRecord _ -> AccessRecord.class;
            case Outgoing _ -> Outgoing.class;
            case SendMark _ -> SendMark.class;
            case Ruleset _ -> Ruleset.class;
            case Rejection _ -> Rejection.class;
            case AuditRecord _ -> AuditRecord.class;
            default -> throw new IllegalStateException("no such document: " + document);
        };
    }

    private static Map<String, byte[]> written() {
        var written = new LinkedHashMap<String, byte[]>();
        Examples.commands().forEach((name, command) -> written.put(name, CommandJson.write(command)));
        Examples.effects().forEach((name, effect) -> written.put(name, Json.write(effect)));
        Examples.accessRecords().forEach((name, record) -> written.put(name, Json.write(record)));
        Examples.outgoing().forEach((name, outgoing) -> written.put(name, written(Topics.OUTBOX, outgoing)));
        written.put("send-mark", written(Topics.SEND_MARKS, Examples.sendMark()));
        written.put("ruleset", Json.write(Examples.ruleset()));
        written.put("rejection", Json.write(Examples.rejection()));
        Examples.audit().forEach((name, document) -> written.put(name, Json.write(document)));
        return written;
    }

    /** The bytes of a value as stored in the topic. */
    private static <V> byte[] written(Topic<?, V> topic, V value) {
        return topic.value().serializer().serialize(topic.name(), value);
    }

    /** The type of an outbox record determines its other fields. */
    @Test
    void shouldRefuseOutboxRecordsOfUnknownType() throws IOException {
        String approved = new String(approved("outgoing-user-erased"), UTF_8);
        assertTrue(approved.contains("user-erased"));
        byte[] unknown = approved.replace("user-erased", "user-moved").getBytes(UTF_8);

        assertThrows(
                RuntimeException.class,
                () -> Topics.OUTBOX.value().deserializer().deserialize(Topics.OUTBOX.name(), unknown));
    }

    private static void compare(String name, String written) throws IOException {
        Path file = file(name);
        if (APPROVE) {
            Files.createDirectories(FOLDER);
            Files.writeString(file, written);
        } else if (!Files.exists(file)) {
            fail(file + " is missing; it would be:\n" + written + howToApprove());
        }
        assertEquals(
                Files.readString(file),
                written,
                () -> "the JSON form '" + name + "' has changed. Records of the old"
                        + " form lie in topics, and others read them: keep reading the old form." + howToApprove());
    }

    private static String howToApprove() {
        return "\nIf it is meant, run this test with -Dlaurel.approve=true and commit the files of " + FOLDER + ".\n";
    }

    private static byte[] approved(String name) throws IOException {
        return Files.readAllBytes(file(name));
    }

    private static Path file(String name) {
        return FOLDER.resolve(name + ".json");
    }

    /** Copies token by token, which keeps the written form of numbers. */
    private static String pretty(byte[] json) {
        var out = new ByteArrayOutputStream();
        var indented = Json.mapperForTools().writerWithDefaultPrettyPrinter();
        try (JsonParser tokens = Json.FACTORY.createParser(ObjectReadContext.empty(), json);
                JsonGenerator generator = indented.createGenerator(out)) {
            while (tokens.nextToken() != null) {
                generator.copyCurrentEventExact(tokens);
            }
        }
        return PrettyJson.of(out.toString(UTF_8));
    }
}
