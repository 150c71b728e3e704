package dev.laurel.processors.core.user;

import java.util.List;

/**
 * One points system of one user. The newest awards lie here until there are {@link #PAGE} of them; then they move to the
 * {@code points-ledger} store as one page. So most awards cost no write of their own.
 *
 * @param total equals the sum of {@code awarded} over the ledger
 * @param awards how many entries the ledger has, these included; the next one's sequence number
 * @param newest the last {@code awards % PAGE} awards, oldest first
 * @param crossed thresholds passed so far, by the number of the metric trigger
 */
public record PointsState(long total, int awards, List<Award> newest, Numbered<Long> crossed) {

    /** Awards per page of the ledger. Larger pages make the state larger, smaller ones make more writes. */
    public static final int PAGE = 8;

    public static final PointsState NONE = new PointsState(0, 0, List.of(), Numbered.empty());

    public PointsState {
        newest = List.copyOf(newest);
        if (newest.size() != awards % PAGE) {
            throw new IllegalArgumentException("of " + awards + " awards, " + newest.size() + " are the newest");
        }
    }

    PointsState withCrossed(int trigger, long times) {
        return new PointsState(total, awards, newest, crossed.with(trigger, times));
    }

    /** The ledger page that a sequence number lies on. */
    public static int pageOf(int sequence) {
        return sequence / PAGE;
    }
}
