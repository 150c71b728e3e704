package dev.laurel.processors.core.user;

import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;

/** What one command of a user comes to. */
public sealed interface Outcome {

    /** Nothing changed, nothing is left behind. */
    record Refused(Refusal refusal) implements Outcome {}

    /** The idempotency key was used before: nothing changed; the result shows the present. */
    record Repeated(UserState state, EventResult result) implements Outcome {}

    /**
     * The command took place.
     *
     * @param isNewUser the user was created by it
     * @param completed achievements completed by it
     * @param result of an event, null for other commands
     */
    record Applied(UserState state, boolean isNewUser, List<Effect> effects, List<HistoryWrite> writes,
            List<Achievement> completed, EventResult result) implements Outcome {}

    /**
     * What an event changed, for the answer.
     *
     * @param streakExtended this event turned the current period to met
     * @param points systems in which this event made awards, in ruleset order
     * @param idempotencyKey null if none was sent
     */
    record EventResult(UUID eventId, Metric metric, BigDecimal total, List<Achievement> completed,
            boolean streakExtended, List<SystemAwards> points, String idempotencyKey, boolean isRepeated) {}

    /** The awards of one command in one system, in the order applied. */
    record SystemAwards(PointsSystem system, long added, long total, List<Award> awards) {}
}
