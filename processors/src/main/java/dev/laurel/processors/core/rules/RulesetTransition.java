package dev.laurel.processors.core.rules;

import dev.laurel.processors.core.rules.CompiledRuleset.AnniversaryGoal;
import dev.laurel.processors.core.rules.PointsRules.IntervalTrigger;
import dev.laurel.schemas.ruleset.Achievement;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;

/**
 * What users must be migrated for from one version of a ruleset to a later one (docs/rulesets.md "What an edit restarts"). Most edits
 * change names, texts, conditions or amounts, which matter to events and timers of their time only. Immutable.
 */
public final class RulesetTransition {

    private final boolean changesRules;
    private final boolean changesBoards;
    private final boolean movesTimers;
    private final int[] ended;
    private final List<Achievement> backdating;

    private RulesetTransition(CompiledRuleset former, CompiledRuleset next) {
        this.changesRules = !next.streak().passLike(former.streak()) || !next.messages().areDueLike(former.messages())
                || !next.document().settings().defaultTimeZone()
                        .equals(former.document().settings().defaultTimeZone());
        this.changesBoards = !next.document().leaderboards().equals(former.document().leaderboards());
        this.movesTimers = !match(former.intervalTriggers(), next.intervalTriggers(), IntervalTrigger::isDueLike)
                || !match(former.anniversaryGoals(), next.anniversaryGoals(), AnniversaryGoal::isDueLike);
        IntPredicate isCounting = next::countsUnder;
        this.ended = former.hasCountsOf(next)
                ? new int[0]
                : former.countingNumbers().filter(isCounting.negate()).toArray();
        this.backdating = next.backdatingSince(former.version());
    }

    static RulesetTransition between(CompiledRuleset former, CompiledRuleset next) {
        return new RulesetTransition(former, next);
    }

    private static <T> boolean match(List<T> former, List<T> next, BiPredicate<T, T> isSame) {
        if (former == next) {
            return true;
        }
        Iterator<T> others = next.iterator();
        return former.size() == next.size() && former.stream().allMatch(each -> isSame.test(each, others.next()));
    }

    /** Whether streaks, the default time zone, or times of messages change. */
    public boolean changesRules() {
        return changesRules;
    }

    /** Whether leaderboards change. */
    public boolean changesBoards() {
        return changesBoards;
    }

    /** Whether points by the hour or anniversaries are due at other times. */
    public boolean movesTimers() {
        return movesTimers;
    }

    /** The numbers under which users no longer have counts, ascending. Not to be changed. */
    public int[] ended() {
        return ended;
    }

    /** Active achievements that came into force, and that qualified users complete silently, by time. */
    public List<Achievement> backdating() {
        return backdating;
    }
}
