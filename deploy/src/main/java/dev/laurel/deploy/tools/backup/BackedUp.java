package dev.laurel.deploy.tools.backup;

import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * One record of a topic, as it lies there.
 *
 * @param offset its place in its partition
 * @param timestampMs the time that its producer gave it
 * @param key null if it had none
 * @param value null if it had none
 * @param headers in their order; a name may come more than once
 */
record BackedUp(long offset, long timestampMs, byte[] key, byte[] value, List<Header> headers) {

    BackedUp {
        headers = List.copyOf(headers);
    }

    /** Takes up a place in the log and says nothing: such a record is passed over in silence. */
    static BackedUp blank(long offset, long timestampMs) {
        return new BackedUp(offset, timestampMs, null, null, List.of());
    }

    /** About what it takes in memory and on disk. */
    long bytes() {
        long bytes = 32;
        bytes += key == null ? 0 : key.length;
        bytes += value == null ? 0 : value.length;
        for (Header header : headers) {
            bytes += header.key().length() + (header.value() == null ? 0 : header.value().length);
        }
        return bytes;
    }

    /** Whether it says the same, wherever it lies. */
    boolean saysTheSameAs(BackedUp other) {
        return timestampMs == other.timestampMs && Arrays.equals(key, other.key) && Arrays.equals(value, other.value)
                && plain(headers).equals(plain(other.headers));
    }

    private static List<RecordHeader> plain(List<Header> headers) {
        return headers.stream().map(header -> new RecordHeader(header.key(), header.value())).toList();
    }
}
