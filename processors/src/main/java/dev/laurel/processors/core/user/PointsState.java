package dev.laurel.processors.core.user;

import java.util.List;

/**
 * One points system of one user. The newest awards lie here until there are {@link #PAGE} of them; then they move to the
 * {@code points-ledger} store as one page. So most awards cost no write of their own. The same holds for the newest day's
 * change, which moves to the {@code metric-days} store when a newer day begins.
 *
 * @param total equals the sum of {@code awarded} over the ledger
 * @param awards how many entries the ledger has, these included; the next one's sequence number
 * @param newest the last {@code awards % PAGE} awards, oldest first
 * @param counts by the number of the trigger: thresholds passed of a metric trigger, intervals passed of a time trigger
 * @param day the newest local day with an award, as an epoch day
 * @param dayChange the sum of that day's awards
 */
public record PointsState(long total, int awards, List<Award> newest, Numbered<Long> counts, int day,
        long dayChange) {

    /** Awards per page of the ledger. Larger pages make the state larger, smaller ones make more writes. */
    public static final int PAGE = 8;

    public static final PointsState NONE = new PointsState(0, 0, List.of(), Numbered.empty(), Integer.MIN_VALUE, 0);

    public PointsState {
        newest = List.copyOf(newest);
        if (newest.size() != awards % PAGE) {
            throw new IllegalArgumentException("of " + awards + " awards, " + newest.size() + " are the newest");
        }
    }

    PointsState withCount(int trigger, long times) {
        return new PointsState(total, awards, newest, counts.with(trigger, times), day, dayChange);
    }

    /** Without any award so far. */
    static PointsState orNone(PointsState state) {
        return state == null ? NONE : state;
    }

    /** Zero where nothing was awarded yet. @param system its number */
    public static long totalOf(Numbered<PointsState> points, int system) {
        return orNone(points.get(system)).total();
    }

    /** The ledger page that a sequence number lies on. */
    public static int pageOf(int sequence) {
        return sequence / PAGE;
    }
}
