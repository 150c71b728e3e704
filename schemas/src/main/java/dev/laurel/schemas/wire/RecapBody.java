package dev.laurel.schemas.wire;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Map;

/**
 * How a user did in a period that is over.
 *
 * @param periodEnd inclusive
 * @param metrics by key, all there are
 * @param points by key of the system, all there are
 */
public record RecapBody(LocalDate periodStart, LocalDate periodEnd, Map<String, MetricBody> metrics,
        Map<String, PointsBody> points) {

    /** @param change within the period; @param total at its end */
    public record MetricBody(String key, String name, String units, BigDecimal change, BigDecimal total) {}

    /** @param change within the period; @param total at its end */
    public record PointsBody(String key, String name, BigDecimal change, BigDecimal total) {}
}
