package dev.laurel.processors.core.engine;

import dev.laurel.processors.core.rules.AttributeFilters;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Migrates a user version by version, each in full: what {@link RulesetMigration} means. Backdating is written out as well, without
 * look-ups.
 */
final class SteppingMigration {

    private SteppingMigration() {}

    static void migrate(UserTransaction user, long untilMs) {
        CompiledRuleset present = user.rules();
        if (user.rulesVersion() >= present.version()) {
            return;
        }
        user.leaderboards().beginMigration(user.history().rules(user.rulesVersion()));
        for (long version = user.rulesVersion() + 1; version < present.version(); version++) {
            CompiledRuleset between = user.history().rules(version);
            if (between != null) {
                migrateTo(between, user, untilMs);
            }
        }
        migrateTo(present, user, untilMs);
    }

    private static void migrateTo(CompiledRuleset next, UserTransaction user, long untilMs) {
        long publishedMs = Math.min(next.publishedMs(), untilMs);
        long formerVersion = user.rulesVersion();
        CompiledRuleset former = user.history().rules(formerVersion);
        if (former != null) {
            user.adopt(former);
            UserTimers.fireUntil(user, publishedMs);
        }
        user.migrateTo(next);
        long atMs = Math.max(user.newestMs(), publishedMs);
        new StreakTracker(user).migrate(former, atMs);
        user.leaderboards().migrate(atMs);
        new MessageScheduler(user).migrate(former, atMs);
        user.dropUnusedCounts();
        List<Achievement> backdating = next.document().achievements().stream()
                .filter(a -> a.isActive() && a.backdate() && a.activeSince() > formerVersion)
                .sorted((one, other) -> one.activated().compareTo(other.activated())).toList();
        for (Achievement achievement : backdating) {
            long activatedMs = achievement.activated().toEpochMilli();
            UserTimers.fireUntil(user, Math.min(activatedMs, untilMs));
            backdate(user, achievement, activatedMs);
        }
    }

    private static void backdate(UserTransaction user, Achievement achievement, long atMs) {
        if (!isOpenTo(user, achievement) || !qualifies(user, achievement, atMs)) {
            return;
        }
        user.complete(achievement, atMs);
        var done = new HashSet<>(Set.of(achievement.number()));
        for (Achievement next = next(user, done); next != null; next = next(user, done)) {
            user.complete(next, atMs);
            done.add(next.number());
        }
    }

    private static boolean isOpenTo(UserTransaction user, Achievement achievement) {
        return !user.hasCompleted(achievement.number())
                && AttributeFilters.match(achievement.userAttributes(), user.profile().attributes());
    }

    private static Achievement next(UserTransaction user, Set<Integer> done) {
        return user.rules().document().achievements().stream()
                .filter(a -> a.isActive() && a.trigger() instanceof AchievementTrigger.Composite && isOpenTo(user, a)
                        && hasAll(user, a) && !Collections.disjoint(prerequisites(user, a), done))
                .findFirst().orElse(null);
    }

    private static boolean hasAll(UserTransaction user, Achievement composite) {
        return prerequisites(user, composite).stream().allMatch(user::hasCompleted);
    }

    private static List<Integer> prerequisites(UserTransaction user, Achievement composite) {
        return ((AchievementTrigger.Composite) composite.trigger()).achievements().stream()
                .map(key -> user.rules().achievement(key).number()).toList();
    }

    private static boolean qualifies(UserTransaction user, Achievement achievement, long atMs) {
        return switch (achievement.trigger()) {
            case AchievementTrigger.MetricTotal(String metric, BigDecimal value, var _, int sumNumber) ->
                (sumNumber != 0
                        ? user.sum(sumNumber)
                        : user.total(user.rules().metric(metric).metric().number())).compareTo(value) >= 0;
            case AchievementTrigger.StreakLength(int length) -> new StreakTracker(user).length() >= length;
            case AchievementTrigger.Api _ -> false;
            case AchievementTrigger.Composite _ -> hasAll(user, achievement);
            case AchievementTrigger.Anniversary rule -> user.profile().signUpDate() != null
                    && rule.dateOf(user.profile().signUpDate()).toEpochDay() <= user.dayOf(atMs);
        };
    }
}
