package dev.laurel.processors.store;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.processors.store.Codec.FieldReader;
import dev.laurel.processors.store.Codec.FieldWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes and reads the types of fields that several stored values have. */
public final class BinaryFields {

    /** A number with fewer digits always fits a long. */
    private static final int WIDE_PRECISION = 19;

    private BinaryFields() {}

    public static void writeId(UUID id, CodedOutputStream out) throws IOException {
        out.writeFixed64NoTag(id.getMostSignificantBits());
        out.writeFixed64NoTag(id.getLeastSignificantBits());
    }

    public static UUID readId(CodedInputStream in) throws IOException {
        return new UUID(in.readFixed64(), in.readFixed64());
    }

    /**
     * Writes an exact decimal: {@code scale × 2 + wide}, then the unscaled value as a zigzag varint, or as bytes if it is wider
     * than a long. A total of 12 takes two bytes.
     */
    public static void writeDecimal(BigDecimal value, CodedOutputStream out) throws IOException {
        int scale = value.scale();
        if (value.precision() < WIDE_PRECISION) {
            out.writeUInt32NoTag(scale * 2);
            // Nearly all values: avoids the BigInteger that unscaledValue() creates.
            out.writeSInt64NoTag(
                    scale == 0
                            ? value.longValue()
                            : value.scaleByPowerOfTen(scale).longValue());
            return;
        }
        BigInteger unscaled = value.unscaledValue();
        boolean isWide = unscaled.bitLength() > 63;
        out.writeUInt32NoTag(scale * 2 + (isWide ? 1 : 0));
        if (isWide) {
            out.writeBytesNoTag(ByteString.copyFrom(unscaled.toByteArray()));
        } else {
            out.writeSInt64NoTag(unscaled.longValue());
        }
    }

    public static BigDecimal readDecimal(CodedInputStream in) throws IOException {
        int head = in.readUInt32();
        int scale = head >>> 1;
        if ((head & 1) == 0) {
            return BigDecimal.valueOf(in.readSInt64(), scale);
        }
        return new BigDecimal(new BigInteger(in.readByteArray()), scale);
    }

    /** Reads the enum constant of a stored ordinal: the order of such constants is durable data. */
    public static <E> E readConstant(E[] constants, CodedInputStream in) throws IOException {
        int ordinal = in.readUInt32();
        if (ordinal < 0 || ordinal >= constants.length) {
            throw new IOException("no constant has the ordinal " + ordinal);
        }
        return constants[ordinal];
    }

    /** Writes whether a value is present, then the value. */
    public static <T> void writeOptional(@Nullable T value, CodedOutputStream out, FieldWriter<T> writer)
            throws IOException {
        out.writeBoolNoTag(value != null);
        if (value != null) {
            writer.write(value, out);
        }
    }

    public static <T> @Nullable T readOptional(CodedInputStream in, FieldReader<T> reader) throws IOException {
        return in.readBool() ? reader.read(in) : null;
    }

    public static void writeText(String text, CodedOutputStream out) throws IOException {
        out.writeStringNoTag(text);
    }

    /** Writes the number of values, then each value. */
    public static <T> void writeList(List<T> values, CodedOutputStream out, FieldWriter<T> writer) throws IOException {
        out.writeUInt32NoTag(values.size());
        for (T value : values) {
            writer.write(value, out);
        }
    }

    public static <T> List<T> readList(CodedInputStream in, FieldReader<T> reader) throws IOException {
        int count = readCount(in);
        if (count == 0) {
            return List.of();
        }
        var values = new ArrayList<T>(count);
        for (int i = 0; i < count; i++) {
            values.add(reader.read(in));
        }
        return values;
    }

    /** Writes the number of entries, then the number and the value of each. */
    public static <T> void writeMap(IntKeyedMap<T> map, CodedOutputStream out, FieldWriter<T> writer)
            throws IOException {
        out.writeUInt32NoTag(map.size());
        for (int i = 0; i < map.size(); i++) {
            out.writeUInt32NoTag(map.numberAt(i));
            writer.write(map.valueAt(i), out);
        }
    }

    public static <T> IntKeyedMap<T> readMap(CodedInputStream in, FieldReader<T> reader) throws IOException {
        int size = readCount(in);
        if (size == 0) {
            return IntKeyedMap.empty();
        }
        var numbers = new int[size];
        var values = new Object[size];
        for (int i = 0; i < size; i++) {
            numbers[i] = in.readUInt32();
            values[i] = reader.read(in);
        }
        return IntKeyedMap.ofSorted(numbers, values);
    }

    /**
     * Reads a number of entries. Each takes at least a byte, so damaged bytes cannot ask for more memory than they have
     * themselves.
     */
    public static int readCount(CodedInputStream in) throws IOException {
        int count = in.readUInt32();
        if (count < 0 || count > in.getBytesUntilLimit()) {
            throw new IOException("a count of " + count + " with " + in.getBytesUntilLimit() + " bytes left");
        }
        return count;
    }
}
