package dev.laurel.schemas.ruleset;

import java.math.BigDecimal;
import java.util.List;

/**
 * How streaks are kept (semantics.md §5).
 *
 * @param conditions none: any positive event counts
 * @param freezes null if freezes are off
 * @param personalization null if users cannot have conditions of their own
 * @param freezesWhenOff how freezes are to be once they are switched on; null if nobody has said, and while they are on
 * @param personalizationWhenOff likewise
 */
public record StreakSettings(boolean enabled, StreakFrequency frequency, EvaluationMode evaluationMode,
        List<Condition> conditions, Freezes freezes, Personalization personalization, Freezes freezesWhenOff,
        Personalization personalizationWhenOff) {

    public static final StreakSettings DEFAULT = new StreakSettings(true, StreakFrequency.DAILY, EvaluationMode.OR,
            List.of(), null, null, null, null);

    /** How freezes are, or would be if they were on. */
    public Freezes freezesOnceOn() {
        return freezes != null ? freezes : freezesWhenOff != null ? freezesWhenOff : Freezes.USUAL;
    }

    /** What users may choose, or could if they were let. */
    public Personalization personalizationOnceOn() {
        return personalization != null
                ? personalization
                : personalizationWhenOff != null ? personalizationWhenOff : Personalization.USUAL;
    }

    public StreakSettings {
        conditions = List.copyOf(conditions);
        freezesWhenOff = freezes == null ? freezesWhenOff : null;
        personalizationWhenOff = personalization == null ? personalizationWhenOff : null;
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
    public record Freezes(int initial, int max, int earnIntervalDays, int earnAmount) {

        /** Unless something else is said (admin-api.md B2). */
        public static final Freezes USUAL = new Freezes(0, 3, 0, 0);
    }

    /**
     * What users may choose.
     *
     * @param metrics which metrics, within which bounds; empty: those of the conditions, without bounds
     */
    public record Personalization(List<Bounds> metrics) {

        public static final Personalization USUAL = new Personalization(List.of());

        public Personalization {
            metrics = metrics == null ? List.of() : List.copyOf(metrics);
        }
    }

    /** @param min least threshold, null if none; @param max greatest, null if none */
    public record Bounds(String metric, BigDecimal min, BigDecimal max) {}
}
