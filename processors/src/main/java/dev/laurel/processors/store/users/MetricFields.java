package dev.laurel.processors.store.users;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.DayBucket.AttributeSums;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.MetricState.RecentDays;
import dev.laurel.core.user.MetricState.RecentDays.Block;
import dev.laurel.processors.store.BinaryFields;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Writes and reads metrics and day buckets as parts of stored values. The bucket of an ordinary day takes a byte beside its
 * sum; attributes that events never had cost a bit.
 */
final class MetricFields {

    private static final int POSITIVE = 1;
    private static final int HAS_ATTRIBUTES = 2;
    private static final int FLAG_BITS = 2;

    /** Stands in place of the number of an attribute, which is at least 1, and marks sums that are truncated. */
    private static final int TRUNCATED = 0;

    private MetricFields() {}

    static void writeBucket(DayBucket bucket, CodedOutputStream out) throws IOException {
        BinaryFields.writeDecimal(bucket.change(), out);
        boolean hasAttributes = !bucket.attributes().isEmpty();
        out.writeUInt64NoTag((long) bucket.events() << FLAG_BITS
                | (hasAttributes ? HAS_ATTRIBUTES : 0)
                | (bucket.positive() ? POSITIVE : 0));
        if (hasAttributes) {
            IntKeyedMap<SortedMap<String, BigDecimal>> values =
                    bucket.attributes().values();
            BinaryFields.writeMap(
                    bucket.attributes().isTruncated() ? values.with(TRUNCATED, Collections.emptySortedMap()) : values,
                    out,
                    MetricFields::writeSums);
        }
    }

    static DayBucket readBucket(CodedInputStream in) throws IOException {
        BigDecimal change = BinaryFields.readDecimal(in);
        long head = in.readUInt64();
        AttributeSums attributes = (head & HAS_ATTRIBUTES) == 0 ? AttributeSums.NONE : readAttributes(in);
        return new DayBucket(change, (head & POSITIVE) != 0, Math.toIntExact(head >>> FLAG_BITS), attributes);
    }

    private static AttributeSums readAttributes(CodedInputStream in) throws IOException {
        IntKeyedMap<SortedMap<String, BigDecimal>> values = BinaryFields.readMap(in, MetricFields::readSums);
        return values.contains(TRUNCATED)
                ? new AttributeSums(values.retaining(attribute -> attribute != TRUNCATED), true)
                : new AttributeSums(values, false);
    }

    private static void writeSums(SortedMap<String, BigDecimal> sums, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(sums.size());
        for (var sum : sums.entrySet()) {
            out.writeStringNoTag(sum.getKey());
            BinaryFields.writeDecimal(sum.getValue(), out);
        }
    }

    private static SortedMap<String, BigDecimal> readSums(CodedInputStream in) throws IOException {
        var sums = new TreeMap<String, BigDecimal>();
        for (int left = BinaryFields.readCount(in); left > 0; left--) {
            sums.put(in.readString(), BinaryFields.readDecimal(in));
        }
        return Collections.unmodifiableSortedMap(sums);
    }

    static void writeMetrics(IntKeyedMap<MetricState> metrics, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(metrics.size());
        for (int i = 0; i < metrics.size(); i++) {
            MetricState metric = metrics.valueAt(i);
            boolean hasAttributes = metric.attributedFrom() != MetricState.NEVER;
            out.writeUInt64NoTag((long) metrics.numberAt(i) << 1 | (hasAttributes ? 1 : 0));
            BinaryFields.writeDecimal(metric.total(), out);
            out.writeSInt32NoTag(metric.day());
            if (hasAttributes) {
                out.writeSInt32NoTag(metric.attributedFrom());
            }
            writeBucket(metric.bucket(), out);
            out.writeUInt64NoTag(metric.events());
            writeRecent(metric, out);
        }
    }

    /** Blocks are written by their distance from that of the newest day. */
    private static void writeRecent(MetricState metric, CodedOutputStream out) throws IOException {
        IntKeyedMap<Block> blocks = metric.recent().blocks();
        int newest = RecentDays.blockOf(metric.day());
        out.writeUInt32NoTag(blocks.size());
        for (int i = 0; i < blocks.size(); i++) {
            out.writeUInt32NoTag(newest - blocks.numberAt(i));
            out.writeUInt32NoTag(blocks.valueAt(i).events());
            BinaryFields.writeDecimal(blocks.valueAt(i).positive(), out);
        }
    }

    private static RecentDays readRecent(int day, CodedInputStream in) throws IOException {
        int size = BinaryFields.readCount(in);
        var numbers = new int[size];
        var blocks = new Object[size];
        for (int i = 0; i < size; i++) {
            numbers[i] = RecentDays.blockOf(day) - in.readUInt32();
            blocks[i] = new Block(in.readUInt32(), BinaryFields.readDecimal(in));
        }
        return size == 0 ? RecentDays.NONE : new RecentDays(IntKeyedMap.ofSorted(numbers, blocks));
    }

    static IntKeyedMap<MetricState> readMetrics(CodedInputStream in) throws IOException {
        int size = BinaryFields.readCount(in);
        var numbers = new int[size];
        var values = new Object[size];
        for (int i = 0; i < size; i++) {
            long head = in.readUInt64();
            numbers[i] = Math.toIntExact(head >>> 1);
            BigDecimal total = BinaryFields.readDecimal(in);
            int day = in.readSInt32();
            int attributedFrom = (head & 1) == 0 ? MetricState.NEVER : in.readSInt32();
            DayBucket bucket = readBucket(in);
            values[i] = new MetricState(total, in.readUInt64(), day, bucket, attributedFrom, readRecent(day, in));
        }
        return IntKeyedMap.ofSorted(numbers, values);
    }
}
