package dev.laurel.core.engine;

import dev.laurel.core.rules.CalendarYear.Span;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.rules.MessageRules;
import dev.laurel.core.rules.Periods;
import dev.laurel.core.sending.MessageDelivery;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.MessageState;
import dev.laurel.core.user.MessageState.SentMessage;
import dev.laurel.core.user.MessageState.SentMessage.CountedMessage;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.MessageBodies;
import dev.laurel.core.view.MessageBodies.MessageSubject;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.Notifications.StreakReminder;
import dev.laurel.schemas.ruleset.Notifications.Window;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Schedules the messages to the user (docs/semantics.md §8, docs/webhooks.md §3 "Messages").
 *
 * <p>Each type of message has at most one next due time, so that little is due however long the user was inactive. A due time
 * passes with or without a message, and the state is the same. It passes without one if it is too old when it is processed,
 * or if a command or new rules moved it into the past.
 */
record MessageScheduler(UserTransaction user) {

    /** On the first day after the period of a recap. */
    private static final LocalTime RECAP_TIME = LocalTime.of(9, 0);

    private MessageRules rules() {
        return user.rules().messages();
    }

    /** Whether there may be messages. Users of the control group cause none, not even to webhooks. */
    private boolean isOn() {
        return rules().wantAny() && !user.isControl();
    }

    private ZoneId zone() {
        return rules().zoneOf(user.profile().tz());
    }

    // The causes of messages.

    void onEvent(long atMs) {
        if (atMs > user.lastEventMs()) {
            user.lastEventAt(atMs);
            if (user.messages().reactivatedDays() != 0) {
                user.updateMessages(user.messages().withReactivated(0));
            }
        }
        if (!user.messages().sent().isEmpty()) {
            user.updateMessages(user.messages().withEvent(atMs, user.newestMs()));
        }
        if (user.messages().recapDay() == MessageState.NONE_YET && isOn() && rules().want(NotificationType.RECAP)) {
            scheduleRecapOf(LocalDays.dayOf(atMs, zone()));
        }
    }

    /** Schedules the recap of the earliest period; the next one follows from the newest event. */
    private void scheduleRecapOf(int day) {
        if (day > user.messages().recappedTo()) {
            user.updateMessages(user.messages().withRecap(day, user.messages().recappedTo()));
        }
    }

    /** Schedules the message about an achievement. Ignores completions by late commands. */
    void onCompletion(Achievement achievement, long atMs) {
        if (atMs < user.newestMs() || !isOn() || !rules().want(NotificationType.ACHIEVEMENT_COMPLETED)) {
            return;
        }
        var waiting = new ArrayList<>(user.messages().waiting());
        waiting.add(achievement.number());
        long dueMs = user.messages().waiting().isEmpty()
                ? inWindow(atMs)
                : user.messages().windowMs();
        user.updateMessages(user.messages().withWaiting(dueMs, waiting));
    }

    /** The first moment from this one on at which messages about achievements may be sent. */
    private long inWindow(long fromMs) {
        Window window = rules().achievementWindow();
        int day = LocalDays.dayOf(fromMs, zone());
        if (fromMs < LocalDays.momentOf(day, window.to(), zone())) {
            return Math.max(fromMs, LocalDays.momentOf(day, window.from(), zone()));
        }
        return LocalDays.momentOf(day + 1, window.from(), zone());
    }

    /** Forgets the last reminder if its period of the streak has been judged. */
    void onJudgement() {
        int reminded = user.messages().remindedTo();
        if (reminded != MessageState.NONE_YET && reminded <= user.streak().judgedTo()) {
            user.updateMessages(user.messages().withReminded(MessageState.NONE_YET));
        }
    }

    // Timers.

    /**
     * When the next message is due, or {@link UserTimers#NEVER}.
     *
     * @param horizonMs see {@link UserTimers#nextDueMs}
     */
    long nextDueMs(long horizonMs) {
        return isOn() ? Math.min(achievementsDueMs(), othersDueMs(horizonMs)) : UserTransaction.NEVER;
    }

    private long othersDueMs(long horizonMs) {
        return Math.min(reactivationDueMs(), Math.min(recapDueMs(horizonMs), reminderDueMs(horizonMs)));
    }

    private long achievementsDueMs() {
        return user.messages().waiting().isEmpty()
                ? UserTransaction.NEVER
                : user.messages().windowMs();
    }

    private long recapDueMs(long horizonMs) {
        if (user.messages().recapDay() == MessageState.NONE_YET) {
            return UserTransaction.NEVER;
        }
        int day = rules().recapPeriods().of(user.messages().recapDay()).last() + 1;
        long atLeastMs = day * LocalDays.MS_PER_DAY - LocalDays.MAX_OFFSET_MS;
        return atLeastMs > horizonMs ? atLeastMs : LocalDays.momentOf(day, RECAP_TIME, zone());
    }

    private long reactivationDueMs() {
        int next = nextReactivation();
        return next < 0
                ? UserTransaction.NEVER
                : user.lastEventMs() + rules().reactivationDays().get(next) * LocalDays.MS_PER_DAY;
    }

    /** The index of the next reactivation, or -1. */
    private int nextReactivation() {
        if (user.lastEventMs() == UserState.NO_EVENT || !rules().want(NotificationType.REACTIVATION)) {
            return -1;
        }
        List<Integer> days = rules().reactivationDays();
        for (int i = 0; i < days.size(); i++) {
            if (days.get(i) > user.messages().reactivatedDays()) {
                return i;
            }
        }
        return -1;
    }

    private long reminderMs(long horizonMs) {
        var streak = new StreakTracker(user);
        if (!rules().want(NotificationType.STREAK_REMINDER) || streak.length() == 0) {
            return UserTransaction.NEVER;
        }
        int period = streak.openPeriod();
        if (period <= user.messages().remindedTo()) {
            return UserTransaction.NEVER;
        }
        return new ReminderTimes(rules().streakReminder(), user.streak().periods(), user.zone(), zone())
                .in(period, horizonMs);
    }

    private long reminderDueMs(long horizonMs) {
        long dueMs = reminderMs(horizonMs);
        // The period is judged first and then needs no reminder. This saves work for years of freezes.
        return dueMs != UserTransaction.NEVER && user.isStale(dueMs) && isOpenPeriodOver(horizonMs)
                ? UserTransaction.NEVER
                : dueMs;
    }

    private boolean isOpenPeriodOver(long horizonMs) {
        var streak = new StreakTracker(user);
        return streak.endMs(streak.openPeriod(), user.nowMs()) <= Math.min(horizonMs, user.nowMs());
    }

    /** Fires what is due at {@code dueMs}, achievements before recap, reactivation and reminder. */
    void fire(long dueMs) {
        if (achievementsDueMs() <= dueMs) {
            passAchievements(dueMs, !user.isStale(dueMs));
        } else {
            passOther(dueMs, dueMs, !user.isStale(dueMs));
        }
    }

    /** @param atMs the time of the message, if one is sent */
    private void passOther(long dueMs, long atMs, boolean isSent) {
        if (recapDueMs(dueMs) <= dueMs) {
            passRecap(atMs, isSent);
        } else if (reactivationDueMs() <= dueMs) {
            passReactivation(atMs, isSent);
        } else {
            user.updateMessages(user.messages().withReminded(new StreakTracker(user).openPeriod()));
            send(new MessageSubject.StreakReminder(), atMs, isSent);
        }
    }

    private void passAchievements(long atMs, boolean isSent) {
        List<Integer> waiting = user.messages().waiting();
        user.updateMessages(user.messages().withWaiting(0, List.of()));
        if (!isSent) {
            return;
        }
        for (int number : waiting) {
            Achievement achievement = user.rules().achievement(number);
            if (achievement != null && Bodies.isVisible(user.toState(), achievement)) {
                send(new MessageSubject.Completion(achievement), atMs, true);
            }
        }
    }

    private void passRecap(long atMs, boolean isSent) {
        Span days = rules().recapPeriods().of(user.messages().recapDay());
        user.updateMessages(user.messages().withRecap(MessageState.NONE_YET, days.last()));
        scheduleRecapOf(LocalDays.dayOf(user.lastEventMs(), zone()));
        send(new MessageSubject.Recap(days), atMs, isSent);
    }

    private void passReactivation(long atMs, boolean isSent) {
        int next = nextReactivation();
        int days = rules().reactivationDays().get(next);
        user.updateMessages(user.messages().withReactivated(days));
        send(new MessageSubject.Reactivation(next + 1, days), atMs, isSent);
    }

    private void send(MessageSubject subject, long atMs, boolean isSent) {
        if (!isSent || user.isRead()) {
            return;
        }
        var decision = MessageDecision.of(
                subject.type(), user.key(), atMs, user.profile(), user.preferences(), user.isControl(), rules());
        if (!decision.copies().isEmpty()) {
            var counted = CountedMessage.of(decision.copies(), atMs, user.rules());
            UUID email = MessageDelivery.idOf(user.nextNoticeId(), NotificationChannel.EMAIL);
            user.announce(new Notice.ForUser(
                    Instant.ofEpochMilli(atMs),
                    subject.type(),
                    user.rules().version(),
                    decision.copies(),
                    MessageBodies.message(subject, user.toState(), user.rules(), user.history(), atMs),
                    counted));
            if (!user.isOutdated(atMs)) {
                user.updateMessages(user.messages()
                        .withSent(new SentMessage(SentMessage.idOf(email), atMs, counted, false, false, false)));
            }
        }
        if (decision.toWebhooks()) {
            Announcements.messageDue(user, subject, atMs);
        }
    }

    // Commands and rules.

    /**
     * Ends a command at {@code atMs}. The message about its achievements may be sent at once. Messages that the command moves
     * into the past are not sent, unless it has moved the user's clock forward.
     */
    void close(long atMs) {
        if (!isOn()) {
            return;
        }
        if (hasMovedZone() && !user.messages().waiting().isEmpty()) {
            user.updateMessages(user.messages()
                    .withWaiting(inWindow(user.newestMs()), user.messages().waiting()));
        }
        if (achievementsDueMs() <= user.newestMs()) {
            passAchievements(user.newestMs(), true);
        }
        passOthers(user.newestMs(), hasMovedZone() && atMs == user.newestMs());
    }

    /** Whether this command has changed the zone of the user's messages. */
    private boolean hasMovedZone() {
        return !user.isNewUser() && !rules().zoneOf(user.formerProfile().tz()).equals(zone());
    }

    /** Few messages are due at any time, see the class comment. */
    private void passOthers(long untilMs, boolean isSent) {
        for (long dueMs = othersDueMs(untilMs); dueMs <= untilMs; dueMs = othersDueMs(untilMs)) {
            passOther(dueMs, untilMs, isSent);
        }
    }

    /**
     * Migrates to rules that have changed since {@code former}. Messages that are due only by them, and in the past, are not
     * sent.
     *
     * @param atMs the time from which the rules apply to this user
     */
    void migrate(CompiledRuleset former, long atMs) {
        if (user.isControl()) {
            return;
        }
        if (!former.streak().periods().equals(user.rules().streak().periods())
                && user.messages().remindedTo() != MessageState.NONE_YET) {
            user.updateMessages(user.messages().withReminded(MessageState.NONE_YET));
        }
        migrateAchievements(former, atMs);
        migrateRecap(former);
        if (isOn()) {
            passOthers(atMs, false);
        }
    }

    private void migrateAchievements(CompiledRuleset former, long atMs) {
        if (user.messages().waiting().isEmpty()) {
            return;
        }
        if (!rules().want(NotificationType.ACHIEVEMENT_COMPLETED)) {
            user.updateMessages(user.messages().withWaiting(0, List.of()));
        } else if (isNew(NotificationType.ACHIEVEMENT_COMPLETED, former)) {
            user.updateMessages(
                    user.messages().withWaiting(inWindow(atMs), user.messages().waiting()));
        }
    }

    private void migrateRecap(CompiledRuleset former) {
        boolean isScheduled = user.messages().recapDay() != MessageState.NONE_YET;
        if (!rules().want(NotificationType.RECAP)) {
            if (isScheduled) {
                user.updateMessages(user.messages()
                        .withRecap(MessageState.NONE_YET, user.messages().recappedTo()));
            }
        } else if (!isScheduled && user.lastEventMs() != UserState.NO_EVENT && isNew(NotificationType.RECAP, former)) {
            scheduleRecapOf(LocalDays.dayOf(user.lastEventMs(), zone()));
        }
    }

    /** Whether messages of this type were not wanted before, or are now due at other times. */
    private boolean isNew(NotificationType type, CompiledRuleset former) {
        return !former.messages().want(type) || !rules().haveTimesOf(former.messages(), type);
    }

    /**
     * Computes the times of streak reminders (docs/webhooks.md §3 "Messages").
     *
     * @param streakZone the zone of the streak's periods
     * @param messageZone the zone of messages; differs only for users without a zone
     */
    private record ReminderTimes(StreakReminder reminder, Periods periods, ZoneId streakZone, ZoneId messageZone) {

        private static final long MS_PER_HOUR = 3_600_000;

        /**
         * The time of the reminder in this period.
         *
         * @param horizonMs see {@link UserTimers#nextDueMs}
         */
        long in(int period, long horizonMs) {
            long atLeastMs = periods.firstDay(period) * LocalDays.MS_PER_DAY - LocalDays.MAX_OFFSET_MS;
            if (atLeastMs > horizonMs) {
                return atLeastMs;
            }
            if (streakZone.equals(messageZone)) {
                return momentOf(period);
            }
            // Eight in the evening may be on the next day in the zone in which the streak's days are counted.
            long startMs = LocalDays.startOf(periods.firstDay(period), streakZone);
            long endMs = LocalDays.startOf(periods.firstDay(period + 1), streakZone);
            for (int near = period - 1; near <= period + 1; near++) {
                long moment = momentOf(near);
                if (moment >= startMs && moment < endMs) {
                    return moment;
                }
            }
            return UserTransaction.NEVER;
        }

        /** The time of the reminder in the calendar period in the zone of messages. */
        private long momentOf(int period) {
            int first = periods.firstDay(period);
            return switch (periods.frequency()) {
                case DAILY ->
                    Math.max(
                            LocalDays.startOf(first, messageZone),
                            LocalDays.startOf(first + 1, messageZone) - reminder.dailyHoursBefore() * MS_PER_HOUR);
                case WEEKLY ->
                    LocalDays.momentOf(
                            first
                                    + Math.floorMod(
                                            reminder.weeklyDay().getValue()
                                                    - periods.weekStart().getValue(),
                                            7),
                            reminder.weeklyTime(),
                            messageZone);
                case MONTHLY ->
                    LocalDays.momentOf(
                            Math.min(first + reminder.monthlyDay() - 1, periods.lastDay(period)),
                            reminder.monthlyTime(),
                            messageZone);
            };
        }
    }
}
