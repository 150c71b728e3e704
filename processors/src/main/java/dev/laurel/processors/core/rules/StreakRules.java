package dev.laurel.processors.core.rules;

import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import java.math.BigDecimal;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/** When a period of a streak is met (semantics.md §5). */
public final class StreakRules {

    /** A metric's part: met when its changes within the period add up to at least {@code atLeast}. @param metric number */
    public record Threshold(int metric, BigDecimal atLeast) {}

    private final StreakSettings settings;
    private final Periods periods;
    private final List<Threshold> thresholds;
    private final BitSet countedMetrics = new BitSet();

    StreakRules(Ruleset document, ToIntFunction<String> metricNumber) {
        this.settings = document.streak();
        this.periods = new Periods(settings.frequency(), document.settings().weekStartsOn());
        this.thresholds = settings.conditions().stream()
                .map(c -> new Threshold(metricNumber.applyAsInt(c.metric()), c.threshold())).toList();
        thresholds.forEach(threshold -> countedMetrics.set(threshold.metric()));
    }

    public StreakSettings settings() {
        return settings;
    }

    public boolean isEnabled() {
        return settings.enabled();
    }

    public Periods periods() {
        return periods;
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
        if (!countedMetrics.get(metric)) {
            return false;
        }
        boolean needsAll = settings.evaluationMode() == EvaluationMode.AND;
        for (Threshold threshold : thresholds) {
            if (isReached(threshold, changeOf) != needsAll) {
                return !needsAll;
            }
        }
        return needsAll;
    }

    private static boolean isReached(Threshold threshold, IntFunction<BigDecimal> changeOf) {
        return changeOf.apply(threshold.metric()).compareTo(threshold.atLeast()) >= 0;
    }
}
