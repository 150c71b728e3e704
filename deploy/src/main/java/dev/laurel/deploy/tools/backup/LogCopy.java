package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.tools.backup.BackupFolder.Records;
import java.util.function.Predicate;

/**
 * What a partition of the log is to hold after a restore: every record at its very offset, since ids, generations and the order of
 * things go by offsets. Places that had nothing to be read (ends of transactions, what was aborted), and records that are to
 * be left out, are taken up by blanks.
 */
final class LogCopy implements AutoCloseable {

    private final Records records;
    private final long end;
    private final Predicate<BackedUp> isLeftOut;
    private BackedUp ahead;
    private boolean isRead;
    private long next;
    private long timestampMs;
    private long leftOut;

    /**
     * @param end offset behind the last place
     * @param isLeftOut whether only the place of a record is wanted
     */
    LogCopy(Records records, long end, Predicate<BackedUp> isLeftOut) {
        this.records = records;
        this.end = end;
        this.isLeftOut = isLeftOut;
    }

    /** The record of the next offset, from 0 on; null behind the last place. */
    BackedUp next() {
        if (next == end) {
            return null;
        }
        if (ahead == null && !isRead) {
            ahead = records.next();
            isRead = ahead == null;
        }
        if (ahead == null || ahead.offset() > next) {
            return BackedUp.blank(next++, timestampMs == 0 && ahead != null ? ahead.timestampMs() : timestampMs);
        }
        BackedUp record = ahead;
        ahead = null;
        next++;
        timestampMs = record.timestampMs();
        if (isLeftOut.test(record)) {
            leftOut++;
            return BackedUp.blank(record.offset(), record.timestampMs());
        }
        return record;
    }

    /** Records whose places only were given. */
    long leftOut() {
        return leftOut;
    }

    @Override
    public void close() {
        records.close();
    }
}
