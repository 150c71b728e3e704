package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Uuids;
import dev.laurel.schemas.serde.RecordJson.Draft;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** A draft of {@link RecordEvent}, and its writer: by hand, because every event passes through them. */
final class EventDraft implements Draft<RecordEvent> {

    /** The user of a command that creates or updates its user (docs/application-api.md §2 "User (request)"). */
    static final RecordJson<UserChange> USER = new RecordJson<>(UserChange.KIND);

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
            case "user" -> user = user(json, field);
            case "value" -> value = amount(json, field);
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
            case "metric" -> metric = RecordJson.text(json, field, MAX_METRIC_LENGTH);
            case "idempotencyKey" -> idempotencyKey = RecordJson.text(json, field);
            case "eventId" -> eventId = id(json, field);
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean takeBatchField(String field, JsonParser json) throws BadInputException {
        switch (field) {
            case "key" -> metric = RecordJson.text(json, field, MAX_METRIC_LENGTH);
            case "idempotencyKey" -> idempotencyKey = RecordJson.text(json, field);
            case "time" -> time = Times.parse(RecordJson.text(json, field), field);
            default -> {
                return false;
            }
        }
        return true;
    }

    private static UserChange user(JsonParser json, String field) throws BadInputException {
        RecordJson.expect(json, JsonToken.START_OBJECT, "must be an object", field);
        return USER.read(json, "user.", Map.of());
    }

    private static BigDecimal amount(JsonParser json, String field) throws BadInputException {
        BigDecimal number = RecordJson.number(json, field);
        String problem = Amounts.problemWith(number);
        if (problem != null) {
            throw BadInputException.invalid(field, problem);
        }
        return Amounts.canonical(number);
    }

    private static UUID id(JsonParser json, String field) throws BadInputException {
        UUID id = Uuids.parse(RecordJson.text(json, field));
        if (id == null) {
            throw BadInputException.invalid(field, "must be a UUID");
        }
        return id;
    }

    private static Map<String, String> attributes(JsonParser json, String field) throws BadInputException {
        RecordJson.expect(json, JsonToken.START_OBJECT, "must be an object", field);
        var given = new HashMap<String, String>();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = json.currentName();
            if (json.nextToken() != JsonToken.VALUE_NULL) {
                given.put(key, RecordJson.looseText(json, field + "." + key, UserChange.MAX_ATTRIBUTE_LENGTH));
            }
            RecordJson.expectAtMost(given.size(), UserChange.MAX_ATTRIBUTES, field);
        }
        return given;
    }

    @Override
    public RecordEvent toRecord() throws BadInputException {
        return new RecordEvent(required(user, "user", "an object with an id"),
                required(metric, source == Source.BATCH ? "key" : "metric", "a string"),
                required(value, "value", "a number"), attributes, checkedKey(), eventId);
    }

    private static <T> T required(@Nullable T value, String field, String form) throws BadInputException {
        if (value == null) {
            throw BadInputException.invalid(field, "is required and must be " + form);
        }
        return value;
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

    /** Writes an event as a record of the log. */
    static void write(JsonGenerator json, RecordEvent event) {
        json.writeStartObject();
        json.writeStringProperty("type", "event");
        json.writeStringProperty("metric", event.metric());
        json.writeName("value");
        json.writeNumber(Json.plain(event.value()));
        json.writeObjectPropertyStart("user");
        USER.write(json, event.user());
        json.writeEndObject();
        if (!event.attributes().isEmpty()) {
            json.writeObjectPropertyStart("attributes");
            RecordJson.sorted(event.attributes()).forEach(json::writeStringProperty);
            json.writeEndObject();
        }
        if (event.idempotencyKey() != null) {
            json.writeStringProperty("idempotencyKey", event.idempotencyKey());
        }
        if (event.eventId() != null) {
            json.writeStringProperty("eventId", event.eventId().toString());
        }
        json.writeEndObject();
    }
}
