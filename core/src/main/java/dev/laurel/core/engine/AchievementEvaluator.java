package dev.laurel.core.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.rules.AchievementIndex.CompositeGoal;
import dev.laurel.core.rules.AchievementIndex.CompositeGoals;
import dev.laurel.core.rules.AchievementIndex.StreakGoal;
import dev.laurel.core.rules.AttributeFilters;
import dev.laurel.core.rules.CompiledRuleset.Ranked;
import dev.laurel.core.rules.CompiledRuleset.RunRewards;
import dev.laurel.core.rules.MetricRules;
import dev.laurel.core.rules.MetricRules.TotalGoal;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decides which achievements the user completes (docs/semantics.md §4). An achievement is completed once and kept forever.
 */
final class AchievementEvaluator {

    private final UserTransaction user;
    private final long atMs;
    private final List<Achievement> completed = new ArrayList<>(0);

    /** @param atMs the time of the completions */
    AchievementEvaluator(UserTransaction user, long atMs) {
        this.user = user;
        this.atMs = atMs;
    }

    /** The achievements completed here and announced, in the order of completion. */
    List<Achievement> completed() {
        return completed;
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
                ? user.addToSum(rule.sumNumber(), event.value())
                : user.sum(rule.sumNumber());
    }

    void onStreak(int length) {
        for (StreakGoal goal : user.rules().streakGoals()) {
            if (goal.length() <= length) {
                completeIfMatching(goal.achievement());
            }
        }
    }

    /** @param rank in a final run with these rewards */
    void onFinalRank(RunRewards rewards, int rank) {
        for (Ranked<Achievement> ranked : rewards.achievements()) {
            if (ranked.includes(rank)) {
                completeIfMatching(ranked.reward());
            }
        }
    }

    /**
     * Completes achievements whose user filters match since this command has changed the user's attributes, and whose
     * requirements are met already. Their composites are left to the caller.
     */
    void onAttributes() {
        if (user.profile() == user.formerProfile()) {
            return;
        }
        Map<String, String> former = user.formerProfile().attributes();
        var changed = new TreeMap<>(former);
        changed.putAll(user.profile().attributes());
        changed.keySet()
                .removeIf(key -> Objects.equals(
                        former.get(key), user.profile().attributes().get(key)));
        for (Achievement achievement : user.rules().achievementsFiltering(changed.keySet())) {
            if (isOpen(achievement) && isForUser(achievement) && qualifies(achievement)) {
                complete(achievement);
            }
        }
    }

    /** Completes composites until none is left. They may depend on each other, but not in cycles. */
    void completeComposites() {
        for (CompositeGoal next = nextComposite(); next != null; next = nextComposite()) {
            complete(next.achievement());
        }
    }

    private CompositeGoals composites() {
        return user.rules().achievements().composites();
    }

    /** The first open composite whose conditions hold, if any. */
    private @Nullable CompositeGoal nextComposite() {
        for (CompositeGoal goal : composites().all()) {
            if (isNext(goal)) {
                return goal;
            }
        }
        return null;
    }

    /** The first open composite whose conditions hold and that needs one of these achievements, if any. */
    private @Nullable CompositeGoal nextCompositeOf(List<Integer> done) {
        int first = Integer.MAX_VALUE;
        for (int achievement : done) {
            for (int index : composites().needing(achievement)) {
                if (index < first && isNext(composites().all().get(index))) {
                    first = index;
                }
            }
        }
        return first == Integer.MAX_VALUE ? null : composites().all().get(first);
    }

    private boolean isNext(CompositeGoal goal) {
        return isOpen(goal.achievement()) && hasAll(goal) && isForUser(goal.achievement());
    }

    private boolean hasAll(CompositeGoal goal) {
        for (int i = 0; i < goal.prerequisites().size(); i++) {
            if (!user.hasCompleted(goal.prerequisites().get(i))) {
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
        return !user.hasCompleted(achievement.number());
    }

    boolean isForUser(Achievement achievement) {
        return AttributeFilters.match(
                achievement.userAttributes(), user.profile().attributes());
    }

    /** Completes an achievement that is open and whose conditions hold. */
    void complete(Achievement achievement) {
        user.complete(achievement, atMs);
        completed.add(achievement);
        new MessageScheduler(user).onCompletion(achievement, atMs);
        Announcements.achievementCompleted(user, achievement, completionId(user.key(), achievement), atMs);
    }

    /**
     * Backdates an achievement that has become active or has new rules, or for which the user has just qualified otherwise
     * than by an event or a timer: a qualified user completes it, and composites that need it, without effects and points
     * (docs/semantics.md §4 "backdates").
     */
    void backdate(Achievement achievement) {
        if (!isOpen(achievement) || !isForUser(achievement) || !qualifies(achievement)) {
            return;
        }
        user.complete(achievement, atMs);
        var done = new ArrayList<>(List.of(achievement.number()));
        for (CompositeGoal next = nextCompositeOf(done); next != null; next = nextCompositeOf(done)) {
            user.complete(next.achievement(), atMs);
            done.add(next.achievement().number());
        }
    }

    private boolean qualifies(Achievement achievement) {
        return switch (achievement.trigger()) {
            case AchievementTrigger.MetricTotal total -> progressOf(total).compareTo(total.value()) >= 0;
            case AchievementTrigger.StreakLength(int length) -> user.lengthUnder(user.rules()) >= length;
            case AchievementTrigger.Api _, AchievementTrigger.FinalRank _ -> false;
            case AchievementTrigger.Composite _ -> {
                CompositeGoal goal = composites().of(achievement.number());
                yield goal != null && hasAll(goal);
            }
            case AchievementTrigger.Anniversary rule -> {
                LocalDate signUpDate = user.profile().signUpDate();
                yield signUpDate != null && rule.dateOf(signUpDate).toEpochDay() <= user.dayOf(atMs);
            }
        };
    }

    private BigDecimal progressOf(AchievementTrigger.MetricTotal rule) {
        return rule.sumNumber() != 0
                ? user.sum(rule.sumNumber())
                : user.total(user.rules().referencedMetric(rule.metric()).number());
    }
}
