package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.rules.Periods;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.ruleset.StreakFrequency;
import dev.laurel.schemas.ruleset.StreakSettings.Freezes;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;

/** The streak of the user in a turn: what events, time and other rules make of it (semantics.md §5). */
final class StreakBook {

    /** A date that a change of zone has made end sooner than this after the last extension is not missed. */
    private static final long GRACE_MS = 36 * 3_600_000L;

    private final UserTurn turn;

    StreakBook(UserTurn turn) {
        this.turn = turn;
    }

    /** A user has been created: initial freezes. */
    void create(long atMs) {
        Freezes freezes = turn.rules.streak().freezes();
        turn.streak = StreakState.created(turn.rules.streak().periods(),
                freezes == null ? 0 : Math.min(freezes.initial(), freezes.max()), turn.dayOf(atMs));
    }

    /** Whether the user takes part in streaks. */
    boolean isOn() {
        return turn.rules.streak().isEnabled() && turn.preferences.wantsStreak();
    }

    /** The present length; 0 while streaks are off for the ruleset or the user. */
    int length() {
        return isOn() ? turn.streak.length() : 0;
    }

    /** The period of the user's newest time. */
    int currentPeriod() {
        return turn.streak.periods().of(turn.dayOf(turn.newestMs));
    }

    StreakChain chain() {
        return new StreakChain(turn.streak, turn.history);
    }

    /** What has become of the chain holds from now on. */
    void keep(StreakChain chain) {
        turn.streak = turn.streak.with(chain, turn.streak.longest());
    }

    // Timers.

    /**
     * When a period has to be judged or freezes are earned next; {@link UserTimers#NEVER} if nothing is to come.
     *
     * @param horizonMs see {@link UserTimers#nextDueMs}
     */
    long nextDueMs(long horizonMs) {
        return Math.min(judgementDueMs(horizonMs), earningDueMs(horizonMs));
    }

    /** At the end of the first period that is neither met nor protected; without a streak there is nothing to lose. */
    private long judgementDueMs(long horizonMs) {
        if (turn.streak.length() == 0) {
            return UserTimers.NEVER;
        }
        return endMs(openPeriod(), horizonMs);
    }

    /** The first period that is neither met nor protected and not judged yet: at its end a streak is lost or frozen. */
    int openPeriod() {
        return chain().firstOpen(turn.streak.judgedTo() + 1);
    }

    /** When a period ends for the user. @param horizonMs see {@link UserTimers#nextDueMs} */
    long endMs(int period, long horizonMs) {
        return turn.startOf(turn.streak.periods().firstDay(period + 1), horizonMs);
    }

    private long earningDueMs(long horizonMs) {
        return turn.rules.streak().earnsFreezes() && isOn()
                ? turn.startOf(nextEarningDay(), horizonMs)
                : UserTimers.NEVER;
    }

    /** The first day after the last one looked at that is a multiple of the interval away from the user's creation. */
    private int nextEarningDay() {
        return earningDayUpTo(turn.streak.earnedTo()) + turn.rules.streak().freezes().earnIntervalDays();
    }

    private int earningDayUpTo(int day) {
        int created = turn.streak.createdDay();
        int interval = turn.rules.streak().freezes().earnIntervalDays();
        return created + Math.floorDiv(Math.max(day, created) - created, interval) * interval;
    }

    /**
     * The first thing of the streak that is due at {@code dueMs}, a judgement before freezes that are earned.
     *
     * @param untilMs nothing else happens to the user until then
     */
    void fire(long dueMs, long untilMs) {
        if (judgementDueMs(dueMs) <= dueMs) {
            judge(dueMs);
        } else {
            earn(dueMs, untilMs);
        }
    }

    /** A period has ended, neither met nor protected. */
    private void judge(long dueMs) {
        StreakChain chain = chain();
        int period = chain.firstOpen(turn.streak.judgedTo() + 1);
        int length = chain.entering(period).shown;
        int freezes = turn.streak.freezes();
        chain.judgeTo(period);
        if (isExcused(period)) {
            chain.mark(period, StreakVerdict.EXCUSED, 0);
        } else if (length > 0 && freezes > 0 && turn.rules.streak().freezes() != null && isOn()) {
            chain.mark(period, StreakVerdict.FROZEN, 0);
            turn.streak = turn.streak.withFreezes(freezes - 1);
            turn.emit(new Effect.FreezeConsumed(turn.key.user(), Instant.ofEpochMilli(dueMs), 1, freezes - 1));
            turn.hooks.freezeConsumed(1, freezes - 1, dueMs);
        } else if (length > 0 && isOn()) {
            turn.emit(new Effect.StreakLost(turn.key.user(), Instant.ofEpochMilli(dueMs), length));
            turn.hooks.streakLost(length, dueMs);
        }
        chain.recount(period);
        keep(chain);
    }

    /** Where the user was at the last extension, the date would have ended later. */
    private boolean isExcused(int period) {
        if (isNowhere(period)) {
            return true;
        }
        ZoneId extendedIn = turn.streak.extendedIn();
        if (extendedIn == null || turn.streak.zoneChangedMs() <= turn.streak.extendedAtMs()) {
            return false;
        }
        int next = turn.streak.periods().firstDay(period + 1);
        long endMs = LocalDays.startOf(next, turn.zone());
        return endMs - turn.streak.extendedAtMs() < GRACE_MS && endMs < LocalDays.startOf(next, extendedIn);
    }

    /** Whether the rules of the user's zone leave this date out, as Samoa's do with 30 December 2011. */
    private boolean isNowhere(int period) {
        Periods periods = turn.streak.periods();
        return periods.frequency() == StreakFrequency.DAILY
                && LocalDays.startOf(period, turn.zone()) == LocalDays.startOf(period + 1, turn.zone());
    }

    /** Freezes are earned; at the maximum none are, which makes many such days one. */
    private void earn(long dueMs, long untilMs) {
        StreakState streak = turn.streak;
        Freezes freezes = turn.rules.streak().freezes();
        int day = nextEarningDay();
        int room = freezes.max() - streak.freezes();
        if (room > 0) {
            int earned = Math.min(room, freezes.earnAmount());
            int now = streak.freezes() + earned;
            turn.streak = streak.withFreezes(now).withEarnedTo(streak.createdDay(), day);
            turn.emit(new Effect.FreezeEarned(turn.key.user(), Instant.ofEpochMilli(dueMs), earned, now));
            turn.hooks.freezeEarned(earned, now, dueMs);
        } else {
            // Only a judgement takes freezes away.
            long lastMs = Math.min(untilMs, judgementDueMs(untilMs) - 1);
            turn.streak = streak.withEarnedTo(streak.createdDay(), Math.max(day, earningDayUpTo(turn.dayOf(lastMs))));
        }
    }

    // Events.

    /**
     * An event's value has been counted in its day's bucket.
     *
     * @param day the event's local day
     * @return whether it turned the current period, the one at the user's newest time, to met
     */
    boolean count(int metric, int day, BigDecimal value, long atMs) {
        if (!isOn()) {
            return false;
        }
        int period = turn.streak.periods().of(day);
        StreakChain chain = chain();
        StreakVerdict before = chain.written(period);
        if (before == StreakVerdict.MET || !new StreakSums(turn).isMetBy(metric, day, value)) {
            return false;
        }
        int current = currentPeriod();
        // Timers have fired up to the newest time: what is over is judged, or there was no streak to judge.
        chain.judgeTo(Math.max(chain.judgedTo(), current - 1));
        chain.markMet(period, day);
        excuseNowhere(chain, period - 1, current);
        excuseNowhere(chain, period + 1, current);
        chain.recount(period);
        keep(chain);
        turn.streak = turn.streak.withExtendedAt(Math.max(turn.streak.extendedAtMs(), atMs));
        if (before == StreakVerdict.FROZEN) {
            returnFreeze();
        }
        if (period != current) {
            return false;
        }
        int length = turn.streak.length();
        var at = Instant.ofEpochMilli(atMs);
        if (length == 1) {
            turn.emit(new Effect.StreakStarted(turn.key.user(), at, length));
            turn.hooks.streakStarted(atMs);
        } else if (length > 1) {
            turn.emit(new Effect.StreakExtended(turn.key.user(), at, length));
            turn.hooks.streakExtended(atMs);
        }
        return true;
    }

    /** Where there was no streak, such a date was not judged. */
    private void excuseNowhere(StreakChain chain, int period, int current) {
        if (period < current && chain.written(period) == StreakVerdict.NONE && isNowhere(period)) {
            chain.mark(period, StreakVerdict.EXCUSED, 0);
            chain.recount(period);
        }
    }

    private void returnFreeze() {
        Freezes freezes = turn.rules.streak().freezes();
        if (freezes != null && turn.streak.freezes() < freezes.max()) {
            turn.streak = turn.streak.withFreezes(turn.streak.freezes() + 1);
        }
    }

    // Zones and rules.

    /** The user's zone is another one since {@code atMs}; timers have fired in the old one. */
    void changeZone(ZoneId before, long atMs) {
        Periods periods = turn.streak.periods();
        turn.streak = turn.streak.withZoneChangedAt(atMs, before);
        int former = periods.of(LocalDays.dayOf(atMs, before));
        int present = periods.of(turn.dayOf(atMs));
        StreakChain chain = chain();
        if (chain.isEmpty()) {
            return;
        }
        for (int vanished = former + 1; vanished < present; vanished++) {
            if (chain.written(vanished) == StreakVerdict.NONE) {
                chain.mark(vanished, StreakVerdict.EXCUSED, 0);
                chain.recount(vanished);
            }
        }
        // Dates that lie ahead are open again, whatever became of them; a freeze stays spent until the date proves met.
        chain.judgeTo(Math.min(chain.judgedTo(), present - 1));
        for (int ahead = present; ahead <= StreakBlock.lastOf(chain.newest().number()); ahead++) {
            if (chain.written(ahead) == StreakVerdict.EXCUSED) {
                chain.mark(ahead, StreakVerdict.NONE, 0);
            }
        }
        chain.recount(present);
        keep(chain);
    }

    /**
     * Brings the streak up to rules that have changed since {@code former}.
     *
     * @param former null if those are not known
     * @param atMs the time from which the rules hold for this user
     */
    void settle(CompiledRuleset former, long atMs) {
        if (turn.streak.createdDay() == Integer.MIN_VALUE) {
            // Of a version that did not keep it.
            int day = turn.dayOf(turn.createdMs);
            turn.streak = turn.streak.withEarnedTo(day, day);
        }
        turn.streak = turn.streak.withSums(Integer.MIN_VALUE, Numbered.empty());
        if (earnsFreezes(turn.rules) && (former == null || !earnsFreezes(former))) {
            skipEarning(atMs);
        }
        ZoneId formerZone = former == null ? turn.zone() : former.zoneOf(turn.profile.tz());
        if (!turn.rules.streak().periods().equals(turn.streak.periods())) {
            StreakRecount.recount(turn, atMs);
            if (!turn.preferences.wantsStreak()) {
                leave();
            }
        } else if (!formerZone.equals(turn.zone())) {
            changeZone(formerZone, atMs);
        }
    }

    private static boolean earnsFreezes(CompiledRuleset rules) {
        return rules.streak().isEnabled() && rules.streak().earnsFreezes();
    }

    /** Days up to {@code atMs} earn no freezes any more: nothing was earned on them. */
    void skipEarning(long atMs) {
        turn.streak = turn.streak.withEarnedTo(turn.streak.createdDay(),
                Math.max(turn.streak.earnedTo(), turn.dayOf(atMs)));
    }

    /** The user takes no part in streaks any more: the length is 0 at once, and a later streak begins anew. */
    void leave() {
        StreakChain chain = chain();
        if (chain.isEmpty()) {
            return;
        }
        int current = currentPeriod();
        int last = StreakBlock.lastOf(chain.newest().number());
        chain.judgeTo(Math.max(chain.judgedTo(), current - 1));
        for (int period = current; period <= last; period++) {
            if (chain.written(period) != StreakVerdict.NONE) {
                chain.mark(period, StreakVerdict.NONE, 0);
            }
        }
        chain.pin(current, StreakBlock.Pin.CUT);
        chain.recount(current);
        keep(chain);
    }
}
