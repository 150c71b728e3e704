package dev.laurel.deploy.bench;

/** Events through Kafka, flat out: the rate as committed, see {@link CommitRate}. */
public record ThroughputResult(long events, double elapsedSeconds, double eventsPerSecond, ResourceUse resources) {}
