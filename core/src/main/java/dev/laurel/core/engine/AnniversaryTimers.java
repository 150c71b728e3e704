package dev.laurel.core.engine;

import dev.laurel.core.rules.AchievementIndex.AnniversaryGoal;
import dev.laurel.core.rules.AttributeFilters;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.Profile;
import dev.laurel.schemas.ruleset.Achievement;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;

/**
 * Completes achievements on anniversaries of the sign-up date, when the local date begins (docs/semantics.md §4). A command by
 * which the user qualifies after that completes them silently. So no state says which dates have passed: each date that has
 * begun is completed, or the filters do not match, or it began before the achievement became active.
 */
final class AnniversaryTimers {

    private static final long MIN_YEAR_MS = 365 * LocalDays.MS_PER_DAY;

    private final UserTransaction user;
    private final List<AnniversaryGoal> goals;

    AnniversaryTimers(UserTransaction user) {
        this.user = user;
        this.goals = user.rules().achievements().anniversaries();
    }

    /**
     * When the next date begins, or {@link UserTimers#NEVER}.
     *
     * @param horizonMs see {@link UserTimers#nextDueMs}
     */
    long nextDueMs(long horizonMs) {
        LocalDate signUpDate = user.profile().signUpDate();
        if (signUpDate == null) {
            return UserTransaction.NEVER;
        }
        // By index: most rulesets have none, and this runs with every event.
        for (int i = 0; i < goals.size(); i++) {
            long dueMs = dueMs(goals.get(i), signUpDate, horizonMs);
            if (dueMs != UserTransaction.NEVER) {
                return dueMs; // the goals are in the order of their dates
            }
        }
        return UserTransaction.NEVER;
    }

    private long dueMs(AnniversaryGoal goal, LocalDate signUpDate, long horizonMs) {
        long atLeastMs = signUpDate.toEpochDay() * LocalDays.MS_PER_DAY + goal.rule().years() * MIN_YEAR_MS
                - LocalDays.MAX_OFFSET_MS;
        if (atLeastMs > horizonMs) {
            return atLeastMs;
        }
        Achievement achievement = goal.achievement();
        if (user.hasCompleted(achievement.number())
                || !AttributeFilters.match(achievement.userAttributes(), user.profile().attributes())) {
            return UserTransaction.NEVER;
        }
        return isTimed(goal, signUpDate) ? user.startOf(dayOf(goal, signUpDate), horizonMs) : UserTransaction.NEVER;
    }

    private static int dayOf(AnniversaryGoal goal, LocalDate signUpDate) {
        return Math.toIntExact(goal.rule().dateOf(signUpDate).toEpochDay());
    }

    /** Whether the date begins after the activation. Others are left to backdating. */
    private boolean isTimed(AnniversaryGoal goal, LocalDate signUpDate) {
        return LocalDays.startOf(dayOf(goal, signUpDate), user.zone()) > goal.activatedMs();
    }

    /** Completes the achievements whose date begins at {@code dueMs}. */
    void fire(long dueMs) {
        LocalDate signUpDate = Objects.requireNonNull(user.profile().signUpDate(), "it has an anniversary");
        var achievements = new AchievementEvaluator(user, dueMs);
        for (AnniversaryGoal goal : goals) {
            if (dueMs(goal, signUpDate, dueMs) == dueMs) {
                achievements.complete(goal.achievement());
            }
        }
        achievements.completeComposites();
        var points = new PointsAwarder(user, dueMs);
        points.payCompletions(achievements.completed());
        points.close();
    }

    /**
     * Completes silently what the user qualifies for by a command that has changed the sign-up date or the attributes. A change of
     * the zone alone moves the timers, and what it moves before the activation is backdated.
     */
    void changeProfile() {
        Profile former = user.formerProfile();
        Profile present = user.profile();
        LocalDate signUpDate = present.signUpDate();
        if (signUpDate == null || goals.isEmpty()) {
            return;
        }
        boolean mayQualify = !signUpDate.equals(former.signUpDate())
                || !present.attributes().equals(former.attributes());
        if (mayQualify || !Objects.equals(present.tz(), former.tz())) {
            var achievements = new AchievementEvaluator(user, user.newestMs());
            for (AnniversaryGoal goal : goals) {
                if (isTimed(goal, signUpDate) ? mayQualify : goal.achievement().backdate()) {
                    achievements.backdate(goal.achievement());
                }
            }
        }
    }
}
