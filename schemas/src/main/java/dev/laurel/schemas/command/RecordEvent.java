package dev.laurel.schemas.command;

import java.math.BigDecimal;
import java.util.Map;
import java.util.UUID;

/**
 * A user did something that a metric counts.
 *
 * @param value exact; finite, at most 1e12 in size, at most nine fractional digits (semantics.md §3)
 * @param attributes event attributes by key
 * @param idempotencyKey null if none was sent
 * @param eventId null if the producer gave none: then it is derived from the record's place in the log
 */
public record RecordEvent(UserChange user, String metric, BigDecimal value, Map<String, String> attributes,
        String idempotencyKey, UUID eventId) implements UserCommand {

    public RecordEvent {
        attributes = Map.copyOf(attributes);
    }
}
