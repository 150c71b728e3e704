package dev.laurel.core.rules;

import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The active achievements of a ruleset with what composites, timers and migrations need of them. Immutable. */
public final class AchievementIndex {

    /** An achievement that is completed when the streak is at least {@code length}. */
    public record StreakGoal(Achievement achievement, int length) {}

    /** An achievement that is completed when the achievements of these numbers are. */
    public record CompositeGoal(Achievement achievement, List<Integer> prerequisites) {}

    /**
     * An achievement that is completed on an anniversary of the user's sign-up date.
     *
     * @param activatedMs when the present rules came into force; the timers complete only what becomes due later
     */
    public record AnniversaryGoal(Achievement achievement, AchievementTrigger.Anniversary rule, long activatedMs) {}

    private final List<Achievement> all;
    private final List<AnniversaryGoal> anniversaries;
    private final CompositeGoals composites;

    AchievementIndex(List<Achievement> all) {
        this.all = all;
        this.anniversaries = anniversariesOf(all);
        this.composites = new CompositeGoals(all);
    }

    /** The goals of active achievements, by years. */
    public List<AnniversaryGoal> anniversaries() {
        return anniversaries;
    }

    public CompositeGoals composites() {
        return composites;
    }

    /** Active achievements that qualified users complete silently at the activation, if it was after this version, by its time. */
    public List<Achievement> backdatingSince(long version) {
        var found = new ArrayList<Achievement>(0);
        for (Achievement achievement : all) {
            if (achievement.activeSince() > version && achievement.isActive() && achievement.backdate()) {
                found.add(achievement);
            }
        }
        found.sort(Comparator.comparing(Achievement::activated));
        return found;
    }

    private static List<AnniversaryGoal> anniversariesOf(List<Achievement> all) {
        var goals = new ArrayList<AnniversaryGoal>(0);
        for (Achievement achievement : all) {
            if (achievement.isActive() && achievement.trigger() instanceof AchievementTrigger.Anniversary rule) {
                goals.add(new AnniversaryGoal(
                        achievement,
                        rule,
                        Objects.requireNonNull(achievement.activated(), "the achievement is active")
                                .toEpochMilli()));
            }
        }
        goals.sort(Comparator.comparingInt(goal -> goal.rule().years()));
        return List.copyOf(goals);
    }

    /** The goals of active composites, in ruleset order, also by the achievements that they need. */
    public static final class CompositeGoals {

        private final List<CompositeGoal> all;
        private final Map<Integer, CompositeGoal> byNumber = new HashMap<>();
        private final Map<Integer, List<Integer>> dependents = new HashMap<>();

        private CompositeGoals(List<Achievement> achievements) {
            var numbers = new HashMap<String, Integer>();
            achievements.forEach(achievement -> numbers.put(achievement.key(), achievement.number()));
            var goals = new ArrayList<CompositeGoal>();
            for (Achievement achievement : achievements) {
                if (achievement.isActive() && achievement.trigger() instanceof AchievementTrigger.Composite(var keys)) {
                    var goal = new CompositeGoal(
                            achievement,
                            keys.stream()
                                    .map(key -> Objects.requireNonNull(
                                            numbers.get(key), "a published ruleset has what it refers to"))
                                    .toList());
                    byNumber.put(achievement.number(), goal);
                    goal.prerequisites()
                            .forEach(number ->
                                    CompiledRuleset.listIn(dependents, number).add(goals.size()));
                    goals.add(goal);
                }
            }
            this.all = List.copyOf(goals);
        }

        public List<CompositeGoal> all() {
            return all;
        }

        /** The goal of an active composite; null if the achievement is none. @param achievement its number */
        public @Nullable CompositeGoal of(int achievement) {
            return byNumber.get(achievement);
        }

        /** The indexes in {@link #all} of the goals that need this achievement, ascending. @param achievement its number */
        public List<Integer> needing(int achievement) {
            return dependents.getOrDefault(achievement, List.of());
        }
    }
}
