package dev.laurel.query.analytics;

import dev.laurel.core.leaderboard.RunFigures;
import dev.laurel.query.analytics.BoardRuns.BoardRun;
import dev.laurel.query.analytics.ReportTable.Columns;
import dev.laurel.query.analytics.ReportTable.ObjectLabel;
import dev.laurel.query.analytics.ReportTable.Series;
import java.util.LinkedHashMap;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/** The report of the runs of leaderboards (docs/analytics.md §2), each over all of its groups. It is not divided. */
final class LeaderboardReport {

    private final ReportInput input;

    private LeaderboardReport(ReportInput input) {
        this.input = input;
    }

    static ReportTable make(ReportInput input) {
        return ReportTable.of(input.window(), input.runs().stream().map(new LeaderboardReport(input)::series).toList());
    }

    private Series series(BoardRun run) {
        RunFigures figures = requireNonNull(input.runCounts(), "there are runs").of(input.tenant(),
                run.board().number(), run.run());
        return new Columns().add("run", run.first()).add("participants", figures.participants())
                .add("changedRank", figures.changedRank())
                .add("rankChanges", input.sums(figures.rankChanges(input.window().from(), input.window().to())))
                .add("lowest", figures.lowest()).add("highest", figures.highest())
                .add("histogram", histogram(figures))
                .of(Map.of(), new ObjectLabel("leaderboard", run.board().board().key(), run.board().number()));
    }

    /** By the number of the range, from 1. */
    private static Map<String, Long> histogram(RunFigures figures) {
        var ranges = new LinkedHashMap<String, Long>();
        for (long count : figures.histogram()) {
            ranges.put(Integer.toString(ranges.size() + 1), count);
        }
        return ranges;
    }
}
