package dev.laurel.examples.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.laurel.examples.git.GitHistory.Commit;
import dev.laurel.platform.command.CommandFailed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class GitHistoryIT {

    @TempDir
    private Path temp;

    private Path repository;

    @BeforeAll
    static void requireGit() throws InterruptedException {
        boolean present;
        try {
            present = new ProcessBuilder("git", "--version").start().waitFor() == 0;
        } catch (IOException _) {
            present = false;
        }
        assumeTrue(present, "no git on the path");
    }

    @BeforeEach
    void createRepository() throws Exception {
        repository = Files.createDirectory(temp.resolve("work tree"));
        git("", "init", "--quiet");
    }

    @Test
    void shouldFindNoCommitsInEmptyRepository() {
        try (var history = GitHistory.open(repository)) {
            assertEquals(0, history.commitCount());
            assertFalse(history.hasNext());
        }
    }

    @Test
    void shouldCountLinesAgainstTheParent() throws Exception {
        write("a.txt", "one\ntwo\n");
        commit("a@x", "1000 +0200");
        write("a.txt", "one\nTWO\nthree\n");
        commit("a@x", "2000 -0330");

        var commits = readAll();

        assertEquals(List.of(2L, 2L), commits.stream().map(Commit::linesAdded).toList());
        assertEquals(List.of(0L, 1L), commits.stream().map(Commit::linesDeleted).toList());
        assertEquals(Instant.ofEpochSecond(1000), commits.getFirst().authoredAt());
        assertEquals(
                List.of(Optional.of("Etc/GMT-2"), Optional.of("America/St_Johns")),
                commits.stream().map(Commit::tz).toList());
    }

    @Test
    void shouldOrderByAuthorTimeEvenIfParentsAreLater() throws Exception {
        for (String date : List.of("3000 +0000", "1000 +0000", "2000 +0000")) {
            commit("a@x", date);
        }

        assertEquals(
                List.of(1000L, 2000L, 3000L),
                readAll().stream()
                        .map(commit -> commit.authoredAt().getEpochSecond())
                        .toList());
    }

    @Test
    void shouldKeepParentsFirstWithinOneSecond() throws Exception {
        var ids = new ArrayList<String>();
        for (int i = 0; i < 10; i++) {
            ids.add(commit("a@x", "1000 +0000"));
        }

        assertEquals(ids, readAll().stream().map(Commit::id).toList());
    }

    @Test
    void shouldCountNoLinesForMovedAndBinaryFiles() throws Exception {
        write("src/old/A.java", "one\ntwo\nthree\n");
        commit("a@x", "1000 +0000");
        git("", "mv", "src/old", "src/new {braces => odd}");
        Files.write(repository.resolve("image"), new byte[] {1, 0, 2, '\n', 0});
        commit("a@x", "2000 +0000");

        assertEquals(0, readAll().getLast().linesChanged());
    }

    @Test
    void shouldCountMergeWithoutLines() throws Exception {
        write("a.txt", "one\n");
        String root = commit("a@x", "1000 +0000");
        git("", "checkout", "--quiet", "-b", "side");
        write("b.txt", "two\n");
        commit("b@x", "2000 +0000");
        git("", "checkout", "--quiet", "-b", "other", root);
        write("c.txt", "three\n");
        commit("c@x", "3000 +0000");
        git("", "merge", "--quiet", "--no-ff", "-m", "merge", "side");

        var commits = readAll();

        assertEquals(4, commits.size());
        assertEquals(1, commits.stream().filter(Commit::merge).count());
        assertEquals(
                0,
                commits.stream().filter(Commit::merge).findFirst().orElseThrow().linesChanged());
    }

    @Test
    void shouldReadBareRepository() throws Exception {
        write("a.txt", "one\n");
        String id = commit("a@x", "1000 +0000");
        git("", "clone", "--quiet", "--bare", ".", temp.resolve("bare").toString());

        try (var history = GitHistory.open(temp.resolve("bare"))) {
            assertEquals(id, history.next().id());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void shouldReturnSameSequenceWithAnyNumberOfReaders(int readers) throws Exception {
        var ids = commitChain(5 * GitHistory.BATCH_COMMITS + 1);

        try (var history = GitHistory.open(repository, readers)) {
            assertEquals(ids.size(), history.commitCount());
            var read = new ArrayList<String>();
            history.forEachRemaining(commit -> read.add(commit.id()));
            assertEquals(ids, read);
        }
    }

    @Test
    void shouldReadUnusualIdentities() throws Exception {
        rawCommit("A\u0001\u001b[31m <>", "5 +0545");
        assertEquals("e3b0c44298fc1c14", readAll().getFirst().authorHash());

        rawCommit("A <b\r\u001f@x>", "99999999999 +51800");
        var future = readAll().getFirst();
        assertEquals(99999999999L, future.authoredAt().getEpochSecond());
        assertEquals(Optional.empty(), future.tz());

        rawCommit("no address at all", "7 +0000");
        assertEquals(Instant.ofEpochSecond(1000), readAll().getFirst().authoredAt());

        rawCommit("A <a@x>", "-100 +0100");
        assertEquals(Instant.ofEpochSecond(1000), readAll().getFirst().authoredAt());
    }

    @Test
    void shouldIgnoreConfigurationOfUser() throws Exception {
        write("a.txt", "one\ntwo\nthree\n");
        commit("a@x", "1000 +0000");
        git("", "mv", "a.txt", "b.txt");
        commit("a@x", "2000 +0000");
        var plain = readAll();
        write(".mailmap", "<mapped@x> <a@x>\n");
        for (String setting : List.of(
                "diff.renames=false",
                "log.mailmap=true",
                "log.showSignature=true",
                "log.date=relative",
                "core.pager=false",
                "diff.external=false",
                "color.ui=always",
                "format.pretty=oneline",
                "diff.statGraphWidth=1",
                "log.showRoot=false")) {
            git("", "config", setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }

        assertEquals(plain, readAll());
    }

    @Test
    void shouldReportFolderThatIsNoRepository() throws Exception {
        var folder = Files.createDirectory(temp.resolve("plain"));

        var failure = assertThrows(CommandFailed.class, () -> GitHistory.open(folder));

        assertEquals(folder.toRealPath() + " is not a git repository", failure.getMessage());
    }

    @Test
    void shouldRefuseFolderInsideWorkingTree() throws Exception {
        var folder = Files.createDirectory(repository.resolve("sub"));

        assertThrows(CommandFailed.class, () -> GitHistory.open(folder));
    }

    @Test
    void shouldReportMissingFolder() {
        var failure = assertThrows(CommandFailed.class, () -> GitHistory.open(temp.resolve("gone")));

        assertTrue(failure.getMessage().endsWith("is not a folder"), failure.getMessage());
    }

    @Test
    void shouldReportMessageOfGitIfHeadIsLost() throws Exception {
        commit("a@x", "1000 +0000");
        Files.writeString(repository.resolve(".git/refs/heads/lost"), "1".repeat(40) + "\n");
        Files.writeString(repository.resolve(".git/HEAD"), "ref: refs/heads/lost\n");

        var failure = assertThrows(CommandFailed.class, () -> GitHistory.open(repository));

        assertTrue(failure.getMessage().contains("fatal: bad object"), failure.getMessage());
    }

    @Test
    void shouldFailIfObjectIsMissing() throws Exception {
        write("a.txt", "one\n");
        commit("a@x", "1000 +0000");
        String blob = git("", "rev-parse", "HEAD:a.txt");
        // Otherwise git would read the content from a clean file of the working tree.
        Files.delete(repository.resolve("a.txt"));
        Files.delete(repository.resolve(".git/objects/" + blob.substring(0, 2) + "/" + blob.substring(2)));

        var failure = assertThrows(CommandFailed.class, this::readAll);

        assertTrue(failure.getMessage().contains(blob), failure.getMessage());
    }

    @Test
    void shouldEndProcessesWhenClosedEarly() throws Exception {
        commitChain(GitHistory.BATCH_COMMITS * 3);
        var before = ProcessHandle.current().children().toList();
        List<ProcessHandle> started;
        try (var history = GitHistory.open(repository, 2)) {
            history.next();
            started = ProcessHandle.current()
                    .children()
                    .filter(child -> !before.contains(child))
                    .toList();
        }

        for (var process : started) {
            process.onExit().get(10, TimeUnit.SECONDS);
        }
        assertTrue(started.stream().noneMatch(ProcessHandle::isAlive));
    }

    private List<Commit> readAll() {
        var commits = new ArrayList<Commit>();
        try (var history = GitHistory.open(repository, 2)) {
            history.forEachRemaining(commits::add);
            assertEquals(history.commitCount(), commits.size());
        }
        return commits;
    }

    private void write(String file, String text) throws IOException {
        var path = repository.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    /** Commits the whole working tree and returns the new id. */
    private String commit(String address, String date) throws Exception {
        git("", "add", "--all");
        git("", "-c", "user.email=" + address, "commit", "--quiet", "--allow-empty", "--date=@" + date, "-m", "m");
        return git("", "rev-parse", "HEAD");
    }

    /**
     * Writes a history of one commit with an author line that git would refuse to write; the committer time is 1000.
     */
    private void rawCommit(String author, String date) throws Exception {
        String tree = git("", "hash-object", "-t", "tree", "-w", "--stdin");
        String text = "tree " + tree + "\nauthor " + author + " " + date + "\ncommitter C <c@x> 1000 +0000\n\nm\n";
        String id = git(text, "hash-object", "-t", "commit", "-w", "--literally", "--stdin");
        git("", "update-ref", "HEAD", id);
    }

    private List<String> commitChain(int length) throws Exception {
        var stream = new StringBuilder();
        for (int i = 0; i < length; i++) {
            stream.append("commit refs/heads/chain\nauthor A <a@x> ")
                    .append(1000 + i)
                    .append(" +0000\n")
                    .append("committer A <a@x> 1000 +0000\ndata 0\nM 644 inline a.txt\ndata ")
                    .append(Integer.toString(i).length())
                    .append('\n')
                    .append(i)
                    .append('\n');
        }
        git(stream.toString(), "fast-import", "--quiet");
        git("", "symbolic-ref", "HEAD", "refs/heads/chain");
        return git("", "rev-list", "--reverse", "HEAD").lines().toList();
    }

    private String git(String input, String... arguments) throws Exception {
        var command = new ArrayList<>(
                List.of("git", "-C", repository.toString(), "-c", "user.name=A", "-c", "user.email=a@x"));
        command.addAll(List.of(arguments));
        var stdin = Files.writeString(temp.resolve("stdin"), input, StandardCharsets.UTF_8);
        var process = new ProcessBuilder(command)
                .redirectInput(stdin.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertEquals(0, process.waitFor(), output);
        return output;
    }
}
