package dev.laurel.deploy.tools.imports;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.serde.CommandJson;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        {"time":"2026-03-04T09:15:00Z"<CR>,REST}              | {REST}
        {<TAB>"time"<CR>:<CR>"2026-03-04T09:15:00Z"<CR>,<TAB><CR>REST<CR>} | {<TAB>REST<CR>}
        {REST<CR>,<CR>"time":"2026-03-04T09:15:00Z"<CR>}      | {REST}
        {REST,"x":17,"time":"2026-03-04T09:15:00Z"}           | {REST,"x":17}
        {REST,"x":1e400 , "time":"2026-03-04T09:15:00Z" ,"y":[{"time":2}]} | {REST,"x":1e400 , "y":[{"time":2}]}
        {"x":",\\"{","time":"2026-03-04T09:15:00Z",REST}       | {"x":",\\"{",REST}
        {REST,"x":"\\ud800","time":"2026-03-04T09:15:00Z"}     | {REST,"x":"\\ud800"}
        """)
    void shouldRemoveTime(String line, String value) throws Exception {
        ImportLine parsed = ImportLine.parse(bytes(line), NOW);

        assertEquals(Instant.parse("2026-03-04T09:15:00Z"), parsed.time());
        assertEquals(new String(bytes(value), UTF_8), new String(parsed.value(), UTF_8));
        assertEquals(CommandJson.read(bytes(line)), CommandJson.read(parsed.value()));
        assertEquals("é/1", parsed.user().value());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"type\":\"complete\",\"achievement\":\"first-dive\",\"user\":{\"id\":\"ida\"}",
                "\"type\":\"preferences\",\"user\":{\"id\":\"ida\"},\"notifications\":{\"recap\":[]}"
            })
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
        BadInputException refusal = assertThrows(
                BadInputException.class,
                () -> ImportLine.parse(line.replace("REST", REST).getBytes(UTF_8), NOW));

        assertEquals(reason, refusal.getMessage());
    }

    private static byte[] bytes(String text) {
        return text.replace("REST", REST)
                .replace("<CR>", "\r")
                .replace("<TAB>", "\t")
                .getBytes(UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"time\":\"2026-03-04T09:15:00Z\",\"t\\u0069me\":\"2026-03-04T09:15:00Z\",REST}",
                "{\"time\":null,REST,\"time\":\"2026-03-04T09:15:00Z\"}",
                "{\"time\":\"2026-03-04T09:15:00Z\",REST,\"x\":1,\"x\":2}",
                "{\"time\":\"2026-03-04T09:15:00Z\",REST,\"x\":{\"y\":1,\"y\":2}}",
                "{\"time\":\"2026-03-04T09:15:00Z\",REST} {}",
                "{\"time\":\"2026-03-04T09:15:00Z\",REST}}",
                "\uFEFF{\"time\":\"2026-03-04T09:15:00Z\",REST}",
                "{\"time\":\"2026-03-04T09:15:00Z\",REST,}",
                "{\"time\":\"2026-03-04T09:15:00Z\",,REST}",
                "{\"time\":\"2026-03-04T09:15:00Z\",REST,\"x\":NaN}"
            })
    void shouldRefuseOtherThanOneObjectWithUniqueNames(String line) {
        assertThrows(BadInputException.class, () -> ImportLine.parse(bytes(line), NOW));
    }

    /** A parser would take the second of these for UTF-16, the third for a slash. */
    @ParameterizedTest
    @ValueSource(strings = {"FF", "00", "C0AF", "EDA080"})
    void shouldRefuseOtherThanUtf8(String bytes) {
        byte[] line = bytes("{\"time\":\"2026-03-04T09:15:00Z\",REST,\"x\":\"???\"}");
        byte[] bad = HexFormat.of().parseHex(bytes);
        System.arraycopy(bad, 0, line, line.length - 5, bad.length);

        var refusal = assertThrows(BadInputException.class, () -> ImportLine.parse(line, NOW));

        assertEquals("Not valid JSON: the text is not valid UTF-8.", refusal.getMessage());
        assertThrows(
                BadInputException.class,
                () -> ImportLine.parse(new String(bytes("{REST}"), UTF_8).getBytes(UTF_16LE), NOW));
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
