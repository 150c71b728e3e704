package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.ChangeOwnedBoost;
import dev.laurel.schemas.command.DeleteOwnedPause;
import dev.laurel.schemas.command.OwnedCommand;
import dev.laurel.schemas.command.RevokeOwnedBoost;
import dev.laurel.schemas.key.TenantId;
import java.util.UUID;
import tools.jackson.core.JsonParser;

/** Drafts of the commands that name a thing of a user's by its id. */
abstract class OwnedDraft implements CommandDraft<OwnedCommand> {

    final BoostFields fields = new BoostFields();
    String system;
    private String tenant = "";
    private UUID id;

    private OwnedDraft() {}

    @Override
    public final boolean take(String field, JsonParser json) throws BadInputException {
        switch (field) {
            case "tenant" -> tenant = Fields.text(json, field, TenantId.MAX_LENGTH);
            case "id" -> id = Fields.uuid(json, field);
            default -> {
                return takeOwn(field, json);
            }
        }
        return true;
    }

    abstract boolean takeOwn(String field, JsonParser json) throws BadInputException;

    final TenantId tenant() {
        return new TenantId(tenant);
    }

    final UUID id() throws BadInputException {
        return UserDraft.required(id, "id", "and must be a UUID");
    }

    /** Of {@link DeleteOwnedPause}. */
    static final class OfPause extends OwnedDraft {

        @Override
        boolean takeOwn(String field, JsonParser json) {
            return false;
        }

        @Override
        public OwnedCommand toCommand() throws BadInputException {
            return new DeleteOwnedPause(tenant(), id());
        }
    }

    /** Of {@link ChangeOwnedBoost}. */
    static final class OfChange extends OwnedDraft {

        @Override
        boolean takeOwn(String field, JsonParser json) throws BadInputException {
            switch (field) {
                case "system" -> system = BoostDraft.system(json, field);
                case "change" -> fields.takeChanges(json, field);
                default -> {
                    return false;
                }
            }
            return true;
        }

        @Override
        public OwnedCommand toCommand() throws BadInputException {
            return new ChangeOwnedBoost(tenant(), id(), UserDraft.required(system, "system", BoostDraft.SYSTEM_FORM),
                    fields.toChange());
        }
    }

    /** Of {@link RevokeOwnedBoost}. */
    static final class OfRevocation extends OwnedDraft {

        @Override
        boolean takeOwn(String field, JsonParser json) throws BadInputException {
            if (!field.equals("system")) {
                return false;
            }
            system = BoostDraft.system(json, field);
            return true;
        }

        @Override
        public OwnedCommand toCommand() throws BadInputException {
            return new RevokeOwnedBoost(tenant(), id(), system);
        }
    }
}
