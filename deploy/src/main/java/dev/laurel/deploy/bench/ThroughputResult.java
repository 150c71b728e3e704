package dev.laurel.deploy.bench;

/** Events through Kafka, flat out: the rate between the first and the last one processed. */
public record ThroughputResult(long events, double elapsedSeconds, double eventsPerSecond, ResourceUse resources) {}
