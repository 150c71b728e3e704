package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.Periods;
import java.math.BigDecimal;
import java.util.List;

/**
 * The streak of one user (semantics.md §5). Days are epoch days, periods are numbered by {@link Periods}.
 *
 * @param periods what the periods below are; null: they have to be counted from the day buckets first
 * @param newest the newest block of verdicts; older ones lie in the {@code streak-periods} store
 * @param judgedTo the last period that is over and has its verdict
 * @param length at present, 0 if there is no streak
 * @param longest ever reached
 * @param startedDay local date of the event that met the first period of the chain
 * @param extendedAtMs when the newest period of the chain was met
 * @param sumsPeriod the period of {@code sums}
 * @param sums changes within that period by metric; weekly and monthly streaks with thresholds only
 * @param createdDay the user's local date at creation
 * @param earnedTo the last day on which the earning of freezes was looked at
 * @param zoneChangedMs when the user's zone changed last, 0 if never
 */
public record StreakState(Periods periods, StreakBlock newest, int judgedTo, int length, int longest, int startedDay,
        long extendedAtMs, int sumsPeriod, Numbered<BigDecimal> sums, int freezes, int createdDay, int earnedTo,
        long zoneChangedMs, List<Pause> pauses) {

    public static final StreakState NONE = new StreakState(null, StreakBlock.EMPTY, Integer.MIN_VALUE, 0, 0, 0, 0,
            Integer.MIN_VALUE, Numbered.empty(), 0, Integer.MIN_VALUE, Integer.MIN_VALUE, 0, List.of());

    public StreakState {
        pauses = List.copyOf(pauses);
    }

    public boolean isAlive() {
        return length > 0;
    }
}
