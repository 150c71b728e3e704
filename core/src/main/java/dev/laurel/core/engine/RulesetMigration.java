package dev.laurel.core.engine;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.schemas.ruleset.Achievement;
import java.util.List;
import java.util.Objects;

/**
 * Migrates a user to rules that came into force since the user was last processed, before the next command, tick or read of
 * the user (docs/rulesets.md "Users who return"). So publishing a ruleset costs nothing per user.
 *
 * <p>The rules in force settle the user at once, whatever was published since. Only timers that were due before them fire under the
 * rules of their time, so that it does not matter how late a tick is: the user passes through the versions in which one was due.
 * Used for one call on one thread.
 */
final class RulesetMigration {

    private final UserTransaction user;
    private final CompiledRuleset present;
    private final long untilMs;

    private RulesetMigration(UserTransaction user, long untilMs) {
        this.user = user;
        this.present = user.rules();
        this.untilMs = untilMs;
    }

    /** @param untilMs the time of the command, tick or read; later timers do not fire */
    static void migrate(UserTransaction user, long untilMs) {
        if (user.rulesVersion() < user.rules().version()) {
            new RulesetMigration(user, untilMs).migrate();
        }
    }

    private void migrate() {
        user.boards().updateStreakLength(user.lengthUnder(former(present)));
        fireEarlierTimers();
        migrateTo(present);
    }

    /** Fires the timers that were due before the present rules, each under the version of its time. Most users have none. */
    private void fireEarlierTimers() {
        long presentMs = publishedMs(present);
        // No timer is due before the wake-up.
        long dueMs = user.wakeUpMs() == 0 ? UserTransaction.NEVER : user.wakeUpMs();
        while (dueMs <= presentMs) {
            long version = versionAt(dueMs);
            use(version);
            boolean isLast = version + 1 == present.version();
            UserTimers.fireUntil(
                    user, isLast ? presentMs : publishedMs(user.history().rules(version + 1)));
            dueMs = UserTimers.nextDueMs(user, presentMs);
        }
    }

    private void use(long version) {
        CompiledRuleset rules = user.history().rules(version);
        if (version == user.rulesVersion()) {
            user.adopt(rules);
        } else {
            migrateTo(rules);
        }
    }

    /** The version in force at a time before the present one: the last that was published earlier, or that of the user. */
    private long versionAt(long atMs) {
        long version = user.rulesVersion();
        long later = present.version();
        while (later - version > 1) {
            long middle = (version + later) >>> 1;
            if (publishedMs(user.history().rules(middle)) < atMs) {
                version = middle;
            } else {
                later = middle;
            }
        }
        return version;
    }

    private void migrateTo(CompiledRuleset next) {
        CompiledRuleset former = former(next);
        List<Achievement> backdating = next.achievements().backdatingSince(user.rulesVersion());
        user.migrateTo(next);
        long atMs = Math.max(user.newestMs(), publishedMs(next));
        new StreakTracker(user).migrate(former, atMs);
        new LeaderboardScorer(user).migrate(atMs);
        new MessageScheduler(user).migrate(former, atMs);
        user.dropUnusedCounts();
        for (Achievement achievement : backdating) {
            // At the moment of activation, after the timers that were due by then.
            long activatedMs = Objects.requireNonNull(achievement.activated(), "it is active")
                    .toEpochMilli();
            UserTimers.fireUntil(user, Math.min(activatedMs, untilMs));
            new AchievementEvaluator(user, activatedMs).backdate(achievement);
        }
    }

    private CompiledRuleset former(CompiledRuleset next) {
        return next.like(user.rulesVersion(), user.history()::rules);
    }

    private long publishedMs(CompiledRuleset rules) {
        return Math.min(rules.publishedMs(), untilMs);
    }
}
