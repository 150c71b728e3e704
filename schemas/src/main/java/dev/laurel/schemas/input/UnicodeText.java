package dev.laurel.schemas.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;

/**
 * Checks and cuts text. Invalid UTF-8 is refused and not repaired, since parsers read overlong forms and encoded surrogates as
 * other characters, so that different bytes become equal texts. JSON can contain half of a surrogate pair ({@code "\ud83d"}),
 * which UTF-8 encodes as a question mark, so that different texts become equal. Names, ids and keys must therefore be
 * well-formed.
 */
public final class UnicodeText {

    /**
     * The one order of ids and other texts: that of their code points, which is that of their bytes in UTF-8 and so of stores and of the
     * warehouse. {@link String#compareTo} differs where one text has a character beyond U+FFFF. For well-formed texts.
     */
    public static final Comparator<String> ORDER = UnicodeText::compare;

    /** Limits the memory for a text; a pair of surrogates needs two. */
    private static final int PART_CHARS = 8192;

    private UnicodeText() {}

    private static int compare(String one, String other) {
        int length = Math.min(one.length(), other.length());
        for (int i = 0; i < length; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a != b) {
                // Of a pair, the first half decides, or else the second one: each is beyond all other characters.
                boolean isPair = Character.isSurrogate(a);
                return isPair == Character.isSurrogate(b) ? Character.compare(a, b) : isPair ? 1 : -1;
            }
        }
        return Integer.compare(one.length(), other.length());
    }

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
     * parsers would take texts with zero bytes for UTF-16.
     */
    public static boolean isUtf8(byte[] bytes) {
        return isAscii(bytes) || isOtherUtf8(bytes);
    }

    /** Whether all bytes are characters of ASCII but U+0000. Most texts are, and need no decoder. */
    private static boolean isAscii(byte[] bytes) {
        for (byte value : bytes) {
            if (value <= 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isOtherUtf8(byte[] bytes) {
        CharsetDecoder decoder = UTF_8.newDecoder();
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        CharBuffer part = CharBuffer.allocate(Math.min(bytes.length, PART_CHARS));
        CoderResult result;
        do {
            part.clear();
            result = decoder.decode(rest, part, true);
        } while (result.isOverflow());
        return !result.isError() && !hasZero(bytes);
    }

    private static boolean hasZero(byte[] bytes) {
        for (byte value : bytes) {
            if (value == 0) {
                return true;
            }
        }
        return false;
    }

    /** The first characters of a text, without cutting a surrogate pair in two. */
    public static String cut(String text, int maxLength) {
        if (text.length() <= maxLength) {
            return text;
        }
        boolean isInPair = maxLength > 0 && Character.isHighSurrogate(text.charAt(maxLength - 1));
        return text.substring(0, isInPair ? maxLength - 1 : maxLength);
    }

    /** The SHA-256 hash of a text in UTF-8. */
    public static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
