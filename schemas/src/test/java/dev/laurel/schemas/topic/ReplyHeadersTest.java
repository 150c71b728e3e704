package dev.laurel.schemas.topic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import java.util.UUID;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class ReplyHeadersTest {

    private static final UUID REQUEST = UUID.fromString("3f0c8f1e-7c1b-4d5a-9a39-0d0f6b1c2a10");

    @Test
    void shouldReadBackThePartitionAndRequestId() {
        var headers = new RecordHeaders();
        ReplyHeaders.write(headers, new ReplyTo(11, REQUEST));

        assertEquals(new ReplyTo(11, REQUEST), ReplyHeaders.read(headers));
    }

    @Test
    void shouldReadBackTheHeadersOfAnAnswer() {
        var headers = new RecordHeaders();
        ReplyHeaders.writeAnswer(headers, REQUEST, 201);

        assertEquals(REQUEST, ReplyHeaders.requestId(headers));
        assertEquals(201, ReplyHeaders.status(headers));
    }

    /** Gateways and nodes of different releases depend on these names and widths. */
    @Test
    void shouldKeepNamesAndWidths() {
        var headers = new RecordHeaders();
        ReplyHeaders.write(headers, new ReplyTo(258, new UUID(1, 2)));

        assertArrayEquals(
                new byte[] {0, 0, 1, 2},
                headers.lastHeader("laurel-reply-partition").value());
        assertArrayEquals(
                new byte[] {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2},
                headers.lastHeader("laurel-request-id").value());
    }

    @Test
    void shouldReadNullWithoutHeaders() {
        assertNull(ReplyHeaders.read(new RecordHeaders()));
    }

    @Test
    void shouldReadNullFromMalformedHeaders() {
        assertNull(readWith("7".getBytes(UTF_8), new byte[16]));
        assertNull(readWith(new byte[4], REQUEST.toString().getBytes(UTF_8)));
        assertNull(readWith(null, new byte[16]));
        assertNull(readWith(new byte[4], null));
        assertNull(readWith(new byte[] {-1, 0, 0, 0}, new byte[16]));
        assertEquals(new ReplyTo(0, new UUID(0, 0)), readWith(new byte[4], new byte[16]));
    }

    private static ReplyTo readWith(byte[] partition, byte[] requestId) {
        var headers = new RecordHeaders();
        headers.add("laurel-reply-partition", partition);
        headers.add("laurel-request-id", requestId);
        return ReplyHeaders.read(headers);
    }
}
