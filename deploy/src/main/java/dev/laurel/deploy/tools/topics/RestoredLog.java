package dev.laurel.deploy.tools.topics;

import dev.laurel.deploy.tools.topics.BackupFolder.Records;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The records of a partition of the log after a restore. Every record keeps its offset, because ids, generations and
 * the order of events depend on offsets. Blank records fill offsets without a readable record (transaction markers,
 * aborted records) and replace records that are left out.
 */
final class RestoredLog implements AutoCloseable {

    private final Records records;
    private final long end;
    private final Predicate<BackupRecord> isLeftOut;
    private @Nullable BackupRecord ahead;
    private boolean isRead;
    private long next;
    private long timestampMs;
    private long leftOut;

    /**
     * @param end offset after the last one
     * @param isLeftOut whether to replace a record by a blank one
     */
    RestoredLog(Records records, long end, Predicate<BackupRecord> isLeftOut) {
        this.records = records;
        this.end = end;
        this.isLeftOut = isLeftOut;
    }

    /** Returns the record at the next offset, from 0 on; null after the last one. */
    @Nullable
    BackupRecord next() {
        if (next == end) {
            return null;
        }
        if (ahead == null && !isRead) {
            ahead = records.next();
            isRead = ahead == null;
        }
        if (ahead == null || ahead.offset() > next) {
            return BackupRecord.blank(next++, timestampMs == 0 && ahead != null ? ahead.timestampMs() : timestampMs);
        }
        BackupRecord record = ahead;
        ahead = null;
        next++;
        timestampMs = record.timestampMs();
        if (isLeftOut.test(record)) {
            leftOut++;
            return BackupRecord.blank(record.offset(), record.timestampMs());
        }
        return record;
    }

    /** Returns the number of records that were left out. */
    long leftOut() {
        return leftOut;
    }

    @Override
    public void close() {
        records.close();
    }
}
