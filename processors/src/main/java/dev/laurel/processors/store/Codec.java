package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes one kind of stored value: a version byte, then its fields in protobuf's wire encoding. The fields follow from the
 * type of the value ({@link #of}). Only users and their history, of which one is read and written with each event, are written by hand
 * (see {@link BinaryFields}).
 *
 * @param name of the kind, for error messages
 */
public record Codec<T>(String name, int version, FieldWriter<T> writer, FieldReader<T> reader) {

    /** Holds a user with dozens of achievements and triggers. */
    private static final int INITIAL_BYTES = 1024;

    /** Writes the fields of a value. */
    public interface FieldWriter<T extends @Nullable Object> {

        void write(T value, CodedOutputStream out) throws IOException;
    }

    /** Reads the fields of a value. */
    public interface FieldReader<T extends @Nullable Object> {

        T read(CodedInputStream in) throws IOException;
    }

    /** A codec of values with the {@link Form} of a type. @throws IllegalArgumentException if it has none */
    public static <T> Codec<T> of(String name, int version, Class<T> type) {
        return of(name, version, Form.of(type));
    }

    /** A codec of lists. @param type of the elements */
    public static <T> Codec<List<T>> ofList(String name, int version, Class<T> type) {
        return of(name, version, Form.list(Form.of(type)));
    }

    private static <T> Codec<T> of(String name, int version, Form<T> form) {
        return new Codec<>(name, version, form.writer(), form.reader());
    }

    public byte[] encode(T value) {
        for (int size = INITIAL_BYTES; ; size *= 2) {
            byte[] bytes = new byte[size];
            CodedOutputStream out = CodedOutputStream.newInstance(bytes);
            try {
                out.write((byte) version);
                writer.write(value, out);
                return Arrays.copyOf(bytes, size - out.spaceLeft());
            } catch (CodedOutputStream.OutOfSpaceException _) {
                // Rare: the next attempt has twice the space.
            } catch (IOException e) {
                throw new UncheckedIOException("writing to memory", e);
            }
        }
    }

    public T decode(byte[] bytes) {
        if (bytes.length == 0 || bytes[0] != version) {
            throw new StoredFormatException("a stored " + name + " has version "
                    + (bytes.length == 0 ? "none" : Byte.toString(bytes[0])) + "; this release of Laurel reads version "
                    + version);
        }
        try {
            CodedInputStream in = CodedInputStream.newInstance(bytes, 1, bytes.length - 1);
            in.pushLimit(bytes.length - 1);
            T value = reader.read(in);
            if (!in.isAtEnd()) {
                throw new StoredFormatException("a stored " + name + " has more bytes than its fields");
            }
            return value;
        } catch (IOException | IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new StoredFormatException("a stored " + name + " is damaged", e);
        }
    }

    /** Decodes the result of a store's get, which is null if there is no entry. */
    @Nullable
    public T decodeIfPresent(byte @Nullable [] bytes) {
        return bytes == null ? null : decode(bytes);
    }

    /** The value of an entry; null if there is none. */
    @Nullable
    public T get(ReadOnlyKeyValueStore<Bytes, byte[]> store, Bytes key) {
        return decodeIfPresent(store.get(key));
    }

    /** Works like the other method. @param none returned if there is no entry */
    public T get(ReadOnlyKeyValueStore<Bytes, byte[]> store, Bytes key, T none) {
        byte[] bytes = store.get(key);
        return bytes == null ? none : decode(bytes);
    }

    public void put(KeyValueStore<Bytes, byte[]> store, Bytes key, T value) {
        store.put(key, encode(value));
    }

    /**
     * Thrown when a stored value cannot be read: it is damaged, or was written by another release of Laurel. A fault that is never
     * skipped.
     */
    public static final class StoredFormatException extends RuntimeException {

        public StoredFormatException(String message) {
            super(message);
        }

        public StoredFormatException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
