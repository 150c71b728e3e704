package dev.laurel.processors.core.rules;

import dev.laurel.processors.core.rules.StreakRules.Threshold;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import java.math.BigDecimal;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;

/** What meets a period of a streak: thresholds that all, or one of which, must be reached (semantics.md §5). Immutable. */
public final class StreakConditions {

    private final EvaluationMode mode;
    private final List<Threshold> thresholds;
    private final BitSet countedMetrics = new BitSet();

    StreakConditions(EvaluationMode mode, List<Threshold> thresholds) {
        this.mode = mode;
        this.thresholds = List.copyOf(thresholds);
        thresholds.forEach(threshold -> countedMetrics.set(threshold.metric()));
    }

    public List<Threshold> thresholds() {
        return thresholds;
    }

    /** No thresholds: any positive event meets its period. */
    public boolean isAnyEvent() {
        return thresholds.isEmpty();
    }

    /** Whether a threshold is on this metric. */
    public boolean counts(int metric) {
        return countedMetrics.get(metric);
    }

    /**
     * Whether the period is met. There are thresholds.
     *
     * @param changeOf the sum of a metric's values within the period; asked only as far as it matters
     */
    public boolean areMet(IntFunction<BigDecimal> changeOf) {
        boolean needsAll = mode == EvaluationMode.AND;
        for (Threshold threshold : thresholds) {
            boolean isReached = changeOf.apply(threshold.metric()).compareTo(threshold.atLeast()) >= 0;
            if (isReached != needsAll) {
                return !needsAll;
            }
        }
        return needsAll;
    }
}
