package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.IdentifyUser;
import tools.jackson.core.JsonParser;

/** A draft of {@link IdentifyUser}. */
final class IdentifyDraft extends UserDraft<IdentifyUser> {

    private boolean mustExist;

    IdentifyDraft() {
        super(UserField.UPSERTS);
    }

    @Override
    boolean takeOwn(String field, JsonParser json) throws BadInputException {
        if (!field.equals("mustExist")) {
            return false;
        }
        mustExist = Fields.bool(json, field);
        return true;
    }

    @Override
    public IdentifyUser toCommand() throws BadInputException {
        return new IdentifyUser(user(), mustExist);
    }
}
