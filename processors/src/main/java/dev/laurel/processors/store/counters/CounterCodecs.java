package dev.laurel.processors.store.counters;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.core.analytics.CounterBlock;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.Fields;
import java.io.IOException;
import java.util.List;

/** The codecs of the values in the store of counters. */
public final class CounterCodecs {

    public static final Codec<CounterBlock> BLOCK = new Codec<>("block of counters", 2, CounterCodecs::write,
            CounterCodecs::read);
    static final Codec<List<String>> VALUES = Codec.ofList("list of attribute values", 1, String.class);

    private CounterCodecs() {}

    /**
     * Writes {@code size × 2 + decimal}, then the cells up to the last that is not zero: the number of zeros before each other number,
     * and the number. Most cells of most blocks are zero.
     */
    private static void write(CounterBlock block, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(block.size() * 2 + (block.isDecimal() ? 1 : 0));
        int zeros = 0;
        for (int i = 0; i < block.size(); i++) {
            if (block.isZero(i)) {
                zeros++;
            } else {
                out.writeUInt32NoTag(zeros);
                zeros = 0;
                if (block.isDecimal()) {
                    Fields.writeDecimal(block.decimal(i), out);
                } else {
                    out.writeSInt64NoTag(block.number(i));
                }
            }
        }
    }

    private static CounterBlock read(CodedInputStream in) throws IOException {
        int head = in.readUInt32();
        int size = head >>> 1;
        if (size > CounterBlock.MAX_SIZE) {
            throw new IOException("a block of " + size + " counters");
        }
        CounterBlock block = CounterBlock.ofSize(size, (head & 1) != 0);
        for (int at = 0; !in.isAtEnd(); at++) {
            at += in.readUInt32();
            if (at < 0 || at >= size) {
                throw new IOException("counter " + at + " of a block of " + size);
            }
            if (block.isDecimal()) {
                block.add(at, Fields.readDecimal(in));
            } else {
                block.add(at, in.readSInt64());
            }
        }
        return block;
    }
}
