package dev.laurel.deploy.bench;

import java.time.Duration;
import java.util.List;

/**
 * What a run does. Every subject is warmed up once; then slices alternate between the subjects, each slice measuring
 * everything, and the report keeps medians, because a small machine is noisy in bursts longer than one slice.
 *
 * @param slices measured rounds per subject
 * @param kafkaEvents events per slice for the rate through Kafka; half as many warm up
 * @param warmUp how long HTTP writes warm up, and reads a quarter of that; on two cores the compiler needs the better part
 *        of a minute before figures stop improving, which a quick run does not have
 * @param ratesPerSecond open-loop rates of events over HTTP; the first is the one whose latency is compared
 * @param connections closed-loop connection counts for events over HTTP
 * @param readConnections closed-loop connection counts for reads over HTTP
 * @param growth what is measured of the last subject afterwards, on its own; null if nothing is
 * @param boards what its leaderboards cost, likewise; not without growth, whose largest instance it uses
 */
public record BenchPlan(int partitions, int users, int slices, int kafkaEvents, Duration warmUp,
        List<Integer> ratesPerSecond, Duration rateDuration, List<Integer> connections, Duration connectionsDuration,
        List<Integer> readConnections, Duration readDuration, GrowthPlan growth, BoardsPlan boards) {
    private static final int PARTITIONS = 4;
    private static final int USERS = 10_000;

    public BenchPlan {
        ratesPerSecond = List.copyOf(ratesPerSecond);
        connections = List.copyOf(connections);
        readConnections = List.copyOf(readConnections);
        if (partitions < 1 || slices < 1 || kafkaEvents < 1 || ratesPerSecond.isEmpty()) {
            throw new IllegalArgumentException("A plan has partitions, slices, events and at least one rate");
        }
    }

    /** The figures of the README: some twelve minutes for two subjects. */
    public static BenchPlan full() {
        return new BenchPlan(PARTITIONS, USERS, 3, 250_000, Duration.ofSeconds(20), List.of(200, 1_000),
                Duration.ofSeconds(8), List.of(32, 64, 256), Duration.ofSeconds(5), List.of(1, 32),
                Duration.ofSeconds(3), GrowthPlan.full(), BoardsPlan.full());
    }

    /**
     * Under 45 s for two subjects, the broker's start included. The compiler is not done by then, least of all with the
     * subject that has more code: a look at whether something broke, not a figure to quote.
     */
    public static BenchPlan quick() {
        return new BenchPlan(PARTITIONS, USERS, 2, 50_000, Duration.ofSeconds(2), List.of(200),
                Duration.ofMillis(1_500), List.of(64), Duration.ofMillis(800), List.of(1, 32), Duration.ofMillis(250),
                null, null);
    }

    /** Some seconds of everything with one small slice, for its side effects on the JVM only. */
    static BenchPlan warmUpOnly() {
        return new BenchPlan(PARTITIONS, 1_000, 1, 5_000, Duration.ofSeconds(4), List.of(200), Duration.ofSeconds(1),
                List.of(16), Duration.ofSeconds(1), List.of(4), Duration.ofSeconds(1), null, null);
    }
}
