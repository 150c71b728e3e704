package dev.laurel.deploy.bench;

import dev.laurel.deploy.bench.load.Latency;

/**
 * The cost of leaderboards.
 *
 * @param participants users on both leaderboards
 * @param without latency of events without active leaderboards
 * @param with latency of the same events with two ranks in the response
 * @param forAll one leaderboard for all users of a large instance
 */
record LeaderboardReport(int participants, int ratePerSecond, Latency without, Latency with, ForAll forAll) {

    /** Maximum ratio of latencies with ranks. */
    static final double LATENCY_TARGET = 2;
    /** Minimum ratio of event rates with a leaderboard of all users. */
    static final double THROUGHPUT_TARGET = 0.8;
    static final double READ_TARGET_MS = 2;

    /** @param rankRead latency of reads of a rank at the maximum rate of events */
    public record ForAll(int users, double withoutPerSecond, double withPerSecond, Latency rankRead) {

        public double ratio() {
            return withPerSecond / withoutPerSecond;
        }
    }

    public double ratioP50() {
        return with.p50() / without.p50();
    }

    public double ratioP99() {
        return with.p99() / without.p99();
    }
}
