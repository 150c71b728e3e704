package dev.laurel.schemas.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/**
 * Text in the headers of requests (docs/application-api.md §1 "Text in headers"). Programs send UTF-8 or Latin-1; browsers send
 * Latin-1 and nothing beyond it. Every text has a form of ASCII characters, an extended value of RFC 8187 in UTF-8 without a language:
 * {@code UTF-8''Z%C3%BCrich}.
 */
public final class HeaderText {

    private static final String PREFIX = "UTF-8''";

    private HeaderText() {}

    /**
     * The text of a header that is not empty.
     *
     * @param header its bytes as Latin-1 characters, as the server passes them
     * @return null if the value has the ASCII form and cannot be decoded
     */
    public static @Nullable String decoded(String header) {
        if (isAsciiForm(header)) {
            byte[] bytes = percentDecoded(header.substring(PREFIX.length()));
            return bytes == null ? null : utf8(bytes);
        }
        if (header.chars().allMatch(c -> c < 128)) {
            return header;
        }
        String text = utf8(header.getBytes(ISO_8859_1));
        return text == null ? header : text;
    }

    /** The value of a header that {@link #decoded} reads as this text: the text itself if it is plain ASCII, else its ASCII form. */
    public static String encoded(String text) {
        boolean isPlain = text.chars().allMatch(c -> c >= ' ' && c < 127) && problemWith(text) == null;
        return isPlain
                ? text
                : PREFIX + URLEncoder.encode(text, UTF_8).replace("+", "%20").replace("*", "%2A");
    }

    /**
     * Why a header cannot carry a name as it is; null if it can. HTTP removes white space around a header, so the name would become
     * another one.
     */
    public static @Nullable String problemWith(String name) {
        if (name.isBlank() || isSpace(name.codePointAt(0)) || isSpace(name.codePointBefore(name.length()))) {
            return "must not be empty, and must not begin or end with white space";
        }
        if (name.codePoints().anyMatch(Character::isISOControl)) {
            return "must not have control characters";
        }
        return isAsciiForm(name) ? "must not begin with " + PREFIX + ", which marks encoded text in headers" : null;
    }

    private static boolean isSpace(int c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    private static boolean isAsciiForm(String text) {
        return text.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
    }

    /** Null if the text has other characters than visible ASCII, or a percent sign without two hexadecimal digits. */
    private static byte @Nullable [] percentDecoded(String text) {
        try {
            return text.chars().allMatch(c -> c > ' ' && c < 127)
                    ? URLDecoder.decode(text.replace("+", "%2B"), ISO_8859_1).getBytes(ISO_8859_1)
                    : null;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    /** Null if the bytes are not valid UTF-8. */
    private static @Nullable String utf8(byte[] bytes) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            return null;
        }
    }
}
