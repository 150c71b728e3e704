package dev.laurel.schemas.key;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.regex.Pattern;

/**
 * The user of a command. Its text is the key of the command's record: {@code user}, or {@code tenant/user}, with {@code /} and
 * {@code %} inside either part percent-encoded.
 */
public record UserKey(TenantId tenant, UserId user) {

    private static final char REPLACEMENT = '\uFFFD';

    /** A percent sign that {@link #encode} does not write. */
    private static final Pattern UNKNOWN = Pattern.compile("%(?!25|2F)");

    public static UserKey of(String user) {
        return new UserKey(TenantId.NONE, new UserId(user));
    }

    /** The text form, which is also the key of records and of the users store. */
    public String text() {
        return prefixOf(tenant) + encode(user.value());
    }

    /** The prefix of the texts of all users of a tenant; empty if multi-tenancy is off. */
    public static String prefixOf(TenantId tenant) {
        return tenant.value().isEmpty() ? "" : encode(tenant.value()) + "/";
    }

    public byte[] bytes() {
        return text().getBytes(UTF_8);
    }

    /** Reads {@link #bytes()}. @throws IllegalArgumentException with a reason for people if they are invalid */
    public static UserKey parse(byte[] bytes) {
        // The fastest decoding of the JDK, used for every record of the log. It replaces invalid UTF-8 by a special
        // character.
        String text = new String(bytes, UTF_8);
        if (text.indexOf(REPLACEMENT) < 0) {
            return parse(text);
        }
        try {
            // A strict decoder distinguishes this character from invalid UTF-8.
            return parse(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a key must be UTF-8 text", e);
        }
    }

    /**
     * Reads {@link #text()}. Other spellings are refused: the bytes of the key determine the partition, so a user with two
     * spellings would be in two partitions.
     *
     * @throws IllegalArgumentException with a reason for people if the text is invalid
     */
    public static UserKey parse(String text) {
        int slash = text.indexOf('/');
        if (slash != text.lastIndexOf('/')) {
            throw new IllegalArgumentException("a key has at most one '/', write %2F inside an id");
        }
        TenantId tenant = slash < 0 ? TenantId.NONE : new TenantId(decode(text.substring(0, slash)));
        if (slash == 0) {
            throw new IllegalArgumentException("the tenant before '/' must not be empty");
        }
        return new UserKey(tenant, new UserId(decode(text.substring(slash + 1))));
    }

    static String encode(String part) {
        return part.replace("%", "%25").replace("/", "%2F");
    }

    private static String decode(String part) {
        if (part.indexOf('%') < 0) {
            return part;
        }
        if (UNKNOWN.matcher(part).find()) {
            throw new IllegalArgumentException("'%' in a key must be written %25, '/' inside an id %2F");
        }
        return part.replace("%2F", "/").replace("%25", "%");
    }

    @Override
    public String toString() {
        return text();
    }
}
