package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.user.IntKeyedMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.util.Arrays;
import java.util.UUID;

/**
 * Frames every stored value: a version byte, then fields in protobuf's wire encoding. They are written and read by hand:
 * compact, fast, no copy into generated messages. A value of an older version is read as such and written in the newest one
 * with its next change.
 */
abstract class Codec<T> {

    /** Holds a user with dozens of achievements and triggers. */
    private static final int FIRST_ROOM = 1024;

    private final String name;
    private final byte oldest;
    private final byte version;

    /** Reads the field of an entry. */
    interface FieldReader<T> {
        T read() throws IOException;
    }

    /** @param version of the form that {@link #write} writes; all versions from 1 on are read */
    Codec(String name, int version) {
        this(name, 1, version);
    }

    /** @param oldest the oldest version that is read */
    Codec(String name, int oldest, int version) {
        this.name = name;
        this.oldest = (byte) oldest;
        this.version = (byte) version;
    }

    abstract void write(T value, CodedOutputStream out) throws IOException;

    /** @param writtenVersion from the oldest to this codec's version */
    abstract T read(int writtenVersion, CodedInputStream in) throws IOException;

    final byte[] encode(T value) {
        for (int room = FIRST_ROOM;; room *= 2) {
            byte[] bytes = new byte[room];
            CodedOutputStream out = CodedOutputStream.newInstance(bytes);
            try {
                out.write(version);
                write(value, out);
                return Arrays.copyOf(bytes, room - out.spaceLeft());
            } catch (CodedOutputStream.OutOfSpaceException _) {
                // Rare: once more with twice the room.
            } catch (IOException e) {
                throw new UncheckedIOException("writing to memory", e);
            }
        }
    }

    /**
     * Reads how many entries follow. Each takes a byte at least, so damaged bytes cannot ask for more memory than they have
     * themselves.
     */
    static int readCount(CodedInputStream in) throws IOException {
        int count = in.readUInt32();
        if (count < 0 || count > in.getBytesUntilLimit()) {
            throw new IOException("a count of " + count + " with " + in.getBytesUntilLimit() + " bytes left");
        }
        return count;
    }

    /** The codec of an id. */
    static Codec<UUID> ofId(String name) {
        return new Codec<>(name, 1) {
            @Override
            void write(UUID id, CodedOutputStream out) throws IOException {
                writeId(id, out);
            }

            @Override
            UUID read(int writtenVersion, CodedInputStream in) throws IOException {
                return readId(in);
            }
        };
    }

    static void writeId(UUID id, CodedOutputStream out) throws IOException {
        out.writeFixed64NoTag(id.getMostSignificantBits());
        out.writeFixed64NoTag(id.getLeastSignificantBits());
    }

    static UUID readId(CodedInputStream in) throws IOException {
        return new UUID(in.readFixed64(), in.readFixed64());
    }

    /** Reads a map: its size, then the number and the value of each entry. */
    static <T> IntKeyedMap<T> readMap(CodedInputStream in, FieldReader<T> values) throws IOException {
        int size = readCount(in);
        if (size == 0) {
            return IntKeyedMap.empty();
        }
        var numbers = new int[size];
        var read = new Object[size];
        for (int i = 0; i < size; i++) {
            numbers[i] = in.readUInt32();
            read[i] = values.read();
        }
        return IntKeyedMap.ofSorted(numbers, read);
    }

    /** The enum constant of a stored ordinal: the order of such constants is durable data. */
    static <E> E constant(E[] constants, int ordinal) throws IOException {
        if (ordinal < 0 || ordinal >= constants.length) {
            throw new IOException("no constant has the ordinal " + ordinal);
        }
        return constants[ordinal];
    }

    /** Decodes a stored value; null for null, so that the result of a store's get can be passed in. */
    final T decode(byte[] bytes) {
        if (bytes == null) {
            return null;
        }
        if (bytes.length == 0 || bytes[0] < oldest || bytes[0] > version) {
            throw new StoredFormatException("a stored " + name + " has version "
                    + (bytes.length == 0 ? "none" : Byte.toString(bytes[0])) + ", this version of Laurel reads "
                    + oldest + " to " + version);
        }
        try {
            CodedInputStream in = CodedInputStream.newInstance(bytes, 1, bytes.length - 1);
            in.pushLimit(bytes.length - 1);
            T value = read(bytes[0], in);
            if (!in.isAtEnd()) {
                throw new StoredFormatException("a stored " + name + " has more bytes than its fields");
            }
            return value;
        } catch (IOException | IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new StoredFormatException("a stored " + name + " is damaged", e);
        }
    }

    /**
     * Thrown when a stored value cannot be read: it is damaged, or written by a newer version of Laurel. A fault that is
     * never skipped.
     */
    public static final class StoredFormatException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        StoredFormatException(String message) {
            super(message);
        }

        StoredFormatException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
