package dev.laurel.deploy.bench;

/**
 * What leaderboards cost.
 *
 * @param participants on both leaderboards
 * @param without latency of events while no leaderboard is active
 * @param with latency of the same events whose answers bring two ranks
 * @param forAll one leaderboard for all users of a large instance
 */
public record BoardsReport(int participants, int ratePerSecond, Latency without, Latency with, ForAll forAll) {

    /** An answer with ranks may take this many times as long. */
    static final double LATENCY_TARGET = 2;
    /** The rate of events that a leaderboard for all leaves. */
    static final double THROUGHPUT_TARGET = 0.8;
    static final double READ_TARGET_MS = 2;

    /** @param rankRead latency of reads of a rank while events come flat out */
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
