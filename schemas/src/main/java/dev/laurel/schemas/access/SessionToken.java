package dev.laurel.schemas.access;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A session, as the cookie of a browser holds it (docs/operations/security.md, Sessions). It names its holder and nothing of the holder's
 * rights, which are those at each request. Sessions are stored nowhere. Immutable.
 */
public final class SessionToken {

    /** Random bytes that make each session, and therefore its CSRF token, different from all others. */
    public static final int NONCE_BYTES = 16;

    /** The maximum length of each text of a person, in UTF-8: browsers keep cookies of up to 4096 bytes. */
    public static final int MAX_TEXT_BYTES = 700;

    private static final int MAX_LENGTH = 4_000;
    private static final byte VERSION = 1;
    private static final byte KEY = 1;
    private static final byte PERSON = 2;

    private final SignedToken signed;
    private final Content content;

    private SessionToken(SignedToken signed, Content content) {
        this.signed = signed;
        this.content = content;
    }

    /** The admin key or the person that signed in. */
    public sealed interface Holder {

        /** @param id id of the admin key */
        record Key(UUID id) implements Holder {}

        /**
         * @param subject the provider's id of the person
         * @param group the group that gave the person a role
         */
        record Person(String subject, String name, String group) implements Holder {}
    }

    public record Content(Holder holder, Instant issued, Instant expires) {}

    /**
     * @param nonce {@value #NONCE_BYTES} random bytes
     * @param bound what the session ends with: see {@link #isAuthentic}
     */
    public static SessionToken of(Content content, byte[] nonce, SessionKey key, String bound) {
        return new SessionToken(SignedToken.of(keyOf(key, bound), written(content, nonce)), content);
    }

    /** A token that has not been authenticated; null if the text has not the form of a token. */
    public static @Nullable SessionToken parse(String cookie) {
        SignedToken signed = SignedToken.parse(cookie, MAX_LENGTH);
        if (signed == null) {
            return null;
        }
        try {
            Content content = read(ByteBuffer.wrap(signed.text()));
            return content == null ? null : new SessionToken(signed, content);
        } catch (BufferUnderflowException _) {
            return null;
        }
    }

    /** Whether the token was made with this key, and with the same bound. Compares in constant time. */
    public boolean isAuthentic(SessionKey key, String bound) {
        return signed.isAuthentic(keyOf(key, bound));
    }

    public Content content() {
        return content;
    }

    /** The token that each change by this session must have besides the cookie. */
    public String csrfToken(SessionKey key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Hmac.sha256(key.of("csrf"), signed.mac()));
    }

    /** The value of the cookie. */
    public String encoded() {
        return signed.encoded();
    }

    /** Names no value, because the text may be logged. */
    @Override
    public String toString() {
        return "session";
    }

    private static byte[] keyOf(SessionKey key, String bound) {
        return key.of("session " + bound);
    }

    private static byte[] written(Content content, byte[] nonce) {
        ByteBuffer text = ByteBuffer.allocate(MAX_LENGTH).put(VERSION).putLong(content.issued.toEpochMilli())
                .putLong(content.expires.toEpochMilli()).put(nonce, 0, NONCE_BYTES);
        switch (content.holder) {
            case Holder.Key(UUID id) ->
                text.put(KEY).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
            case Holder.Person(String subject, String name, String group) -> {
                text.put(PERSON);
                write(text, subject);
                write(text, name);
                write(text, group);
            }
        }
        var written = new byte[text.position()];
        text.flip().get(written);
        return written;
    }

    private static void write(ByteBuffer text, String value) {
        byte[] bytes = value.getBytes(UTF_8);
        if (bytes.length > MAX_TEXT_BYTES) {
            throw new IllegalArgumentException("a text of " + bytes.length + " bytes");
        }
        text.putShort((short) bytes.length).put(bytes);
    }

    /** Null if it is not a session. @throws BufferUnderflowException likewise */
    private static @Nullable Content read(ByteBuffer text) {
        if (text.get() != VERSION) {
            return null;
        }
        Instant issued = Instant.ofEpochMilli(text.getLong());
        Instant expires = Instant.ofEpochMilli(text.getLong());
        text.get(new byte[NONCE_BYTES]);
        Holder holder = switch (text.get()) {
            case KEY -> new Holder.Key(new UUID(text.getLong(), text.getLong()));
            case PERSON -> new Holder.Person(readText(text), readText(text), readText(text));
            default -> null;
        };
        return holder == null || text.hasRemaining() ? null : new Content(holder, issued, expires);
    }

    private static String readText(ByteBuffer text) {
        int length = Short.toUnsignedInt(text.getShort());
        if (length > text.remaining()) {
            throw new BufferUnderflowException();
        }
        var bytes = new byte[length];
        text.get(bytes);
        return new String(bytes, UTF_8);
    }
}
