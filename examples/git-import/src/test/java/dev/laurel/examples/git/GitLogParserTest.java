package dev.laurel.examples.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.examples.git.GitHistory.Commit;
import dev.laurel.platform.command.CommandFailed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GitLogParserTest {

    private static final String ID_A = "a".repeat(40);
    private static final String ID_B = "b".repeat(40);

    @Test
    void shouldReadNothingFromNoLines() {
        assertEquals(List.of(), parse());
    }

    @Test
    void shouldReadAllFieldsOfCommit() {
        var commits = parse(
                header(ID_A, ID_B, "dev@example.org", "1700000000", "1700000000 +0200", "1700000005"),
                "",
                " 2 files changed, 12 insertions(+), 3 deletions(-)");

        // The first digits of `printf dev@example.org | sha256sum`.
        var expected = new Commit(
                ID_A, "2d385ef7f0fb8116", Instant.ofEpochSecond(1700000000), Optional.of("Etc/GMT-2"), 12, 3, false);
        assertEquals(List.of(expected), commits);
    }

    @Test
    void shouldCompleteCommitWhenNextBegins() {
        var parser = new GitLogParser();

        assertEquals(Optional.empty(), parser.accept(header(ID_A, "", "a@x", "1", "1 +0000", "1")));
        assertEquals(
                ID_A,
                parser.accept(header(ID_B, "", "a@x", "2", "2 +0000", "2"))
                        .orElseThrow()
                        .id());
        assertEquals(ID_B, parser.finish().orElseThrow().id());
        assertEquals(Optional.empty(), parser.finish());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                " 1 file changed, 1 insertion(+)|1|0",
                " 1 file changed, 1 deletion(-)|0|1",
                " 3 files changed, 40 insertions(+), 2 deletions(-)|40|2",
                " 1 file changed, 0 insertions(+), 0 deletions(-)|0|0",
                " 1 file changed|0|0"
            })
    void shouldReadSummariesOfGit(String summary, long added, long deleted) {
        var commit =
                parse(header(ID_A, "", "a@x", "1", "1 +0000", "1"), "", summary).getFirst();

        assertEquals(added, commit.linesAdded());
        assertEquals(deleted, commit.linesDeleted());
        assertEquals(added + deleted, commit.linesChanged());
    }

    @Test
    void shouldReadMergeWithoutLines() {
        var merge = parse(header(ID_A, ID_B + " " + ID_B, "a@x", "1", "1 +0000", "1"))
                .getFirst();

        assertTrue(merge.merge());
        assertEquals(0, merge.linesChanged());
    }

    @Test
    void shouldReadRootCommit() {
        assertFalse(
                parse(header(ID_A, "", "a@x", "1", "1 +0000", "1")).getFirst().merge());
    }

    @Test
    void shouldIgnoreCaseAndSpaceOfAddresses() {
        assertEquals(hashOf("dev@example.org"), hashOf("  Dev@Example.ORG\t"));
    }

    @Test
    void shouldHashEmptyTextForMissingAddress() {
        assertEquals("e3b0c44298fc1c14", hashOf(""));
    }

    @Test
    void shouldReadAddressesWithControlCharacters() {
        assertFalse(hashOf("b\r\u001f\u001e@x").equals(hashOf("b@x")));
    }

    @ParameterizedTest
    @CsvSource({"-86400,1969-12-31T00:00:00Z", "0,1970-01-01T00:00:00Z", "99999999999,5138-11-16T09:46:39Z"})
    void shouldKeepTimesBefore1970AndInTheFuture(String seconds, Instant expected) {
        var commit =
                parse(header(ID_A, "", "a@x", seconds, seconds + " +0000", "1")).getFirst();

        assertEquals(expected, commit.authoredAt());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "18446744073709551615", "999999999999", "yesterday"})
    void shouldUseCommitterTimeWithoutZone(String seconds) {
        var commit = parse(header(ID_A, "", "a@x", seconds, "0 +0000", "1000")).getFirst();

        assertEquals(Instant.ofEpochSecond(1000), commit.authoredAt());
        assertEquals(Optional.empty(), commit.tz());
    }

    @Test
    void shouldUseEpochIfNoTimeIsReadable() {
        assertEquals(
                Instant.EPOCH,
                parse(header(ID_A, "", "a@x", "", "", "")).getFirst().authoredAt());
    }

    @Test
    void shouldReadCommitWithInvalidOffsetWithoutZone() {
        assertEquals(
                Optional.empty(),
                parse(header(ID_A, "", "a@x", "5", "5 +51800", "1")).getFirst().tz());
    }

    @ParameterizedTest
    @ValueSource(strings = {"fatal: bad object", "12\t3\tsrc/{old => new}/A.java", " 1 file moved"})
    void shouldRefuseOtherThanSummary(String line) {
        var parser = new GitLogParser();
        parser.accept(header(ID_A, "", "a@x", "1", "1 +0000", "1"));

        assertThrows(CommandFailed.class, () -> parser.accept(line));
    }

    @Test
    void shouldRefuseSummaryBeforeCommit() {
        assertThrows(CommandFailed.class, () -> new GitLogParser().accept(" 1 file changed, 1 insertion(+)"));
    }

    @Test
    void shouldOmitAddressOfBrokenHeader() {
        var failure = assertThrows(CommandFailed.class, () -> parse("\0short\0\0secret@example.org"));

        assertFalse(failure.getMessage().contains("secret"));
    }

    private static String hashOf(String address) {
        return parse(header(ID_A, "", address, "1", "1 +0000", "1")).getFirst().authorHash();
    }

    private static String header(String... fields) {
        return "\0" + String.join("\0", fields);
    }

    private static List<Commit> parse(String... lines) {
        var parser = new GitLogParser();
        var commits = new ArrayList<Commit>();
        for (String line : lines) {
            parser.accept(line).ifPresent(commits::add);
        }
        parser.finish().ifPresent(commits::add);
        return commits;
    }
}
