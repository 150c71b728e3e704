package dev.laurel.core.analytics;

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
}
