package dev.laurel.processors.core.user;

import dev.laurel.processors.core.message.MessageDecision;
import dev.laurel.processors.core.message.MessageSubject;
import dev.laurel.processors.core.notice.Notice;
import dev.laurel.processors.core.rules.CalendarYear.Span;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.rules.MessageRules;
import dev.laurel.processors.core.view.Bodies;
import dev.laurel.processors.core.view.MessageBodies;
import dev.laurel.schemas.command.NotificationType;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Notifications.Window;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/**
 * When the user of a turn is written, and about what (semantics.md §8, webhooks.md §3 "Messages").
 *
 * <p>Each kind of message has one next moment at most, so that little is due however long nobody has looked. A moment leaves
 * the same state behind whether somebody is told or not: it passes in silence where it is long over when somebody looks, and
 * where a command or new rules make it lie in the past.
 */
final class MessageBook {

    /** Of the first day after the period of a recap. */
    private static final LocalTime RECAP_TIME = LocalTime.of(9, 0);

    private final UserTurn turn;

    MessageBook(UserTurn turn) {
        this.turn = turn;
    }

    private MessageRules rules() {
        return turn.rules.messages();
    }

    /** Users of the control group are written nothing, and nobody is told of messages for them. */
    private boolean isOn() {
        return rules().wantAny() && !turn.control;
    }

    private ZoneId zone() {
        return rules().zoneOf(turn.profile.tz());
    }

    // What messages come from.

    /** An event of the user took place at that time. */
    void onEvent(long atMs) {
        if (atMs > turn.lastEventMs) {
            turn.lastEventMs = atMs;
            if (turn.messages.reactivatedDays() != 0) {
                turn.messages = turn.messages.withReactivated(0);
            }
        }
        if (turn.messages.recapDay() == MessageState.NONE_YET && isOn() && rules().want(NotificationType.RECAP)) {
            oweRecapOf(LocalDays.dayOf(atMs, zone()));
        }
    }

    /** The earliest period is told of first; the next one follows from the newest event. */
    private void oweRecapOf(int day) {
        if (day > turn.messages.recappedTo()) {
            turn.messages = turn.messages.withRecap(day, turn.messages.recappedTo());
        }
    }

    /** Not of achievements that are completed by backdating, or by a command that comes late. */
    void onCompletion(Achievement achievement, long atMs) {
        if (atMs < turn.newestMs || !isOn() || !rules().want(NotificationType.ACHIEVEMENT_COMPLETED)
                || turn.messages.waiting().size() >= MessageState.MAX_WAITING) {
            return;
        }
        var waiting = new ArrayList<>(turn.messages.waiting());
        waiting.add(achievement.number());
        long dueMs = turn.messages.waiting().isEmpty() ? inWindow(atMs) : turn.messages.windowMs();
        turn.messages = turn.messages.withWaiting(dueMs, waiting);
    }

    /** The first moment from this one on in which users may be told of achievements. */
    private long inWindow(long fromMs) {
        Window window = rules().achievementWindow();
        int day = LocalDays.dayOf(fromMs, zone());
        if (fromMs < LocalDays.momentOf(day, window.to(), zone())) {
            return Math.max(fromMs, LocalDays.momentOf(day, window.from(), zone()));
        }
        return LocalDays.momentOf(day + 1, window.from(), zone());
    }

    /** A period of the streak may have been judged: that the user was reminded of it is of no matter any more. */
    void onJudgement() {
        int reminded = turn.messages.remindedTo();
        if (reminded != MessageState.NONE_YET && reminded <= turn.streak.judgedTo()) {
            turn.messages = turn.messages.withReminded(MessageState.NONE_YET);
        }
    }

    // Timers.

    /**
     * When a message is due next; {@link UserTimers#NEVER} if none is to come.
     *
     * @param horizonMs see {@link UserTimers#nextDueMs}
     */
    long nextDueMs(long horizonMs) {
        return isOn() ? Math.min(achievementsDueMs(), othersDueMs(horizonMs)) : UserTimers.NEVER;
    }

    private long othersDueMs(long horizonMs) {
        return Math.min(reactivationDueMs(), Math.min(recapDueMs(horizonMs), reminderDueMs(horizonMs)));
    }

    private long achievementsDueMs() {
        return turn.messages.waiting().isEmpty() ? UserTimers.NEVER : turn.messages.windowMs();
    }

    private long recapDueMs(long horizonMs) {
        if (turn.messages.recapDay() == MessageState.NONE_YET) {
            return UserTimers.NEVER;
        }
        int day = rules().recapPeriods().of(turn.messages.recapDay()).last() + 1;
        long atLeastMs = day * LocalDays.MS_PER_DAY - LocalDays.MAX_OFFSET_MS;
        return atLeastMs > horizonMs ? atLeastMs : LocalDays.momentOf(day, RECAP_TIME, zone());
    }

    private long reactivationDueMs() {
        int next = nextReactivation();
        return next < 0
                ? UserTimers.NEVER
                : turn.lastEventMs + rules().reactivationDays().get(next) * LocalDays.MS_PER_DAY;
    }

    /** Its index; below 0 if there is none. */
    private int nextReactivation() {
        if (turn.lastEventMs == UserState.NO_EVENT || !rules().want(NotificationType.REACTIVATION)) {
            return -1;
        }
        List<Integer> days = rules().reactivationDays();
        for (int i = 0; i < days.size(); i++) {
            if (days.get(i) > turn.messages.reactivatedDays()) {
                return i;
            }
        }
        return -1;
    }

    private long reminderDueMs(long horizonMs) {
        var streak = new StreakBook(turn);
        if (!rules().want(NotificationType.STREAK_REMINDER) || streak.length() == 0) {
            return UserTimers.NEVER;
        }
        int period = streak.openPeriod();
        if (period <= turn.messages.remindedTo()) {
            return UserTimers.NEVER;
        }
        long dueMs = new ReminderMoments(rules().streakReminder(), turn.streak.periods(), turn.zone(), zone())
                .in(period, horizonMs);
        if (turn.isStale(dueMs) && streak.endMs(period, turn.lookMs) <= Math.min(horizonMs, turn.lookMs)) {
            // The period is judged before anything else, and leaves nothing of its reminder: years of freezes are spared it.
            return UserTimers.NEVER;
        }
        return dueMs;
    }

    /** Lets what is due at {@code dueMs} happen, achievements before recap, reactivation and reminder. */
    void fire(long dueMs) {
        if (achievementsDueMs() <= dueMs) {
            passAchievements(dueMs, !turn.isStale(dueMs));
        } else {
            passOther(dueMs, dueMs, !turn.isStale(dueMs));
        }
    }

    /** @param atMs when it happens, if it is told */
    private void passOther(long dueMs, long atMs, boolean isTold) {
        if (recapDueMs(dueMs) <= dueMs) {
            passRecap(atMs, isTold);
        } else if (reactivationDueMs() <= dueMs) {
            passReactivation(atMs, isTold);
        } else {
            turn.messages = turn.messages.withReminded(new StreakBook(turn).openPeriod());
            tell(new MessageSubject.StreakReminder(), atMs, isTold);
        }
    }

    private void passAchievements(long atMs, boolean isTold) {
        List<Integer> waiting = turn.messages.waiting();
        turn.messages = turn.messages.withWaiting(0, List.of());
        for (int number : waiting) {
            Achievement achievement = turn.rules.achievement(number);
            if (isTold && achievement != null && Bodies.isVisible(turn.toState(), achievement)) {
                tell(new MessageSubject.Completion(achievement), atMs, true);
            }
        }
    }

    private void passRecap(long atMs, boolean isTold) {
        Span days = rules().recapPeriods().of(turn.messages.recapDay());
        turn.messages = turn.messages.withRecap(MessageState.NONE_YET, days.last());
        oweRecapOf(LocalDays.dayOf(turn.lastEventMs, zone()));
        tell(new MessageSubject.Recap(days), atMs, isTold);
    }

    private void passReactivation(long atMs, boolean isTold) {
        int next = nextReactivation();
        int days = rules().reactivationDays().get(next);
        turn.messages = turn.messages.withReactivated(days);
        tell(new MessageSubject.Reactivation(next + 1, days), atMs, isTold);
    }

    private void tell(MessageSubject subject, long atMs, boolean isTold) {
        if (!isTold || turn.isLook) {
            return;
        }
        var decision = MessageDecision.of(subject.type(), turn.key, atMs, turn.profile, turn.preferences, turn.control,
                rules());
        if (!decision.copies().isEmpty()) {
            turn.notices.add(new Notice.ForUser(Instant.ofEpochMilli(atMs), subject.type(), turn.rules.version(),
                    decision.copies(), MessageBodies.facts(subject, turn.toState(), turn.rules, turn.history, atMs)));
        }
        if (decision.toWebhooks()) {
            turn.hooks.messageDue(subject, atMs);
        }
    }

    // Commands and rules.

    /**
     * A command at {@code atMs} is done. Achievements that it has completed may be told at once; what it makes lie in the past
     * is not told any more, unless it is the user's clock that it has set forward.
     */
    void close(long atMs) {
        if (!isOn()) {
            return;
        }
        if (turn.hasMoved && !turn.messages.waiting().isEmpty()) {
            turn.messages = turn.messages.withWaiting(inWindow(turn.newestMs), turn.messages.waiting());
        }
        if (achievementsDueMs() <= turn.newestMs) {
            passAchievements(turn.newestMs, true);
        }
        passOthers(turn.newestMs, turn.hasMoved && atMs == turn.newestMs);
    }

    /** Few are due at any time, see above. */
    private void passOthers(long untilMs, boolean isTold) {
        for (long dueMs = othersDueMs(untilMs); dueMs <= untilMs; dueMs = othersDueMs(untilMs)) {
            passOther(dueMs, untilMs, isTold);
        }
    }

    /**
     * Other rules are in force since {@code former}: what is due by them only, and in the past, passes in silence.
     *
     * @param former null if those are not known
     * @param atMs the time from which the rules hold for this user
     */
    void settle(CompiledRuleset former, long atMs) {
        if (turn.control) {
            return;
        }
        if (former != null && !former.streak().periods().equals(turn.rules.streak().periods())
                && turn.messages.remindedTo() != MessageState.NONE_YET) {
            turn.messages = turn.messages.withReminded(MessageState.NONE_YET);
        }
        settleAchievements(former, atMs);
        settleRecap(former);
        if (isOn()) {
            passOthers(atMs, false);
        }
    }

    private void settleAchievements(CompiledRuleset former, long atMs) {
        if (turn.messages.waiting().isEmpty()) {
            return;
        }
        if (!rules().want(NotificationType.ACHIEVEMENT_COMPLETED)) {
            turn.messages = turn.messages.withWaiting(0, List.of());
        } else if (isNew(NotificationType.ACHIEVEMENT_COMPLETED, former)) {
            turn.messages = turn.messages.withWaiting(inWindow(atMs), turn.messages.waiting());
        }
    }

    private void settleRecap(CompiledRuleset former) {
        boolean isOwed = turn.messages.recapDay() != MessageState.NONE_YET;
        if (!rules().want(NotificationType.RECAP)) {
            if (isOwed) {
                turn.messages = turn.messages.withRecap(MessageState.NONE_YET, turn.messages.recappedTo());
            }
        } else if (!isOwed && turn.lastEventMs != UserState.NO_EVENT && isNew(NotificationType.RECAP, former)) {
            oweRecapOf(LocalDays.dayOf(turn.lastEventMs, zone()));
        }
    }

    /** Whether messages of this type are wanted now that were not before, or at other times. */
    private boolean isNew(NotificationType type, CompiledRuleset former) {
        return former == null || !former.messages().want(type) || !rules().haveTimesOf(former.messages(), type);
    }
}
