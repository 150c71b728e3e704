package dev.laurel.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.gateway.RequestResult.Parts;
import dev.laurel.schemas.serde.Json;
import java.util.StringJoiner;

/**
 * Assembles the reply to an event from the JSON of the user's partition and the entries of the leaderboards
 * (docs/application-api.md §3), without parsing either.
 */
final class EventReplyJson {

    private EventReplyJson() {}

    /**
     * Appends {@code "leaderboards"}, the entries by key in their order, except empty ones, and {@code "pending"}, the keys of the
     * leaderboards that did not reply in time, if there are any.
     *
     * @param body a JSON object without these fields
     * @throws IllegalArgumentException if the body is not an object
     */
    static byte[] assemble(byte[] body, Parts entries) {
        String reply = new String(body, UTF_8);
        if (!reply.strip().startsWith("{") || !reply.strip().endsWith("}")) {
            throw new IllegalArgumentException("the reply to an event is not a JSON object");
        }
        int end = reply.lastIndexOf('}');
        String fields = reply.substring(0, end);
        var leaderboards = new StringJoiner(",", "\"leaderboards\":{", "}");
        entries.there().forEach((key, entry) -> {
            if (entry.length > 0) {
                leaderboards.add(Json.text(key) + ":" + new String(entry, UTF_8));
            }
        });
        String pending = entries.missing().isEmpty() ? "" : ",\"pending\":" + Json.text(entries.missing());
        return (fields + (fields.strip().equals("{") ? "" : ",") + leaderboards + pending + reply.substring(end))
                .getBytes(UTF_8);
    }
}
