package dev.laurel.query.read;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.laurel.core.leaderboard.RunFigures;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.LeaderboardQuery.CountRun;
import dev.laurel.query.partition.LeaderboardQuery.CountScores;
import dev.laurel.query.partition.Nodes;
import dev.laurel.schemas.key.TenantId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

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
    private record Counted(RunFigures figures, Duration took) {

        /** The age up to which the figures are used. */
        Duration age() {
            if (figures.isFinal()) {
                return FINAL_AGE;
            }
            Duration byCost = took.multipliedBy(AGE_FACTOR);
            return byCost.compareTo(AGE) > 0 ? byCost : AGE;
        }
    }

    private final Nodes nodes;
    private final LongSupplier nanoTime;
    private final AsyncLoadingCache<CountRun, Counted> runs;

    public RunCounts(Nodes nodes) {
        this(nodes, task -> Thread.ofVirtual().name("laurel-count-run").start(task), System::nanoTime);
    }

    /** @param executor asks the owners @param nanoTime a clock as {@link System#nanoTime} */
    RunCounts(Nodes nodes, Executor executor, LongSupplier nanoTime) {
        this.nodes = nodes;
        this.nanoTime = nanoTime;
        this.runs = Caffeine.newBuilder().maximumSize(MAX_RUNS)
                .expireAfter(Expiry.writing((CountRun _, Counted counted) -> counted.age()))
                .ticker(nanoTime::getAsLong).executor(executor).buildAsync(this::ask);
    }

    private Counted ask(CountRun query) {
        long startNs = nanoTime.getAsLong();
        RunFigures figures = nodes.ask(query);
        if (figures.histogram().isEmpty() && figures.lowest() != null && figures.highest() != null) {
            // The ranges of the histogram follow from the scores of all partitions of a spread leaderboard.
            figures = figures.with(nodes.ask(new CountScores(query.tenant(), query.board(), query.run(),
                    figures.lowest(), figures.highest())).values());
        }
        return new Counted(figures, Duration.ofNanos(nanoTime.getAsLong() - startNs));
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
