package dev.laurel.processors.core.user;

import java.math.BigDecimal;

/**
 * The state of one metric of one user. It contains the bucket of the newest day, so that most events read and write no other
 * store; the bucket moves to the {@code metric-days} store when a newer day begins.
 *
 * @param total the exact sum of all values
 * @param day the newest local day with an event, as an epoch day
 * @param attributedFrom the oldest local day with an event that had attributes, {@link #NEVER} if there is none
 */
public record MetricState(BigDecimal total, int day, DayBucket bucket, int attributedFrom) {

    public static final int NEVER = Integer.MAX_VALUE;

    /** Zero if the metric has no events. @param metric its number */
    public static BigDecimal totalOf(IntKeyedMap<MetricState> metrics, int metric) {
        MetricState counted = metrics.get(metric);
        return counted == null ? BigDecimal.ZERO : counted.total();
    }
}
