package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserCommand;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import tools.jackson.core.JsonParser;

/** A draft of a command that says no more than who, or who and which of the user's things. */
final class ActDraft extends UserDraft<UserCommand> {

    private final String idField;
    private final BiFunction<UserChange, UUID, UserCommand> act;
    private UUID id;

    private ActDraft(String idField, BiFunction<UserChange, UUID, UserCommand> act) {
        super(UserField.MENTIONS);
        this.idField = idField;
        this.act = act;
    }

    static ActDraft of(Function<UserChange, UserCommand> act) {
        return new ActDraft(null, (user, _) -> act.apply(user));
    }

    /** @param idField the field that says which, required */
    static ActDraft on(String idField, BiFunction<UserChange, UUID, UserCommand> act) {
        return new ActDraft(idField, act);
    }

    @Override
    boolean takeOwn(String field, JsonParser json) throws BadInputException {
        if (!field.equals(idField)) {
            return false;
        }
        id = Fields.uuid(json, field);
        return true;
    }

    @Override
    public UserCommand toCommand() throws BadInputException {
        return act.apply(user(), idField == null ? null : required(id, idField, "and must be a UUID"));
    }
}
