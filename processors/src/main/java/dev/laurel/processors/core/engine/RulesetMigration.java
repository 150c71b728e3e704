package dev.laurel.processors.core.engine;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.rules.RulesetTransition;
import dev.laurel.schemas.ruleset.Achievement;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Migrates a user to rules that came into force since the user was last processed, before the next command, tick or read of
 * the user. So publishing a ruleset costs nothing per user, and all three find the same state.
 *
 * <p>The result is that of one full migration per version. Most of them would change nothing, and a user who returns may have
 * missed thousands. Therefore a user who is settled takes from a version only what its {@link RulesetTransition} says. A user is
 * settled after a full migration, as long as no timer is due by the publication of the next version: another full migration
 * to the same rules would then change nothing. Used for one call on one thread.
 */
final class RulesetMigration {

    private final UserTransaction user;
    private final long untilMs;
    private final long presentVersion;

    /** Whether the user has no counts but those of the former rules. */
    private boolean isMigrated;

    /** Whether nothing has happened since the last full migration that another one could change. */
    private boolean isSettled;

    /** Before this time no timer of the settled user is due. */
    private long dueMs;

    private RulesetMigration(UserTransaction user, long untilMs) {
        this.user = user;
        this.untilMs = untilMs;
        this.presentVersion = user.rules().version();
    }

    /** @param untilMs the time of the command, tick or read; later timers do not fire */
    static void migrate(UserTransaction user, long untilMs) {
        if (user.rulesVersion() < user.rules().version()) {
            new RulesetMigration(user, untilMs).migrateTo(user.rules());
        }
    }

    private void migrateTo(CompiledRuleset present) {
        CompiledRuleset former = user.history().rules(user.rulesVersion());
        user.leaderboards().beginMigration(former);
        for (long version = user.rulesVersion() + 1; version < present.version(); version++) {
            CompiledRuleset between = user.history().rules(version);
            if (between != null) {
                migrate(former, between);
                former = between;
            }
        }
        migrate(former, present);
    }

    /** Applies one version as if the user had been processed at the moment of its publication. */
    private void migrate(@Nullable CompiledRuleset former, CompiledRuleset next) {
        long publishedMs = Math.min(next.publishedMs(), untilMs);
        if (!isSettled || publishedMs >= dueMs || former == null
                || !pass(next, next.transitionFrom(former), publishedMs)) {
            migrateFully(former, next, publishedMs);
        }
    }

    /**
     * Passes a version without a full migration.
     *
     * @param publishedMs before any timer of the settled user
     * @return false, without a change, if it needs a full one
     */
    private boolean pass(CompiledRuleset next, RulesetTransition transition, long publishedMs) {
        List<Achievement> backdating = transition.backdating();
        if (transition.changesRules()
                || !backdating.isEmpty()
                        && Math.min(activatedMs(backdating.getLast()), untilMs) > publishedMs) {
            return false;
        }
        user.migrateTo(next);
        if (transition.changesBoards()) {
            user.leaderboards().migrate(Math.max(user.newestMs(), publishedMs));
            isSettled = user.leaderboards().isSettled();
        }
        user.dropCounts(transition.ended());
        if (transition.movesTimers()) {
            dueMs = nextDueMs();
        }
        backdating.forEach(this::backdate);
        return true;
    }

    private void migrateFully(@Nullable CompiledRuleset former, CompiledRuleset next, long publishedMs) {
        if (former != null) {
            user.adopt(former);
            UserTimers.fireUntil(user, publishedMs);
        }
        List<Achievement> backdating = former == null
                ? next.backdatingSince(user.rulesVersion())
                : next.transitionFrom(former).backdating();
        user.migrateTo(next);
        long atMs = Math.max(user.newestMs(), publishedMs);
        new StreakTracker(user).migrate(former, atMs);
        user.leaderboards().migrate(atMs);
        new MessageScheduler(user).migrate(former, atMs);
        if (former != null && isMigrated) {
            user.dropCounts(next.transitionFrom(former).ended());
        } else {
            user.dropUnusedCounts();
        }
        isMigrated = true;
        isSettled = true;
        dueMs = Long.MIN_VALUE;
        backdating.forEach(this::backdate);
        if (next.version() != presentVersion && isSettled) {
            isSettled = user.leaderboards().isSettled();
            dueMs = nextDueMs();
        }
    }

    private long nextDueMs() {
        return Math.min(UserTimers.nextDueMs(user, untilMs), new MessageScheduler(user).nextReminderMs(untilMs));
    }

    /** Backdates at the moment of activation, after the timers that were due by then. */
    private void backdate(Achievement achievement) {
        long activatedMs = activatedMs(achievement);
        if (Math.min(activatedMs, untilMs) >= dueMs) {
            isSettled &= !UserTimers.fireUntil(user, Math.min(activatedMs, untilMs));
        }
        new AchievementEvaluator(user, activatedMs).backdate(achievement);
    }

    private static long activatedMs(Achievement achievement) {
        return Objects.requireNonNull(achievement.activated(), "the achievement is active").toEpochMilli();
    }
}
