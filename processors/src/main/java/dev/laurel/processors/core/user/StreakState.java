package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.Periods;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.List;

/**
 * The streak of one user (semantics.md §5). Days are epoch days, periods are numbered by {@link Periods}.
 *
 * @param periods what the periods below are; null: they have to be counted from the day buckets first
 * @param newest the newest block of verdicts; older ones lie in the {@code streak-periods} store
 * @param judgedTo up to here, what is not met or protected is missed; without a streak it may lag behind, which makes no
 *        difference
 * @param length at present, 0 if there is no streak; shown only while streaks are on, see {@link StreakReading}
 * @param longest ever reached
 * @param startedDay local date of the event that met the first period of the chain
 * @param extendedAtMs when the newest period of the chain was met, {@link #NEVER} if none ever was
 * @param sumsPeriod the period of {@code sums}
 * @param sums changes within that period by metric; weekly and monthly streaks with thresholds only
 * @param createdDay the user's local date at creation
 * @param earnedTo the last day on which freezes were earned, or could have been
 * @param zoneChangedMs when the user's zone changed last, {@link #NEVER} if it did not
 * @param extendedIn where the user was when the streak was extended last; null if the zone has not changed since
 * @param pauses by their start
 */
public record StreakState(Periods periods, StreakBlock newest, int judgedTo, int length, int longest, int startedDay,
        long extendedAtMs, int sumsPeriod, Numbered<BigDecimal> sums, int freezes, int createdDay, int earnedTo,
        long zoneChangedMs, ZoneId extendedIn, List<Pause> pauses) {

    /** Before any time: events may be older than 1970. */
    public static final long NEVER = Long.MIN_VALUE;

    public static final StreakState NONE = new StreakState(null, StreakBlock.EMPTY, Integer.MIN_VALUE, 0, 0, 0, NEVER,
            Integer.MIN_VALUE, Numbered.empty(), 0, Integer.MIN_VALUE, Integer.MIN_VALUE, NEVER, null, List.of());

    public StreakState {
        pauses = List.copyOf(pauses);
    }

    /** The same streak, started by a new user. */
    static StreakState created(Periods periods, int freezes, int day) {
        return new StreakState(periods, StreakBlock.EMPTY, Integer.MIN_VALUE, 0, 0, 0, NEVER, Integer.MIN_VALUE,
                Numbered.empty(), freezes, day, day, NEVER, null, List.of());
    }

    StreakState withSums(int period, Numbered<BigDecimal> changed) {
        return new StreakState(periods, newest, judgedTo, length, longest, startedDay, extendedAtMs, period, changed,
                freezes, createdDay, earnedTo, zoneChangedMs, extendedIn, pauses);
    }

    StreakState withFreezes(int changed) {
        return new StreakState(periods, newest, judgedTo, length, longest, startedDay, extendedAtMs, sumsPeriod, sums,
                changed, createdDay, earnedTo, zoneChangedMs, extendedIn, pauses);
    }

    StreakState withEarnedTo(int created, int earned) {
        return new StreakState(periods, newest, judgedTo, length, longest, startedDay, extendedAtMs, sumsPeriod, sums,
                freezes, created, earned, zoneChangedMs, extendedIn, pauses);
    }

    StreakState withExtendedAt(long atMs) {
        return new StreakState(periods, newest, judgedTo, length, longest, startedDay, atMs, sumsPeriod, sums, freezes,
                createdDay, earnedTo, zoneChangedMs, atMs < zoneChangedMs ? extendedIn : null, pauses);
    }

    StreakState withZoneChangedAt(long atMs, ZoneId before) {
        return new StreakState(periods, newest, judgedTo, length, longest, startedDay, extendedAtMs, sumsPeriod, sums,
                freezes, createdDay, earnedTo, atMs, extendedIn == null ? before : extendedIn, pauses);
    }

    StreakState withPauses(List<Pause> changed) {
        return new StreakState(periods, newest, judgedTo, length, longest, startedDay, extendedAtMs, sumsPeriod, sums,
                freezes, createdDay, earnedTo, zoneChangedMs, extendedIn, changed);
    }

    /** With what a chain has come to. @param longestEver not counting this chain */
    StreakState with(StreakChain chain, int longestEver) {
        StreakWalk present = chain.present();
        return new StreakState(chain.periods(), chain.newest(), chain.judgedTo(), present.shown,
                Math.max(longestEver, chain.longest()), present.kept == 0 ? 0 : present.startedDay, extendedAtMs,
                sumsPeriod, sums, freezes, createdDay, earnedTo, zoneChangedMs, extendedIn, pauses);
    }
}
