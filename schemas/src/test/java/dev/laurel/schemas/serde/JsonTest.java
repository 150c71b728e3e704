package dev.laurel.schemas.serde;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.input.Refusal.Kind;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.wire.Present;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    private record Sample(
            BigDecimal number,
            Instant time,
            LocalDate date,
            String text,
            Optional<String> maybe,
            Optional<Present<Instant>> present) {}

    private static final Sample NOTHING = new Sample(null, null, null, null, Optional.empty(), Optional.empty());

    @ParameterizedTest
    @CsvSource({
        "12.0, 12",
        "1E6, 1000000",
        "0E10, 0",
        "0.000, 0",
        "-1.50, -1.5",
        "1e-9, 0.000000001",
        "1000000000000.000000001, 1000000000000.000000001"
    })
    void shouldWriteNumbersPlainly(String number, String written) {
        assertEquals(written, text(new BigDecimal(number)));
    }

    /** Without an exponent, these numbers would have two billion digits. */
    @Test
    void shouldNotWriteOutHugeExponents() {
        assertEquals("1E+2000000000", text(new BigDecimal("1e2000000000")));
        assertEquals("1E-2000000000", text(new BigDecimal("1e-2000000000")));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-04T09:15:00Z, 2026-03-04T09:15:00.000Z",
        "2026-03-04T11:15:00.12+02:00, 2026-03-04T09:15:00.120Z",
        "2026-03-04T09:15:00.999999Z, 2026-03-04T09:15:00.999Z",
        "1969-12-31T23:59:59.999Z, 1969-12-31T23:59:59.999Z"
    })
    void shouldWriteTimesInUtcWithMilliseconds(String time, String written) {
        Instant instant = java.time.OffsetDateTime.parse(time).toInstant();

        assertEquals('"' + written + '"', text(instant));
        assertEquals(Instant.parse(written), Json.read(Json.write(instant), Instant.class));
    }

    @Test
    void shouldReadBackExtremeTimes() {
        for (long ms : new long[] {Long.MIN_VALUE, -1, Long.MAX_VALUE}) {
            Instant time = Instant.ofEpochMilli(ms);
            assertEquals(time, Json.read(Json.write(time), Instant.class));
        }
    }

    @Test
    void shouldOmitEmptyOptionalsAndWriteNulls() {
        assertEquals("{\"number\":null,\"time\":null,\"date\":null,\"text\":null}", text(NOTHING));
    }

    @Test
    void shouldWriteAPresentNullAsNull() {
        var present = new Sample(
                BigDecimal.ONE,
                Instant.EPOCH,
                LocalDate.EPOCH,
                "x",
                Optional.of("y"),
                Optional.of(new Present<>(null)));

        assertEquals(
                "{\"number\":1,\"time\":\"1970-01-01T00:00:00.000Z\",\"date\":\"1970-01-01\",\"text\":\"x\","
                        + "\"maybe\":\"y\",\"present\":null}",
                text(present));
    }

    @Test
    void shouldWriteAPresentValueUnwrapped() {
        var present = new Sample(null, null, null, null, Optional.empty(), Optional.of(new Present<>(Instant.EPOCH)));

        assertTrue(text(present).endsWith("\"present\":\"1970-01-01T00:00:00.000Z\"}"), text(present));
    }

    // Foreign input.

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|must be a JSON object",
                "null|must be a JSON object",
                "[]|must be a JSON object",
                "5|must be a JSON object",
                "{} {}|more after",
                "{} x|Not valid JSON",
                "{\"metrics\":{\"m\":{|Not valid JSON",
                "{\"metrics\":{\"m\":tru}}|Not valid JSON",
                "{\"metrics\":{\"m\":{},\"m\":{}}}|Duplicate"
            })
    void shouldRefuseAnythingButOneObjectAsUnreadable(String json, String words) {
        Refusal refusal = refusalOf(json);

        assertEquals(Kind.UNREADABLE, refusal.kind(), refusal.message());
        assertTrue(refusal.message().contains(words), refusal.message());
    }

    @ParameterizedTest
    @CsvFileSource(resources = "JsonTest.shouldNameTheFieldAndTheProblem.csv", delimiter = '|', quoteCharacter = '`')
    void shouldNameTheFieldAndTheProblem(String json, String message) {
        Refusal refusal = refusalOf(json);

        assertEquals(message, refusal.message());
        assertEquals(Kind.INVALID, refusal.kind());
    }

    @Test
    void shouldNotOverflowOnDeepNesting() {
        for (String json : List.of(
                "[".repeat(100_000), "{\"metrics\":{\"m\":" + "[".repeat(100_000), "{\"metrics\":".repeat(100_000))) {
            refusalOf(json);
        }
    }

    private static Refusal refusalOf(String json) {
        return assertThrows(BadInputException.class, () -> Json.readForeign(json.getBytes(UTF_8), RulesetSource.class))
                .refusal();
    }

    private static String text(Object value) {
        return new String(Json.write(value), UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"EST", "ROC", "Europe/Helsinki", "SystemV/AST4"})
    void shouldReadZonesBackUnderTheirNames(String name) {
        assertEquals(name, Json.read(Json.write(name), ZoneId.class).getId());
    }

    @Test
    void shouldReportADeepArrayWithoutJavaClassNames() {
        byte[] deep = ("[".repeat(70) + "]".repeat(70)).getBytes(UTF_8);

        var refused = assertThrows(BadInputException.class, () -> Json.readForeignArray(deep));

        assertEquals(400, refused.refusal().kind().status());
        assertTrue(refused.getMessage().contains("nesting depth"), refused.getMessage());
        assertFalse(refused.getMessage().contains("StreamRead"), refused.getMessage());
    }
}
