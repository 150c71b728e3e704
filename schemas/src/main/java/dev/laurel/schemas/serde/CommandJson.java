package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.TimedEvent;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.UserId;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

/**
 * Commands as JSON, read and written token by token: this is the hot path of every event. What is read is foreign input
 * (a direct producer's or a client's), so each reader ends in a whole command or in a {@link BadInputException} that
 * names the field. Unknown fields are ignored, as the contract asks, and a field is unknown to every kind of command that
 * has none of its name. Thread-safe.
 */
public final class CommandJson {

    private CommandJson() {}

    /**
     * Reads the value of a record of {@code laurel.commands}. Null, which compaction would call a tombstone, asks for
     * nothing and is refused like an empty value.
     */
    public static Command read(byte[] json) throws BadInputException {
        return CommandReader.read(json);
    }

    /**
     * Reads the body of {@code POST /metrics/{metric}/event}.
     *
     * @param idempotencyKey of the header, null or empty if none
     */
    public static RecordEvent readEventBody(byte[] body, String metric, String idempotencyKey, UUID eventId)
            throws BadInputException {
        return CommandReader.readBody(body, new EventDraft(metric, idempotencyKey, eventId));
    }

    /**
     * Reads the body of {@code POST /admin/v1/metrics/events}, all of it or nothing.
     *
     * @param max events at most
     * @param eventIds makes the id of each
     * @throws BadInputException naming the place in the array
     */
    public static List<TimedEvent> readBatch(byte[] body, int max, Supplier<UUID> eventIds) throws BadInputException {
        return CommandReader.readBatch(body, max, eventIds);
    }

    /**
     * Reads the body of the user calls.
     *
     * @param pathId the id of the path, which wins over one in the body; null: the body must have it
     */
    public static IdentifyUser readUserBody(byte[] body, UserId pathId, boolean mustExist) throws BadInputException {
        return CommandReader.readUserBody(body, pathId, mustExist);
    }

    /** Reads the body of {@code POST /achievements/{achievement}/complete}. */
    public static CompleteAchievement readCompletionBody(byte[] body, String achievement) throws BadInputException {
        return CommandReader.readBody(body, CommandForm.completionOf(achievement));
    }

    /** Reads the body of {@code PATCH /users/{user}/preferences}. */
    public static SetPreferences readPreferencesBody(byte[] body, UserId user) throws BadInputException {
        return CommandReader.readBody(body, new PreferencesDraft(user));
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
