package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.BoostChange;
import dev.laurel.schemas.command.Change;
import dev.laurel.schemas.ruleset.Rounding;
import java.math.BigDecimal;
import java.time.LocalDate;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** What a user's boost is made of; the ranges are those of admin-api.md A4 "boosts". */
final class BoostFields {

    private static final int MAX_NAME_LENGTH = 255;
    private static final BigDecimal MULTIPLIER_LIMIT = BigDecimal.valueOf(100);
    private static final WireNames<Rounding> ROUNDINGS = new WireNames<>(Rounding.class);

    private Change<String> name = Change.keep();
    private Change<LocalDate> start = Change.keep();
    private Change<LocalDate> end = Change.keep();
    private Change<BigDecimal> multiplier = Change.keep();
    private Change<Rounding> rounding = Change.keep();

    /** As {@link CommandDraft#take}. */
    boolean take(String field, JsonParser json) throws BadInputException {
        switch (field) {
            case "name" -> name = Change.set(name(json, field));
            case "start" -> start = Change.set(Fields.date(json, field));
            case "end" -> end = Change.set(Fields.date(json, field));
            case "multiplier" -> multiplier = Change.set(multiplier(json, field));
            case "rounding" -> rounding = Change.set(ROUNDINGS.read(json, field));
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Reads the object of changes: a null is as if it were not there, but where it makes the boost open. */
    void takeChanges(JsonParser json, String field) throws BadInputException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw BadInputException.invalid(field, "must be an object");
        }
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String changed = json.currentName();
            boolean isNull = json.nextToken() == JsonToken.VALUE_NULL;
            if (isNull && changed.equals("end")) {
                end = Change.clear();
            } else if (!isNull && !take(changed, json)) {
                json.skipChildren();
            }
        }
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

    BoostChange toChange() {
        return new BoostChange(name, start, end, multiplier, rounding);
    }
}
