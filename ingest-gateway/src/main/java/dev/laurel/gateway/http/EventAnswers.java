package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.Parts;
import dev.laurel.schemas.serde.Json;
import java.io.ByteArrayOutputStream;
import java.util.List;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The answer to an event, put together from what the user's partition wrote and the entries of the leaderboards
 * (application-api.md §3). They are JSON already and are not read again.
 */
final class EventAnswers {

    private static final byte[] LEADERBOARDS = "\"leaderboards\":{".getBytes(US_ASCII);
    private static final byte[] PENDING = ",\"pending\":[".getBytes(US_ASCII);

    private EventAnswers() {}

    /**
     * The answer with {@code "leaderboards"} at its end: the entries by key, in their order, without the empty ones; and
     * {@code "pending"} with the keys of those that did not come in time, if any.
     *
     * @param body a JSON object with neither of the two
     * @throws IllegalArgumentException if it is no object
     */
    static byte[] assemble(byte[] body, Parts entries) {
        int first = skip(body, 0, 1);
        int last = skip(body, body.length - 1, -1);
        if (first >= last || body[first] != '{' || body[last] != '}') {
            throw new IllegalArgumentException("the answer to an event is no JSON object");
        }
        var out = new ByteArrayOutputStream(body.length + room(entries));
        out.write(body, 0, last);
        // Before the last brace stands an opening one only if nothing stands between them.
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

    /** The first place from here on where no white space stands. */
    private static int skip(byte[] json, int from, int step) {
        int at = from;
        while (at >= 0 && at < json.length
                && (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t')) {
            at += step;
        }
        return at;
    }

    private static int room(Parts entries) {
        int room = 64;
        for (var entry : entries.there().entrySet()) {
            room += entry.getKey().length() + entry.getValue().length + 4;
        }
        return room;
    }
}
