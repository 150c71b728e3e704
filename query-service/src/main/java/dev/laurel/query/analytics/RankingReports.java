package dev.laurel.query.analytics;

import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.RunFigures;
import dev.laurel.core.statistics.UserValue.Ranking;
import dev.laurel.query.analytics.LeaderboardRuns.BoardRun;
import dev.laurel.query.analytics.ReportTable.Columns;
import dev.laurel.query.analytics.ReportTable.ObjectLabel;
import dev.laurel.query.partition.UserQuery.RankUsers.Place;
import dev.laurel.schemas.ruleset.Metric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The reports of who is the best (docs/analytics.md §2): top users, leaderboards. They are asked of all nodes. */
final class RankingReports {

    private RankingReports() {}

    /** The users who do most, by events or by the value of one metric. */
    static ReportTable topUsers(ReportInput input) {
        Metric metric = input.metric();
        boolean isRecent = input.isRecent();
        TopUserLists top = Objects.requireNonNull(input.top(), "the report consists of a ranking");
        List<Place> best = metric == null
                ? top.best(input.tenant(), isRecent ? Ranking.RECENT_EVENTS : Ranking.EVENTS, 0)
                : top.best(input.tenant(), isRecent ? Ranking.RECENT_VALUE : Ranking.VALUE, metric.number());
        List<Place> listed = best.subList(0, Math.min(input.limit(), best.size()));
        var names = new ArrayList<@Nullable String>();
        listed.forEach(place -> names.add(place.name()));
        return ReportTable.ofPlaces(
                input.columns(metric == null ? null : ObjectLabel.of(metric))
                        .add(
                                "id",
                                listed.stream()
                                        .map(place -> place.user().value())
                                        .toList())
                        .add("name", names)
                        .add("value", listed.stream().map(Place::value).toList()),
                listed.size());
    }

    /** The runs of leaderboards, each over all of its groups. */
    static ReportTable leaderboards(ReportInput input) {
        return ReportTable.of(input.window(), input.runs().stream().map(run -> columns(input, run)));
    }

    private static Columns columns(ReportInput input, BoardRun run) {
        LeaderboardRules board = run.board();
        RunFigures figures = Objects.requireNonNull(input.runCounts(), "there are runs")
                .of(input.tenant(), board.number(), run.run());
        return input.columns(new ObjectLabel("leaderboard", board.board().key(), board.number()))
                .add("run", run.first())
                .add("participants", figures.participants())
                .add("changedRank", figures.changedRank())
                .add(
                        "rankChanges",
                        input.sums(figures.rankChanges(
                                input.window().from(), input.window().to())))
                .add("lowest", figures.lowest())
                .add("highest", figures.highest())
                .add("histogram", histogram(figures));
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
