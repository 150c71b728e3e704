package dev.laurel.deploy.tools.imports;

import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.LogCommand;
import dev.laurel.schemas.command.Command.OwnedCommand;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.serde.Times;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamFactory;

/**
 * A line of an import: a command of the log with its {@code time}. The value of the record is the line byte by byte,
 * without the time.
 *
 * @param value value of the record
 */
record ImportLine(Instant time, UserId user, byte[] value) {

    /** Brokers refuse a record from more than an hour ahead, and its whole batch. */
    static final Duration MAX_AHEAD = Duration.ofMinutes(55);

    private static final TokenStreamFactory JSON = Json.mapperForTools().tokenStreamFactory();
    private static final String TIME = "time";

    /** @throws BadInputException if the line is not a command of a user, or its time is out of range */
    static ImportLine parse(byte[] line, Instant now) throws BadInputException {
        TimeField field = findTime(line);
        // What the log gets is what is read here, whatever stood in the line.
        byte[] value = field == null ? line : field.cutFrom(line);
        UserCommand ofUser = importable(CommandJson.read(value));
        if (field == null) {
            throw BadInputException.invalid(TIME, "is required");
        } else if (field.text() == null) {
            throw BadInputException.invalid(TIME, "must be a string");
        }
        Instant time = Times.parse(field.text(), TIME);
        if (time.toEpochMilli() < 0) {
            throw BadInputException.invalid(TIME, "must not be before 1970");
        }
        if (time.isAfter(now.plus(MAX_AHEAD))) {
            throw BadInputException.invalid(
                    TIME, "must not be more than " + MAX_AHEAD.toMinutes() + " minutes in the future");
        }
        return new ImportLine(time, ofUser.user().id(), value);
    }

    /** History consists of actions and choices of users. Operators grant and erase in the present only. */
    private static UserCommand importable(Command command) throws BadInputException {
        return switch (command) {
            case RecordEvent event -> event;
            case IdentifyUser identify -> identify;
            case CompleteAchievement completion -> completion;
            case SetPreferences preferences -> preferences;
            case UserCommand _ ->
                throw BadInputException.invalid(
                        "type", "cannot be imported, must be one of: event, identify, complete, preferences");
            case OwnedCommand _, LogCommand _ ->
                throw BadInputException.invalid("type", "is one that only the log itself may write");
        };
    }

    /**
     * The field {@code time} and its bytes: with the name, and with the comma after it or else the one before it.
     *
     * @param text null: the value is not a string
     * @param from first byte
     * @param to byte after the last one
     */
    private record TimeField(@Nullable String text, int from, int to) {

        byte[] cutFrom(byte[] line) {
            byte[] rest = new byte[line.length - (to - from)];
            System.arraycopy(line, 0, rest, 0, from);
            System.arraycopy(line, to, rest, from, line.length - to);
            return rest;
        }
    }

    /**
     * Finds the time by the places of the parser's tokens alone: a second set of rules, for white space for example,
     * would cut other bytes than the parser has read.
     *
     * @return null: there is none
     * @throws BadInputException if the line is not one JSON object without duplicate names
     */
    private static @Nullable TimeField findTime(byte[] line) throws BadInputException {
        Json.expectUtf8(line);
        if (LineSource.hasByteOrderMark(line)) {
            throw BadInputException.unreadable(
                    "Not valid JSON: a byte order mark is allowed at the beginning of the file only.");
        }
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw BadInputException.unreadable("A JSON object is expected.");
            }
            TimeField time = null;
            int before = end(json);
            boolean isFirst = true;
            JsonToken token = json.nextToken();
            while (token == JsonToken.PROPERTY_NAME) {
                int start = start(json);
                boolean isTime = json.currentName().equals(TIME);
                isTime &= json.nextToken() != JsonToken.VALUE_NULL;
                String text = isTime && json.currentToken() == JsonToken.VALUE_STRING ? json.getString() : null;
                json.skipChildren();
                json.finishToken();
                int end = end(json);
                token = json.nextToken();
                if (isTime) {
                    boolean isLast = token != JsonToken.PROPERTY_NAME;
                    time = new TimeField(text, isLast && !isFirst ? before : start, start(json));
                }
                before = end;
                isFirst = false;
            }
            if (json.nextToken() != null) {
                throw BadInputException.unreadable("Not valid JSON: there is more after the object.");
            }
            return time;
        } catch (JacksonException e) {
            throw Json.unreadable(e);
        }
    }

    private static int start(JsonParser json) {
        return (int) json.currentTokenLocation().getByteOffset();
    }

    /** The byte after the present token, which has been read to its end. */
    private static int end(JsonParser json) {
        return (int) json.currentLocation().getByteOffset();
    }
}
