package dev.laurel.schemas.topic;

import dev.laurel.schemas.key.LogPlace;
import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** The header {@code laurel-place} of a record that was copied into a wider log: its place in the original log. */
public final class PlaceHeader {

    private static final String NAME = "laurel-place";
    private static final int BYTES = 16;

    private PlaceHeader() {}

    /** Replaces the place headers of the record by this one. */
    public static void write(Headers headers, LogPlace place) {
        headers.remove(NAME);
        headers.add(NAME, ByteBuffer.allocate(BYTES).putInt(place.log()).putInt(place.partition())
                .putLong(place.offset()).array());
    }

    /**
     * Returns null if the header is absent or invalid: an invalid header of another producer must not stop the
     * partition.
     */
    public static @Nullable LogPlace read(Headers headers) {
        Header header = headers.lastHeader(NAME);
        if (header == null || header.value() == null || header.value().length != BYTES) {
            return null;
        }
        var bytes = ByteBuffer.wrap(header.value());
        return new LogPlace(bytes.getInt(), bytes.getInt(), bytes.getLong());
    }
}
