package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.TimedEvent;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/** Reads commands token by token into the draft of their kind. */
final class CommandReader {

    private static final String TYPE = "type";
    private static final String TYPES = "event, identify, complete, preferences, grant-freeze, plan-pause, delete-pause, "
            + "restore-streak, grant-boost, change-boost, revoke-boost, test-message, drop-device-tokens, erase-user, delete-owned-pause, "
            + "change-owned-boost, revoke-owned-boost, ruleset-published, tick, timers-held, timers-released, generation-promoted";

    private CommandReader() {}

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

    /** Reads a record of the log, whose type says what its other fields mean. */
    static Command read(byte[] record) throws BadInputException {
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
     * Looks for the type of a record that does not begin with it, as ours do. Such a record is parsed twice, and so every
     * field is read by the draft that knows it: what is unknown to one kind may have any form, though another kind has it.
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

    /** Reads the body of a call, of which path and method say what it is. */
    static <C extends Command> C readBody(byte[] body, CommandDraft<C> draft) throws BadInputException {
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

    static List<TimedEvent> readBatch(byte[] body, int max, Supplier<UUID> eventIds) throws BadInputException {
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

    /** Reads a body that is the user itself. */
    static IdentifyUser readUserBody(byte[] body, UserId pathId, boolean mustExist) throws BadInputException {
        try (JsonParser json = parser(body)) {
            expectObject(json);
            UserChange user = UserChangeJson.read(json, "", pathId);
            expectEnd(json);
            return new IdentifyUser(user, mustExist);
        } catch (JacksonException e) {
            throw Json.unreadable(e);
        }
    }

    private static void take(CommandDraft<?> draft, String field, JsonParser json) throws BadInputException {
        if (json.currentToken() != JsonToken.VALUE_NULL && !draft.take(field, json)) {
            json.skipChildren();
        }
    }

    private static JsonParser parser(byte[] bytes) {
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
}
