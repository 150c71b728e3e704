package dev.laurel.core.analytics;

import dev.laurel.core.analytics.CounterUpdater.Counts;
import dev.laurel.core.user.ActiveDays;

/**
 * The cells of {@link Counter#COHORT}: for the users who were created on the same day, how many were active <i>n</i> days later, and how
 * many were last active <i>n</i> days later, for <i>n</i> from 0 to {@value #LAST_DAY}. Users who were last active after that count in
 * the last cell.
 */
public final class Cohorts {

    /** The greatest distance from the day of creation that is counted. */
    public static final int LAST_DAY = 90;

    private static final int DAYS = LAST_DAY + 1;

    /** The cells of one day of creation. */
    static final int CELLS = 2 * DAYS;

    private Cohorts() {}

    /** The cell of the users who were active {@code n} days later. */
    public static int active(int firstSeen, int n) {
        return firstSeen * CELLS + n;
    }

    /** The cell of the users who were last active {@code n} days later. */
    public static int lastActive(int firstSeen, int n) {
        return firstSeen * CELLS + DAYS + Math.min(n, LAST_DAY);
    }

    /**
     * Counts a day on which a user became active.
     *
     * @param object the number of the metric, 0 for any
     * @param newestBefore the newest day on which the user was active before; {@link ActiveDays#NO_DAY} if there was none
     */
    static void count(Counts counts, int object, int firstSeen, int day, int newestBefore) {
        int n = day - firstSeen;
        if (n >= 0 && n <= LAST_DAY) {
            counts.add(Counter.COHORT, object, active(firstSeen, n), 1);
        }
        if (day > newestBefore && n >= 0) {
            boolean hasMoved = newestBefore >= firstSeen;
            int to = lastActive(firstSeen, n);
            int from = hasMoved ? lastActive(firstSeen, newestBefore - firstSeen) : to;
            if (!hasMoved) {
                counts.add(Counter.COHORT, object, to, 1);
            } else if (from != to) {
                counts.add(Counter.COHORT, object, from, -1);
                counts.add(Counter.COHORT, object, to, 1);
            }
        }
    }
}
