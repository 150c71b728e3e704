package dev.laurel.core.engine;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.rules.Periods;
import dev.laurel.core.rules.StreakRules;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.StreakBlock;
import dev.laurel.core.user.StreakBlock.Verdict;
import dev.laurel.core.user.StreakChain;
import dev.laurel.core.user.StreakState;
import dev.laurel.core.user.StreakState.DaysOff;
import dev.laurel.schemas.ruleset.StreakSettings.Freezes;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.math.BigDecimal;
import java.time.ZoneId;

/**
 * Applies events, time and changes of the rules to the user's streak (docs/semantics.md §5). Each step ends with one
 * {@link UserTransaction#updateStreak}.
 */
record StreakTracker(UserTransaction user) {

    /** A date does not count as missed if a change of zone ends it sooner than this after the last extension. */
    private static final long GRACE_MS = 36 * 3_600_000L;

    /** The maximum number of periods in the answer to a read. */
    private static final int HISTORY_DAYS = 400;

    private StreakRules rules() {
        return user.rules().streak();
    }

    /** Starts the streak of a new user, with the initial freezes. */
    void create(long atMs) {
        Freezes freezes = rules().freezes();
        user.updateStreak(StreakState.created(
                rules().periods(),
                freezes == null ? 0 : freezes.initial(),
                user.dayOf(atMs),
                DaysOff.always(rules().daysOff(user.preferences().streakDaysOff()))));
    }

    /** Whether streaks are on for the ruleset and the user. */
    boolean isOn() {
        return rules().isEnabled() && user.preferences().wantsStreak();
    }

    /** The present length; 0 while streaks are off for the ruleset or the user. */
    int length() {
        return user.lengthUnder(user.rules());
    }

    /** The period of the user's newest time. */
    int currentPeriod() {
        return user.streak().periods().of(user.dayOf(user.newestMs()));
    }

    StreakChain chain() {
        return new StreakChain(user.streak(), user.history());
    }

    /** The streak with the periods of this chain. */
    private StreakState with(StreakChain chain) {
        return chain.in(user.streak(), user.streak().longest());
    }

    /** Applies a changed chain. */
    void apply(StreakChain chain) {
        user.updateStreak(with(chain));
    }

    // Timers.

    /**
     * When the next period is judged or freezes are earned, or {@link UserTimers#NEVER}.
     *
     * @param horizonMs see {@link UserTimers#nextDueMs}
     */
    long nextDueMs(long horizonMs) {
        return Math.min(judgementDueMs(horizonMs), earningDueMs(horizonMs));
    }

    /** The end of the first period that is neither met nor protected. There is none without a streak to lose. */
    private long judgementDueMs(long horizonMs) {
        if (user.streak().length() == 0) {
            return UserTransaction.NEVER;
        }
        return endMs(openPeriod(), horizonMs);
    }

    /** The first unjudged period that is neither met nor protected. At its end a streak is lost or frozen. */
    int openPeriod() {
        return chain().firstOpen(user.streak().judgedTo() + 1);
    }

    /** When a period ends for the user. @param horizonMs see {@link UserTimers#nextDueMs} */
    long endMs(int period, long horizonMs) {
        return user.startOf(user.streak().periods().firstDay(period + 1), horizonMs);
    }

    private long earningDueMs(long horizonMs) {
        Freezes earned = rules().earnedFreezes();
        return earned != null && isOn() ? user.startOf(nextEarningDay(earned), horizonMs) : UserTransaction.NEVER;
    }

    /** The next earning day: a multiple of the interval after the user's creation. */
    private int nextEarningDay(Freezes freezes) {
        return earningDayUpTo(user.streak().earnedTo(), freezes) + freezes.earnIntervalDays();
    }

    private int earningDayUpTo(int day, Freezes freezes) {
        int created = user.streak().createdDay();
        int interval = freezes.earnIntervalDays();
        return created + Math.floorDiv(Math.max(day, created) - created, interval) * interval;
    }

    /**
     * Fires what is due at {@code dueMs}: a judgement, else an earning of freezes.
     *
     * @param untilMs the end of this advance of time, until which only timers fire
     */
    void fire(long dueMs, long untilMs) {
        Freezes earned = rules().earnedFreezes();
        if (earned == null || judgementDueMs(dueMs) <= dueMs) {
            judge(dueMs);
        } else {
            earn(earned, dueMs, untilMs);
        }
    }

    /** Judges a period that has ended and was neither met nor protected. */
    private void judge(long dueMs) {
        StreakChain chain = chain();
        int period = chain.firstOpen(user.streak().judgedTo() + 1);
        int length = chain.lengthBefore(period);
        int freezes = user.streak().freezes();
        chain.judgeTo(period);
        boolean isFrozen = false;
        if (isExcused(period)) {
            chain.mark(period, Verdict.EXCUSED, 0);
        } else if (length > 0 && freezes > 0 && rules().freezes() != null && isOn()) {
            isFrozen = true;
            chain.mark(period, Verdict.FROZEN, 0);
            Announcements.freezeConsumed(user, 1, freezes - 1, dueMs);
        } else if (length > 0 && isOn()) {
            Announcements.streakLost(user, length, dueMs);
        }
        chain.recount(period);
        StreakState judged = with(chain);
        user.updateStreak(isFrozen ? judged.withFreezes(freezes - 1) : judged);
    }

    /** Whether the date ends later in the zone of the last extension, or does not exist in the present zone. */
    private boolean isExcused(int period) {
        if (isSkippedDate(period)) {
            return true;
        }
        ZoneId extendedIn = user.streak().extendedIn();
        if (extendedIn == null || user.streak().zoneChangedMs() <= user.streak().extendedAtMs()) {
            return false;
        }
        int next = user.streak().periods().firstDay(period + 1);
        long endMs = LocalDays.startOf(next, user.zone());
        return endMs - user.streak().extendedAtMs() < GRACE_MS && endMs < LocalDays.startOf(next, extendedIn);
    }

    /** Whether the user's zone has no such date, as Samoa had no 30 December 2011. */
    private boolean isSkippedDate(int period) {
        Periods periods = user.streak().periods();
        return periods.frequency() == StreakFrequency.DAILY
                && LocalDays.startOf(period, user.zone()) == LocalDays.startOf(period + 1, user.zone());
    }

    /** Earns freezes. At the maximum, passes all earning days until the next judgement at once. */
    private void earn(Freezes freezes, long dueMs, long untilMs) {
        StreakState streak = user.streak();
        int day = nextEarningDay(freezes);
        int room = freezes.max() - streak.freezes();
        if (room > 0) {
            int earned = Math.min(room, freezes.earnAmount());
            int now = streak.freezes() + earned;
            user.updateStreak(streak.withFreezes(now).withEarnedTo(day));
            Announcements.freezeEarned(user, earned, now, dueMs);
        } else {
            // Only a judgement takes freezes away.
            long lastMs = Math.min(untilMs, judgementDueMs(untilMs) - 1);
            user.updateStreak(streak.withEarnedTo(Math.max(day, earningDayUpTo(user.dayOf(lastMs), freezes))));
        }
    }

    // Events.

    /**
     * Counts an event, which its day's bucket already contains.
     *
     * @param day the event's local day
     * @return whether the event has met the current period, the one at the user's newest time
     */
    boolean count(int metric, int day, BigDecimal value, long atMs) {
        if (!isOn()) {
            return false;
        }
        int period = user.streak().periods().of(day);
        StreakChain chain = chain();
        Verdict before = chain.written(period);
        if (before == Verdict.MET || before == Verdict.RESET) {
            return false;
        }
        int current = currentPeriod();
        var sums = new StreakSums(user);
        boolean isMet = sums.isMetBy(metric, day, value, period == current);
        user.updateStreak(sums.streak());
        if (!isMet) {
            return false;
        }
        // Timers have fired up to the newest time: periods that are over are judged, or there was no streak.
        chain.judgeTo(Math.max(chain.judgedTo(), current - 1));
        chain.markMet(period, day);
        excuseSkippedDate(chain, period - 1, current);
        excuseSkippedDate(chain, period + 1, current);
        chain.recount(period);
        StreakState extended = with(chain).withExtendedAt(Math.max(user.streak().extendedAtMs(), atMs));
        user.updateStreak(before == Verdict.FROZEN ? withFreezeReturned(extended) : extended);
        if (period != current) {
            return false;
        }
        if (extended.length() > 0) {
            Announcements.streakExtended(user, extended.length(), atMs);
        }
        return true;
    }

    /** Excuses a date that was not judged because there was no streak. */
    private void excuseSkippedDate(StreakChain chain, int period, int current) {
        if (period < current && chain.written(period) == Verdict.NONE && isSkippedDate(period)) {
            chain.mark(period, Verdict.EXCUSED, 0);
            chain.recount(period);
        }
    }

    private StreakState withFreezeReturned(StreakState streak) {
        Freezes freezes = rules().freezes();
        return freezes != null && streak.freezes() < freezes.max() ? streak.withFreezes(streak.freezes() + 1) : streak;
    }

    // Zones and rules.

    /** Applies a change of the user's zone at {@code atMs}, after the timers in the old zone. */
    void changeZone(ZoneId before, long atMs) {
        Periods periods = user.streak().periods();
        user.updateStreak(user.streak().withZoneChangedAt(atMs, before));
        int former = periods.of(LocalDays.dayOf(atMs, before));
        int present = periods.of(user.dayOf(atMs));
        StreakChain chain = chain();
        if (chain.isEmpty()) {
            return;
        }
        for (int vanished = former + 1; vanished < present; vanished++) {
            if (chain.written(vanished) == Verdict.NONE) {
                chain.mark(vanished, Verdict.EXCUSED, 0);
                chain.recount(vanished);
            }
        }
        // Later dates are open again, whatever their verdict. A spent freeze returns only if an event meets the date.
        chain.judgeTo(Math.min(chain.judgedTo(), present - 1));
        for (int ahead = present; ahead <= StreakBlock.lastOf(chain.newest().number()); ahead++) {
            if (chain.written(ahead) == Verdict.EXCUSED) {
                chain.mark(ahead, Verdict.NONE, 0);
            }
        }
        chain.recount(present);
        apply(chain);
    }

    /**
     * Migrates the streak to rules that have changed since {@code former}.
     *
     * @param atMs the time from which the rules apply to this user
     */
    void migrate(CompiledRuleset former, long atMs) {
        user.updateStreak(user.streak().withSums(Integer.MIN_VALUE, IntKeyedMap.empty()));
        if (earnsFreezes(user.rules()) && !earnsFreezes(former)) {
            skipEarning(atMs);
        }
        ZoneId formerZone = former.zoneOf(user.profile().tz());
        if (!rules().periods().equals(user.streak().periods())) {
            user.updateStreak(StreakRecount.recount(user, atMs));
            if (!user.preferences().wantsStreak()) {
                leave();
            }
            return;
        }
        if (!formerZone.equals(user.zone())) {
            changeZone(formerZone, atMs);
        }
        updateDaysOff(atMs);
    }

    /** Applies other days off from the first date on that can still be met or missed at {@code atMs}. */
    void updateDaysOff(long atMs) {
        StreakState streak = user.streak();
        int weekdays = rules().daysOff(user.preferences().streakDaysOff());
        if (weekdays == streak.daysOff().weekdays()) {
            return;
        }
        int from = Math.max(user.dayOf(atMs), streak.judgedTo() + 1);
        DaysOff daysOff = streak.daysOff().changedFrom(from, weekdays);
        if (daysOff.changes().size() > DaysOff.MAX_CHANGES) {
            keepOldest(daysOff);
            daysOff = daysOff.withoutOldest();
        }
        user.updateStreak(user.streak().withDaysOff(daysOff));
    }

    /** Writes the verdicts of the oldest days off, as far back as histories reach, before they are dropped. */
    private void keepOldest(DaysOff daysOff) {
        StreakChain chain = chain();
        if (chain.isEmpty()) {
            return;
        }
        int end = daysOff.changes().get(1).from();
        for (int day = end - HISTORY_DAYS; day < end; day++) {
            if (daysOff.isOff(day) && chain.written(day) == Verdict.NONE) {
                chain.mark(day, Verdict.EXCUSED, 0);
            }
        }
        apply(chain);
    }

    private static boolean earnsFreezes(CompiledRuleset rules) {
        return rules.streak().isEnabled() && rules.streak().earnedFreezes() != null;
    }

    /** Skips the earning days up to {@code atMs}. */
    void skipEarning(long atMs) {
        StreakState streak = user.streak();
        user.updateStreak(streak.withEarnedTo(Math.max(streak.earnedTo(), user.dayOf(atMs))));
    }

    /** Ends the streak of a user who switches streaks off: the length is 0 at once, and a later streak starts at 0. */
    void leave() {
        cut(false);
    }

    /** Ends the streak at once. If the current period is met, it is used: an event in it starts no other streak. */
    void reset() {
        cut(true);
    }

    /** @param isUsed whether met periods, and those on which a freeze was spent, stay so */
    private void cut(boolean isUsed) {
        StreakChain chain = chain();
        if (chain.isEmpty()) {
            return;
        }
        int current = currentPeriod();
        int last = StreakBlock.lastOf(chain.newest().number());
        chain.judgeTo(Math.max(chain.judgedTo(), current - 1));
        for (int period = current; period <= last; period++) {
            Verdict written = chain.written(period);
            if (isUsed && written == Verdict.MET) {
                chain.markMetAs(period, Verdict.RESET);
            } else if (!isUsed || written != Verdict.RESET && written != Verdict.FROZEN) {
                chain.mark(period, Verdict.NONE, 0);
            }
            chain.unpin(period);
        }
        chain.pin(current, StreakBlock.Pin.CUT);
        chain.recount(current);
        apply(chain);
    }
}
