package dev.laurel.schemas.topic;

import dev.laurel.schemas.key.LogPosition;
import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** The header {@code laurel-place} of a record that was copied into a wider log: its position in the original log. */
public final class PositionHeader {

    private static final String NAME = "laurel-place";
    private static final int BYTES = 16;

    private PositionHeader() {}

    /** Replaces the position headers of the record by this one. */
    public static void write(Headers headers, LogPosition position) {
        headers.remove(NAME);
        headers.add(
                NAME,
                ByteBuffer.allocate(BYTES)
                        .putInt(position.log())
                        .putInt(position.partition())
                        .putLong(position.offset())
                        .array());
    }

    /**
     * Returns null if the header is absent or invalid: an invalid header of another producer must not stop the
     * partition.
     */
    public static @Nullable LogPosition read(Headers headers) {
        Header header = headers.lastHeader(NAME);
        if (header == null || header.value() == null || header.value().length != BYTES) {
            return null;
        }
        var bytes = ByteBuffer.wrap(header.value());
        return new LogPosition(bytes.getInt(), bytes.getInt(), bytes.getLong());
    }
}
