package dev.laurel.core.engine;

import dev.laurel.core.rules.AchievementIndex.AnniversaryGoal;
import dev.laurel.core.rules.AttributeFilters;
import dev.laurel.core.rules.PointsRules.IntervalTrigger;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.Profile;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.PointsSystem;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;

/**
 * Fires a user's timers as time passes (docs/semantics.md §1): ends of periods, freezes, points, messages, starts and ends of
 * the user's own boosts, anniversaries. Due moments fire in order; those of the same time in the order streak, boosts,
 * anniversaries, points, messages.
 */
final class UserTimers {

    private UserTimers() {}

    /**
     * When the next timer is due, or {@link UserTransaction#NEVER}.
     *
     * @param horizonMs beyond this time the result need not be exact: it may be any later moment
     */
    static long nextDueMs(UserTransaction user, long horizonMs) {
        long dueMs = Math.min(new StreakTracker(user).nextDueMs(horizonMs), new IntervalAwarder(user).nextDueMs());
        dueMs = Math.min(dueMs, new AnniversaryTimers(user).nextDueMs(horizonMs));
        return Math.min(
                Math.min(dueMs, new UserBoostTimers(user).nextDueMs(horizonMs)),
                new MessageScheduler(user).nextDueMs(horizonMs));
    }

    /** Fires all timers that are due by {@code untilMs}. */
    static void fireUntil(UserTransaction user, long untilMs) {
        fireUntil(user, untilMs, Integer.MAX_VALUE);
    }

    /** Fires at most {@code maxMoments} due moments. {@link #nextDueMs} returns the one after. */
    static void fireUntil(UserTransaction user, long untilMs, int maxMoments) {
        var streak = new StreakTracker(user);
        var boosts = new UserBoostTimers(user);
        var anniversaries = new AnniversaryTimers(user);
        var intervals = new IntervalAwarder(user);
        var messages = new MessageScheduler(user);
        for (int fired = 0; fired < maxMoments; fired++) {
            long streakDueMs = streak.nextDueMs(untilMs);
            long boostDueMs = boosts.nextDueMs(untilMs);
            long anniversaryDueMs = anniversaries.nextDueMs(untilMs);
            long pointsDueMs = intervals.nextDueMs();
            long messagesDueMs = messages.nextDueMs(untilMs);
            long dueMs = Math.min(
                    Math.min(streakDueMs, boostDueMs),
                    Math.min(anniversaryDueMs, Math.min(pointsDueMs, messagesDueMs)));
            if (dueMs > untilMs) {
                return;
            }
            if (streakDueMs == dueMs) {
                fire(streak, dueMs, untilMs, user);
            } else if (boostDueMs == dueMs) {
                boosts.fire(dueMs);
            } else if (anniversaryDueMs == dueMs) {
                anniversaries.fire(dueMs);
            } else if (pointsDueMs == dueMs) {
                // An achievement may pay or take points, too.
                intervals.fire(dueMs, Math.min(untilMs, anniversaryDueMs - 1));
            } else {
                messages.fire(dueMs);
            }
        }
    }

    /**
     * Fires the timers that a change of the zone has made due at the user's newest time, which are none of before. Intervals of points
     * do not depend on the zone, and {@link MessageScheduler#close} decides about messages at the end of the command.
     */
    static void fireMoved(UserTransaction user) {
        long atMs = user.newestMs();
        var streak = new StreakTracker(user);
        var boosts = new UserBoostTimers(user);
        var anniversaries = new AnniversaryTimers(user);
        while (true) {
            if (streak.nextDueMs(atMs) <= atMs) {
                fire(streak, atMs, atMs, user);
            } else if (boosts.nextDueMs(atMs) <= atMs) {
                boosts.fire(atMs);
            } else if (anniversaries.nextDueMs(atMs) <= atMs) {
                anniversaries.fire(atMs);
            } else {
                return;
            }
        }
    }

    private static void fire(StreakTracker streak, long dueMs, long untilMs, UserTransaction user) {
        streak.fire(dueMs, untilMs);
        new MessageScheduler(user).onJudgement();
        new LeaderboardScorer(user).updateStreak(dueMs);
    }

    /**
     * Completes achievements on anniversaries of the sign-up date, when the local date begins (docs/semantics.md §4). A command by
     * which the user qualifies after that completes them silently. So no state says which dates have passed: each date that has
     * begun is completed, or the filters do not match, or it began before the achievement became active.
     */
    static final class AnniversaryTimers {

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
            long atLeastMs = signUpDate.toEpochDay() * LocalDays.MS_PER_DAY
                    + goal.rule().years() * MIN_YEAR_MS
                    - LocalDays.MAX_OFFSET_MS;
            if (atLeastMs > horizonMs) {
                return atLeastMs;
            }
            Achievement achievement = goal.achievement();
            if (user.hasCompleted(achievement.number())
                    || !AttributeFilters.match(
                            achievement.userAttributes(), user.profile().attributes())) {
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
                    if (isTimed(goal, signUpDate)
                            ? mayQualify
                            : goal.achievement().backdate()) {
                        achievements.backdate(goal.achievement());
                    }
                }
            }
        }
    }

    /** Awards points by the hour or the day (docs/semantics.md §6 "time"). */
    private static final class IntervalAwarder {

        private final UserTransaction user;
        private final List<IntervalTrigger> triggers;

        IntervalAwarder(UserTransaction user) {
            this.user = user;
            this.triggers = user.rules().intervalTriggers();
        }

        /** When the next interval of any trigger ends, or {@link UserTimers#NEVER}. */
        long nextDueMs() {
            long earliest = UserTransaction.NEVER;
            // By index: most rulesets have none, and this runs with every event.
            for (int i = 0; i < triggers.size(); i++) {
                earliest = Math.min(earliest, dueMs(triggers.get(i)));
            }
            return earliest;
        }

        private long dueMs(IntervalTrigger trigger) {
            PointsState points = user.points().get(trigger.paid().system().number());
            Long passed = points == null
                    ? null
                    : points.counts().get(trigger.paid().trigger().number());
            return startMs(trigger) + ((passed == null ? 0 : passed) + 1) * trigger.intervalMs();
        }

        private long startMs(IntervalTrigger trigger) {
            return Math.max(user.createdMs(), trigger.activatedMs());
        }

        /**
         * Pays every trigger whose interval ends at {@code dueMs}, in ruleset order.
         *
         * @param untilMs until then only intervals change the points
         */
        void fire(long dueMs, long untilMs) {
            var points = new PointsAwarder(user, dueMs);
            for (int i = 0; i < triggers.size(); i++) {
                IntervalTrigger trigger = triggers.get(i);
                if (dueMs(trigger) != dueMs) {
                    continue;
                }
                long passed = (dueMs - startMs(trigger)) / trigger.intervalMs();
                if (!points.payInterval(trigger, passed) && isWithoutEffect(trigger)) {
                    // Years of such intervals, one by one, would delay a command.
                    points.passIntervals(trigger, (untilMs - startMs(trigger)) / trigger.intervalMs());
                }
            }
            points.close();
        }

        /**
         * Whether no interval of the trigger can change the total while only intervals do: the trigger does not apply to the user,
         * or the total is at the trigger's limit and no other trigger moves it away.
         */
        private boolean isWithoutEffect(IntervalTrigger trigger) {
            if (!isForUser(trigger)) {
                return true;
            }
            PointsSystem system = trigger.paid().system();
            long total = PointsState.totalOf(user.points(), system.number());
            boolean isGain = trigger.paid().trigger().points() > 0;
            boolean isAtLimit = isGain ? total >= PointsAwarder.capOf(system) : total == 0;
            return isAtLimit && !isMovedByOther(system, isGain);
        }

        private boolean isMovedByOther(PointsSystem system, boolean isGain) {
            for (IntervalTrigger other : triggers) {
                if (other.paid().system() == system
                        && other.paid().trigger().points() > 0 != isGain
                        && isForUser(other)) {
                    return true;
                }
            }
            return false;
        }

        private boolean isForUser(IntervalTrigger trigger) {
            return AttributeFilters.match(
                    trigger.paid().trigger().userAttributes(), user.profile().attributes());
        }
    }
}
