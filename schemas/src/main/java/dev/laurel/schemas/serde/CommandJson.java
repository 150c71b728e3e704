package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.TimedEvent;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserId;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;

/**
 * Reads and writes commands as JSON, token by token, because this is the hot path of every event. The input comes from
 * direct producers and clients, so a reader returns a valid command or throws a {@link BadInputException} that names the
 * field. Fields that a type of command does not have are ignored, even if another type has them. Thread-safe.
 */
public final class CommandJson {

    private static final String TYPE = "type";
    private static final String TYPES = "event, identify, complete, preferences, grant-freeze, plan-pause, delete-pause, "
            + "restore-streak, reset-streak, grant-boost, change-boost, revoke-boost, test-message, drop-device-tokens, record-reaction, erase-user, issue-key, revoke-key, note-key-use, delete-owned-pause, "
            + "change-owned-boost, revoke-owned-boost, revoke-owned-key, ruleset-published, tick, timers-held, timers-released, generation-promoted";

    private CommandJson() {}

    /**
     * Reads the body of {@code POST /metrics/{metric}/event}.
     *
     * @param idempotencyKey value of the header; null or empty: no key
     */
    public static RecordEvent readEventBody(byte[] body, String metric, @Nullable String idempotencyKey, UUID eventId)
            throws BadInputException {
        return readBody(body, new EventDraft(metric, idempotencyKey, eventId));
    }

    /** Reads the body of {@code POST /achievements/{achievement}/complete}. */
    public static CompleteAchievement readCompletionBody(byte[] body, String achievement) throws BadInputException {
        return readBody(body, CommandForm.completionOf(achievement));
    }

    /** Reads the body of {@code PATCH /users/{user}/preferences}. */
    public static SetPreferences readPreferencesBody(byte[] body, UserId user) throws BadInputException {
        return readBody(body, new PreferencesDraft(user));
    }

    private static CommandDraft<?> draft(String type) throws BadInputException {
        CommandDraft<?> draft = switch (type) {
            case "event" -> new EventDraft();
            case "preferences" -> new PreferencesDraft();
            default -> CommandForm.draft(type);
        };
        if (draft == null) {
            throw BadInputException.invalid(TYPE, "is '" + type + "', must be one of: " + TYPES);
        }
        return draft;
    }

    /** Reads the value of a record of {@code laurel.commands}. Null, a tombstone to compaction, is refused like an empty value. */
    public static Command read(byte @Nullable [] record) throws BadInputException {
        if (record == null) {
            throw new BadInputException(Refusal.unreadable("A JSON object is expected, there is no value at all."));
        }
        try (JsonParser json = parser(record)) {
            expectObject(json);
            CommandDraft<?> draft = null;
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String field = json.currentName();
                JsonToken value = json.nextToken();
                if (draft == null) {
                    boolean isType = field.equals(TYPE) && value != JsonToken.VALUE_NULL;
                    draft = draft(isType ? Fields.text(json, TYPE) : typeOf(record));
                }
                take(draft, field, json);
            }
            expectEnd(json);
            if (draft == null) {
                throw typeIsMissing();
            }
            return draft.toCommand();
        } catch (JacksonException e) {
            throw Json.unreadable(e);
        }
    }

    /**
     * Finds the type of a record that does not begin with it. Such a record is parsed twice, so that the draft of its type reads
     * every field: an unknown field may have any form, even if another type has a field of that name.
     */
    private static String typeOf(byte[] record) throws BadInputException {
        try (JsonParser json = parser(record)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isType = json.currentName().equals(TYPE);
                if (json.nextToken() != JsonToken.VALUE_NULL && isType) {
                    return Fields.text(json, TYPE);
                }
                json.skipChildren();
            }
        }
        throw typeIsMissing();
    }

    private static BadInputException typeIsMissing() {
        return BadInputException.invalid(TYPE, "is required, one of: " + TYPES);
    }

    private static <C extends Command> C readBody(byte[] body, CommandDraft<C> draft) throws BadInputException {
        try (JsonParser json = parser(body)) {
            expectObject(json);
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String field = json.currentName();
                json.nextToken();
                take(draft, field, json);
            }
            expectEnd(json);
            return draft.toCommand();
        } catch (JacksonException e) {
            throw Json.unreadable(e);
        }
    }

    /**
     * Reads the body of {@code POST /admin/v1/metrics/events}. One invalid event makes the whole body invalid.
     *
     * @param max maximum number of events
     * @param eventIds supplies the ids of events
     * @throws BadInputException naming the index in the array
     */
    public static List<TimedEvent> readBatch(byte[] body, int max, Supplier<UUID> eventIds) throws BadInputException {
        var events = new ArrayList<TimedEvent>();
        int count = 0;
        try (JsonParser json = parser(body)) {
            if (json.nextToken() != JsonToken.START_ARRAY) {
                throw new BadInputException(Refusal.unreadable("A JSON array is expected."));
            }
            for (; json.nextToken() != JsonToken.END_ARRAY; count++) {
                if (count < max) {
                    events.add(readItem(json, count, new EventDraft(eventIds.get())));
                } else {
                    json.skipChildren();
                }
            }
            if (json.nextToken() != null) {
                throw new BadInputException(Refusal.unreadable("Not valid JSON: there is more after the array."));
            }
        } catch (JacksonException e) {
            throw Json.unreadable(e);
        }
        if (count == 0 || count > max) {
            throw BadInputException.invalid("The array", "must have 1 to " + max + " events, has " + count);
        }
        return events;
    }

    private static TimedEvent readItem(JsonParser json, int index, EventDraft draft) throws BadInputException {
        try {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                throw new BadInputException(Refusal.invalid("must be an object."));
            }
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String field = json.currentName();
                json.nextToken();
                take(draft, field, json);
            }
            return new TimedEvent(draft.toCommand(), draft.time());
        } catch (BadInputException e) {
            throw new BadInputException(e.refusal().at(index));
        }
    }

    /**
     * Reads the body of the calls for users.
     *
     * @param pathId id in the path, which takes precedence over one in the body; null: the body must contain it
     */
    public static IdentifyUser readUserBody(byte[] body, @Nullable UserId pathId, boolean mustExist)
            throws BadInputException {
        try (JsonParser json = parser(body)) {
            expectObject(json);
            UserChange user = UserChangeJson.read(json, "", pathId);
            expectEnd(json);
            return new IdentifyUser(pathId == null ? UserChangeJson.expectNew(user, "") : user, mustExist);
        } catch (JacksonException e) {
            throw Json.unreadable(e);
        }
    }

    private static void take(CommandDraft<?> draft, String field, JsonParser json) throws BadInputException {
        if (json.currentToken() != JsonToken.VALUE_NULL && !draft.take(field, json)) {
            json.skipChildren();
        }
    }

    private static JsonParser parser(byte[] bytes) throws BadInputException {
        Json.expectUtf8(bytes);
        return Json.FACTORY.createParser(ObjectReadContext.empty(), bytes);
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

    /** Writes the value of a record of {@code laurel.commands}; {@link #read} reads it back equal. */
    public static byte[] write(Command command) {
        var bytes = new ByteArrayOutputStream(256);
        try (JsonGenerator json = Json.FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            CommandWriter.write(json, command);
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }
}
