package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.PlanPause;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import tools.jackson.core.JsonParser;

/** A draft of {@link PlanPause}. */
final class PauseDraft extends UserDraft<PlanPause> {

    /** Ten years and leap days. */
    private static final int MAX_DAYS = 3_660;

    private UUID pauseId;
    private LocalDate start;
    private LocalDate end;

    PauseDraft() {
        super(UserField.MENTIONS);
    }

    @Override
    boolean takeOwn(String field, JsonParser json) throws BadInputException {
        switch (field) {
            case "pauseId" -> pauseId = Fields.uuid(json, field);
            case "start" -> start = Fields.date(json, field);
            case "end" -> end = Fields.date(json, field);
            default -> {
                return false;
            }
        }
        return true;
    }

    @Override
    public PlanPause toCommand() throws BadInputException {
        required(start, "start", Fields.DATE_FORM);
        required(end, "end", Fields.DATE_FORM);
        Fields.expectOrder(start, end);
        if (ChronoUnit.DAYS.between(start, end) >= MAX_DAYS) {
            throw BadInputException.invalid("end", "must make a pause of at most " + MAX_DAYS + " days");
        }
        return new PlanPause(user(), required(pauseId, "pauseId", "and must be a UUID"), start, end);
    }
}
