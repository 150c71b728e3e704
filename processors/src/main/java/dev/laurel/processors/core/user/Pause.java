package dev.laurel.processors.core.user;

import dev.laurel.schemas.command.PlanPause;
import java.util.UUID;

/**
 * Days on which a user's streak is protected. Days are epoch days, both inclusive.
 *
 * @param coversTo the last day it really protects: {@code end}, or less if it was deleted before
 */
public record Pause(UUID id, int start, int end, int coversTo, boolean isDeleted) {

    static Pause of(PlanPause plan) {
        int end = Math.toIntExact(plan.end().toEpochDay());
        return new Pause(plan.pauseId(), Math.toIntExact(plan.start().toEpochDay()), end, end, false);
    }

    /** Deleted when the days after {@code lastDay} were still to come. */
    Pause deletedAfter(int lastDay) {
        return new Pause(id, start, end, Math.min(coversTo, lastDay), true);
    }

    boolean covers(int firstDay, int lastDay) {
        return start <= lastDay && coversTo >= firstDay && start <= coversTo;
    }
}
