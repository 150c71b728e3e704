package dev.laurel.examples.git;

import dev.laurel.deploy.tools.imports.ImportSource;
import dev.laurel.deploy.tools.imports.ImportSource.Position;
import dev.laurel.deploy.tools.imports.LineSource;
import dev.laurel.examples.git.GitHistory.Commit;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.input.Zones;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The commits of a repository as metric events of their authors: {@code commits} 1 for each commit, and {@code
 * lines-changed} for each that changed lines. Commit i, from 0, has the entries 2i + 1 and 2i + 2, so entry numbers
 * do not depend on the progress of an earlier import. A time before 1970 becomes the first moment of 1970, a time in the
 * future the present.
 */
final class GitSource implements ImportSource {

    static final String COMMITS = "commits";
    static final String LINES_CHANGED = "lines-changed";

    private final GitHistory history;
    private final InstantSource clock;
    private final Map<String, Long> commitsByAuthor = new HashMap<>();
    private @Nullable Entry lines;
    private Position position;
    private long commits;
    private Instant newest = Instant.EPOCH;
    private long clamped;

    GitSource(GitHistory history, InstantSource clock) {
        this.history = history;
        this.clock = clock;
        this.position = new Position(0, 0, history.headId());
    }

    /**
     * Returns an id derived from the history, so that records of an import whose progress file is lost can be found.
     */
    long importId() {
        byte[] name = ("git\n" + history.headId()).getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.wrap(LineSource.sha256().digest(name)).getLong();
    }

    @Override
    public Position position() {
        return position;
    }

    @Override
    public @Nullable String skipTo(Position earlier) {
        if (!earlier.before().equals(position.before())) {
            return "the import was of another history, or of fewer commits of this one";
        }
        position = earlier;
        return null;
    }

    /** Also reads commits that are already imported, because authors are counted over the whole history. */
    @Override
    public @Nullable Entry next() {
        Entry entry;
        do {
            entry = nextOfAll();
        } while (entry != null && entry.position().number() <= position.number());
        position = entry == null ? position : entry.position();
        return entry;
    }

    private @Nullable Entry nextOfAll() {
        if (lines != null) {
            Entry entry = lines;
            lines = null;
            return entry;
        }
        if (!history.hasNext()) {
            return null;
        }
        Commit commit = history.next();
        commits++;
        commitsByAuthor.merge(commit.authorHash(), 1L, Long::sum);
        Instant time = timeOf(commit);
        newest = time.isAfter(newest) ? time : newest;
        long number = 2 * commits - 1;
        if (commit.linesChanged() > 0) {
            lines = entry(number + 1, commit, time, LINES_CHANGED, BigDecimal.valueOf(commit.linesChanged()));
        }
        return entry(number, commit, time, COMMITS, BigDecimal.ONE);
    }

    private Instant timeOf(Commit commit) {
        Instant now = clock.instant();
        Instant authored = commit.authoredAt();
        if (authored.isBefore(Instant.EPOCH)) {
            clamped++;
            return Instant.EPOCH;
        }
        if (authored.isAfter(now)) {
            clamped++;
            return now;
        }
        return authored;
    }

    private Entry entry(long number, Commit commit, Instant time, String metric, BigDecimal value) {
        UserId author = new UserId(commit.authorHash());
        UserChange user = commit.tz()
                .map(Zones::byName)
                .map(UserChange.mention(author)::withTz)
                .orElse(UserChange.mention(author));
        var event = new RecordEvent(user, metric, value, Map.of(), null, null);
        return new Entry.Ready(
                new Position(number, commits, position.before()),
                time.toEpochMilli(),
                new UserKey(TenantId.NONE, author).bytes(),
                CommandJson.write(event));
    }

    /** Returns the number of commits read so far. */
    long commits() {
        return commits;
    }

    /** Returns how many commits had a time before 1970 or in the future. */
    long clamped() {
        return clamped;
    }

    /** Returns the time of the newest commit so far. */
    Instant newest() {
        return newest;
    }

    int authors() {
        return commitsByAuthor.size();
    }

    /** Returns the author with most commits so far, the first by id among equals. */
    Optional<String> mostActiveAuthor() {
        return commitsByAuthor.entrySet().stream()
                .max(Map.Entry.<String, Long>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(Map.Entry::getKey);
    }

    @Override
    public void close() {
        history.close();
    }
}
