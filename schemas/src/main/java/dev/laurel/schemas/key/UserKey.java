package dev.laurel.schemas.key;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Who a command is for. Its text is the key of the command's record: {@code user}, or {@code tenant/user}, with
 * {@code /} and {@code %} inside either part percent-encoded, so that both parts can be told apart again.
 */
public record UserKey(TenantId tenant, UserId user) {

    private static final char REPLACEMENT = '\uFFFD';

    public static UserKey of(String user) {
        return new UserKey(TenantId.NONE, new UserId(user));
    }

    /** The one text form, also the record key and the key in the users store. */
    public String text() {
        return prefixOf(tenant) + encode(user.value());
    }

    /** What the text of every user of a tenant begins with; empty where multi-tenancy is off. */
    public static String prefixOf(TenantId tenant) {
        return tenant.value().isEmpty() ? "" : encode(tenant.value()) + "/";
    }

    public byte[] bytes() {
        return text().getBytes(UTF_8);
    }

    /** Reads {@link #bytes()} back. @throws IllegalArgumentException with a reason for people if they are none */
    public static UserKey parse(byte[] bytes) {
        // What the JDK decodes fastest; every record of the log comes by here. It puts a sign of its own for what is no UTF-8.
        String text = new String(bytes, UTF_8);
        if (text.indexOf(REPLACEMENT) < 0) {
            return parse(text);
        }
        try {
            // Strict: a lenient decoder makes one and the same text of all bytes that are not UTF-8.
            return parse(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a key must be UTF-8 text", e);
        }
    }

    /**
     * Reads {@link #text()} back. Only that one spelling is taken: the key's bytes choose the partition, and a user with
     * two spellings would live in two partitions.
     *
     * @throws IllegalArgumentException with a reason for people if it is none
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
        if (part.indexOf('%') < 0 && part.indexOf('/') < 0) {
            return part;
        }
        return part.replace("%", "%25").replace("/", "%2F");
    }

    private static String decode(String part) {
        if (part.indexOf('%') < 0) {
            return part;
        }
        var decoded = new StringBuilder(part.length());
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c != '%') {
                decoded.append(c);
            } else if (part.startsWith("%25", i)) {
                decoded.append('%');
                i += 2;
            } else if (part.startsWith("%2F", i)) {
                decoded.append('/');
                i += 2;
            } else {
                throw new IllegalArgumentException("'%' in a key must be written %25, '/' inside an id %2F");
            }
        }
        return decoded.toString();
    }

    @Override
    public String toString() {
        return text();
    }
}
