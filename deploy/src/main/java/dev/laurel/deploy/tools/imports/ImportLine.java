package dev.laurel.deploy.tools.imports;

import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.LogCommand;
import dev.laurel.schemas.command.Command.OwnedCommand;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.serde.Times;
import java.time.Duration;
import java.time.Instant;
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
        Command command = CommandJson.read(line);
        UserCommand ofUser = importable(command);
        TimeField field = findTime(line);
        Instant time = Times.parse(field.text(), TIME);
        if (time.toEpochMilli() < 0) {
            throw BadInputException.invalid(TIME, "must not be before 1970");
        }
        if (time.isAfter(now.plus(MAX_AHEAD))) {
            throw BadInputException.invalid(TIME,
                    "must not be more than " + MAX_AHEAD.toMinutes() + " minutes in the future");
        }
        return new ImportLine(time, ofUser.user().id(), field.cutFrom(line));
    }

    /** History consists of actions and choices of users. Operators grant and erase in the present only. */
    private static UserCommand importable(Command command) throws BadInputException {
        return switch (command) {
            case RecordEvent event -> event;
            case IdentifyUser identify -> identify;
            case CompleteAchievement completion -> completion;
            case SetPreferences preferences -> preferences;
            case UserCommand _ -> throw BadInputException.invalid("type",
                    "cannot be imported, must be one of: event, identify, complete, preferences");
            case OwnedCommand _,LogCommand _ ->
                throw BadInputException.invalid("type", "is one that only the log itself may write");
        };
    }

    /**
     * The field {@code time} and its bytes, including the name.
     *
     * @param from first byte
     * @param to byte after the last one
     */
    private record TimeField(String text, int from, int to) {

        /** Also removes the comma after it, or else the one before it. */
        byte[] cutFrom(byte[] line) {
            int start = from;
            int end = skipSpace(line, to);
            if (line[end] == ',') {
                end = skipSpace(line, end + 1);
            } else {
                while (line[start] != ',' && line[start] != '{') {
                    start--;
                }
                start += line[start] == '{' ? 1 : 0;
            }
            byte[] rest = new byte[line.length - (end - start)];
            System.arraycopy(line, 0, rest, 0, start);
            System.arraycopy(line, end, rest, start, line.length - end);
            return rest;
        }

        private static int skipSpace(byte[] line, int at) {
            int i = at;
            while (line[i] == ' ' || line[i] == '\t') {
                i++;
            }
            return i;
        }
    }

    /** The line must be a JSON object without duplicate names. */
    private static TimeField findTime(byte[] line) throws BadInputException {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                int from = (int) json.currentTokenLocation().getByteOffset();
                boolean isTime = json.currentName().equals(TIME);
                JsonToken value = json.nextToken();
                if (isTime && value != JsonToken.VALUE_NULL) {
                    if (value != JsonToken.VALUE_STRING) {
                        throw BadInputException.invalid(TIME, "must be a string");
                    }
                    String text = json.getString();
                    return new TimeField(text, from, (int) json.currentLocation().getByteOffset());
                }
                json.skipChildren();
            }
        } catch (JacksonException e) {
            throw new IllegalStateException("read before, unreadable now", e);
        }
        throw BadInputException.invalid(TIME, "is required");
    }
}
