package dev.laurel.schemas.topic;

import dev.laurel.schemas.command.LogPlace;
import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** The header {@code laurel-place} of a record that was copied into a wider log: where it stood first. */
public final class PlaceHeader {

    private static final String NAME = "laurel-place";
    private static final int BYTES = 16;

    private PlaceHeader() {}

    /** The only one of the record from here on. */
    public static void write(Headers headers, LogPlace place) {
        headers.remove(NAME);
        headers.add(NAME, ByteBuffer.allocate(BYTES).putInt(place.log()).putInt(place.partition())
                .putLong(place.offset()).array());
    }

    /** Null if there is none, or it is not ours: a stranger's header must not stop the partition. */
    public static LogPlace read(Headers headers) {
        Header header = headers.lastHeader(NAME);
        if (header == null || header.value() == null || header.value().length != BYTES) {
            return null;
        }
        var bytes = ByteBuffer.wrap(header.value());
        return new LogPlace(bytes.getInt(), bytes.getInt(), bytes.getLong());
    }
}
