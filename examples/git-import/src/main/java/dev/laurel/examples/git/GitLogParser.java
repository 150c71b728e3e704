package dev.laurel.examples.git;

import dev.laurel.examples.git.GitHistory.Commit;
import dev.laurel.platform.command.CommandFailed;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses the output of git with {@link #FORMAT} and {@code --shortstat} into commits. A commit is complete when the
 * next one begins or at {@link #finish()}. Pure, for one thread.
 *
 * <p>Fields are separated by NUL, the only character that a commit header cannot contain. Line counts come from the
 * summary line instead of a line per file, so no path has to be parsed.
 */
final class GitLogParser {

    /** Id, parents, author address, author time, author time with its offset, committer time. */
    static final String FORMAT = "%x00%H%x00%P%x00%ae%x00%at%x00%ad%x00%ct";

    private static final int FIELDS = 7;
    private static final int AUTHOR_HASH_DIGITS = 16;
    private static final long SECONDS_MIN =
            Instant.parse("0000-01-01T00:00:00Z").getEpochSecond();
    private static final long SECONDS_MAX =
            Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
    private static final Pattern ID = Pattern.compile("[0-9a-f]{40,64}");
    private static final Pattern SECONDS = Pattern.compile("-?\\d{1,12}");
    private static final Pattern SUMMARY = Pattern.compile(
            " \\d+ files? changed(?:, (\\d{1,18}) insertions?\\(\\+\\))?(?:, (\\d{1,18}) deletions?\\(-\\))?");

    private final MessageDigest sha256;
    private @Nullable Commit pending;

    GitLogParser() {
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    /** Takes a line without its end. Returns the previous commit if the line begins another one. */
    Optional<Commit> accept(String line) {
        if (line.startsWith("\0")) {
            var complete = finish();
            pending = header(line);
            return complete;
        }
        if (!line.isEmpty()) {
            pending = withCounts(line);
        }
        return Optional.empty();
    }

    /** Returns the last commit, if any, and prepares for another batch of lines. */
    Optional<Commit> finish() {
        var complete = Optional.ofNullable(pending);
        pending = null;
        return complete;
    }

    /**
     * Returns the time of a commit from author and committer time in seconds since the epoch; either may be
     * unreadable.
     */
    static Instant authoredAt(String authorSeconds, String committerSeconds) {
        return instant(authorSeconds).or(() -> instant(committerSeconds)).orElse(Instant.EPOCH);
    }

    private Commit header(String line) {
        String[] fields = line.split("\0", -1);
        if (fields.length != FIELDS || !ID.matcher(fields[1]).matches()) {
            throw unreadable("a commit header");
        }
        boolean merge = fields[2].indexOf(' ') >= 0;
        // With an unreadable author date, git prints no offset or an invented one.
        var tz = instant(fields[4]).flatMap(_ -> AuthorZone.of(afterSpace(fields[5])));
        return new Commit(fields[1], authorHash(fields[3]), authoredAt(fields[4], fields[6]), tz, 0, 0, merge);
    }

    private Commit withCounts(String line) {
        var summary = SUMMARY.matcher(line);
        if (pending == null || !summary.matches()) {
            throw unreadable("a summary of changed lines");
        }
        return new Commit(
                pending.id(),
                pending.authorHash(),
                pending.authoredAt(),
                pending.tz(),
                count(summary.group(1)),
                count(summary.group(2)),
                pending.merge());
    }

    private String authorHash(String address) {
        byte[] normal = address.strip().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().formatHex(sha256.digest(normal)).substring(0, AUTHOR_HASH_DIGITS);
    }

    private static Optional<Instant> instant(String seconds) {
        if (!SECONDS.matcher(seconds).matches()) {
            return Optional.empty();
        }
        long value = Long.parseLong(seconds);
        return value < SECONDS_MIN || value > SECONDS_MAX
                ? Optional.empty()
                : Optional.of(Instant.ofEpochSecond(value));
    }

    private static long count(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static String afterSpace(String rawDate) {
        return rawDate.substring(rawDate.indexOf(' ') + 1);
    }

    /** The message omits the line, which may contain an address. */
    private static CommandFailed unreadable(String expected) {
        return new CommandFailed("git printed something unexpected in place of " + expected);
    }
}
