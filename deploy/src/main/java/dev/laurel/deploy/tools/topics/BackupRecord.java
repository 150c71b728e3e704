package dev.laurel.deploy.tools.topics;

import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * A record of a topic.
 *
 * @param offset offset in its partition
 * @param timestampMs timestamp that its producer has set
 * @param headers in order; names may repeat
 */
record BackupRecord(
        long offset, long timestampMs, byte @Nullable [] key, byte @Nullable [] value, List<Header> headers) {

    /** Returns a record that only occupies its offset; the ledger ignores it. */
    static BackupRecord blank(long offset, long timestampMs) {
        return new BackupRecord(offset, timestampMs, null, null, List.of());
    }

    /** Returns whether both records have the same content, regardless of their offsets. */
    boolean hasSameContentAs(BackupRecord other) {
        return timestampMs == other.timestampMs
                && Arrays.equals(key, other.key)
                && Arrays.equals(value, other.value)
                && plain(headers).equals(plain(other.headers));
    }

    private static List<RecordHeader> plain(List<Header> headers) {
        return headers.stream()
                .map(header -> new RecordHeader(header.key(), header.value()))
                .toList();
    }
}
