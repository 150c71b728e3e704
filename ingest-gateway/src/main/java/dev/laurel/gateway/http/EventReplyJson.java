package dev.laurel.gateway.http;

import dev.laurel.gateway.RequestResult.Parts;
import dev.laurel.schemas.serde.Json;
import java.io.ByteArrayOutputStream;
import java.util.List;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Assembles the reply to an event from the JSON of the user's partition and the entries of the leaderboards
 * (docs/application-api.md §3), without parsing either.
 */
final class EventReplyJson {

    private static final byte[] LEADERBOARDS = "\"leaderboards\":{".getBytes(US_ASCII);
    private static final byte[] PENDING = ",\"pending\":[".getBytes(US_ASCII);

    private EventReplyJson() {}

    /**
     * Appends {@code "leaderboards"}, the entries by key in their order, except empty ones, and {@code "pending"}, the keys of the
     * leaderboards that did not reply in time, if there are any.
     *
     * @param body a JSON object without these fields
     * @throws IllegalArgumentException if the body is not an object
     */
    static byte[] assemble(byte[] body, Parts entries) {
        int first = skip(body, 0, 1);
        int last = skip(body, body.length - 1, -1);
        if (first >= last || body[first] != '{' || body[last] != '}') {
            throw new IllegalArgumentException("the reply to an event is not a JSON object");
        }
        var out = new ByteArrayOutputStream(body.length + extraBytes(entries));
        out.write(body, 0, last);
        // A comma, unless the object is empty.
        if (skip(body, last - 1, -1) != first) {
            out.write(',');
        }
        out.writeBytes(LEADERBOARDS);
        boolean isFirst = true;
        for (var entry : entries.there().entrySet()) {
            if (entry.getValue().length == 0) {
                continue;
            }
            if (!isFirst) {
                out.write(',');
            }
            isFirst = false;
            out.writeBytes(Json.write(entry.getKey()));
            out.write(':');
            out.writeBytes(entry.getValue());
        }
        out.write('}');
        writePending(entries.missing(), out);
        out.write(body, last, body.length - last);
        return out.toByteArray();
    }

    private static void writePending(List<String> missing, ByteArrayOutputStream out) {
        if (missing.isEmpty()) {
            return;
        }
        out.writeBytes(PENDING);
        for (int i = 0; i < missing.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            out.writeBytes(Json.write(missing.get(i)));
        }
        out.write(']');
    }

    /** The index of the first character from here on that is not white space. */
    private static int skip(byte[] json, int from, int step) {
        int at = from;
        while (at >= 0 && at < json.length
                && (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t')) {
            at += step;
        }
        return at;
    }

    private static int extraBytes(Parts entries) {
        int bytes = 64;
        for (var entry : entries.there().entrySet()) {
            bytes += entry.getKey().length() + entry.getValue().length + 4;
        }
        return bytes;
    }
}
