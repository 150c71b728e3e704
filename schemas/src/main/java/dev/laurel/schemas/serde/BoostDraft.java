package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.GrantBoost;
import dev.laurel.schemas.ruleset.Rounding;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.UUID;
import tools.jackson.core.JsonParser;

/** A draft of {@link GrantBoost}; the ranges are those of admin-api.md A4 "boosts". */
final class BoostDraft extends UserDraft<GrantBoost> {

    static final WireNames<Rounding> ROUNDINGS = new WireNames<>(Rounding.class);

    private static final int MAX_KEY_LENGTH = 255;
    private static final int MAX_NAME_LENGTH = 255;
    private static final BigDecimal MULTIPLIER_LIMIT = BigDecimal.valueOf(100);

    private UUID boostId;
    private String system;
    private String name;
    private LocalDate start;
    private LocalDate end;
    private BigDecimal multiplier;
    private Rounding rounding = Rounding.DOWN;

    BoostDraft() {
        super(UserField.MENTIONS);
    }

    @Override
    boolean takeOwn(String field, JsonParser json) throws BadInputException {
        switch (field) {
            case "boostId" -> boostId = Fields.uuid(json, field);
            case "system" -> system = Fields.text(json, field, MAX_KEY_LENGTH);
            case "name" -> name = name(json, field);
            case "start" -> start = Fields.date(json, field);
            case "end" -> end = Fields.date(json, field);
            case "multiplier" -> multiplier = multiplier(json, field);
            case "rounding" -> rounding = ROUNDINGS.read(json, field);
            default -> {
                return false;
            }
        }
        return true;
    }

    private static String name(JsonParser json, String field) throws BadInputException {
        String name = Fields.text(json, field, MAX_NAME_LENGTH);
        if (name.isEmpty()) {
            throw BadInputException.invalid(field, "must not be empty");
        }
        return name;
    }

    private static BigDecimal multiplier(JsonParser json, String field) throws BadInputException {
        BigDecimal number = Fields.number(json, field);
        if (number.signum() <= 0 || number.compareTo(MULTIPLIER_LIMIT) >= 0 || number.compareTo(BigDecimal.ONE) == 0) {
            throw BadInputException.invalid(field, "must be above 0, below 100 and not 1");
        }
        return Fields.amount(number, field);
    }

    @Override
    public GrantBoost toCommand() throws BadInputException {
        required(start, "start", Fields.DATE_FORM);
        if (end != null) {
            Fields.expectOrder(start, end);
        }
        return new GrantBoost(user(), required(boostId, "boostId", "and must be a UUID"),
                required(system, "system", "and must be the key of a points system"),
                required(name, "name", "and must be a string"), start, end,
                required(multiplier, "multiplier", "and must be a number"), rounding);
    }
}
