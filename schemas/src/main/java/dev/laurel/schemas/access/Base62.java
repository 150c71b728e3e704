package dev.laurel.schemas.access;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes as letters and digits. Eight bytes are eleven characters, the last ones as few as they need, so that the work grows with the
 * length only. A text has one form: what cannot be the result of {@link #encode} is refused.
 */
final class Base62 {

    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int RADIX = 62;

    /** The characters that this many bytes need. */
    private static final int[] CHARS = {0, 2, 3, 5, 6, 7, 9, 10, 11};

    private static final byte[] DIGITS = new byte[128];

    static {
        Arrays.fill(DIGITS, (byte) -1);
        for (int i = 0; i < RADIX; i++) {
            DIGITS[ALPHABET.charAt(i)] = (byte) i;
        }
    }

    private Base62() {}

    static String encode(byte[] bytes) {
        var text = new char[lengthOf(bytes.length)];
        int at = 0;
        for (int from = 0; from < bytes.length; from += Long.BYTES) {
            int size = Math.min(Long.BYTES, bytes.length - from);
            long block = 0;
            for (int i = 0; i < size; i++) {
                block = block << 8 | bytes[from + i] & 0xFF;
            }
            write(block, text, at, CHARS[size]);
            at += CHARS[size];
        }
        return new String(text);
    }

    private static int lengthOf(int bytes) {
        return bytes / Long.BYTES * CHARS[Long.BYTES] + CHARS[bytes % Long.BYTES];
    }

    private static void write(long number, char[] text, int at, int length) {
        long left = number;
        for (int i = at + length - 1; i >= at; i--) {
            text[i] = ALPHABET.charAt((int) Long.remainderUnsigned(left, RADIX));
            left = Long.divideUnsigned(left, RADIX);
        }
    }

    /** This number, from 0 to 62^length, in this many characters. */
    static String encode(long number, int length) {
        var text = new char[length];
        write(number, text, 0, length);
        return new String(text);
    }

    /** Null if no bytes have this text. */
    static byte @Nullable [] decode(String text) {
        int size = sizeOf(text.length());
        if (size < 0) {
            return null;
        }
        var bytes = ByteBuffer.allocate(size);
        int at = 0;
        while (bytes.hasRemaining()) {
            int count = Math.min(Long.BYTES, bytes.remaining());
            long block = 0;
            for (int end = at + CHARS[count]; at < end; at++) {
                int digit = text.charAt(at) < DIGITS.length ? DIGITS[text.charAt(at)] : -1;
                // Only the last of eleven digits can make the number too large: 62^10 is below 2^64.
                if (digit < 0 || count == Long.BYTES && at == end - 1
                        && Long.compareUnsigned(block, Long.divideUnsigned(-1L - digit, RADIX)) > 0) {
                    return null;
                }
                block = block * RADIX + digit;
            }
            if (count < Long.BYTES && block >>> count * 8 != 0) {
                return null;
            }
            for (int i = count - 1; i >= 0; i--) {
                bytes.put((byte) (block >>> i * 8));
            }
        }
        return bytes.array();
    }

    /** -1 if no number of bytes has this many characters. */
    private static int sizeOf(int length) {
        int rest = Arrays.binarySearch(CHARS, length % CHARS[Long.BYTES]);
        return rest < 0 ? -1 : length / CHARS[Long.BYTES] * Long.BYTES + rest;
    }
}
