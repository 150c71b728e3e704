package dev.laurel.processors.stream;

import org.apache.kafka.common.header.Headers;

/** The header of scores for which another generation produces the output. */
final class SilentHeader {

    private static final String NAME = "laurel-silent";
    private static final byte[] EMPTY = {};

    private SilentHeader() {}

    static void write(Headers headers) {
        headers.add(NAME, EMPTY);
    }

    static boolean isIn(Headers headers) {
        return headers.lastHeader(NAME) != null;
    }
}
