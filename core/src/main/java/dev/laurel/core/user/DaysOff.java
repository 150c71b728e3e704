package dev.laurel.core.user;

import dev.laurel.core.rules.StreakRules;
import java.util.ArrayList;
import java.util.List;

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
