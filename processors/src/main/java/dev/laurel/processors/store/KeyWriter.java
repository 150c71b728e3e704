package dev.laurel.processors.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.key.TenantId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

/**
 * Writes the parts of a key, one after the other. Numbers are big-endian. The written keys are durable data. One use.
 */
public final class KeyWriter {

    private static final int INITIAL_BYTES = 96;

    private ByteBuffer key;

    public KeyWriter() {
        this(INITIAL_BYTES);
    }

    /** @param bytes of the whole key: then it is not copied */
    public KeyWriter(int bytes) {
        key = ByteBuffer.allocate(bytes);
    }

    /** Begins a key with the letter of its kind. */
    public static KeyWriter ofKind(char kind) {
        return new KeyWriter().letter(kind);
    }

    public KeyWriter letter(int letter) {
        reserve(1).put((byte) letter);
        return this;
    }

    /** A text with its length, of two bytes, before it. */
    public KeyWriter text(String text) {
        return text(text.getBytes(UTF_8));
    }

    public KeyWriter text(byte[] text) {
        return number((short) text.length).bytes(text);
    }

    public KeyWriter tenant(TenantId tenant) {
        return text(tenant.value());
    }

    /** Bytes without their length, at the end of a key. */
    public KeyWriter bytes(byte[] bytes) {
        reserve(bytes.length).put(bytes);
        return this;
    }

    /** A text with its length, of four bytes, before it. */
    public KeyWriter longText(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return number(bytes.length).bytes(bytes);
    }

    public KeyWriter number(short number) {
        reserve(Short.BYTES).putShort(number);
        return this;
    }

    public KeyWriter number(int number) {
        reserve(Integer.BYTES).putInt(number);
        return this;
    }

    public KeyWriter number(long number) {
        reserve(Long.BYTES).putLong(number);
        return this;
    }

    /** A number whose sign bit is flipped, so that the order of bytes is that of numbers. */
    public KeyWriter ordered(int number) {
        return number(number ^ Integer.MIN_VALUE);
    }

    public KeyWriter ordered(long number) {
        return number(number ^ Long.MIN_VALUE);
    }

    public KeyWriter id(UUID id) {
        return number(id.getMostSignificantBits()).number(id.getLeastSignificantBits());
    }

    private ByteBuffer reserve(int more) {
        if (key.remaining() < more) {
            int size = Math.max(2 * key.capacity(), key.position() + more);
            key = ByteBuffer.allocate(size).put(key.flip());
        }
        return key;
    }

    public byte[] toBytes() {
        return key.hasRemaining() ? Arrays.copyOf(key.array(), key.position()) : key.array();
    }

    public Bytes toKey() {
        return Bytes.wrap(toBytes());
    }
}
