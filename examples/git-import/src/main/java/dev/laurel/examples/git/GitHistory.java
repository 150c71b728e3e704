package dev.laurel.examples.git;

import dev.laurel.platform.command.CommandFailed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The commits reachable from HEAD of a repository, bare or not, in ascending author time; with equal times, parents
 * come first. The same HEAD gives the same sequence every time.
 *
 * <p>Opening reads ids and times only, about a hundred bytes of memory per commit, and at most {@value #COMMITS_MAX}
 * commits. Line counts take nearly all the time: a few {@code git diff-tree} processes compute them in batches of
 * {@value #BATCH_COMMITS} commits, ahead of the reader as far as their pipes allow. One thread iterates; {@link
 * #close()} ends the processes and may be called from any thread. In a shallow clone the oldest commit counts every
 * line of its tree as added, as in git.
 *
 * <p>Every method throws {@link CommandFailed} if git fails, with the first line of git's error output in the
 * message.
 */
public final class GitHistory implements Iterator<GitHistory.Commit>, AutoCloseable {

    static final int COMMITS_MAX = 4_000_000;
    static final int BATCH_COMMITS = 64;
    private static final int READERS_MAX = 8;

    /** The end of a batch. Since it is no object id, diff-tree prints it unchanged and flushes its output. */
    private static final String BATCH_END = "batch-end";

    private final Path dir;
    private final String head;
    private final List<String> ids;
    private final int readers;
    private final List<GitProcess> processes = new ArrayList<>();
    private final GitLogParser parser = new GitLogParser();
    private final Deque<Commit> batch = new ArrayDeque<>(BATCH_COMMITS);
    private int commitsRead;
    private boolean closed;

    private GitHistory(Path dir, String head, List<String> ids, int readers) {
        this.dir = dir;
        this.head = head;
        this.ids = ids;
        this.readers = readers;
    }

    /** Opens a repository with one diffing process per processor, at most four. */
    public static GitHistory open(Path dir) {
        return open(dir, Math.min(4, Runtime.getRuntime().availableProcessors()));
    }

    /**
     * Opens the repository whose working tree or git folder is exactly {@code dir}.
     *
     * @param readers number of diffing processes, 1 to 8
     */
    public static GitHistory open(Path dir, int readers) {
        if (readers < 1 || readers > READERS_MAX) {
            throw new IllegalArgumentException("readers must be 1 to " + READERS_MAX + ", not " + readers);
        }
        Path realDir = realPath(dir);
        String head = head(realDir);
        return new GitHistory(realDir, head, idsByAuthorTime(realDir, head), readers);
    }

    /** Returns the commit id of HEAD when the repository was opened; empty if there are no commits. */
    public String headId() {
        return head;
    }

    /** Returns the number of commits, read or not. */
    public int commitCount() {
        return ids.size();
    }

    @Override
    public boolean hasNext() {
        return commitsRead < ids.size();
    }

    @Override
    public Commit next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        if (batch.isEmpty()) {
            readBatch();
        }
        Commit commit = batch.remove();
        commitsRead++;
        if (!hasNext()) {
            processes.forEach(GitProcess::requireSuccess);
        }
        return commit;
    }

    @Override
    public synchronized void close() {
        closed = true;
        processes.forEach(GitProcess::close);
    }

    private void readBatch() {
        if (processes.isEmpty()) {
            startReaders();
        }
        GitProcess process = processes.get(commitsRead / BATCH_COMMITS % readers);
        for (; ; ) {
            String line = process.readLine().orElseThrow(() -> process.failure(process.exitCode()));
            if (line.equals(BATCH_END)) {
                parser.finish().ifPresent(batch::add);
                break;
            }
            parser.accept(line).ifPresent(batch::add);
        }
        requireExpectedBatch();
    }

    /**
     * Checks that git has printed all commits of the batch: an unknown id produces one line or nothing, which must not
     * shift the batches of the processes.
     */
    private void requireExpectedBatch() {
        var expected = ids.subList(commitsRead, Math.min(commitsRead + BATCH_COMMITS, ids.size()));
        if (!batch.stream().map(Commit::id).toList().equals(expected)) {
            throw new CommandFailed(
                    "git left out commits after " + commitsRead + " of " + ids.size() + "; is the repository damaged?");
        }
    }

    private synchronized void startReaders() {
        if (closed) {
            throw new IllegalStateException("the history is closed");
        }
        for (int reader = 0; reader < readers; reader++) {
            var process = GitProcess.start(
                    dir,
                    List.of(
                            "diff-tree",
                            "--stdin",
                            "--always",
                            "--root",
                            "-r",
                            "--shortstat",
                            "-M",
                            "-l1000",
                            "--no-ext-diff",
                            "--no-textconv",
                            "--encoding=UTF-8",
                            "--date=raw",
                            "--format=" + GitLogParser.FORMAT));
            processes.add(process);
            int number = reader;
            // Not virtual: a write to a pipe holds its carrier.
            Thread.ofPlatform().daemon().name("git-feed-" + number).start(() -> feed(process, number));
        }
    }

    private void feed(GitProcess process, int number) {
        try (var input = process.input()) {
            for (int from = number * BATCH_COMMITS; from < ids.size(); from += readers * BATCH_COMMITS) {
                var lines = new StringBuilder();
                ids.subList(from, Math.min(from + BATCH_COMMITS, ids.size()))
                        .forEach(id -> lines.append(id).append('\n'));
                lines.append(BATCH_END).append('\n');
                input.write(lines.toString().getBytes(StandardCharsets.US_ASCII));
                input.flush();
            }
        } catch (IOException _) {
            // Git has ended or was closed; the reading side sees the end of the output and reports the reason.
        }
    }

    private static Path realPath(Path dir) {
        if (!Files.isDirectory(dir)) {
            throw new CommandFailed(dir + " is not a folder");
        }
        try {
            return dir.toRealPath();
        } catch (IOException e) {
            throw new CommandFailed("cannot open " + dir + ": " + e.getMessage(), e);
        }
    }

    /**
     * Sorts by author time. Git's own orders keep parents before children, but commits are often authored long before
     * their parents, so times would go backwards by weeks. Sorting ids is cheap compared with the diffs.
     */
    private static List<String> idsByAuthorTime(Path dir, String head) {
        record Authored(String id, Instant at) {}
        var commits = new ArrayList<Authored>();
        if (head.isEmpty()) {
            return List.of();
        }
        try (var git = GitProcess.start(
                dir, List.of("rev-list", "--topo-order", "--reverse", "--format=%x00%H%x00%at%x00%ct", head))) {
            for (var line = git.readLine(); line.isPresent(); line = git.readLine()) {
                String[] fields = line.get().split("\0", -1);
                if (fields.length == 4) {
                    commits.add(new Authored(fields[1], GitLogParser.authoredAt(fields[2], fields[3])));
                }
                if (commits.size() > COMMITS_MAX) {
                    throw new CommandFailed("the history has more than " + COMMITS_MAX + " commits");
                }
            }
            git.requireSuccess();
        }
        commits.sort(Comparator.comparing(Authored::at));
        return commits.stream().map(Authored::id).toList();
    }

    /** Returns the id of HEAD, so that a later push has no effect; empty in a repository without commits. */
    private static String head(Path dir) {
        try (var git = GitProcess.start(dir, List.of("rev-parse", "--verify", "--quiet", "HEAD"))) {
            String id = git.readLine().orElse("");
            int exitCode = git.exitCode();
            // Exit code 1 without a message: HEAD names a branch without commits.
            if (exitCode > 1) {
                throw git.errorOutput().startsWith("fatal: not a git repository")
                        ? new CommandFailed(dir + " is not a git repository")
                        : git.failure(exitCode);
            }
            return id;
        }
    }

    /**
     * A commit, reduced to what metrics need: no name, address, path or message.
     *
     * @param id full object id in lower-case hex
     * @param authorHash first 16 hex digits of the SHA-256 of the author's trimmed, lower-case address; authors without
     * an address share the hash of the empty text
     * @param authoredAt author time, otherwise committer time, otherwise the epoch; between the years 0 and 9999,
     * possibly in the future
     * @param tz tz database name for the author's offset; empty if no zone has it
     * @param linesAdded lines added against the first parent, following renames; 0 for merges and binary files
     * @param linesDeleted lines deleted, counted likewise
     * @param merge whether the commit has more than one parent
     */
    public record Commit(
            String id,
            String authorHash,
            Instant authoredAt,
            Optional<String> tz,
            long linesAdded,
            long linesDeleted,
            boolean merge) {

        public long linesChanged() {
            return linesAdded + linesDeleted;
        }
    }
}
