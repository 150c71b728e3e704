package dev.laurel.processors.core.rules;

import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.schemas.ruleset.PointsSystem;
import java.util.Comparator;
import java.util.List;

/**
 * A points system as triggers pay into it. There is one per system and compiled ruleset, so it may be compared by identity.
 *
 * @param place of the system in the ruleset's order
 * @param boosts in the order of creation, those created together in ruleset order
 * @param boards the open leaderboards that compare it, in ruleset order
 */
public record SystemRules(PointsSystem system, int place, List<BoostRule> boosts, List<BoardRules> boards) {

    static SystemRules of(PointsSystem system, int place, List<BoardRules> boards) {
        return new SystemRules(system, place, system.boosts().stream().map(BoostRule::of)
                .sorted(Comparator.comparingLong(BoostRule::createdMs)).toList(), boards);
    }
}
