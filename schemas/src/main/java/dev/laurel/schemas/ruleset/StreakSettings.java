package dev.laurel.schemas.ruleset;

import java.math.BigDecimal;
import java.util.List;

/** How streaks are kept (semantics.md §5). No conditions: any positive event counts. */
public record StreakSettings(boolean enabled, StreakFrequency frequency, EvaluationMode evaluationMode,
        List<Condition> conditions) {

    public static final StreakSettings DEFAULT = new StreakSettings(true, StreakFrequency.DAILY, EvaluationMode.OR,
            List.of());

    public StreakSettings {
        conditions = List.copyOf(conditions);
    }

    /** Met when the metric's changes within the period add up to at least {@code threshold}. */
    public record Condition(String metric, BigDecimal threshold) {}

    /** How several conditions combine. */
    public enum EvaluationMode {
        AND, OR
    }
}
