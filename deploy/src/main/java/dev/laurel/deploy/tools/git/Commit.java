package dev.laurel.deploy.tools.git;

import java.time.Instant;
import java.util.Optional;

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
public record Commit(String id, String authorHash, Instant authoredAt, Optional<String> tz, long linesAdded,
        long linesDeleted, boolean merge) {

    public long linesChanged() {
        return linesAdded + linesDeleted;
    }
}
