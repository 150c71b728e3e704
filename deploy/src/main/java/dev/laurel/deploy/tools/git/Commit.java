package dev.laurel.deploy.tools.git;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * One commit as far as metrics need it. It carries no name, no address, no path and no message.
 *
 * @param id the full object id in lower-case hex
 * @param authorHash the first 16 hex digits of the SHA-256 of the author's trimmed, lower-cased address; authors
 *        without an address share the hash of the empty text
 * @param authoredAt the author time, else the committer time, else the epoch; never before the year 0 nor after 9999,
 *        but possibly in the future
 * @param tz a tz database name for the author's offset, empty where the offset belongs to no zone
 * @param linesAdded lines added against the first parent, renames followed; 0 for merges and for binary files
 * @param linesDeleted likewise
 * @param merge whether the commit has more than one parent
 */
public record Commit(String id, String authorHash, Instant authoredAt, Optional<String> tz, long linesAdded,
        long linesDeleted, boolean merge) {

    public Commit {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(authorHash, "authorHash");
        Objects.requireNonNull(authoredAt, "authoredAt");
        Objects.requireNonNull(tz, "tz");
        if (linesAdded < 0 || linesDeleted < 0) {
            throw new IllegalArgumentException("line counts must not be negative");
        }
    }

    public long linesChanged() {
        return linesAdded + linesDeleted;
    }
}
