package dev.laurel.processors.core.user;

/**
 * One points system of one user.
 *
 * @param total equals the sum of {@code awarded} over the ledger
 * @param awards how many entries the ledger has; the next one's sequence number
 * @param crossed thresholds passed so far, by the number of the metric trigger
 */
public record PointsState(long total, int awards, Numbered<Long> crossed) {

    public static final PointsState NONE = new PointsState(0, 0, Numbered.empty());
}
