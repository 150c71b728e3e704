package dev.laurel.deploy.bench;

import java.time.Duration;

/**
 * How it is measured what leaderboards cost: events that differ in nothing else, of the same instance, in turns.
 *
 * @param participants users whose events are answered with two ranks: everybody is on both leaderboards
 * @param ratePerSecond of those events over HTTP
 * @param slices with and as many without
 * @param warmUp before the first slice
 * @param rounds with and as many without, of {@code eventsPerRound} through Kafka
 * @param readsPerSecond of ranks while another such round is under way
 */
record BoardsPlan(int participants, int ratePerSecond, int slices, Duration slice, Duration warmUp, int rounds,
        int eventsPerRound, int readsPerSecond) {

    BoardsPlan {
        if (participants < 1 || ratePerSecond < 1 || slices < 1 || rounds < 1 || eventsPerRound < 1
                || readsPerSecond < 1) {
            throw new IllegalArgumentException("A plan for leaderboards has participants, a rate, slices and rounds");
        }
    }

    static BoardsPlan full() {
        return new BoardsPlan(900, 200, 3, Duration.ofSeconds(8), Duration.ofSeconds(12), 3, 200_000, 200);
    }
}
