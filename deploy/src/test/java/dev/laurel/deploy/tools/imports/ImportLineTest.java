package dev.laurel.deploy.tools.imports;

import dev.laurel.schemas.input.BadInputException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class ImportLineTest {

    private static final Instant NOW = Instant.parse("2026-03-04T12:00:00Z");
    private static final String REST = "\"type\":\"identify\",\"user\":{\"id\":\"é/1\"}";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"time":"2026-03-04T09:15:00Z",REST}                  | {REST}
            { "time" : "2026-03-04T09:15:00Z" , REST }            | { REST }
            {REST,"time":"2026-03-04T09:15:00Z"}                  | {REST}
            {REST, "time": "2026-03-04T11:15:00+02:00" }          | {REST}
            {"x":{"time":1},"time":"2026-03-04T09:15:00Z",REST}   | {"x":{"time":1},REST}
            {"é":"é","time":"2026-03-04T09:15:00.000Z",REST}      | {"é":"é",REST}
            {"t\\u0069me":"2026-03-04T09:15:00Z",REST}            | {REST}
            """)
    void shouldRemoveTime(String line, String value) throws Exception {
        ImportLine parsed = ImportLine.parse(line.replace("REST", REST).getBytes(UTF_8), NOW);

        assertEquals(Instant.parse("2026-03-04T09:15:00Z"), parsed.time());
        assertEquals(value.replace("REST", REST), new String(parsed.value(), UTF_8));
        assertEquals("é/1", parsed.user().value());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"type\":\"complete\",\"achievement\":\"first-dive\",\"user\":{\"id\":\"ida\"}",
            "\"type\":\"preferences\",\"user\":{\"id\":\"ida\"},\"notifications\":{\"recap\":[]}"})
    void shouldAcceptCompletionsAndPreferences(String command) throws Exception {
        String line = "{\"time\":\"2026-03-04T09:15:00Z\"," + command + "}";

        ImportLine parsed = ImportLine.parse(line.getBytes(UTF_8), NOW);

        assertEquals("{" + command + "}", new String(parsed.value(), UTF_8));
        assertEquals("ida", parsed.user().value());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {REST}                                        | time is required.
            {"time":null,REST}                            | time is required.
            {"time":17,REST}                              | time must be a string.
            {"time":"2026-03-04",REST}                    | time must be a date and time with offset, such as 2026-03-04T09:15:00Z, is '2026-03-04'.
            {"time":"2026-03-04T09:15:00",REST}           | time must be a date and time with offset, such as 2026-03-04T09:15:00Z, is '2026-03-04T09:15:00'.
            {"time":"1969-12-31T23:59:59Z",REST}          | time must not be before 1970.
            {"time":"2026-03-04T13:00:00Z",REST}          | time must not be more than 55 minutes in the future.
            {"time":"2026-03-04T09:15:00Z","type":"tick"} | type is one that only the log itself may write.
            {"time":"2026-03-04T09:15:00Z","type":"grant-freeze","user":{"id":"a"}} | type cannot be imported, must be one of: event, identify, complete, preferences.
            {"time":"2026-03-04T09:15:00Z","type":"erase-user","user":{"id":"a"}} | type cannot be imported, must be one of: event, identify, complete, preferences.
            {"time":"2026-03-04T09:15:00Z","type":"complete","user":{"id":"a"}} | achievement is required and must be a string.
            {"time":"2026-03-04T09:15:00Z","type":"event","user":{"id":"a"}} | metric is required and must be a string.
            {"time":"2026-03-04T09:15:00Z","type":"identify"} | user is required and must be an object with an id.
            """)
    void shouldRefuse(String line, String reason) {
        BadInputException refusal = assertThrows(BadInputException.class,
                () -> ImportLine.parse(line.replace("REST", REST).getBytes(UTF_8), NOW));

        assertEquals(reason, refusal.getMessage());
    }

    @Test
    void shouldRefuseDuplicateTime() {
        String line = "{\"time\":\"2026-03-04T09:15:00Z\",\"time\":\"2026-03-04T09:15:00Z\"," + REST + "}";

        assertThrows(BadInputException.class, () -> ImportLine.parse(line.getBytes(UTF_8), NOW));
    }

    @Test
    void shouldRefuseOtherThanJson() {
        assertThrows(BadInputException.class, () -> ImportLine.parse("metric,value".getBytes(UTF_8), NOW));
    }
}
