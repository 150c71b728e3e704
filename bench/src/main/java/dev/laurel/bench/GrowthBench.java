package dev.laurel.bench;

import dev.laurel.bench.load.Median;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Shared parts of both growth measurements: time limit, rounds and progress. Used by one thread. */
final class GrowthBench {
    /** Initial estimate; later the rate of the subject is used. */
    private static final double RATE_ASSUMED = 20_000;

    final Subject subject;
    final Plan plan;
    private final KafkaThroughput throughput;
    private final Progress progress;
    private final long deadlineNanos;
    private final Medians figures = new Medians();
    private final List<Integer> leftOut = new ArrayList<>();
    private double preparedPerSecond = RATE_ASSUMED;

    /**
     * Starts the time limit of the plan.
     *
     * @param subject idle and without users
     */
    GrowthBench(Subject subject, Plan plan, String bootstrapServers, Progress progress) {
        this.subject = subject;
        this.plan = plan;
        this.progress = progress;
        throughput = new KafkaThroughput(bootstrapServers, subject);
        deadlineNanos = System.nanoTime() + plan.limit().toNanos();
    }

    boolean isTimeUp() {
        return System.nanoTime() - deadlineNanos > 0;
    }

    /** Returns whether the time suffices for this number of preparing events, at the rate of the previous ones. */
    boolean isTimeFor(long events) {
        return deadlineNanos - System.nanoTime() > events / preparedPerSecond * 1e9;
    }

    void leaveOut(int size) {
        leftOut.add(size);
        progress.line("no time for %,d", size);
    }

    /** Brings the subject to the size to be measured. */
    void prepare(String what, int events, KafkaThroughput.Load load) {
        KafkaThroughput.Result done = throughput.measure(events, load);
        preparedPerSecond = done.events() / done.elapsedSeconds();
        progress.line("%s: %,d events in %.1f s", what, events, done.elapsedSeconds());
    }

    void warmUp(KafkaThroughput.Load load) {
        throughput.measure(Math.max(1, plan.eventsPerRound() / 2), load);
    }

    void round(int size, String name, KafkaThroughput.Load load) {
        KafkaThroughput.Result result = throughput.measure(plan.eventsPerRound(), load);
        figures.add(size, name, result);
        progress.line("%,d, %s: %,.0f events/s, %.2f effects each", size, name, result.eventsPerSecond(),
                result.effectsPerEvent());
    }

    Report report(int usersAtOnce) {
        return new Report(usersAtOnce, plan.eventsPerVisit(), plan.eventsPerRound(), plan.rounds(),
                figures.sizes(), leftOut);
    }

    /**
     * Plan for measuring whether events cost more with more users or with longer pasts. All events go through Kafka,
     * the number of active users is constant, and each size is warmed up with the same events.
     *
     * @param users numbers of users, ascending; the same instance grows from one to the next
     * @param usersAtOnce active users, at most the first number of users
     * @param pasts numbers of past events, ascending; one event each {@code pastSpacing}, so a longer past also has
     * more days
     * @param pastUsersAtOnce active users with such a past. The longest pasts have exactly this number of users;
     * shorter pasts have more users, so that they are still short at the end of the measurement.
     * @param eventsPerVisit events of a user before another one becomes active
     * @param rounds measured rounds per size
     * @param eventsPerRound half as many for warm-up
     * @param limit time limit for users, and again for pasts; sizes that have not begun by then are skipped and
     * reported
     */
    record Plan(List<Integer> users, int usersAtOnce, List<Integer> pasts, int pastUsersAtOnce, Duration pastSpacing,
            int eventsPerVisit, int rounds, int eventsPerRound, Duration limit) {

        Plan {
            users = List.copyOf(users);
            pasts = List.copyOf(pasts);
            if (users.isEmpty() || pasts.isEmpty() || rounds < 1 || eventsPerRound < 1) {
                throw new IllegalArgumentException(
                        "A plan of growth needs numbers of users and of past events, rounds and events");
            }
            if (!isAscending(users) || !isAscending(pasts) || users.getFirst() < usersAtOnce || pasts.getFirst() < 1) {
                throw new IllegalArgumentException(
                        "Sizes must ascend: users " + users + " with " + usersAtOnce + " at once, past events "
                                + pasts);
            }
        }

        private static boolean isAscending(List<Integer> sizes) {
            return sizes.equals(List.copyOf(new TreeSet<>(sizes)));
        }

        /** Returns the plan for published figures. 100,000 events at this distance are ten years, about 27 a day. */
        static Plan full() {
            return new Plan(List.of(1_000, 100_000, 1_000_000), 1_000, List.of(10, 100_000), 16,
                    Duration.ofMinutes(53), 10, 3, 100_000, Duration.ofSeconds(150));
        }

        /**
         * Returns the number of users with that past: enough that no user is active twice, but with no more events
         * than the longest pasts have.
         */
        int usersWithPast(int past) {
            long measured = 2L * rounds * eventsPerRound + eventsPerRound / 2;
            long visits = Math.ceilDiv(measured, eventsPerVisit);
            long affordable = (long) pastUsersAtOnce * pasts.getLast() / past;
            return Math.toIntExact(Math.max(pastUsersAtOnce, Math.min(visits, affordable)));
        }
    }

    /** Collects rounds by size and load in order of appearance. Used by one thread. */
    static final class Medians {
        private final Map<Integer, Map<String, List<KafkaThroughput.Result>>> rounds = new LinkedHashMap<>();

        void add(int size, String load, KafkaThroughput.Result result) {
            rounds.computeIfAbsent(size, _ -> new LinkedHashMap<>()).computeIfAbsent(load, _ -> new ArrayList<>())
                    .add(result);
        }

        /** Returns medians and their ratios to those of the first size. */
        List<Size> sizes() {
            var firstRates = new HashMap<String, Double>();
            var sizes = new ArrayList<Size>();
            rounds.forEach((size, loads) -> {
                var figures = new LinkedHashMap<String, Figures>();
                loads.forEach((load, results) -> {
                    double rate = Median.of(results, KafkaThroughput.Result::eventsPerSecond);
                    double first = firstRates.computeIfAbsent(load, _ -> rate);
                    figures.put(load, new Figures(rate, rate / first,
                            Median.of(results, KafkaThroughput.Result::effectsPerEvent)));
                });
                sizes.add(new Size(size, figures));
            });
            return sizes;
        }
    }

    /**
     * Events per second at several sizes, with everything else equal.
     *
     * @param usersAtOnce active users
     * @param eventsPerVisit events of a user before another one becomes active
     * @param eventsPerRound events in each of the {@code rounds} whose medians are reported
     * @param leftOut sizes that were skipped for lack of time
     */
    record Report(int usersAtOnce, int eventsPerVisit, int eventsPerRound, int rounds, List<Size> sizes,
            List<Integer> leftOut) {

        /** Minimum ratio to the rate at the smallest size. */
        static final double TARGET = 0.75;

        Report {
            sizes = List.copyOf(sizes);
            leftOut = List.copyOf(leftOut);
        }
    }

    /** @param loads figures by name of the load; the same names at every size */
    record Size(int size, Map<String, Figures> loads) {}

    /**
     * @param ratio ratio of {@code eventsPerSecond} to that of the smallest size
     * @param effectsPerEvent explains differences, for instance because first events complete more achievements
     */
    record Figures(double eventsPerSecond, double ratio, double effectsPerEvent) {}
}
