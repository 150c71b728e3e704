package dev.laurel.processors.core.rules;

import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/** When a period of a streak is met (semantics.md §5). */
public final class StreakRules {

    private final StreakSettings settings;
    private final List<Threshold> thresholds;

    private record Threshold(int metric, BigDecimal atLeast) {}

    StreakRules(StreakSettings settings, ToIntFunction<String> metricNumber) {
        this.settings = settings;
        this.thresholds = settings.conditions().stream()
                .map(c -> new Threshold(metricNumber.applyAsInt(c.metric()), c.threshold())).toList();
    }

    public StreakSettings settings() {
        return settings;
    }

    public boolean isEnabled() {
        return settings.enabled();
    }

    /**
     * Whether an event of {@code metric} with {@code value} makes its period met.
     *
     * @param changeOf the sum of a metric's values within the period, this event included
     */
    public boolean isMetBy(int metric, BigDecimal value, IntFunction<BigDecimal> changeOf) {
        if (thresholds.isEmpty()) {
            return value.signum() > 0;
        }
        if (thresholds.stream().noneMatch(t -> t.metric() == metric)) {
            return false;
        }
        return settings.evaluationMode() == EvaluationMode.AND
                ? thresholds.stream().allMatch(t -> isReached(t, changeOf))
                : thresholds.stream().anyMatch(t -> isReached(t, changeOf));
    }

    private static boolean isReached(Threshold threshold, IntFunction<BigDecimal> changeOf) {
        return changeOf.apply(threshold.metric()).compareTo(threshold.atLeast()) >= 0;
    }
}
