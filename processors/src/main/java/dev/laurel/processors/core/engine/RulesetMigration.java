package dev.laurel.processors.core.engine;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.ruleset.Achievement;
import java.util.List;
import java.util.Objects;

/**
 * Migrates a user to rules that came into force since the user was last processed, before the next command, tick or read of
 * the user. So publishing a ruleset costs nothing per user, and all three find the same state.
 */
final class RulesetMigration {

    private RulesetMigration() {}

    /** @param untilMs the time of the command, tick or read; later timers do not fire */
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

    /** Applies one version as if the user had been processed at the moment of its publication. */
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
        backdate(user, formerVersion, untilMs);
    }

    /** Backdates at the moment of activation, after the timers that were due by then. */
    private static void backdate(UserTransaction user, long formerVersion, long untilMs) {
        List<Achievement> backdating = user.rules().backdating();
        for (int i = 0; i < backdating.size(); i++) {
            Achievement achievement = backdating.get(i);
            if (achievement.activeSince() > formerVersion) {
                long activatedMs = Objects.requireNonNull(achievement.activated(), "the achievement is active")
                        .toEpochMilli();
                UserTimers.fireUntil(user, Math.min(activatedMs, untilMs));
                new AchievementEvaluator(user, activatedMs).backdate(achievement);
            }
        }
    }
}
