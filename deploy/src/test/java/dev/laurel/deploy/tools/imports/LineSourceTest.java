package dev.laurel.deploy.tools.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LineSourceTest {

    private static final String LINE =
            "{\"time\":\"2026-03-04T09:15:00Z\",\"type\":\"identify\",\"user\":{\"id\":\"a\"}}";

    @Test
    void shouldKeyRecordsByTenantAndUser() throws IOException {
        var ready = (ImportSource.Entry.Ready)
                source("{\"time\":\"2026-03-04T09:15:00Z\",\"type\":\"event\",\"metric\":\"laps\",\"value\":1,"
                                + "\"user\":{\"id\":\"ida\"}}")
                        .next();

        assertArrayEquals(new UserKey(new TenantId("acme"), new UserId("ida")).bytes(), ready.key());
    }

    @Test
    void shouldNumberLinesAndSkipBlankOnes() throws IOException {
        int length = LINE.length();
        assertEquals(
                "1@" + (length + 1) + " 4@" + (2 * length + 9) + " 5@" + (3 * length + 9),
                positions(source(LINE + "\n\n \r\t \n" + LINE + "\r\n" + LINE)));
    }

    @Test
    void shouldContinueAfterPosition() throws IOException {
        String text = LINE + "\n" + LINE + "\n" + LINE + "\n";

        assertEquals("3@" + text.length(), positions(continued(LINE + "\n" + LINE + "\n", text)));
        assertEquals("1@" + (LINE.length() + 1), positions(continued("", LINE + "\n")));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldNumberLinesAlikeWhenALastLineGetsItsEndLater(int split) throws IOException {
        String rest = "\r\n" + LINE + "\n";
        String text = LINE + rest.substring(0, split);

        assertEquals("2@" + (LINE + rest).length(), positions(continued(text, LINE + rest)));
    }

    @Test
    void shouldRefuseToContinueWhatHasChanged() throws IOException {
        String text = (LINE + "\n").repeat(60);
        String inserted = text.substring(0, 55 * (LINE.length() + 1)) + LINE.replace("\"a\"", "\"b\"") + "\n"
                + text.substring(55 * (LINE.length() + 1));

        assertEquals(
                "the part that was imported, up to line 60, has changed",
                source(inserted).skipTo(end(source(text))));
        assertEquals(
                "the part that was imported, up to line 60, is longer than the whole source",
                source(text.substring(1)).skipTo(end(source(text))));
        assertEquals(
                "the part that was imported, up to line 1, has changed",
                source(text)
                        .skipTo(new ImportSource.Position(1, LINE.length() + 1, "0123456789abcdef of a git history")));
    }

    /** The program that writes the file may be in the middle of its last line. */
    @Test
    void shouldReadAnUnusableLastLineWithoutEndAgain() throws IOException {
        String text = LINE + "\n\n" + LINE.substring(0, 20);
        LineSource source = source(text);
        source.next();
        var refused = assertInstanceOf(ImportSource.Entry.Refused.class, source.next());
        LineSource later = source(LINE + "\n\n" + LINE + "\n");

        assertEquals(3, refused.number());
        assertNull(later.skipTo(refused.position()));
        assertEquals("3@" + (2 * LINE.length() + 3), positions(later));
    }

    @Test
    void shouldSkipAByteOrderMarkOfTheFileOnly() throws IOException {
        LineSource source = source("\uFEFF" + LINE + "\n\uFEFF" + LINE + "\n");

        assertInstanceOf(ImportSource.Entry.Ready.class, source.next());
        var refused = assertInstanceOf(ImportSource.Entry.Refused.class, source.next());
        assertEquals(
                "Not valid JSON: a byte order mark is allowed at the beginning of the file only.", refused.reason());
        assertNull(source("\uFEFF").next());
    }

    @Test
    void shouldNotCutTheTextOfARefusedLineInACharacter() throws IOException {
        var refused = assertInstanceOf(
                ImportSource.Entry.Refused.class,
                source("x" + "😀".repeat(6000) + "\n").next());

        assertEquals("x" + "😀".repeat(4999), refused.text());
    }

    @Test
    void shouldRefuseBadLineAndContinue() throws IOException {
        LineSource source = source("nonsense\n" + LINE);

        var refused = assertInstanceOf(ImportSource.Entry.Refused.class, source.next());
        assertEquals(1, refused.number());
        assertEquals("nonsense", refused.text());
        assertInstanceOf(ImportSource.Entry.Ready.class, source.next());
        assertNull(source.next());
    }

    @Test
    void shouldSkipLineThatIsTooLong() throws IOException {
        String tooLong = "x".repeat(LineSource.MAX_LINE_BYTES + 1);
        LineSource source = source(tooLong + "\n" + LINE + "\n");

        assertInstanceOf(ImportSource.Entry.Refused.class, source.next());
        assertEquals("2@" + (tooLong.length() + LINE.length() + 2), positions(source));
    }

    private static LineSource source(String text) {
        return new LineSource(
                new ByteArrayInputStream(text.getBytes(UTF_8)),
                InstantSource.fixed(Instant.parse("2026-03-04T12:00:00Z")),
                new TenantId("acme"));
    }

    private static LineSource continued(String text, String later) throws IOException {
        LineSource source = source(later);
        assertNull(source.skipTo(end(source(text))));
        return source;
    }

    private static ImportSource.Position end(LineSource source) throws IOException {
        positions(source);
        return source.position();
    }

    private static String positions(LineSource source) throws IOException {
        var positions = new ArrayList<String>();
        for (ImportSource.Entry entry = source.next(); entry != null; entry = source.next()) {
            positions.add(entry.position().number() + "@" + entry.position().offset());
        }
        return String.join(" ", positions);
    }
}
