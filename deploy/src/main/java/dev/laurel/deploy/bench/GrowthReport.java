package dev.laurel.deploy.bench;

import java.util.List;
import java.util.Map;

/**
 * Events per second at several sizes of one thing, everything else alike.
 *
 * @param usersAtOnce active at the same time
 * @param eventsPerVisit events of one of them before another one comes
 * @param eventsPerRound events in each of the {@code rounds} whose median the figures are
 * @param leftOut sizes for which there was no time
 */
public record GrowthReport(int usersAtOnce, int eventsPerVisit, int eventsPerRound, int rounds, List<Size> sizes,
        List<Integer> leftOut) {

    /** Compared with the smallest size, the rate may be off by a quarter. */
    static final double TARGET = 0.75;

    public GrowthReport {
        sizes = List.copyOf(sizes);
        leftOut = List.copyOf(leftOut);
    }

    /** @param loads figures by the name of the load; the same names at every size */
    public record Size(int size, Map<String, Figures> loads) {}

    /**
     * @param ratio of {@code eventsPerSecond} to that of the smallest size
     * @param effectsPerEvent to judge the ratio by: a user's first events complete more, say
     */
    public record Figures(double eventsPerSecond, double ratio, double effectsPerEvent) {}
}
