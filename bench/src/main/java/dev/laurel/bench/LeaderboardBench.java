package dev.laurel.bench;

import dev.laurel.bench.load.Latency;
import dev.laurel.bench.load.LoadGenerator;
import dev.laurel.bench.load.Median;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Measures events with and without leaderboards alternately, so that a drift of the machine favours neither. */
final class LeaderboardBench {
    private static final int CONNECTIONS = 32;
    private static final int READ_WARM_UP_SECONDS = 3;

    /** A second is busy if at least this part of a round is processed in it. */
    private static final int BUSY_PARTS = 20;

    private final Subject.Ranking subject;
    private final Plan plan;
    private final String bootstrapServers;
    private final Progress progress;
    private final AtomicLong nextEvent = new AtomicLong();

    LeaderboardBench(Subject.Ranking subject, Plan plan, String bootstrapServers, Progress progress) {
        this.subject = subject;
        this.plan = plan;
        this.bootstrapServers = bootstrapServers;
        this.progress = progress;
    }

    /**
     * Measures latencies with two ranks in each response.
     *
     * @param forAll figures of {@link #forAll}
     */
    Report latencies(ForAll forAll) {
        subject.rank(2);
        LoadGenerator unranked = events("free-", false);
        LoadGenerator ranked = events("rank-", true);
        unranked.closedLoop(CONNECTIONS, plan.warmUp().dividedBy(2));
        ranked.closedLoop(CONNECTIONS, plan.warmUp());
        var without = new ArrayList<Latency>();
        var with = new ArrayList<Latency>();
        for (int slice = 0; slice < plan.slices(); slice++) {
            without.add(slice(unranked, "without"));
            with.add(slice(ranked, "with two"));
        }
        return new Report(plan.participants(), plan.ratePerSecond(), Latency.median(without), Latency.median(with),
                forAll);
    }

    private LoadGenerator events(String users, boolean areRanked) {
        var participants = new UniformUsers(plan.participants());
        return new LoadGenerator(subject.httpAddress(), () -> subject
                .plainEventRequest(users + participants.userOf(nextEvent.getAndIncrement()), areRanked));
    }

    private Latency slice(LoadGenerator load, String name) {
        LoadGenerator.Result result = load.openLoop(plan.ratePerSecond(), plan.slice(), CONNECTIONS);
        if (result.errorCount() > 0) {
            throw new IllegalStateException("unexpected responses to events: " + result.errors());
        }
        progress.line("events %s leaderboards: p50 %.2f ms, p99 %.2f ms at %d/s", name, result.latencyMs().p50(),
                result.latencyMs().p99(), plan.ratePerSecond());
        return result.latencyMs();
    }

    /**
     * Measures a leaderboard of all users.
     *
     * @param users number of existing users
     */
    ForAll forAll(int users) {
        var allUsers = new UniformUsers(users);
        var throughput = new KafkaThroughput(bootstrapServers, subject);
        subject.rank(1);
        // Fills the leaderboard and establishes its floor.
        throughput.measure(plan.eventsPerRound(), load(allUsers, true));
        var without = new ArrayList<Double>();
        var with = new ArrayList<Double>();
        for (int round = 0; round < plan.rounds(); round++) {
            without.add(round(throughput, allUsers, false));
            with.add(round(throughput, allUsers, true));
        }
        return new ForAll(users, Median.of(without), Median.of(with), readsUnderLoad(throughput, allUsers));
    }

    private KafkaThroughput.Load load(UniformUsers users, boolean areRanked) {
        return _ -> subject.plainEvent(users.nameOf(nextEvent.getAndIncrement()), areRanked);
    }

    private double round(KafkaThroughput throughput, UniformUsers users, boolean areRanked) {
        double rate = throughput.measure(plan.eventsPerRound(), load(users, areRanked)).eventsPerSecond();
        progress.line("%,d users, %s leaderboard: %,.0f events/s", users.count(), areRanked ? "with one" : "without",
                rate);
        return rate;
    }

    private Latency readsUnderLoad(KafkaThroughput throughput, UniformUsers users) {
        var nextRead = new AtomicLong();
        var reads = new LoadGenerator(subject.httpAddress(),
                () -> subject.rankRequest(users.nameOf(nextRead.getAndIncrement())));
        reads.openLoop(plan.readsPerSecond(), Duration.ofSeconds(READ_WARM_UP_SECONDS), CONNECTIONS);
        CompletableFuture<KafkaThroughput.Result> round = CompletableFuture
                .supplyAsync(() -> throughput.measure(plan.eventsPerRound(), load(users, true)));
        var latencies = new ArrayList<Latency>();
        while (!round.isDone()) {
            long before = subject.processed();
            LoadGenerator.Result second = reads.openLoop(plan.readsPerSecond(), Duration.ofSeconds(1), CONNECTIONS);
            // There is no load yet while the events of the round are being written.
            if (subject.processed() - before > plan.eventsPerRound() / BUSY_PARTS) {
                latencies.add(second.latencyMs());
            }
        }
        round.join();
        if (latencies.isEmpty()) {
            throw new IllegalStateException("no second of the round was busy: the round has too few events");
        }
        Latency reading = Latency.median(latencies);
        progress.line("reads of a rank meanwhile: p50 %.2f ms", reading.p50());
        return reading;
    }

    /**
     * Plan for measuring the cost of leaderboards: otherwise equal events of the same instance, alternately.
     *
     * @param participants users with two ranks in each response; all are on both leaderboards
     * @param ratePerSecond rate of these events over HTTP
     * @param slices slices with, and as many without leaderboards
     * @param warmUp time before the first slice
     * @param rounds rounds of {@code eventsPerRound} through Kafka with, and as many without leaderboards
     * @param readsPerSecond reads of ranks during another such round
     */
    record Plan(int participants, int ratePerSecond, int slices, Duration slice, Duration warmUp, int rounds,
            int eventsPerRound, int readsPerSecond) {

        Plan {
            if (participants < 1 || ratePerSecond < 1 || slices < 1 || rounds < 1 || eventsPerRound < 1
                    || readsPerSecond < 1) {
                throw new IllegalArgumentException(
                        "A plan for leaderboards has participants, a rate, slices and rounds");
            }
        }

        static Plan full() {
            return new Plan(900, 200, 3, Duration.ofSeconds(8), Duration.ofSeconds(12), 3, 200_000, 200);
        }
    }

    /**
     * The cost of leaderboards.
     *
     * @param participants users on both leaderboards
     * @param without latency of events without active leaderboards
     * @param with latency of the same events with two ranks in the response
     * @param forAll one leaderboard for all users of a large instance
     */
    record Report(int participants, int ratePerSecond, Latency without, Latency with, ForAll forAll) {

        /** Maximum ratio of latencies with ranks. */
        static final double LATENCY_TARGET = 2;
        /** Minimum ratio of event rates with a leaderboard of all users. */
        static final double THROUGHPUT_TARGET = 0.8;
        static final double READ_TARGET_MS = 2;
    }

    /** @param rankRead latency of reads of a rank at the maximum rate of events */
    record ForAll(int users, double withoutPerSecond, double withPerSecond, Latency rankRead) {}
}
