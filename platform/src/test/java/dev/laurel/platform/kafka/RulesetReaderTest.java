package dev.laurel.platform.kafka;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.serde.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

class RulesetReaderTest {

    private final RulesetReader reader = new RulesetReader();

    private static Ruleset ruleset(long version, String... names) {
        var metrics = new ArrayList<Metric>();
        for (int i = 0; i < names.length; i++) {
            metrics.add(new Metric(i + 1, new UUID(1, i), "m" + i, names[i], "number", "", Instant.EPOCH));
        }
        Ruleset empty = Ruleset.empty(new TenantId("club \"[{\\"));
        return new Ruleset(empty.tenant(), version, Instant.ofEpochSecond(version), 1 + names.length, metrics,
                empty.attributes(), empty.achievements(), empty.streak(), empty.pointsSystems(), empty.leaderboards(),
                empty.settings(), empty.webhooks(), empty.notifications(), empty.retired());
    }

    @Test
    void shouldShareEqualObjectsOfVersions() {
        String difficult = "ä \" \\ \\\" ] } , [ { \u0001 \uD83C\uDFCA";
        Ruleset first = ruleset(1, "Laps", difficult, "Minutes");
        Ruleset second = ruleset(2, "Laps", difficult, "Hours");

        Ruleset read = reader.read(Json.write(first));
        Ruleset next = reader.read(Json.write(second));

        assertEquals(first, read);
        assertEquals(second, next);
        assertSame(read.metrics().getFirst(), next.metrics().getFirst());
        assertSame(read.metrics().get(1), next.metrics().get(1));
        assertNotSame(read.metrics().getLast(), next.metrics().getLast());
        assertEquals(ruleset(3), reader.read(Json.write(ruleset(3))));
    }

    @Test
    void shouldReadDocumentsOfAnotherForm() {
        Ruleset ruleset = ruleset(1, "Laps", "Minutes");
        String json = new String(Json.write(ruleset), UTF_8);

        assertEquals(ruleset, reader.read(Json.mapperForTools().writerWithDefaultPrettyPrinter()
                .writeValueAsBytes(Json.readTree(Json.write(ruleset)))));
        assertEquals(ruleset, reader.read((" " + json).getBytes(UTF_8)));
        assertEquals(ruleset,
                reader.read(json.replace("\"leaderboards\":[]", "\"leaderboards\":null").getBytes(UTF_8)));
        assertEquals(ruleset, reader.read(json.replace(",\"author\":null", "").getBytes(UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"a", "{\"a\"", "{\"metrics\":[", "{\"metrics\":[1,2]}",
            "{\"metrics\":[{}",
            "{\"metrics\":[{}},", "{\"metrics\":[[]]}", "{\"metrics\":[],", "{\"version\":1}}", "{\"a\":\"\\"})
    void shouldFailLikeAnyReaderOfJson(String json) {
        assertThrows(JacksonException.class, () -> reader.read(json.getBytes(UTF_8)));
    }

    /** Whatever is cut out of a document, put in or doubled, it is read as if it were parsed as a whole, or fails. */
    @Test
    void shouldReadDamagedDocumentsAsJacksonDoes() {
        byte[] json = Json.write(ruleset(7, "Laps", "\"]", "{[\\"));
        var random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = damaged(json, random);
            assertEquals(resultOf(() -> Json.read(damaged, Ruleset.class)), resultOf(() -> reader.read(damaged)),
                    () -> new String(damaged, UTF_8));
        }
    }

    private static byte[] damaged(byte[] json, Random random) {
        var text = new StringBuilder(new String(json, UTF_8));
        for (int changes = 1 + random.nextInt(2); changes > 0; changes--) {
            int from = random.nextInt(text.length());
            int end = Math.min(text.length(), from + 1 + random.nextInt(random.nextInt(10) == 0 ? 200 : 3));
            switch (random.nextInt(3)) {
                case 0 -> text.delete(from, end);
                case 1 -> text.insert(from, text.substring(from, end));
                default -> text.insert(from, "{}[],:\"\\ 1".charAt(random.nextInt(10)));
            }
        }
        return text.toString().getBytes(UTF_8);
    }

    private interface Reading {
        Ruleset read();
    }

    private static Object resultOf(Reading reading) {
        try {
            return reading.read();
        } catch (RuntimeException _) {
            return "a failure";
        }
    }
}
