package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes one kind of stored value: a version byte, then fields in protobuf's wire encoding. Fields are written and
 * read by hand (see {@link Fields}), which is compact and fast, and needs no copy into generated messages.
 *
 * @param name of the kind, for error messages
 * @param version of the form that is written
 * @param former reads the form of the version before; null if only one version is read
 */
public record Codec<T>(String name, int version, FieldWriter<T> writer, FieldReader<T> reader,
        @Nullable FieldReader<T> former) {

    /** Holds a user with dozens of achievements and triggers. */
    private static final int INITIAL_BYTES = 1024;

    /** Writes the fields of a value. */
    public interface FieldWriter<T> {

        void write(T value, CodedOutputStream out) throws IOException;
    }

    /** Reads the fields of a value. */
    public interface FieldReader<T> {

        T read(CodedInputStream in) throws IOException;
    }

    /** A codec that reads the version that it writes. */
    public Codec(String name, int version, FieldWriter<T> writer, FieldReader<T> reader) {
        this(name, version, writer, reader, null);
    }

    public byte[] encode(T value) {
        for (int size = INITIAL_BYTES;; size *= 2) {
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
        FieldReader<T> fields = bytes.length == 0 ? null : readerOf(bytes[0]);
        if (fields == null) {
            throw new StoredFormatException("a stored " + name + " has version "
                    + (bytes.length == 0 ? "none" : Byte.toString(bytes[0])) + "; this release of Laurel reads version "
                    + (former == null ? "" : version - 1 + " and ") + version);
        }
        try {
            CodedInputStream in = CodedInputStream.newInstance(bytes, 1, bytes.length - 1);
            in.pushLimit(bytes.length - 1);
            T value = fields.read(in);
            if (!in.isAtEnd()) {
                throw new StoredFormatException("a stored " + name + " has more bytes than its fields");
            }
            return value;
        } catch (IOException | IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new StoredFormatException("a stored " + name + " is damaged", e);
        }
    }

    private @Nullable FieldReader<T> readerOf(byte stored) {
        return stored == version ? reader : stored == version - 1 ? former : null;
    }

    /** Decodes the result of a store's get, which is null if there is no entry. */
    @Nullable
    public T decodeIfPresent(byte @Nullable [] bytes) {
        return bytes == null ? null : decode(bytes);
    }

    /**
     * Thrown when a stored value cannot be read: it is damaged, or was written by another release of Laurel. A fault that is never
     * skipped.
     */
    public static final class StoredFormatException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public StoredFormatException(String message) {
            super(message);
        }

        public StoredFormatException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
