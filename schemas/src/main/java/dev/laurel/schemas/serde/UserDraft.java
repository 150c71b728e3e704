package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserCommand;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** What all commands of a user have in common: the user. */
abstract class UserDraft<C extends UserCommand> implements CommandDraft<C> {

    /** What the field {@code user} means to a command. */
    enum UserField {
        /** The user is created or updated by it. */
        UPSERTS,
        /** It only says who; all of it but the id is ignored. */
        MENTIONS,
        /** The path of the call says who; the field is unknown. */
        NONE
    }

    private final UserField userField;
    private UserChange user;

    UserDraft(UserField userField) {
        this.userField = userField;
    }

    /** For a call whose path names the user. */
    UserDraft(UserChange user) {
        this.userField = UserField.NONE;
        this.user = user;
    }

    @Override
    public final boolean take(String field, JsonParser json) throws BadInputException {
        if (!field.equals("user")) {
            return takeOwn(field, json);
        }
        if (userField == UserField.NONE) {
            return false;
        }
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw BadInputException.invalid("user", "must be an object");
        }
        user = userField == UserField.UPSERTS
                ? UserChangeJson.read(json, "user.", null)
                : UserChangeJson.readMention(json, "user.");
        return true;
    }

    /** As {@link #take}, for every field but {@code user}. */
    abstract boolean takeOwn(String field, JsonParser json) throws BadInputException;

    final UserChange user() throws BadInputException {
        return required(user, "user", "and must be an object with an id");
    }

    static <T> T required(T value, String field, String form) throws BadInputException {
        if (value == null) {
            throw BadInputException.invalid(field, "is required " + form);
        }
        return value;
    }
}
