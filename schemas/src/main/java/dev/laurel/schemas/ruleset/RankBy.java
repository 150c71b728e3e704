package dev.laurel.schemas.ruleset;

/** What a leaderboard compares. */
public sealed interface RankBy {

    /** @param metric its key */
    record MetricTotal(String metric) implements RankBy {}

    /** @param system key of the points system */
    record PointsTotal(String system) implements RankBy {}

    /** The current streak length. */
    record StreakLength() implements RankBy {}
}
