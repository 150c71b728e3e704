package dev.laurel.schemas.wire;

import java.math.BigDecimal;
import java.time.LocalDate;

/**
 * One period of an event summary of a metric or a points system (application-api.md §4).
 *
 * @param date first day of the period
 * @param total at its end
 * @param change net, within it
 */
public record EventSummaryBody(LocalDate date, BigDecimal total, BigDecimal change) {}
