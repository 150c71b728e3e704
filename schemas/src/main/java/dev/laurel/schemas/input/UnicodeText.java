package dev.laurel.schemas.input;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Checks and cuts text. Invalid UTF-8 is refused and not repaired, since parsers read overlong forms and encoded surrogates as
 * other characters, so that different bytes become equal texts. JSON can contain half of a surrogate pair ({@code "\ud83d"}),
 * which UTF-8 encodes as a question mark, so that different texts become equal. Names, ids and keys must therefore be
 * well-formed.
 */
public final class UnicodeText {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long TOP_BITS = 0x8080808080808080L;

    private UnicodeText() {}

    public static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether bytes are text in UTF-8 (RFC 3629) without U+0000, which no JSON text contains unescaped: without this check
     * parsers would take texts with zero bytes for UTF-16. Allocates nothing.
     */
    public static boolean isUtf8(byte[] bytes) {
        int i = asciiLength(bytes);
        while (i < bytes.length) {
            int first = bytes[i] & 0xFF;
            int length;
            int min = 0x80;
            int max = 0xBF;
            if (first < 0x80) {
                if (first == 0) {
                    return false;
                }
                i++;
                continue;
            } else if (first >= 0xC2 && first <= 0xDF) {
                length = 2;
            } else if (first >= 0xE0 && first <= 0xEF) {
                length = 3;
                min = first == 0xE0 ? 0xA0 : min; // below: overlong
                max = first == 0xED ? 0x9F : max; // above: surrogates
            } else if (first >= 0xF0 && first <= 0xF4) {
                length = 4;
                min = first == 0xF0 ? 0x90 : min; // below: overlong
                max = first == 0xF4 ? 0x8F : max; // above: beyond U+10FFFF
            } else {
                return false;
            }
            if (i + length > bytes.length || !isWithin(bytes[i + 1], min, max)) {
                return false;
            }
            for (int k = 2; k < length; k++) {
                if (!isWithin(bytes[i + k], 0x80, 0xBF)) {
                    return false;
                }
            }
            i += length;
        }
        return true;
    }

    private static boolean isWithin(byte value, int min, int max) {
        int unsigned = value & 0xFF;
        return unsigned >= min && unsigned <= max;
    }

    /** The length of the longest beginning, in steps of eight bytes, that is ASCII without zero bytes. */
    private static int asciiLength(byte[] bytes) {
        int i = 0;
        for (; i <= bytes.length - Long.BYTES; i += Long.BYTES) {
            long eight = (long) LONGS.get(bytes, i);
            // The top bit is set of a byte above 127 and, by the subtraction, of a zero byte.
            if (((eight | eight - LOW_BITS) & TOP_BITS) != 0) {
                break;
            }
        }
        return i;
    }

    /** The first characters of a text, without cutting a surrogate pair in two. */
    public static String cut(String text, int maxLength) {
        if (text.length() <= maxLength) {
            return text;
        }
        boolean isInPair = maxLength > 0 && Character.isHighSurrogate(text.charAt(maxLength - 1));
        return text.substring(0, isInPair ? maxLength - 1 : maxLength);
    }
}
