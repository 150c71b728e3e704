package dev.laurel.processors.stream;

/**
 * What the tasks of one boards application share; all of it is thread-safe.
 *
 * @param views shows the rankings that the tasks hold in memory
 * @param layout assigns leaderboards to the partitions of {@code laurel.scores}
 * @param logPartitions of the log: time moves when all of them have reported theirs
 */
public record BoardsDependencies(RulesetVersions rulesets, BoardViews views, BoardLayout layout, int logPartitions) {}
