package dev.laurel.query.analytics;

import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.RunFigures;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.user.LocalDays;
import dev.laurel.query.locate.AgedValues;
import dev.laurel.query.locate.AgedValues.Limits;
import dev.laurel.query.locate.Refused;
import dev.laurel.query.partition.LeaderboardQuery.CountRun;
import dev.laurel.query.partition.LeaderboardQuery.CountScores;
import dev.laurel.query.partition.Nodes;
import dev.laurel.schemas.key.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The runs of leaderboards that have begun anywhere on earth, of leaderboards that are active or finished. */
record LeaderboardRuns(List<LeaderboardRules> boards, Instant now) {

    /** The most runs in one report: those of a leaderboard that repeats daily for a year. */
    static final int MAX_RUNS = 366;

    /** @param run its number */
    record BoardRun(LeaderboardRules board, int run) {

        LocalDate first() {
            return board.runs().firstDateOf(run);
        }

        /** Null: the run has no end. */
        @Nullable
        LocalDate last() {
            return board.runs().lastDateOf(run);
        }
    }

    LeaderboardRuns {
        boards = boards.stream()
                .filter(board -> switch (board.board().statusAt(now)) {
                    case INACTIVE, SCHEDULED -> false;
                    case ACTIVE, FINISHED -> true;
                })
                .toList();
    }

    /** The runs with this date, one of each leaderboard that has one. @throws Refused if there is none */
    List<BoardRun> on(LocalDate date) {
        int day = Math.toIntExact(date.toEpochDay());
        List<BoardRun> runs = boards.stream()
                .map(board -> new BoardRun(board, board.runs().runOf(day)))
                .filter(run -> run.run() != Runs.NONE && hasBegun(run))
                .toList();
        if (runs.isEmpty()) {
            throw Refused.because("run must be a date in a run that has begun" + existing() + ".");
        }
        return runs;
    }

    private String existing() {
        Optional<LocalDate> first =
                boards.stream().map(board -> board.board().start()).min(Comparator.naturalOrder());
        if (first.isEmpty()) {
            return ", and there is none";
        }
        List<LocalDate> ends = boards.stream()
                .flatMap(board -> newest(board).stream())
                .map(BoardRun::last)
                .filter(Objects::nonNull)
                .toList();
        return ends.size() < boards.size()
                ? ": " + first.get() + " or later"
                : ", from " + first.get() + " to "
                        + ends.stream().max(Comparator.naturalOrder()).orElseThrow();
    }

    private Optional<BoardRun> newest(LeaderboardRules board) {
        return runs(board, Integer.MIN_VALUE, Integer.MAX_VALUE).findFirst();
    }

    /** The runs with dates from {@code first} to {@code last}, the newest one of each leaderboard first. @throws Refused if too many */
    List<BoardRun> between(int first, int last) {
        var runs = new ArrayList<BoardRun>();
        for (LeaderboardRules board : boards) {
            runs(board, first, last).forEach(runs::add);
            if (runs.size() > MAX_RUNS) {
                throw Refused.because("from and to must include at most " + MAX_RUNS
                        + " runs: give fewer days, a leaderboard or a run.");
            }
        }
        return runs;
    }

    private Stream<BoardRun> runs(LeaderboardRules board, int first, int last) {
        // In the east it may be tomorrow already. One run more than is allowed, and perhaps that of tomorrow, which has
        // not begun.
        int newest = LocalDays.dayOf(endMs(board), ZoneOffset.UTC) + 1;
        return board.runs().between(first, Math.min(last, newest), MAX_RUNS + 2).stream()
                .map(run -> new BoardRun(board, run))
                .filter(this::hasBegun);
    }

    private boolean hasBegun(BoardRun run) {
        return run.board().runs().beginningMsOf(run.run()) <= endMs(run.board());
    }

    /** A leaderboard that an operator has finished has no later runs. */
    private long endMs(LeaderboardRules board) {
        Instant finished = board.board().finished();
        return (finished == null ? now : finished).toEpochMilli();
    }

    /**
     * The figures of runs. The owner of a leaderboard is asked for those of a run about once a second at most, however often they are
     * read, and about once a minute if the run is final. If the owner has to read many groups from its store, it is asked so seldom that
     * this takes a sixth of the time. Thread-safe.
     */
    static final class RunCounts {

        /** With the time until the owner shows a change, not more than a second. */
        private static final Duration AGE = Duration.ofMillis(800);

        /** Only erasures of users change a final run. */
        private static final Duration FINAL_AGE = Duration.ofMinutes(1);

        private static final int MAX_KEPT = 1_000;

        /** Figures are kept for this many times as long as it took to get them. */
        private static final int AGE_FACTOR = 5;

        private final Nodes nodes;
        private final LongSupplier nanoTime;
        private final AgedValues<CountRun, Counted> runs;

        /** @param took the time that the owner needed */
        private record Counted(RunFigures figures, Duration took) {

            Duration age() {
                Duration byCost = took.multipliedBy(AGE_FACTOR);
                return figures.isFinal() ? FINAL_AGE : byCost.compareTo(AGE) > 0 ? byCost : AGE;
            }
        }

        RunCounts(Nodes nodes) {
            this(nodes, AgedValues.THREADS, System::nanoTime);
        }

        /** @param threads asks the nodes @param nanoTime a clock as {@link System#nanoTime} */
        RunCounts(Nodes nodes, Executor threads, LongSupplier nanoTime) {
            this.nodes = nodes;
            this.nanoTime = nanoTime;
            this.runs = new AgedValues<>(Limits.of(Counted::age, MAX_KEPT), this::ask, threads, nanoTime);
        }

        private Counted ask(CountRun query) {
            long startNs = nanoTime.getAsLong();
            RunFigures figures = nodes.ask(query);
            if (figures.histogram().isEmpty() && figures.lowest() != null && figures.highest() != null) {
                // The ranges of the histogram follow from the scores of all partitions of a spread leaderboard.
                figures = figures.with(nodes.ask(new CountScores(
                                query.tenant(), query.board(), query.run(), figures.lowest(), figures.highest()))
                        .values());
            }
            return new Counted(figures, Duration.ofNanos(nanoTime.getAsLong() - startNs));
        }

        /**
         * The figures of a run.
         *
         * @param board the number of a leaderboard
         * @throws NotReadyException while the owner of the leaderboard cannot be asked
         */
        RunFigures of(TenantId tenant, int board, int run) {
            return runs.get(new CountRun(tenant, board, run)).figures();
        }
    }
}
