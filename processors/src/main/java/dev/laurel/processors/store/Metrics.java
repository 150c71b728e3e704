package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.user.MetricState;
import dev.laurel.processors.core.user.Numbered;
import java.io.IOException;
import java.math.BigDecimal;

/** A user's metrics inside the stored user. Attributes that events never had cost a bit. */
final class Metrics {

    private Metrics() {}

    static void write(Numbered<MetricState> metrics, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(metrics.size());
        for (int i = 0; i < metrics.size(); i++) {
            MetricState metric = metrics.valueAt(i);
            boolean hasAttributes = metric.attributedFrom() != MetricState.NEVER;
            out.writeUInt64NoTag((long) metrics.numberAt(i) << 1 | (hasAttributes ? 1 : 0));
            Decimals.write(metric.total(), out);
            out.writeSInt32NoTag(metric.day());
            if (hasAttributes) {
                out.writeSInt32NoTag(metric.attributedFrom());
            }
            DayBuckets.write(metric.bucket(), out);
        }
    }

    static Numbered<MetricState> read(CodedInputStream in) throws IOException {
        int size = Codec.readCount(in);
        var numbers = new int[size];
        var values = new Object[size];
        for (int i = 0; i < size; i++) {
            long head = in.readUInt64();
            numbers[i] = Math.toIntExact(head >>> 1);
            BigDecimal total = Decimals.read(in);
            int day = in.readSInt32();
            int attributedFrom = (head & 1) == 0 ? MetricState.NEVER : in.readSInt32();
            values[i] = new MetricState(total, day, DayBuckets.read(in), attributedFrom);
        }
        return Numbered.ofSorted(numbers, values);
    }
}
