package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.Amounts;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.IdentifyUser;
import dev.laurel.schemas.command.RecordEvent;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.RulesetPublished;
import dev.laurel.schemas.command.Tick;
import dev.laurel.schemas.command.TimersHeld;
import dev.laurel.schemas.command.TimersReleased;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserCommand;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;

import static dev.laurel.schemas.serde.Fields.integer;
import static dev.laurel.schemas.serde.Fields.text;

/**
 * Commands as JSON, read and written token by token: this is the hot path of every event. What is read is foreign input
 * (a direct producer's or a client's), so each reader ends in a whole command or in a {@link BadInputException} that
 * names the field. Unknown fields are ignored, as the contract asks. Thread-safe.
 */
public final class CommandJson {

    static final int MAX_IDEMPOTENCY_KEY_LENGTH = 255;

    private static final int MAX_METRIC_LENGTH = 255;
    private static final int MAX_HOLD_LENGTH = 100;
    private static final String TYPES = "event, identify, ruleset-published, tick, timers-held, timers-released";

    private CommandJson() {}

    /**
     * Reads the value of a record of {@code laurel.commands}. Null, which compaction would call a tombstone, asks for
     * nothing and is refused like an empty value.
     */
    public static Command read(byte[] json) throws BadInputException {
        Draft draft = parse(json, new Draft());
        if (draft.type == null) {
            throw BadInputException.invalid("type", "is required, one of: " + TYPES);
        }
        return switch (draft.type) {
            case "event" -> draft.toEvent();
            case "identify" -> new IdentifyUser(draft.requiredUser(), draft.mustExist);
            case "ruleset-published" -> new RulesetPublished(new TenantId(draft.tenant), draft.requiredVersion());
            case "tick" -> new Tick();
            case "timers-held" -> new TimersHeld(draft.requiredHold());
            case "timers-released" -> new TimersReleased(draft.requiredHold());
            default -> throw BadInputException.invalid("type", "is '" + draft.type + "', must be one of: " + TYPES);
        };
    }

    /**
     * Reads the body of {@code POST /metrics/{metric}/event}.
     *
     * @param idempotencyKey of the header, null or empty if none
     */
    public static RecordEvent readEventBody(byte[] body, String metric, String idempotencyKey, UUID eventId)
            throws BadInputException {
        var draft = new Draft();
        draft.type = "event";
        draft.isBody = true;
        draft.eventId = eventId;
        parse(body, draft);
        draft.metric = metric;
        draft.setIdempotencyKey(idempotencyKey);
        return draft.toEvent();
    }

    /**
     * Reads the body of the user calls.
     *
     * @param pathId the id of the path, which wins over one in the body; null: the body must have it
     */
    public static IdentifyUser readUserBody(byte[] body, UserId pathId, boolean mustExist) throws BadInputException {
        try (JsonParser json = Json.FACTORY.createParser(ObjectReadContext.empty(), body)) {
            expectObject(json);
            UserChange user = UserChangeJson.read(json, "", pathId);
            expectEnd(json);
            return new IdentifyUser(user, mustExist);
        } catch (JacksonException e) {
            throw Json.unreadable(e);
        }
    }

    private static Draft parse(byte[] bytes, Draft draft) throws BadInputException {
        if (bytes == null) {
            throw new BadInputException(Refusal.unreadable("A JSON object is expected, there is no value at all."));
        }
        try (JsonParser json = Json.FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
            expectObject(json);
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String field = json.currentName();
                JsonToken value = json.nextToken();
                if (value != JsonToken.VALUE_NULL) {
                    draft.take(field, json);
                }
            }
            expectEnd(json);
            return draft;
        } catch (JacksonException e) {
            throw Json.unreadable(e);
        }
    }

    private static void expectObject(JsonParser json) throws BadInputException {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            throw new BadInputException(Refusal.unreadable("A JSON object is expected."));
        }
    }

    private static void expectEnd(JsonParser json) throws BadInputException {
        if (json.nextToken() != null) {
            throw new BadInputException(Refusal.unreadable("Not valid JSON: there is more after the object."));
        }
    }

    /** The fields of a command as they come by, in any order; checked one by one, put together at the end. */
    private static final class Draft {
        private String type;
        private boolean isBody;
        private UserChange user;
        private String metric;
        private BigDecimal value;
        private Map<String, String> attributes = Map.of();
        private String idempotencyKey;
        private UUID eventId;
        private boolean mustExist;
        private String tenant = "";
        private long version;
        private String hold;

        /** At the first token of the value of {@code field}, which is not null; leaves at its last. */
        void take(String field, JsonParser json) throws BadInputException {
            switch (field) {
                case "user" -> takeUser(json);
                case "value" -> takeValue(json);
                case "attributes" -> takeAttributes(json);
                default -> {
                    if (isBody || !takeLogField(field, json)) {
                        json.skipChildren();
                    }
                }
            }
        }

        /** The fields that only a record of the log has; in a body they would be unknown. */
        private boolean takeLogField(String field, JsonParser json) throws BadInputException {
            switch (field) {
                case "type" -> type = text(json, field);
                case "metric" -> metric = text(json, field, MAX_METRIC_LENGTH);
                case "idempotencyKey" -> setIdempotencyKey(text(json, field));
                case "eventId" -> eventId = Fields.uuid(json, field);
                case "mustExist" -> mustExist = Fields.bool(json, field);
                case "tenant" -> tenant = text(json, field, TenantId.MAX_LENGTH);
                case "version" -> version = integer(json, field, 1, Long.MAX_VALUE);
                case "hold" -> hold = text(json, field);
                default -> {
                    return false;
                }
            }
            return true;
        }

        private void takeUser(JsonParser json) throws BadInputException {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                throw BadInputException.invalid("user", "must be an object");
            }
            user = UserChangeJson.read(json, "user.", null);
        }

        private void takeValue(JsonParser json) throws BadInputException {
            if (!json.currentToken().isNumeric()) {
                throw BadInputException.invalid("value", "must be a number");
            }
            BigDecimal number = exact(json);
            String problem = Amounts.problemWith(number);
            if (problem != null) {
                throw BadInputException.invalid("value", problem);
            }
            value = Amounts.canonical(number);
        }

        /** The grammar of JSON knows no largest exponent; {@code BigDecimal} does, and throws past it. */
        private static BigDecimal exact(JsonParser json) throws BadInputException {
            try {
                return json.getDecimalValue();
            } catch (NumberFormatException _) {
                throw BadInputException.invalid("value", "has an exponent that is out of range");
            }
        }

        private void takeAttributes(JsonParser json) throws BadInputException {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                throw BadInputException.invalid("attributes", "must be an object");
            }
            var given = new HashMap<String, String>();
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String key = json.currentName();
                String attribute = Fields.attributeValue(json, "attributes." + key);
                if (attribute == null) {
                    given.remove(key);
                } else {
                    given.put(key, attribute);
                }
                Fields.expectAtMost(given.size(), UserChangeJson.MAX_ATTRIBUTES, "attributes");
            }
            attributes = given;
        }

        void setIdempotencyKey(String key) throws BadInputException {
            if (key == null || key.isEmpty()) {
                return;
            }
            if (key.length() > MAX_IDEMPOTENCY_KEY_LENGTH) {
                throw BadInputException.invalid("The idempotency key",
                        "must have at most " + MAX_IDEMPOTENCY_KEY_LENGTH + " characters, has " + key.length());
            }
            idempotencyKey = key;
        }

        RecordEvent toEvent() throws BadInputException {
            UserChange who = requiredUser();
            if (metric == null) {
                throw BadInputException.invalid("metric", "is required");
            }
            if (value == null) {
                throw BadInputException.invalid("value", "is required and must be a number");
            }
            return new RecordEvent(who, metric, value, attributes, idempotencyKey, eventId);
        }

        UserChange requiredUser() throws BadInputException {
            if (user == null) {
                throw BadInputException.invalid("user", "is required and must be an object with an id");
            }
            return user;
        }

        long requiredVersion() throws BadInputException {
            if (version == 0) {
                throw BadInputException.invalid("version", "is required");
            }
            return version;
        }

        String requiredHold() throws BadInputException {
            if (hold == null || hold.isEmpty() || hold.length() > MAX_HOLD_LENGTH) {
                throw BadInputException.invalid("hold", "is required, 1 to " + MAX_HOLD_LENGTH + " characters");
            }
            return hold;
        }
    }

    /** Writes the value of a record of {@code laurel.commands}; {@link #read} reads it back equal. */
    public static byte[] write(Command command) {
        var bytes = new ByteArrayOutputStream(256);
        try (JsonGenerator json = Json.FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            switch (command) {
                case RecordEvent event -> write(json, event);
                case IdentifyUser identify -> write(json, identify);
                case UserCommand other -> throw new IllegalArgumentException("no JSON form yet of " + other);
                case RulesetPublished(TenantId tenant, long version) -> {
                    json.writeStringProperty("type", "ruleset-published");
                    if (!tenant.value().isEmpty()) {
                        json.writeStringProperty("tenant", tenant.value());
                    }
                    json.writeNumberProperty("version", version);
                }
                case Tick _ -> json.writeStringProperty("type", "tick");
                case TimersHeld(String hold) -> {
                    json.writeStringProperty("type", "timers-held");
                    json.writeStringProperty("hold", hold);
                }
                case TimersReleased(String hold) -> {
                    json.writeStringProperty("type", "timers-released");
                    json.writeStringProperty("hold", hold);
                }
            }
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator json, RecordEvent event) {
        json.writeStringProperty("type", "event");
        json.writeStringProperty("metric", event.metric());
        json.writeName("value");
        json.writeNumber(Json.plain(event.value()));
        json.writeName("user");
        UserChangeJson.write(json, event.user());
        if (!event.attributes().isEmpty()) {
            json.writeObjectPropertyStart("attributes");
            UserChangeJson.sorted(event.attributes()).forEach(json::writeStringProperty);
            json.writeEndObject();
        }
        if (event.idempotencyKey() != null) {
            json.writeStringProperty("idempotencyKey", event.idempotencyKey());
        }
        if (event.eventId() != null) {
            json.writeStringProperty("eventId", event.eventId().toString());
        }
    }

    private static void write(JsonGenerator json, IdentifyUser identify) {
        json.writeStringProperty("type", "identify");
        json.writeName("user");
        UserChangeJson.write(json, identify.user());
        if (identify.mustExist()) {
            json.writeBooleanProperty("mustExist", true);
        }
    }
}
