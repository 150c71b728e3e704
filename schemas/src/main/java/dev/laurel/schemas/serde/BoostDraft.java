package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.BoostChange;
import dev.laurel.schemas.command.ChangeBoost;
import dev.laurel.schemas.command.GrantBoost;
import dev.laurel.schemas.command.RevokeBoost;
import dev.laurel.schemas.command.UserCommand;
import dev.laurel.schemas.ruleset.Rounding;
import java.time.LocalDate;
import java.util.UUID;
import tools.jackson.core.JsonParser;

/** Drafts of the commands about boosts of a user's own. */
abstract class BoostDraft<C extends UserCommand> extends UserDraft<C> {

    static final String SYSTEM_FORM = "and must be the key of a points system";

    private static final int MAX_KEY_LENGTH = 255;

    final BoostFields fields = new BoostFields();
    String system;
    private UUID boostId;

    private BoostDraft() {
        super(UserField.MENTIONS);
    }

    @Override
    final boolean takeOwn(String field, JsonParser json) throws BadInputException {
        switch (field) {
            case "boostId" -> boostId = Fields.uuid(json, field);
            case "system" -> system = system(json, field);
            default -> {
                return takeFields(field, json);
            }
        }
        return true;
    }

    static String system(JsonParser json, String field) throws BadInputException {
        return Fields.text(json, field, MAX_KEY_LENGTH);
    }

    abstract boolean takeFields(String field, JsonParser json) throws BadInputException;

    final UUID boostId() throws BadInputException {
        return required(boostId, "boostId", "and must be a UUID");
    }

    /** Of {@link GrantBoost}. */
    static final class OfGrant extends BoostDraft<GrantBoost> {

        @Override
        boolean takeFields(String field, JsonParser json) throws BadInputException {
            return fields.take(field, json);
        }

        @Override
        public GrantBoost toCommand() throws BadInputException {
            BoostChange given = fields.toChange();
            LocalDate start = required(given.start().appliedTo(null), "start", Fields.DATE_FORM);
            LocalDate end = given.end().appliedTo(null);
            if (end != null) {
                Fields.expectOrder(start, end);
            }
            return new GrantBoost(user(), boostId(), required(system, "system", SYSTEM_FORM),
                    required(given.name().appliedTo(null), "name", "and must be a string"), start, end,
                    required(given.multiplier().appliedTo(null), "multiplier", "and must be a number"),
                    given.rounding().appliedTo(Rounding.DOWN));
        }
    }

    /** Of {@link ChangeBoost}. */
    static final class OfChange extends BoostDraft<ChangeBoost> {

        @Override
        boolean takeFields(String field, JsonParser json) throws BadInputException {
            if (!field.equals("change")) {
                return false;
            }
            fields.takeChanges(json, field);
            return true;
        }

        @Override
        public ChangeBoost toCommand() throws BadInputException {
            return new ChangeBoost(user(), boostId(), required(system, "system", SYSTEM_FORM), fields.toChange());
        }
    }

    /** Of {@link RevokeBoost}. */
    static final class OfRevocation extends BoostDraft<RevokeBoost> {

        @Override
        boolean takeFields(String field, JsonParser json) {
            return false;
        }

        @Override
        public RevokeBoost toCommand() throws BadInputException {
            return new RevokeBoost(user(), boostId(), system);
        }
    }
}
