package dev.laurel.processors.core.rules;

import dev.laurel.processors.core.rules.CompiledRuleset.AnniversaryGoal;
import dev.laurel.processors.core.rules.CompiledRuleset.CompositeGoal;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The achievements of a ruleset with what timers and migrations need of them. Versions with the same achievements share one. */
final class AchievementIndex {

    private final List<Achievement> all;
    private final List<AnniversaryGoal> anniversaries;
    private final Lazy<CompositeGoals> composites;

    /** @param near the index of another version, whose parts are shared; null: there is none */
    AchievementIndex(List<Achievement> all, @Nullable AchievementIndex near) {
        this.all = all;
        List<AnniversaryGoal> goals = anniversariesOf(all);
        this.anniversaries = near != null && near.anniversaries.equals(goals) ? near.anniversaries : goals;
        this.composites = near != null && near.hasCompositesOf(all)
                ? near.composites
                : new Lazy<>(() -> new CompositeGoals(all));
    }

    List<Achievement> all() {
        return all;
    }

    /** By years. */
    List<AnniversaryGoal> anniversaries() {
        return anniversaries;
    }

    CompositeGoals composites() {
        return composites.get();
    }

    /** Active achievements that qualified users complete silently at the activation, if it was after this version, by its time. */
    List<Achievement> backdatingSince(long version) {
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
                goals.add(new AnniversaryGoal(achievement, rule, Objects
                        .requireNonNull(achievement.activated(), "the achievement is active").toEpochMilli()));
            }
        }
        goals.sort(Comparator.comparingInt(goal -> goal.rule().years()));
        return List.copyOf(goals);
    }

    /** Whether these achievements differ in other ones than composites, and by other things than keys. */
    private boolean hasCompositesOf(List<Achievement> others) {
        int least = Math.min(all.size(), others.size());
        int from = 0;
        while (from < least && all.get(from) == others.get(from)) {
            from++;
        }
        int end = 0;
        while (end < least - from && all.get(all.size() - 1 - end) == others.get(others.size() - 1 - end)) {
            end++;
        }
        List<Achievement> mine = all.subList(from, all.size() - end);
        List<Achievement> theirs = others.subList(from, others.size() - end);
        boolean haveSameKeys = mine.isEmpty() || theirs.isEmpty() || mine.size() == theirs.size();
        for (int i = 0; i < mine.size() && i < theirs.size() && haveSameKeys; i++) {
            haveSameKeys = mine.get(i).number() == theirs.get(i).number()
                    && mine.get(i).key().equals(theirs.get(i).key());
        }
        return haveSameKeys && mine.stream().noneMatch(AchievementIndex::isComposite)
                && theirs.stream().noneMatch(AchievementIndex::isComposite);
    }

    private static boolean isComposite(Achievement achievement) {
        return achievement.isActive() && achievement.trigger() instanceof AchievementTrigger.Composite;
    }

    /** The goals of active composites, in ruleset order, also by the achievements that they need. */
    static final class CompositeGoals {

        private static final int[] NONE = {};

        private final List<CompositeGoal> all;
        private final Map<Integer, CompositeGoal> byNumber = new HashMap<>();
        private final Map<Integer, int[]> dependents = new HashMap<>();

        private CompositeGoals(List<Achievement> achievements) {
            var numbers = new HashMap<String, Integer>();
            achievements.forEach(achievement -> numbers.put(achievement.key(), achievement.number()));
            var goals = new ArrayList<CompositeGoal>();
            var needing = new HashMap<Integer, List<Integer>>();
            for (Achievement achievement : achievements) {
                if (achievement.isActive() && achievement.trigger() instanceof AchievementTrigger.Composite(var keys)) {
                    var goal = new CompositeGoal(achievement,
                            keys.stream().map(key -> CompiledRuleset.referenced(numbers, key)).toList());
                    byNumber.put(achievement.number(), goal);
                    goal.prerequisites()
                            .forEach(number -> CompiledRuleset.listIn(needing, number).add(goals.size()));
                    goals.add(goal);
                }
            }
            this.all = List.copyOf(goals);
            needing.forEach((number, indexes) -> dependents.put(number,
                    indexes.stream().mapToInt(Integer::intValue).toArray()));
        }

        List<CompositeGoal> all() {
            return all;
        }

        @Nullable
        CompositeGoal of(int achievement) {
            return byNumber.get(achievement);
        }

        /** The indexes of the goals that need an achievement, ascending. */
        int[] needing(int achievement) {
            return dependents.getOrDefault(achievement, NONE);
        }
    }
}
