package dev.laurel.query.read;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.laurel.processors.core.leaderboard.RunFigures;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.LeaderboardQuery.CountRun;
import dev.laurel.query.partition.Nodes;
import dev.laurel.schemas.key.TenantId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The figures of runs of leaderboards. The owner of a leaderboard is asked for those of a run about once a second at most, however often
 * they are read, and about once a minute if the run is final. If the owner has to read many groups from its store, it is asked so seldom
 * that this takes a sixth of the time. Thread-safe.
 */
public final class RunCounts {

    /** With the time until the owner shows a change, not more than a second. */
    private static final Duration AGE = Duration.ofMillis(800);

    /** Only erasures of users change a final run. */
    private static final Duration FINAL_AGE = Duration.ofMinutes(1);
    private static final int MAX_RUNS = 1_000;

    /** Figures are kept for this many times as long as it took to get them. */
    private static final int AGE_FACTOR = 5;

    /** @param took the time that the owner needed */
    record Counted(RunFigures figures, Duration took) {}

    private final Nodes nodes;
    private final AsyncLoadingCache<CountRun, Counted> runs;

    public RunCounts(Nodes nodes) {
        this(nodes, AGE, FINAL_AGE);
    }

    /** @param age the greatest age of figures @param finalAge that of the figures of final runs */
    RunCounts(Nodes nodes, Duration age, Duration finalAge) {
        this.nodes = nodes;
        this.runs = Caffeine.newBuilder().maximumSize(MAX_RUNS)
                .expireAfter(Expiry.writing((CountRun _, Counted counted) -> ageOf(counted, age, finalAge)))
                .executor(task -> Thread.ofVirtual().name("laurel-count-run").start(task)).buildAsync(this::ask);
    }

    private Counted ask(CountRun query) {
        long startNs = System.nanoTime();
        RunFigures figures = nodes.ask(query);
        return new Counted(figures, Duration.ofNanos(System.nanoTime() - startNs));
    }

    /** How long figures are kept. */
    static Duration ageOf(Counted counted, Duration age, Duration finalAge) {
        if (counted.figures().isFinal()) {
            return finalAge;
        }
        Duration byCost = counted.took().multipliedBy(AGE_FACTOR);
        return byCost.compareTo(age) > 0 ? byCost : age;
    }

    /**
     * The figures of a run.
     *
     * @param board the number of a leaderboard
     * @throws NotReadyException while the owner of the leaderboard cannot be asked
     */
    public RunFigures of(TenantId tenant, int board, int run) {
        var query = new CountRun(tenant, board, run);
        CompletableFuture<Counted> counted = runs.get(query);
        try {
            return counted.join().figures();
        } catch (CompletionException e) {
            // The cache does so, too, but perhaps not before the next read.
            runs.asMap().remove(query, counted);
            throw e.getCause() instanceof NotReadyException notReady ? notReady : e;
        }
    }
}
