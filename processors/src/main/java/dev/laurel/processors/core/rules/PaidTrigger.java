package dev.laurel.processors.core.rules;

import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;

/** A trigger and the system it pays into. */
public record PaidTrigger(SystemRules into, PointsTrigger trigger) {

    public PointsSystem system() {
        return into.system();
    }
}
