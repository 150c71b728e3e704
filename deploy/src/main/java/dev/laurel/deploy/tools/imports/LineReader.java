package dev.laurel.deploy.tools.imports;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Splits bytes into lines and knows the byte at which each ends. A line that is too long is read over, not kept. Used by
 * one thread.
 */
final class LineReader {

    private static final int BUFFER_BYTES = 256 * 1024;

    private final InputStream in;
    private final int maxLength;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
    private int next;
    private int end;
    private Place place;
    private boolean isTooLong;

    /** @param place where {@code in} stands */
    LineReader(InputStream in, int maxLength, Place place) {
        this.in = in;
        this.maxLength = maxLength;
        this.place = place;
    }

    /** Reads on to the end of the next line; false at the end of the input. */
    boolean advance() throws IOException {
        line.reset();
        isTooLong = false;
        long position = place.position();
        boolean hasAny = false;
        while (next < end || fill()) {
            hasAny = true;
            int stop = next;
            while (stop < end && buffer[stop] != '\n') {
                stop++;
            }
            append(stop - next);
            position += stop - next;
            next = stop;
            if (stop < end) {
                next++;
                position++;
                break;
            }
        }
        if (hasAny) {
            place = new Place(place.number() + 1, position);
        }
        return hasAny;
    }

    private boolean fill() throws IOException {
        next = 0;
        end = Math.max(0, in.read(buffer));
        return end > 0;
    }

    private void append(int length) {
        isTooLong |= line.size() + length > maxLength;
        if (!isTooLong) {
            line.write(buffer, next, length);
        }
    }

    /** The line without its end; null if it is too long. */
    byte[] line() {
        if (isTooLong) {
            return null;
        }
        byte[] bytes = line.toByteArray();
        boolean hasReturn = bytes.length > 0 && bytes[bytes.length - 1] == '\r';
        return hasReturn ? Arrays.copyOf(bytes, bytes.length - 1) : bytes;
    }

    /** Behind the line. */
    Place place() {
        return place;
    }
}
