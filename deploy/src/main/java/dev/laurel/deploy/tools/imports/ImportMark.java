package dev.laurel.deploy.tools.imports;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The header that each imported record carries: of which import it is, and which entry of it. It makes the log itself the
 * memory of what was imported; no other state grows by it.
 */
record ImportMark(long importId, long number) {

    private static final String NAME = "laurel-import";
    private static final int LENGTH = 2 * Long.BYTES;

    void writeTo(Headers headers) {
        headers.add(NAME, ByteBuffer.allocate(LENGTH).putLong(importId).putLong(number).array());
    }

    /** Null if there is none, or none of ours. */
    static ImportMark read(Headers headers) {
        Header header = headers.lastHeader(NAME);
        if (header == null || header.value() == null || header.value().length != LENGTH) {
            return null;
        }
        var bytes = ByteBuffer.wrap(header.value());
        return new ImportMark(bytes.getLong(), bytes.getLong());
    }

    static String idText(long importId) {
        return HexFormat.of().toHexDigits(importId);
    }

    static long parseId(String text) {
        return HexFormat.fromHexDigitsToLong(text);
    }
}
