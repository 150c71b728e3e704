package dev.laurel.schemas.ruleset;

/** When a points trigger pays (semantics.md §6). */
public sealed interface TriggerRule {

    /** Each time the metric's total passes another multiple of {@code threshold}. */
    record MetricThreshold(String metric, long threshold) implements TriggerRule {}
}
