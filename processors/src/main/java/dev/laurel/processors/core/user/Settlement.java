package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.ruleset.Achievement;
import java.util.List;

/**
 * Brings a user up to rules that came into force since the user was last looked at: before the user's next command, tick
 * or read, whichever is first. So a new ruleset costs nothing until it matters, and whoever comes first finds the same.
 */
final class Settlement {

    private Settlement() {}

    /** @param untilMs the time of what is going to happen; timers fire no further */
    static void settle(UserTurn turn, long untilMs) {
        CompiledRuleset present = turn.rules;
        if (turn.rulesVersion >= present.version() && turn.streak.periods() != null) {
            return;
        }
        turn.ranked.startFrom(turn.streak.periods() == null ? null : turn.history.rules(turn.rulesVersion));
        for (long version = turn.rulesVersion + 1; version < present.version(); version++) {
            CompiledRuleset between = turn.history.rules(version);
            if (between != null) {
                settle(turn, between, untilMs);
            }
        }
        settle(turn, present, untilMs);
    }

    /** Each version in its turn, as if the user had been looked at the moment it was published. */
    private static void settle(UserTurn turn, CompiledRuleset next, long untilMs) {
        long momentMs = Math.min(next.publishedMs(), untilMs);
        CompiledRuleset former = turn.history.rules(turn.rulesVersion);
        if (former != null && turn.streak.periods() != null) {
            turn.adopt(former);
            UserTimers.fireUntil(turn, momentMs);
        }
        turn.adopt(next);
        long formerVersion = turn.rulesVersion;
        turn.rulesVersion = next.version();
        new StreakBook(turn).settle(former, Math.max(turn.newestMs, momentMs));
        turn.ranked.settle(Math.max(turn.newestMs, momentMs));
        new MessageBook(turn).settle(former, Math.max(turn.newestMs, momentMs));
        forgetCounts(turn);
        backdate(turn, formerVersion, untilMs);
    }

    /** Backdating is a matter of the moment of activation: what was due before it has happened, nothing later has. */
    private static void backdate(UserTurn turn, long formerVersion, long untilMs) {
        List<Achievement> backdating = turn.rules.backdating();
        for (int i = 0; i < backdating.size(); i++) {
            Achievement achievement = backdating.get(i);
            if (achievement.activeSince() > formerVersion) {
                long activatedMs = achievement.activated().toEpochMilli();
                UserTimers.fireUntil(turn, Math.min(activatedMs, untilMs));
                new AchievementBook(turn, activatedMs).backdate(achievement);
            }
        }
    }

    /** Numbers of triggers and filtered sums are never used again: what was counted under them is dead weight. */
    private static void forgetCounts(UserTurn turn) {
        turn.sums = turn.sums.retaining(turn.rules::countsUnder);
        for (int i = 0; i < turn.points.size(); i++) {
            PointsState points = turn.points.valueAt(i);
            Numbered<Long> counts = points.counts().retaining(turn.rules::countsUnder);
            if (counts != points.counts()) {
                turn.points = turn.points.with(turn.points.numberAt(i), new PointsState(points.total(),
                        points.awards(), points.newest(), counts, points.day(), points.dayChange()));
            }
        }
    }
}
