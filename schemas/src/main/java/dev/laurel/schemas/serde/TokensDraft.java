package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.DropDeviceTokens;
import java.util.List;
import tools.jackson.core.JsonParser;

/** A draft of {@link DropDeviceTokens}. */
final class TokensDraft extends UserDraft<DropDeviceTokens> {

    private static final String TOKENS = "tokens";

    private List<String> tokens;

    TokensDraft() {
        super(UserField.MENTIONS);
    }

    @Override
    boolean takeOwn(String field, JsonParser json) throws BadInputException {
        if (!field.equals(TOKENS)) {
            return false;
        }
        tokens = UserChangeJson.tokens(json, field);
        return true;
    }

    @Override
    public DropDeviceTokens toCommand() throws BadInputException {
        return new DropDeviceTokens(user(), required(tokens, TOKENS, "and must be an array of strings"));
    }
}
