package dev.laurel.deploy.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** What both measurements of growth need: the clock that ends them, rounds, and a word about each. Single-threaded. */
final class GrowthBench {
    /** Told before anything is measured; later the subject's own rate says how long a preparation takes. */
    private static final double RATE_ASSUMED = 20_000;

    final Subject subject;
    final GrowthPlan plan;
    private final KafkaThroughput throughput;
    private final Consumer<String> progress;
    private final long deadlineNanos;
    private final GrowthFigures figures = new GrowthFigures();
    private final List<Integer> leftOut = new ArrayList<>();
    private double preparedPerSecond = RATE_ASSUMED;

    /** The time of the plan begins. @param subject idle and new: it has no user */
    GrowthBench(Subject subject, GrowthPlan plan, String bootstrapServers, Consumer<String> progress) {
        this.subject = subject;
        this.plan = plan;
        this.progress = progress;
        throughput = new KafkaThroughput(bootstrapServers, subject, new AtomicLong());
        deadlineNanos = System.nanoTime() + plan.limit().toNanos();
    }

    boolean isTimeUp() {
        return System.nanoTime() - deadlineNanos > 0;
    }

    /** Whether so many events of preparation are done in time, going by those before. */
    boolean isTimeFor(long events) {
        return deadlineNanos - System.nanoTime() > events / preparedPerSecond * 1e9;
    }

    void leaveOut(int size) {
        leftOut.add(size);
        progress.accept(String.format(Locale.ROOT, "no time for %,d", size));
    }

    /** Brings the subject to where it is to be measured. */
    void prepare(String what, int events, Backlog.Load load) {
        ThroughputResult done = throughput.measure(events, load);
        preparedPerSecond = done.events() / done.elapsedSeconds();
        progress.accept(String.format(Locale.ROOT, "%s: %,d events in %.1f s", what, events, done.elapsedSeconds()));
    }

    void warmUp(Backlog.Load load) {
        throughput.measure(Math.max(1, plan.eventsPerRound() / 2), load);
    }

    void round(int size, String name, Backlog.Load load) {
        ThroughputResult result = throughput.measure(plan.eventsPerRound(), load);
        figures.add(size, name, result);
        progress.accept(String.format(Locale.ROOT, "%,d, %s: %,.0f events/s, %.2f effects each", size, name,
                result.eventsPerSecond(), result.effectsPerEvent()));
    }

    GrowthReport report(int usersAtOnce) {
        return new GrowthReport(usersAtOnce, plan.eventsPerVisit(), plan.eventsPerRound(), plan.rounds(),
                figures.sizes(), leftOut);
    }
}
