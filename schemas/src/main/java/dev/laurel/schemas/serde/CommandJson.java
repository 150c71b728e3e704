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
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.serde.RecordJson.Draft;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * Reads and writes commands as JSON, as their kinds describe them. The input comes from direct producers and clients, so a
 * reader returns a valid command or throws a {@link BadInputException} that names the field. Fields that a type of command does
 * not have are ignored, even if another type has them. Thread-safe.
 */
public final class CommandJson {

    private static final String TYPE = "type";
    private static final Map<String, RecordJson<? extends Command>> BY_TYPE = new LinkedHashMap<>();
    private static final Map<Class<?>, RecordJson<? extends Command>> BY_CLASS = new HashMap<>();
    private static final RecordJson<RecordEvent> OF_BATCH = new RecordJson<>(Command.EVENT_OF_BATCH);

    /** The user of a command that creates or updates its user (docs/application-api.md §2 "User (request)"). */
    private static final RecordJson<UserChange> USER = new RecordJson<>(UserChange.KIND);

    static {
        for (Kind<? extends Command> kind : Command.KINDS) {
            var json = new RecordJson<>(kind);
            BY_TYPE.put(kind.name(), json);
            BY_CLASS.put(kind.recordType(), json);
        }
    }

    private CommandJson() {}

    @SuppressWarnings("unchecked") // the map is filled so
    private static <C extends Command> RecordJson<C> form(Class<C> type) {
        return (RecordJson<C>) Objects.requireNonNull(BY_CLASS.get(type));
    }

    /**
     * Reads the body of {@code POST /metrics/{metric}/event}.
     *
     * @param idempotencyKey value of the header; null or empty: no key
     */
    public static RecordEvent readEventBody(byte[] body, String metric, @Nullable String idempotencyKey, UUID eventId)
            throws BadInputException {
        var given = new HashMap<String, @Nullable Object>();
        given.put("metric", metric);
        given.put("idempotencyKey", idempotencyKey);
        given.put("eventId", eventId);
        return readBody(body, form(RecordEvent.class).draft(given));
    }

    /** Reads the body of {@code POST /achievements/{achievement}/complete}. */
    public static CompleteAchievement readCompletionBody(byte[] body, String achievement) throws BadInputException {
        CompleteAchievement completion =
                readBody(body, form(CompleteAchievement.class).draft(Map.of("achievement", achievement)));
        if (achievement.length() > RecordJson.MAX_KEY_LENGTH || !UnicodeText.isWellFormed(achievement)) {
            // No key has this form, and the log would refuse it.
            throw new BadInputException(Refusal.unknown("achievement", achievement));
        }
        return completion;
    }

    /** Reads the body of {@code PATCH /users/{user}/preferences}. */
    public static SetPreferences readPreferencesBody(byte[] body, UserId user) throws BadInputException {
        return readBody(body, form(SetPreferences.class).draft(Map.of("user", UserChange.mention(user))));
    }

    /** Reads the value of a record of {@code laurel.commands}. Null, a tombstone to compaction, is refused like an empty value. */
    public static Command read(byte @Nullable [] record) throws BadInputException {
        if (record == null) {
            throw BadInputException.unreadable("A JSON object is expected, there is no value at all.");
        }
        return checked(readObject(record, json -> read(json, record)));
    }

    private static Command read(JsonParser json, byte[] record) throws BadInputException {
        Draft<? extends Command> draft = null;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = json.currentName();
            boolean isType = json.nextToken() != JsonToken.VALUE_NULL && field.equals(TYPE);
            if (draft == null) {
                draft = draft(isType ? RecordJson.text(json, TYPE) : typeOf(record));
            }
            take(draft, field, json);
        }
        if (draft == null) {
            throw typeIsMissing();
        }
        return draft.toRecord();
    }

    private static Draft<? extends Command> draft(String type) throws BadInputException {
        RecordJson<? extends Command> json = BY_TYPE.get(type);
        if (json == null) {
            throw BadInputException.invalid(TYPE, "is '" + type + "', must be one of: " + types());
        }
        return json.draft(Map.of());
    }

    /**
     * Finds the type of a record that does not begin with it. Such a record is parsed twice, so that the draft of its type reads
     * every field: an unknown field may have any form, even if another type has a field of that name.
     */
    private static String typeOf(byte[] record) throws BadInputException {
        try (JsonParser json = Json.FACTORY.createParser(ObjectReadContext.empty(), record)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isType = json.currentName().equals(TYPE);
                if (json.nextToken() != JsonToken.VALUE_NULL && isType) {
                    return RecordJson.text(json, TYPE);
                }
                json.skipChildren();
            }
        }
        throw typeIsMissing();
    }

    private static BadInputException typeIsMissing() {
        return BadInputException.invalid(TYPE, "is required, one of: " + types());
    }

    private static String types() {
        return String.join(", ", BY_TYPE.keySet());
    }

    /** Reads a field of a draft; null counts as absent. */
    private static void take(Draft<?> draft, String field, JsonParser json) throws BadInputException {
        if (json.currentToken() != JsonToken.VALUE_NULL && !draft.take(field, json)) {
            json.skipChildren();
        }
    }

    /** Reads the fields of the object that begins at the current token. */
    private static <T> T read(JsonParser json, Draft<T> draft) throws BadInputException {
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = json.currentName();
            json.nextToken();
            take(draft, field, json);
        }
        return draft.toRecord();
    }

    /** Returns a command whose fields fit together. */
    private static <C extends Command> C checked(C command) throws BadInputException {
        Refusal refusal = command.refusal();
        if (refusal != null) {
            throw new BadInputException(refusal);
        }
        return command;
    }

    private static <C extends Command> C readBody(byte[] body, Draft<C> draft) throws BadInputException {
        return checked(readObject(body, json -> read(json, draft)));
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
                throw BadInputException.unreadable("A JSON array is expected.");
            }
            for (; json.nextToken() != JsonToken.END_ARRAY; count++) {
                if (count < max) {
                    events.add(readItem(json, count, new BatchDraft(eventIds.get())));
                } else {
                    json.skipChildren();
                }
            }
            if (json.nextToken() != null) {
                throw BadInputException.unreadable("Not valid JSON: there is more after the array.");
            }
        } catch (JacksonException e) {
            throw Json.unreadable(e);
        }
        if (count == 0 || count > max) {
            throw BadInputException.invalid("The array", "must have 1 to " + max + " events, has " + count);
        }
        return events;
    }

    private static TimedEvent readItem(JsonParser json, int index, BatchDraft draft) throws BadInputException {
        try {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                throw BadInputException.invalid("must be an object.");
            }
            return read(json, draft);
        } catch (BadInputException e) {
            throw new BadInputException(e.refusal().at(index));
        }
    }

    /** A draft of an event of a batch with its time, which is no field of the command. */
    private static final class BatchDraft implements Draft<TimedEvent> {

        private final Draft<RecordEvent> event;
        private @Nullable Instant time;

        BatchDraft(UUID eventId) {
            this.event = OF_BATCH.draft(Map.of("eventId", eventId));
        }

        @Override
        public boolean take(String field, JsonParser json) throws BadInputException {
            if (!field.equals("time")) {
                return event.take(field, json);
            }
            time = Times.parse(RecordJson.text(json, field), field);
            return true;
        }

        @Override
        public TimedEvent toRecord() throws BadInputException {
            return new TimedEvent(checked(event.toRecord()), time);
        }
    }

    /**
     * Reads the body of the calls for users.
     *
     * @param pathId id in the path, which takes precedence over one in the body; null: the body must contain it
     */
    public static IdentifyUser readUserBody(byte[] body, @Nullable UserId pathId, boolean mustExist)
            throws BadInputException {
        UserChange user =
                readObject(body, json -> USER.read(json, "", pathId == null ? Map.of() : Map.of("id", pathId)));
        Refusal refusal = pathId == null ? user.refusalIfNew("") : null;
        if (refusal != null) {
            throw new BadInputException(refusal);
        }
        return new IdentifyUser(user, mustExist);
    }

    private interface Reader<T> {

        T read(JsonParser json) throws BadInputException;
    }

    /** Reads bytes that are one JSON object. */
    private static <T> T readObject(byte[] bytes, Reader<T> reader) throws BadInputException {
        try (JsonParser json = parser(bytes)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw BadInputException.unreadable("A JSON object is expected.");
            }
            T read = reader.read(json);
            if (json.nextToken() != null) {
                throw BadInputException.unreadable("Not valid JSON: there is more after the object.");
            }
            return read;
        } catch (JacksonException e) {
            throw Json.unreadable(e);
        }
    }

    private static JsonParser parser(byte[] bytes) throws BadInputException {
        Json.expectUtf8(bytes);
        return Json.FACTORY.createParser(ObjectReadContext.empty(), bytes);
    }

    /** Writes the value of a record of {@code laurel.commands}; {@link #read} reads it back equal. */
    public static byte[] write(Command command) {
        var bytes = new ByteArrayOutputStream(256);
        try (JsonGenerator json = Json.FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            RecordJson<? extends Command> form = form(command.getClass());
            json.writeStartObject();
            json.writeStringProperty(TYPE, form.kind().name());
            form.write(json, command);
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }
}
