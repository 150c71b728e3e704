package dev.laurel.deploy.bench;

import java.util.List;
import java.util.Map;

/**
 * Events per second at several sizes, with everything else equal.
 *
 * @param usersAtOnce active users
 * @param eventsPerVisit events of a user before another one becomes active
 * @param eventsPerRound events in each of the {@code rounds} whose medians are reported
 * @param leftOut sizes that were skipped for lack of time
 */
public record GrowthReport(int usersAtOnce, int eventsPerVisit, int eventsPerRound, int rounds, List<Size> sizes,
        List<Integer> leftOut) {

    /** Minimum ratio to the rate at the smallest size. */
    static final double TARGET = 0.75;

    public GrowthReport {
        sizes = List.copyOf(sizes);
        leftOut = List.copyOf(leftOut);
    }

    /** @param loads figures by name of the load; the same names at every size */
    public record Size(int size, Map<String, Figures> loads) {}

    /**
     * @param ratio ratio of {@code eventsPerSecond} to that of the smallest size
     * @param effectsPerEvent explains differences, for instance because first events complete more achievements
     */
    public record Figures(double eventsPerSecond, double ratio, double effectsPerEvent) {}
}
