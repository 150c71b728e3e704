package dev.laurel.schemas.ruleset;

import java.math.BigDecimal;
import java.util.List;

/**
 * How streaks are kept (semantics.md §5).
 *
 * @param conditions none: any positive event counts
 * @param freezes null if freezes are off
 * @param personalization null if users cannot have conditions of their own
 */
public record StreakSettings(boolean enabled, StreakFrequency frequency, EvaluationMode evaluationMode,
        List<Condition> conditions, Freezes freezes, Personalization personalization) {

    public static final StreakSettings DEFAULT = new StreakSettings(true, StreakFrequency.DAILY, EvaluationMode.OR,
            List.of(), null, null);

    public StreakSettings {
        conditions = List.copyOf(conditions);
    }

    /** Met when the metric's changes within the period add up to at least {@code threshold}. */
    public record Condition(String metric, BigDecimal threshold) {}

    /** How several conditions combine. */
    public enum EvaluationMode {
        AND, OR
    }

    /**
     * What covers missed periods.
     *
     * @param initial given at creation, at most {@code max}
     * @param max how many a user can hold
     * @param earnIntervalDays days between freezes earned by themselves; 0 if none are
     * @param earnAmount how many each time
     */
    public record Freezes(int initial, int max, int earnIntervalDays, int earnAmount) {}

    /**
     * What users may choose.
     *
     * @param metrics which metrics, within which bounds; empty: those of the conditions, without bounds
     */
    public record Personalization(List<Bounds> metrics) {

        public Personalization {
            metrics = metrics == null ? List.of() : List.copyOf(metrics);
        }
    }

    /** @param min least threshold, null if none; @param max greatest, null if none */
    public record Bounds(String metric, BigDecimal min, BigDecimal max) {}
}
