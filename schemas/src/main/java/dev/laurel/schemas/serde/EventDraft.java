package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.input.BadInputException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** A draft of {@link RecordEvent}. */
final class EventDraft implements CommandDraft<RecordEvent> {

    private static final int MAX_METRIC_LENGTH = 255;
    private static final int MAX_IDEMPOTENCY_KEY_LENGTH = 255;

    /** The origin of the fields. */
    private enum Source {
        /** A record of the log. */
        RECORD,
        /** A body; the other fields come from the path, the header and the gateway. */
        BODY,
        /** An entry of a batch. */
        BATCH
    }

    private final Source source;
    private @Nullable UserChange user;
    private @Nullable String metric;
    private @Nullable Instant time;
    private @Nullable BigDecimal value;
    private Map<String, String> attributes = Map.of();
    private @Nullable String idempotencyKey;
    private @Nullable UUID eventId;

    /** A draft of a record of the log. */
    EventDraft() {
        this.source = Source.RECORD;
    }

    /** A draft of a body. */
    EventDraft(String metric, @Nullable String idempotencyKey, UUID eventId) {
        this.source = Source.BODY;
        this.metric = metric;
        this.idempotencyKey = idempotencyKey;
        this.eventId = eventId;
    }

    /** A draft of an entry of a batch. */
    EventDraft(UUID eventId) {
        this.source = Source.BATCH;
        this.eventId = eventId;
    }

    /** The time of an entry of a batch; null: the current time. */
    @Nullable
    Instant time() {
        return time;
    }

    @Override
    public boolean take(String field, JsonParser json) throws BadInputException {
        switch (field) {
            case "user" -> user = UserChangeJson.readUser(json, field);
            case "value" -> value = Fields.amount(json, field);
            case "attributes" -> attributes = attributes(json, field);
            default -> {
                return switch (source) {
                    case RECORD -> takeLogField(field, json);
                    case BODY -> false;
                    case BATCH -> takeBatchField(field, json);
                };
            }
        }
        return true;
    }

    /** Reads a field that only records of the log have. */
    private boolean takeLogField(String field, JsonParser json) throws BadInputException {
        switch (field) {
            case "metric" -> metric = Fields.text(json, field, MAX_METRIC_LENGTH);
            case "idempotencyKey" -> idempotencyKey = Fields.text(json, field);
            case "eventId" -> eventId = Fields.uuid(json, field);
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean takeBatchField(String field, JsonParser json) throws BadInputException {
        switch (field) {
            case "key" -> metric = Fields.text(json, field, MAX_METRIC_LENGTH);
            case "idempotencyKey" -> idempotencyKey = Fields.text(json, field);
            case "time" -> time = Times.parse(Fields.text(json, field), field);
            default -> {
                return false;
            }
        }
        return true;
    }

    private static Map<String, String> attributes(JsonParser json, String field) throws BadInputException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw BadInputException.invalid(field, "must be an object");
        }
        var given = new HashMap<String, String>();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = json.currentName();
            String attribute = Fields.attributeValue(json, field + "." + key);
            if (attribute != null) {
                given.put(key, attribute);
            }
            Fields.expectAtMost(given.size(), UserChange.MAX_ATTRIBUTES, field);
        }
        return given;
    }

    @Override
    public RecordEvent toCommand() throws BadInputException {
        return new RecordEvent(
                UserChangeJson.expectNew(Fields.required(user, "user", UserChangeJson.FORM), "user."),
                Fields.required(metric, source == Source.BATCH ? "key" : "metric", "and must be a string"),
                Fields.required(value, "value", "and must be a number"), attributes, checkedKey(), eventId);
    }

    /** Treats an empty key as absent. */
    private @Nullable String checkedKey() throws BadInputException {
        if (idempotencyKey == null || idempotencyKey.isEmpty()) {
            return null;
        }
        if (idempotencyKey.length() > MAX_IDEMPOTENCY_KEY_LENGTH) {
            throw BadInputException.invalid("The idempotency key", "must have at most " + MAX_IDEMPOTENCY_KEY_LENGTH
                    + " characters, has " + idempotencyKey.length());
        }
        return idempotencyKey;
    }
}
