package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.AttributeFilters;
import dev.laurel.processors.core.rules.CompiledRuleset.CompositeGoal;
import dev.laurel.processors.core.rules.CompiledRuleset.StreakGoal;
import dev.laurel.processors.core.rules.MetricRules;
import dev.laurel.processors.core.rules.MetricRules.TotalGoal;
import dev.laurel.schemas.command.RecordEvent;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.AchievementTrigger;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;

/** What the user of a turn completes (semantics.md §4). Completed once, kept forever. */
final class AchievementBook {

    private final UserTurn turn;
    private final long atMs;
    private final List<Achievement> made = new ArrayList<>(0);

    /** @param atMs when what is completed here was completed */
    AchievementBook(UserTurn turn, long atMs) {
        this.turn = turn;
        this.atMs = atMs;
    }

    /** Completed through this book and told, in the order of completion. */
    List<Achievement> made() {
        return made;
    }

    static UUID completionId(UserKey user, Achievement achievement) {
        return UUID.nameUUIDFromBytes((user.text() + "\ncompletion\n" + achievement.id()).getBytes(UTF_8));
    }

    /** @param total of the event's metric, the event included */
    void onEvent(MetricRules metric, RecordEvent event, BigDecimal total) {
        for (TotalGoal goal : metric.goals()) {
            BigDecimal progress = goal.rule().sumNumber() == 0 ? total : sumOf(goal.rule(), event);
            if (progress.compareTo(goal.rule().value()) >= 0) {
                completeIfMatching(goal.achievement());
            }
        }
    }

    /** The sum of the events that match, this one included. */
    private BigDecimal sumOf(AchievementTrigger.MetricTotal rule, RecordEvent event) {
        return AttributeFilters.match(rule.eventAttributes(), event.attributes())
                ? turn.addToSum(rule.sumNumber(), event.value())
                : turn.sum(rule.sumNumber());
    }

    void onStreak(int length) {
        for (StreakGoal goal : turn.rules.streakGoals()) {
            if (goal.length() <= length) {
                completeIfMatching(goal.achievement());
            }
        }
    }

    /** Composites may complete each other: looks again until nothing more comes of it. Rulesets have no cycles. */
    void completeComposites() {
        while (true) {
            CompositeGoal next = nextComposite(null);
            if (next == null) {
                return;
            }
            complete(next.achievement());
        }
    }

    /**
     * The first composite that is open and whose conditions hold, null if there is none.
     *
     * @param of only composites that need one of these; null: any
     */
    private CompositeGoal nextComposite(Set<Integer> of) {
        for (CompositeGoal goal : turn.rules.compositeGoals()) {
            if (isOpen(goal.achievement()) && hasAll(goal) && isForUser(goal.achievement())
                    && (of == null || !Collections.disjoint(goal.prerequisites(), of))) {
                return goal;
            }
        }
        return null;
    }

    private boolean hasAll(CompositeGoal goal) {
        for (int i = 0; i < goal.prerequisites().size(); i++) {
            if (!turn.completions.contains(goal.prerequisites().get(i))) {
                return false;
            }
        }
        return true;
    }

    private void completeIfMatching(Achievement achievement) {
        if (isOpen(achievement) && isForUser(achievement)) {
            complete(achievement);
        }
    }

    private boolean isOpen(Achievement achievement) {
        return !turn.completions.contains(achievement.number());
    }

    boolean isForUser(Achievement achievement) {
        return AttributeFilters.match(achievement.userAttributes(), turn.profile.attributes());
    }

    /** The achievement is open and its conditions hold. */
    void complete(Achievement achievement) {
        completeSilently(achievement);
        made.add(achievement);
        new MessageBook(turn).onCompletion(achievement, atMs);
        turn.emit(new Effect.AchievementCompleted(turn.key.user(), Instant.ofEpochMilli(atMs), achievement.id(),
                achievement.key(), completionId(turn.key, achievement)));
        turn.hooks.achievementCompleted(achievement, atMs);
    }

    private void completeSilently(Achievement achievement) {
        turn.completions = turn.completions.with(achievement.number(), atMs);
        turn.completed.add(achievement);
    }

    /**
     * The achievement has become active, or other rules of it have: whoever qualifies completes it, and the composites that
     * follow from it, without effects and without points (semantics.md §4 "backdates").
     */
    void backdate(Achievement achievement) {
        if (!isOpen(achievement) || !isForUser(achievement) || !qualifies(achievement)) {
            return;
        }
        completeSilently(achievement);
        var done = new HashSet<>(Set.of(achievement.number()));
        for (CompositeGoal next = nextComposite(done); next != null; next = nextComposite(done)) {
            completeSilently(next.achievement());
            done.add(next.achievement().number());
        }
    }

    private boolean qualifies(Achievement achievement) {
        return switch (achievement.trigger()) {
            case AchievementTrigger.MetricTotal total -> progressOf(total).compareTo(total.value()) >= 0;
            case AchievementTrigger.StreakLength(int length) -> new StreakBook(turn).length() >= length;
            case AchievementTrigger.Api _ -> false;
            case AchievementTrigger.Composite(List<String> keys) -> keys.stream()
                    .allMatch(key -> turn.completions.contains(turn.rules.achievement(key).number()));
        };
    }

    private BigDecimal progressOf(AchievementTrigger.MetricTotal rule) {
        return rule.sumNumber() != 0
                ? turn.sum(rule.sumNumber())
                : turn.total(turn.rules.metric(rule.metric()).metric().number());
    }
}
