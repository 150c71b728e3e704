package dev.laurel.schemas.topic;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.audit.AuditRecord.Versions;
import dev.laurel.schemas.serde.Json;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** The headers that connect a command with its reply, and an edit with its author. A command without them gets no reply. */
public final class ReplyHeaders {

    private static final String PARTITION = "laurel-reply-partition";
    private static final String REQUEST_ID = "laurel-request-id";
    private static final String STATUS = "laurel-status";
    private static final String AWAITS = "laurel-awaits";
    private static final String PART = "laurel-part";
    private static final String VERSIONS = "laurel-versions";
    private static final String AUTHOR = "laurel-author";
    private static final String SEPARATOR = ",";

    private ReplyHeaders() {}

    /**
     * The destination of a reply.
     *
     * @param partition partition of {@code laurel.replies}
     * @param requestId id of the waiting request; unique among all gateways
     */
    public record ReplyTo(int partition, UUID requestId) {}

    public static void write(Headers headers, ReplyTo replyTo) {
        headers.add(
                PARTITION, ByteBuffer.allocate(4).putInt(replyTo.partition()).array());
        headers.add(REQUEST_ID, bytes(replyTo.requestId()));
    }

    /**
     * Returns null if no request waits or the headers are invalid: invalid headers of another producer must not stop
     * the partition.
     */
    public static @Nullable ReplyTo read(Headers headers) {
        Header partition = headers.lastHeader(PARTITION);
        Header requestId = headers.lastHeader(REQUEST_ID);
        if (partition == null
                || requestId == null
                || partition.value() == null
                || requestId.value() == null
                || partition.value().length != 4
                || requestId.value().length != 16) {
            return null;
        }
        int number = ByteBuffer.wrap(partition.value()).getInt();
        return number < 0 ? null : new ReplyTo(number, uuid(requestId.value()));
    }

    /** Writes the headers of a reply. */
    public static void writeAnswer(Headers headers, UUID requestId, int status) {
        headers.add(REQUEST_ID, bytes(requestId));
        headers.add(STATUS, ByteBuffer.allocate(4).putInt(status).array());
    }

    /** Adds to a reply the versions of the ruleset before and after the edit. */
    public static void writeVersions(Headers answer, Versions versions) {
        answer.add(
                VERSIONS,
                ByteBuffer.allocate(16)
                        .putLong(versions.before())
                        .putLong(versions.after())
                        .array());
    }

    /** Returns null if the request was no edit of a ruleset. */
    public static @Nullable Versions versions(Headers answer) {
        Header versions = answer.lastHeader(VERSIONS);
        if (versions == null) {
            return null;
        }
        var buffer = ByteBuffer.wrap(versions.value());
        return new Versions(buffer.getLong(), buffer.getLong());
    }

    public static UUID requestId(Headers answer) {
        return uuid(answer.lastHeader(REQUEST_ID).value());
    }

    public static int status(Headers answer) {
        return ByteBuffer.wrap(answer.lastHeader(STATUS).value()).getInt();
    }

    /**
     * Marks a reply as incomplete: parts with these names come from other processors.
     *
     * @param parts names of the parts, without commas
     */
    public static void writeAwaits(Headers answer, List<String> parts) {
        answer.add(AWAITS, String.join(SEPARATOR, parts).getBytes(UTF_8));
    }

    /** The names of the parts that come separately; empty if the reply is complete. */
    public static List<String> awaits(Headers answer) {
        Header parts = answer.lastHeader(AWAITS);
        return parts == null ? List.of() : List.of(new String(parts.value(), UTF_8).split(SEPARATOR));
    }

    /** Writes the headers of a part with this name, whose reply comes from another processor. */
    public static void writePart(Headers part, UUID requestId, String name) {
        part.add(REQUEST_ID, bytes(requestId));
        part.add(PART, name.getBytes(UTF_8));
    }

    /** The name of a part; null if this is the reply itself. */
    public static @Nullable String part(Headers headers) {
        Header part = headers.lastHeader(PART);
        return part == null ? null : new String(part.value(), UTF_8);
    }

    /** Adds the author of an edit to its headers. @param author null: a process of the deployment, which needs no header */
    public static void writeAuthor(Headers edit, @Nullable Author author) {
        if (author != null) {
            edit.add(AUTHOR, Json.write(author));
        }
    }

    /** Returns null if the header is absent or cannot be read: an edit counts without its author. */
    public static @Nullable Author author(Headers edit) {
        Header author = edit.lastHeader(AUTHOR);
        try {
            return author == null || author.value() == null ? null : Json.read(author.value(), Author.class);
        } catch (RuntimeException _) {
            return null;
        }
    }

    private static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    private static UUID uuid(byte[] bytes) {
        var buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }
}
