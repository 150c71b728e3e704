package dev.laurel.core.user;

import dev.laurel.core.rules.Periods;
import dev.laurel.core.rules.StreakRules;
import dev.laurel.schemas.command.Command.PlanPause;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The streak of one user (docs/semantics.md §5). Days are epoch days, periods are numbered by {@link Periods}.
 *
 * @param newest the newest block of verdicts; older ones are in the {@code streak-periods} store
 * @param judgedTo up to here, periods that are neither met nor protected are missed; may lag behind while there is no streak
 * @param length the present length; shown only while streaks are on, see {@link StreakSnapshot}
 * @param longest the greatest length ever reached
 * @param startedDay local date of the event that met the first period of the chain
 * @param extendedAtMs when the newest period of the chain was met, {@link #NEVER} if none was
 * @param sumsPeriod the period of {@code sums}
 * @param sums changes within {@code sumsPeriod} by metric; only for weekly and monthly streaks with thresholds
 * @param createdDay the user's local date at creation
 * @param earnedTo the last day on which freezes were earned, or could have been
 * @param zoneChangedMs when the user's zone changed last, {@link #NEVER} if it did not
 * @param extendedIn the zone of the last extension; null if the zone has not changed since
 * @param pauses by start
 * @param daysOff empty unless the streak is daily
 * @param resets by time, the newest {@value #MAX_RESETS}
 */
public record StreakState(
        Periods periods,
        StreakBlock newest,
        int judgedTo,
        int length,
        int longest,
        int startedDay,
        long extendedAtMs,
        int sumsPeriod,
        IntKeyedMap<BigDecimal> sums,
        int freezes,
        int createdDay,
        int earnedTo,
        long zoneChangedMs,
        @Nullable ZoneId extendedIn,
        List<Pause> pauses,
        DaysOff daysOff,
        List<Reset> resets) {

    private static final int MAX_RESETS = 100;

    /** Earlier than any event: events may be older than 1970. */
    public static final long NEVER = Long.MIN_VALUE;

    /** The streak of a user who is being created, until the rules determine its periods and freezes. */
    public static final StreakState NONE =
            created(new Periods(StreakFrequency.DAILY, DayOfWeek.SUNDAY), 0, Integer.MIN_VALUE, DaysOff.NONE);

    public StreakState {
        pauses = List.copyOf(pauses);
        resets = List.copyOf(resets);
    }

    /** The streak of a new user. @param day the local date of the creation */
    public static StreakState created(Periods periods, int freezes, int day, DaysOff daysOff) {
        return new StreakState(
                periods,
                StreakBlock.EMPTY,
                Integer.MIN_VALUE,
                0,
                0,
                0,
                NEVER,
                Integer.MIN_VALUE,
                IntKeyedMap.empty(),
                freezes,
                day,
                day,
                NEVER,
                null,
                List.of(),
                daysOff,
                List.of());
    }

    public StreakState withSums(int period, IntKeyedMap<BigDecimal> changed) {
        return new StreakState(
                periods,
                newest,
                judgedTo,
                length,
                longest,
                startedDay,
                extendedAtMs,
                period,
                changed,
                freezes,
                createdDay,
                earnedTo,
                zoneChangedMs,
                extendedIn,
                pauses,
                daysOff,
                resets);
    }

    public StreakState withFreezes(int changed) {
        return Records.with(this, "freezes", changed);
    }

    public StreakState withEarnedTo(int day) {
        return Records.with(this, "earnedTo", day);
    }

    public StreakState withExtendedAt(long atMs) {
        return new StreakState(
                periods,
                newest,
                judgedTo,
                length,
                longest,
                startedDay,
                atMs,
                sumsPeriod,
                sums,
                freezes,
                createdDay,
                earnedTo,
                zoneChangedMs,
                atMs < zoneChangedMs ? extendedIn : null,
                pauses,
                daysOff,
                resets);
    }

    public StreakState withZoneChangedAt(long atMs, ZoneId before) {
        return Records.with(this, "zoneChangedMs", atMs, "extendedIn", extendedIn == null ? before : extendedIn);
    }

    public StreakState withPauses(List<Pause> changed) {
        return Records.with(this, "pauses", changed);
    }

    public StreakState withDaysOff(DaysOff changed) {
        return Records.with(this, "daysOff", changed);
    }

    public StreakState withResets(List<Reset> changed) {
        return Records.with(this, "resets", changed.subList(Math.max(0, changed.size() - MAX_RESETS), changed.size()));
    }

    /**
     * Days on which a user's streak is protected. Days are epoch days, both inclusive.
     *
     * @param coversTo the last protected day: {@code end}, or an earlier day if the pause was deleted
     */
    public record Pause(UUID id, int start, int end, int coversTo, boolean isDeleted) {

        public static Pause of(PlanPause plan) {
            int end = Math.toIntExact(plan.end().toEpochDay());
            return new Pause(plan.pauseId(), Math.toIntExact(plan.start().toEpochDay()), end, end, false);
        }

        /** The pause after its deletion, which ends its protection after {@code lastDay}. */
        public Pause deletedAfter(int lastDay) {
            return new Pause(id, start, end, Math.min(coversTo, lastDay), true);
        }

        boolean covers(int firstDay, int lastDay) {
            return start <= lastDay && coversTo >= firstDay && start <= coversTo;
        }
    }

    /**
     * A reset by an operator.
     *
     * @param day the user's local date
     * @param isUndone whether a restore has undone it
     */
    public record Reset(int day, long atMs, boolean isUndone) {}

    /**
     * The days off of a user's daily streak, with the dates of their changes, so that past dates keep their verdict
     * (docs/semantics.md §5 "Days off"). Sets of weekdays are as in {@link StreakRules#daysOff}. Days are epoch days. Immutable.
     *
     * @param first the weekdays off before all changes
     * @param changes by date
     */
    public record DaysOff(int first, List<Change> changes) {

        /** The maximum number of changes that are kept. */
        public static final int MAX_CHANGES = 100;

        public static final DaysOff NONE = new DaysOff(0, List.of());

        /** The weekdays off from this day on. */
        public record Change(int from, int weekdays) {}

        public DaysOff {
            changes = List.copyOf(changes);
        }

        /** The same weekdays off at all times. */
        public static DaysOff always(int weekdays) {
            return weekdays == 0 ? NONE : new DaysOff(weekdays, List.of());
        }

        /** The present weekdays off. */
        public int weekdays() {
            return changes.isEmpty() ? first : changes.getLast().weekdays();
        }

        /** Whether no date is a day off. */
        boolean isNone() {
            return first == 0 && changes.isEmpty();
        }

        public boolean isOff(int day) {
            return StreakRules.isAmong(weekdaysAt(day), day);
        }

        private int weekdaysAt(int day) {
            for (int i = changes.size() - 1; i >= 0; i--) {
                if (day >= changes.get(i).from()) {
                    return changes.get(i).weekdays();
                }
            }
            return first;
        }

        /** Other weekdays off from this day on. */
        public DaysOff changedFrom(int day, int weekdays) {
            var next = new ArrayList<>(changes);
            while (!next.isEmpty() && next.getLast().from() >= day) {
                next.removeLast();
            }
            int before = next.isEmpty() ? first : next.getLast().weekdays();
            if (before != weekdays) {
                next.add(new Change(day, weekdays));
            }
            return new DaysOff(first, next);
        }

        /** Without the oldest change and the days off before the next one. */
        public DaysOff withoutOldest() {
            return new DaysOff(0, changes.subList(1, changes.size()));
        }
    }
}
