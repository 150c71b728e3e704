package dev.laurel.deploy.bench;

/**
 * Events through Kafka, flat out: the rate as committed, see {@link CommitRate}.
 *
 * @param effectsPerEvent records that came of them on the topic of effects
 */
public record ThroughputResult(long events, double elapsedSeconds, double eventsPerSecond, double effectsPerEvent,
        ResourceUse resources) {}
