package dev.laurel.schemas.wire;

import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;

/**
 * admin-api.md B2.
 *
 * @param initialFreezes as are the fields after it: what holds once freezes are on
 * @param freezeAutoEarnInterval in days, null if none are earned
 * @param personalizationMetrics null: those of {@code metrics}, without bounds
 */
public record StreakSettingsBody(boolean enabled, String frequency, String evaluationMode, List<ConditionBody> metrics,
        boolean freezesEnabled, int initialFreezes, int maxFreezes, Integer freezeAutoEarnInterval,
        Integer freezeAutoEarnAmount, boolean personalizationEnabled, List<BoundsBody> personalizationMetrics) {

    public record ConditionBody(UUID metricId, BigDecimal threshold) {}

    /** @param min least threshold, null if none; @param max greatest, null if none */
    public record BoundsBody(UUID metricId, BigDecimal min, BigDecimal max) {}
}
