package dev.laurel.processors.store;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Writes and reads exact decimals: {@code scale × 2 + wide}, then the unscaled value as a zigzag varint, or as bytes if it is
 * wider than a long. A total of 12 takes two bytes.
 */
final class Decimals {

    /** A number with fewer digits always fits a long. */
    private static final int WIDE_PRECISION = 19;

    private Decimals() {}

    static void write(BigDecimal value, CodedOutputStream out) throws IOException {
        int scale = value.scale();
        if (value.precision() < WIDE_PRECISION) {
            out.writeUInt32NoTag(scale * 2);
            // Nearly all values: avoids the BigInteger that unscaledValue() creates.
            out.writeSInt64NoTag(scale == 0 ? value.longValue() : value.scaleByPowerOfTen(scale).longValue());
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

    static BigDecimal read(CodedInputStream in) throws IOException {
        int head = in.readUInt32();
        int scale = head >>> 1;
        if ((head & 1) == 0) {
            return BigDecimal.valueOf(in.readSInt64(), scale);
        }
        return new BigDecimal(new BigInteger(in.readByteArray()), scale);
    }
}
