package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.tools.git.Commit;
import dev.laurel.deploy.tools.git.GitHistory;
import dev.laurel.schemas.command.RecordEvent;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.Zones;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.serde.CommandJson;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The commits of a repository as metric events of their authors: {@code commits} 1 for each, and {@code lines-changed}
 * for each that changed any. Commit i, from 0, has the entries 2i + 1 and 2i + 2, so an entry's number stays what it is
 * however far an earlier import came. A time before 1970 is taken as the first moment of 1970, one in the future as now.
 */
final class GitSource implements ImportSource {

    static final String COMMITS = "commits";
    static final String LINES_CHANGED = "lines-changed";

    private final GitHistory history;
    private final InstantSource clock;
    private final Map<String, Long> commitsByAuthor = new HashMap<>();
    private ImportEntry lines;
    private Place done = Place.START;
    private long commits;
    private long moved;

    GitSource(GitHistory history, InstantSource clock) {
        this.history = history;
        this.clock = clock;
    }

    /** The same history gets the same id: what an import whose progress file is lost has written is found by it. */
    long importId() {
        try {
            byte[] name = ("git\n" + history.headId()).getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(name)).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public String fingerprint() {
        return history.headId();
    }

    @Override
    public boolean matches(String fingerprint) {
        return fingerprint.equals(history.headId());
    }

    @Override
    public void skipTo(Place place) {
        done = place;
    }

    /** Reads on over commits that are done, as authors are counted over the whole history. */
    @Override
    public ImportEntry next() {
        ImportEntry entry;
        do {
            entry = nextOfAll();
        } while (entry != null && entry.place().number() <= done.number());
        return entry;
    }

    private ImportEntry nextOfAll() {
        if (lines != null) {
            ImportEntry entry = lines;
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
            moved++;
            return Instant.EPOCH;
        }
        if (authored.isAfter(now)) {
            moved++;
            return now;
        }
        return authored;
    }

    private ImportEntry entry(long number, Commit commit, Instant time, String metric, BigDecimal value) {
        UserId author = new UserId(commit.authorHash());
        UserChange user = commit.tz().map(Zones::byName).map(UserChange.mention(author)::withTz)
                .orElse(UserChange.mention(author));
        var event = new RecordEvent(user, metric, value, Map.of(), null, null);
        return new ImportEntry.Ready(new Place(number, commits), time.toEpochMilli(),
                new UserKey(TenantId.NONE, author).bytes(), CommandJson.write(event));
    }

    /** Commits read so far. */
    long commits() {
        return commits;
    }

    /** Of these, how many had an impossible time. */
    long moved() {
        return moved;
    }

    int authors() {
        return commitsByAuthor.size();
    }

    /** The author with most commits so far; the first by id where several have as many. */
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
