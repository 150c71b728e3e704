package dev.laurel.processors.core.user;

import java.math.BigDecimal;

/**
 * One metric of one user. The bucket of the newest day lies here, so that most events touch no other store; it moves to
 * the {@code metric-days} store when a newer day begins.
 *
 * @param total the exact sum of all values
 * @param day the newest local day with an event, as an epoch day
 */
public record MetricState(BigDecimal total, int day, DayBucket bucket) {

    /** Zero where nothing was counted yet. @param metric its number */
    public static BigDecimal totalOf(Numbered<MetricState> metrics, int metric) {
        MetricState counted = metrics.get(metric);
        return counted == null ? BigDecimal.ZERO : counted.total();
    }
}
