package dev.laurel.schemas.topic;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The headers that carry a request through the log and its answer back. A command without them is answered to nobody.
 */
public final class ReplyHeaders {

    private static final String PARTITION = "laurel-reply-partition";
    private static final String REQUEST_ID = "laurel-request-id";
    private static final String STATUS = "laurel-status";
    private static final String AWAITS = "laurel-awaits";
    private static final String PART = "laurel-part";
    private static final String SEPARATOR = ",";

    private ReplyHeaders() {}

    /**
     * Where an answer goes.
     *
     * @param partition of {@code laurel.replies}
     * @param requestId names the waiting request; unique among all gateways
     */
    public record ReplyTo(int partition, UUID requestId) {}

    public static void write(Headers headers, ReplyTo replyTo) {
        headers.add(PARTITION, ByteBuffer.allocate(4).putInt(replyTo.partition()).array());
        headers.add(REQUEST_ID, bytes(replyTo.requestId()));
    }

    /** Null if nobody waits, or if the headers are not ours: a stranger's header must not stop the partition. */
    public static ReplyTo read(Headers headers) {
        Header partition = headers.lastHeader(PARTITION);
        Header requestId = headers.lastHeader(REQUEST_ID);
        if (partition == null || requestId == null || partition.value() == null || requestId.value() == null
                || partition.value().length != 4 || requestId.value().length != 16) {
            return null;
        }
        int number = ByteBuffer.wrap(partition.value()).getInt();
        return number < 0 ? null : new ReplyTo(number, uuid(requestId.value()));
    }

    /** The headers of the answer itself. */
    public static void writeAnswer(Headers headers, UUID requestId, int status) {
        headers.add(REQUEST_ID, bytes(requestId));
        headers.add(STATUS, ByteBuffer.allocate(4).putInt(status).array());
    }

    public static UUID requestId(Headers answer) {
        return uuid(answer.lastHeader(REQUEST_ID).value());
    }

    public static int status(Headers answer) {
        return ByteBuffer.wrap(answer.lastHeader(STATUS).value()).getInt();
    }

    /**
     * Says in an answer that it is not whole: parts of these names come from others.
     *
     * @param parts names without commas
     */
    public static void writeAwaits(Headers answer, List<String> parts) {
        answer.add(AWAITS, String.join(SEPARATOR, parts).getBytes(UTF_8));
    }

    /** The parts that belong to this answer and come separately; empty if it is whole. */
    public static List<String> awaits(Headers answer) {
        Header parts = answer.lastHeader(AWAITS);
        return parts == null ? List.of() : List.of(new String(parts.value(), UTF_8).split(SEPARATOR));
    }

    /** Says that this is a part, of this name, of an answer that comes from someone else. */
    public static void writePart(Headers part, UUID requestId, String name) {
        part.add(REQUEST_ID, bytes(requestId));
        part.add(PART, name.getBytes(UTF_8));
    }

    /** The name of a part; null if this is the answer itself. */
    public static String part(Headers headers) {
        Header part = headers.lastHeader(PART);
        return part == null ? null : new String(part.value(), UTF_8);
    }

    private static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(16).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits())
                .array();
    }

    private static UUID uuid(byte[] bytes) {
        var buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }
}
