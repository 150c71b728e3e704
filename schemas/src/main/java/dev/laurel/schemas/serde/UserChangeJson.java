package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange.SignUp;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Zones;
import dev.laurel.schemas.key.UserId;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** The {@code user} object of requests and commands (docs/application-api.md §2 "User (request)"). */
final class UserChangeJson {

    /** The form of the field {@code user} of a command, for messages. */
    static final String FORM = "and must be an object with an id";

    static final int MAX_ATTRIBUTE_LENGTH = 4000;
    private static final int MAX_TOKEN_LENGTH = 4000;
    private static final int MAX_EMAIL_LENGTH = 320;
    private static final int MAX_NAME_LENGTH = 255;

    private UserChangeJson() {}

    /**
     * Reads the object that begins at the current token.
     *
     * @param prefix prefix of field names in messages, such as {@code user.}
     * @param pathId id that takes precedence over one in the object; null: the object must contain it
     */
    static UserChange read(JsonParser json, String prefix, @Nullable UserId pathId) throws BadInputException {
        UserId id = pathId;
        Change<String> email = Change.keep();
        Change<String> name = Change.keep();
        Change<ZoneId> tz = Change.keep();
        Change<List<String>> deviceTokens = Change.keep();
        Change<Boolean> subscribeToEmails = Change.keep();
        Change<SignUp> signUpDate = Change.keep();
        Map<String, Change<String>> attributes = Map.of();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = json.currentName();
            boolean isNull = json.nextToken() == JsonToken.VALUE_NULL;
            switch (field) {
                case "id" -> id = pathId == null ? id(json, prefix) : skip(json, pathId);
                case "tz" -> tz = isNull ? Change.clear() : Change.set(zone(json, prefix + field));
                case "deviceTokens" ->
                    deviceTokens = isNull ? Change.clear() : Change.set(tokens(json, prefix + field));
                case "email" -> email = isNull ? email : Change.set(email(json, prefix + field));
                case "name" ->
                    name = isNull ? name : Change.set(Fields.text(json, prefix + field, MAX_NAME_LENGTH));
                case "subscribeToEmails" -> subscribeToEmails = isNull
                        ? subscribeToEmails
                        : Change.set(Fields.bool(json, prefix + field));
                case "signUpDate" ->
                    signUpDate = isNull ? Change.clear() : Change.set(Fields.signUp(json, prefix + field));
                case "attributes" -> attributes = isNull ? attributes : attributes(json, prefix + field);
                default -> json.skipChildren();
            }
        }
        if (id == null) {
            throw BadInputException.invalid(prefix + "id", "is required");
        }
        return new UserChange(id, email, name, tz, deviceTokens, subscribeToEmails, signUpDate, attributes);
    }

    /** Reads the field of a command that creates or updates its user. */
    static UserChange readUser(JsonParser json, String field) throws BadInputException {
        expectObject(json, field);
        return read(json, field + ".", null);
    }

    /** Reads the field of a command that only mentions its user: all properties except the id are ignored. */
    static UserChange readMention(JsonParser json, String field) throws BadInputException {
        expectObject(json, field);
        String prefix = field + ".";
        UserId id = null;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean isId = json.currentName().equals("id");
            json.nextToken();
            if (isId) {
                id = id(json, prefix);
            } else {
                json.skipChildren();
            }
        }
        if (id == null) {
            throw BadInputException.invalid(prefix + "id", "is required");
        }
        return UserChange.mention(id);
    }

    private static void expectObject(JsonParser json, String field) throws BadInputException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw BadInputException.invalid(field, "must be an object");
        }
    }

    private static UserId skip(JsonParser json, UserId pathId) {
        json.skipChildren();
        return pathId;
    }

    private static UserId id(JsonParser json, String prefix) throws BadInputException {
        String text = Fields.text(json, prefix + "id");
        expectNone(UserId.problemWith(text), prefix);
        return new UserId(text);
    }

    /** Returns the change of a user who may be new, which not all ids may be. */
    static UserChange expectNew(UserChange user, String prefix) throws BadInputException {
        expectNone(UserId.problemWithNew(user.id().value()), prefix);
        return user;
    }

    private static void expectNone(@Nullable String problem, String prefix) throws BadInputException {
        if (problem != null) {
            throw BadInputException.invalid(prefix + "id", problem);
        }
    }

    private static ZoneId zone(JsonParser json, String field) throws BadInputException {
        ZoneId zone = Zones.byName(Fields.text(json, field));
        if (zone == null) {
            throw BadInputException.invalid(field, "must be an IANA time zone, such as Europe/Helsinki");
        }
        return zone;
    }

    private static String email(JsonParser json, String field) throws BadInputException {
        String email = Fields.text(json, field, MAX_EMAIL_LENGTH);
        if (email.indexOf('@') < 0) {
            throw BadInputException.invalid(field, "must be an email address");
        }
        return email;
    }

    /** Reads a list of push tokens. */
    static List<String> tokens(JsonParser json, String field) throws BadInputException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw BadInputException.invalid(field, "must be an array of strings");
        }
        var tokens = new ArrayList<String>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            tokens.add(Fields.text(json, field + "[" + tokens.size() + "]", MAX_TOKEN_LENGTH));
            Fields.expectAtMost(tokens.size(), UserChange.MAX_DEVICE_TOKENS, field);
        }
        return List.copyOf(tokens);
    }

    private static Map<String, Change<String>> attributes(JsonParser json, String field) throws BadInputException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw BadInputException.invalid(field, "must be an object");
        }
        var attributes = new HashMap<String, Change<String>>();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = json.currentName();
            String value = Fields.attributeValue(json, field + "." + key);
            attributes.put(key, value == null ? Change.clear() : Change.set(value));
            Fields.expectAtMost(attributes.size(), UserChange.MAX_ATTRIBUTES, field);
        }
        return attributes;
    }

    static void write(JsonGenerator json, UserChange user) {
        json.writeStartObject();
        json.writeStringProperty("id", user.id().value());
        text(json, "email", user.email());
        text(json, "name", user.name());
        switch (user.tz()) {
            case Change.Keep<ZoneId> _ -> {
            }
            case Change.Clear<ZoneId> _ -> json.writeNullProperty("tz");
            case Change.Set<ZoneId>(ZoneId zone) -> json.writeStringProperty("tz", zone.getId());
        }
        switch (user.deviceTokens()) {
            case Change.Keep<List<String>> _ -> {
            }
            case Change.Clear<List<String>> _ -> json.writeNullProperty("deviceTokens");
            case Change.Set<List<String>>(List<String> tokens) -> {
                json.writeArrayPropertyStart("deviceTokens");
                tokens.forEach(json::writeString);
                json.writeEndArray();
            }
        }
        if (user.subscribeToEmails() instanceof Change.Set<Boolean>(Boolean subscribes)) {
            json.writeBooleanProperty("subscribeToEmails", subscribes);
        }
        switch (user.signUpDate()) {
            case Change.Keep<SignUp> _ -> {
            }
            case Change.Clear<SignUp> _ -> json.writeNullProperty("signUpDate");
            case Change.Set<SignUp>(SignUp signUp) -> json.writeStringProperty("signUpDate", switch (signUp) {
                case SignUp.OnDate(LocalDate date) -> date.toString();
                case SignUp.AtTime(Instant time) -> time.toString();
            });
        }
        if (!user.attributes().isEmpty()) {
            json.writeObjectPropertyStart("attributes");
            sorted(user.attributes()).forEach((key, change) -> text(json, key, change));
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /** Sorts a map, so that equal commands have equal bytes: the order of a hash map differs between processes. */
    static <K extends Comparable<K>, V> Map<K, V> sorted(Map<K, V> map) {
        return map.size() < 2 ? map : new TreeMap<>(map);
    }

    private static void text(JsonGenerator json, String field, Change<String> change) {
        switch (change) {
            case Change.Keep<String> _ -> {
            }
            case Change.Clear<String> _ -> json.writeNullProperty(field);
            case Change.Set<String>(String value) -> json.writeStringProperty(field, value);
        }
    }
}
