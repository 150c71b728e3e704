package dev.laurel.platform.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.access.Hmac;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value that a process of this instance has signed for one purpose: a session, a sign-in that has begun, a link of an email. Its text
 * consists of the HMAC-SHA256, the time when it expires, and the fields of the value, in URL-safe Base64, for cookies and addresses.
 * Nothing of it is secret or stored. Immutable.
 *
 * @param <T> the value
 */
public final class Signed<T> {

    private static final int MAC_BYTES = 32;
    private static final int RANDOM_BYTES = 32;

    private final T value;
    private final Instant expires;
    private final byte[] token;

    private Signed(T value, Instant expires, byte[] token) {
        this.value = value;
        this.expires = expires;
        this.token = token;
    }

    /**
     * What values of one type are signed for. Those of another purpose are never read as such, whatever they contain.
     *
     * @param name distinguishes the purpose from those with the same key
     * @param maxLength of the text of a token
     * @param write the fields of a value, of at most 65535 bytes each
     * @param read the value with these fields; throws IllegalArgumentException or IndexOutOfBoundsException if there is none
     */
    public record Purpose<T>(
            String name, int maxLength, Function<T, List<String>> write, Function<List<String>, T> read) {

        private byte[] mac(byte[] key, byte[] text) {
            return Hmac.sha256(Hmac.sha256(key, name), text);
        }
    }

    /** @param expires null: never */
    public static <T> Signed<T> of(Purpose<T> purpose, byte[] key, T value, @Nullable Instant expires) {
        var text = ByteBuffer.allocate(purpose.maxLength())
                .putLong(expires == null ? Long.MAX_VALUE : expires.toEpochMilli());
        for (String field : purpose.write().apply(value)) {
            byte[] bytes = field.getBytes(UTF_8);
            text.putShort((short) bytes.length).put(bytes);
        }
        byte[] written = Arrays.copyOf(text.array(), text.position());
        byte[] token = Arrays.copyOf(purpose.mac(key, written), MAC_BYTES + written.length);
        System.arraycopy(written, 0, token, MAC_BYTES, written.length);
        return new Signed<>(value, Instant.ofEpochMilli(text.getLong(0)), token);
    }

    /**
     * Reads a token. Compares in constant time.
     *
     * @param keyOf the key for a value, which need not be authentic; null: there is none
     * @return null if the token is not authentic or has expired
     */
    public static <T> @Nullable Signed<T> read(
            Purpose<T> purpose, String token, Function<T, byte @Nullable []> keyOf, Instant now) {
        if (token.length() > purpose.maxLength()) {
            return null;
        }
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(token);
            var text = ByteBuffer.wrap(bytes, MAC_BYTES, bytes.length - MAC_BYTES);
            var expires = Instant.ofEpochMilli(text.getLong());
            var fields = new ArrayList<String>();
            while (text.hasRemaining()) {
                fields.add(field(text));
            }
            T value = purpose.read().apply(fields);
            byte[] key = keyOf.apply(value);
            boolean isAuthentic = key != null
                    && MessageDigest.isEqual(
                            Arrays.copyOf(bytes, MAC_BYTES),
                            purpose.mac(key, Arrays.copyOfRange(bytes, MAC_BYTES, bytes.length)));
            return isAuthentic && now.isBefore(expires) ? new Signed<>(value, expires, bytes) : null;
        } catch (IllegalArgumentException | IndexOutOfBoundsException | BufferUnderflowException _) {
            return null;
        }
    }

    private static String field(ByteBuffer text) {
        int length = Short.toUnsignedInt(text.getShort());
        if (length > text.remaining()) {
            throw new BufferUnderflowException();
        }
        var bytes = new byte[length];
        text.get(bytes);
        return new String(bytes, UTF_8);
    }

    public T value() {
        return value;
    }

    public Instant expires() {
        return expires;
    }

    /** The text of the token. */
    public String text() {
        return encoded(token);
    }

    /** A text that is computed from the token with this key, and is unknown without it. */
    public String derived(byte[] key) {
        return encoded(Hmac.sha256(key, Arrays.copyOf(token, MAC_BYTES)));
    }

    /** A text that cannot be guessed, with which values differ that are otherwise the same. */
    public static String randomText(SecureRandom random) {
        var bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return encoded(bytes);
    }

    public static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Names no value, because the text may be logged. */
    @Override
    public String toString() {
        return "signed value";
    }
}
