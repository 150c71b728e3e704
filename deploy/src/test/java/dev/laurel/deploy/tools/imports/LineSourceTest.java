package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class LineSourceTest {

    private static final String LINE = "{\"time\":\"2026-03-04T09:15:00Z\",\"type\":\"identify\",\"user\":{\"id\":\"a\"}}";

    @Test
    void shouldKeyRecordsByTenantAndUser() throws IOException {
        var ready = (ImportSource.Entry.Ready) source(
                "{\"time\":\"2026-03-04T09:15:00Z\",\"type\":\"event\",\"metric\":\"laps\",\"value\":1,"
                        + "\"user\":{\"id\":\"ida\"}}")
                .next();

        assertArrayEquals(new UserKey(new TenantId("acme"), new UserId("ida")).bytes(), ready.key());
    }

    @Test
    void shouldNumberLinesAndSkipBlankOnes() throws IOException {
        List<ImportSource.Position> positions = positions(source(LINE + "\n\n  \n" + LINE + "\r\n" + LINE));

        int length = LINE.length();
        assertEquals(
                List.of(new ImportSource.Position(1, length + 1), new ImportSource.Position(4, 2 * length + 7),
                        new ImportSource.Position(5, 3 * length + 7)),
                positions);
    }

    @Test
    void shouldContinueAfterPosition() throws IOException {
        String text = LINE + "\n" + LINE + "\n" + LINE + "\n";
        LineSource source = source(text);
        source.skipTo(new ImportSource.Position(2, 2 * (LINE.length() + 1)));

        assertEquals(List.of(new ImportSource.Position(3, text.length())), positions(source));
    }

    @Test
    void shouldRefusePositionAfterEnd() {
        assertThrows(CommandFailed.class, () -> source(LINE).skipTo(new ImportSource.Position(9, 999)));
    }

    @Test
    void shouldRefuseBadLineAndContinue() throws IOException {
        LineSource source = source("nonsense\n" + LINE);

        var refused = assertInstanceOf(ImportSource.Entry.Refused.class, source.next());
        assertEquals(1, refused.position().number());
        assertEquals("nonsense", refused.text());
        assertInstanceOf(ImportSource.Entry.Ready.class, source.next());
        assertNull(source.next());
    }

    @Test
    void shouldSkipLineThatIsTooLong() throws IOException {
        String tooLong = "x".repeat(LineSource.MAX_LINE_BYTES + 1);
        LineSource source = source(tooLong + "\n" + LINE + "\n");

        assertInstanceOf(ImportSource.Entry.Refused.class, source.next());
        assertEquals(new ImportSource.Position(2, tooLong.length() + LINE.length() + 2), source.next().position());
    }

    @Test
    void shouldMatchFileThatHasGrown() throws IOException {
        String fingerprint = source(LINE + "\n").fingerprint();

        assertTrue(source(LINE + "\n" + LINE + "\n").matches(fingerprint));
        assertFalse(source("{}\n" + LINE + "\n").matches(fingerprint));
    }

    @Test
    void shouldReadFromTheBeginningAfterFingerprint() throws IOException {
        LineSource source = source(LINE + "\n");
        source.fingerprint();

        assertEquals(1, positions(source).size());
    }

    private static LineSource source(String text) {
        return new LineSource(new ByteArrayInputStream(text.getBytes(UTF_8)),
                InstantSource.fixed(Instant.parse("2026-03-04T12:00:00Z")), new TenantId("acme"));
    }

    private static List<ImportSource.Position> positions(LineSource source) throws IOException {
        var positions = new ArrayList<ImportSource.Position>();
        for (ImportSource.Entry entry = source.next(); entry != null; entry = source.next()) {
            positions.add(entry.position());
        }
        return positions;
    }
}
