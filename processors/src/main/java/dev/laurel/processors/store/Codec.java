package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.time.DateTimeException;

/**
 * The frame of every stored value: a version byte, then fields in protobuf's wire encoding, written and read by hand:
 * compact, fast, no copy into generated messages. A value of an older version is read by the reader of its time and written
 * in the newest one with its next change.
 */
abstract class Codec<T> {

    /** Holds a user with dozens of achievements and triggers. */
    private static final int FIRST_ROOM = 1024;

    private final String name;
    private final byte version;

    /** @param version of what {@link #write} writes; 1, 2, … */
    Codec(String name, int version) {
        this.name = name;
        this.version = (byte) version;
    }

    abstract void write(T value, CodedOutputStream out) throws IOException;

    /** @param writtenVersion 1 up to this codec's version */
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

    /** The enum constant of a stored ordinal: the order of such constants is durable data. */
    static <E> E constant(E[] constants, int ordinal) throws IOException {
        if (ordinal < 0 || ordinal >= constants.length) {
            throw new IOException("there is no constant of number " + ordinal);
        }
        return constants[ordinal];
    }

    /** Null for null, so that a store's answer can be passed in as it is. */
    final T decode(byte[] bytes) {
        if (bytes == null) {
            return null;
        }
        if (bytes.length == 0 || bytes[0] < 1 || bytes[0] > version) {
            throw new StoredFormatException("a stored " + name + " has version "
                    + (bytes.length == 0 ? "none" : Byte.toString(bytes[0])) + ", this Laurel reads 1 to " + version);
        }
        try {
            CodedInputStream in = CodedInputStream.newInstance(bytes, 1, bytes.length - 1);
            in.pushLimit(bytes.length - 1);
            T value = read(bytes[0], in);
            if (!in.isAtEnd()) {
                throw new StoredFormatException("a stored " + name + " is longer than it says");
            }
            return value;
        } catch (IOException | IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new StoredFormatException("a stored " + name + " is damaged", e);
        }
    }
}
