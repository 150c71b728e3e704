package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.user.AttributeSums;
import dev.laurel.processors.core.user.DayBucket;
import dev.laurel.processors.core.user.Numbered;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The bucket of a day, in a place of its own or inside the stored user. That of a usual day takes a byte beside its sum. */
final class DayBuckets {

    private static final int POSITIVE = 1;
    private static final int HAS_ATTRIBUTES = 2;
    private static final int FLAG_BITS = 2;

    private DayBuckets() {}

    static void write(DayBucket bucket, CodedOutputStream out) throws IOException {
        Decimals.write(bucket.change(), out);
        boolean hasAttributes = !bucket.attributes().isEmpty();
        out.writeUInt64NoTag((long) bucket.events() << FLAG_BITS | (hasAttributes ? HAS_ATTRIBUTES : 0)
                | (bucket.positive() ? POSITIVE : 0));
        if (hasAttributes) {
            writeAttributes(bucket.attributes().values(), out);
        }
    }

    private static void writeAttributes(Numbered<SortedMap<String, BigDecimal>> attributes, CodedOutputStream out)
            throws IOException {
        out.writeUInt32NoTag(attributes.size());
        for (int i = 0; i < attributes.size(); i++) {
            out.writeUInt32NoTag(attributes.numberAt(i));
            out.writeUInt32NoTag(attributes.valueAt(i).size());
            for (var value : attributes.valueAt(i).entrySet()) {
                out.writeStringNoTag(value.getKey());
                Decimals.write(value.getValue(), out);
            }
        }
    }

    static DayBucket read(CodedInputStream in) throws IOException {
        BigDecimal change = Decimals.read(in);
        long head = in.readUInt64();
        AttributeSums attributes = (head & HAS_ATTRIBUTES) == 0 ? AttributeSums.NONE : readAttributes(in);
        return new DayBucket(change, (head & POSITIVE) != 0, Math.toIntExact(head >>> FLAG_BITS), attributes);
    }

    private static AttributeSums readAttributes(CodedInputStream in) throws IOException {
        int size = Codec.readCount(in);
        var numbers = new int[size];
        var values = new Object[size];
        for (int i = 0; i < size; i++) {
            numbers[i] = in.readUInt32();
            var sums = new TreeMap<String, BigDecimal>();
            for (int left = Codec.readCount(in); left > 0; left--) {
                sums.put(in.readString(), Decimals.read(in));
            }
            values[i] = Collections.unmodifiableSortedMap(sums);
        }
        return new AttributeSums(Numbered.ofSorted(numbers, values));
    }

    /** Of the time before events were counted. */
    static DayBucket readUncounted(CodedInputStream in) throws IOException {
        return DayBucket.uncounted(Decimals.read(in), in.readBool());
    }
}
