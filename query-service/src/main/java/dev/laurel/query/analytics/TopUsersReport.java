package dev.laurel.query.analytics;

import dev.laurel.core.statistics.UserValue.Ranking;
import dev.laurel.query.analytics.ReportTable.Columns;
import dev.laurel.query.analytics.ReportTable.ObjectLabel;
import dev.laurel.query.partition.UserQuery.RankUsers.Place;
import dev.laurel.schemas.ruleset.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The report of the users who do most (docs/analytics.md §2), by events or by the value of one metric. */
final class TopUsersReport {

    private TopUsersReport() {}

    static ReportTable make(ReportInput input) {
        Metric metric = input.metric();
        boolean isRecent = input.ranks().isRecent();
        TopUserLists top = Objects.requireNonNull(input.top(), "the report consists of a ranking");
        List<Place> best = metric == null
                ? top.best(input.tenant(), isRecent ? Ranking.RECENT_EVENTS : Ranking.EVENTS, 0)
                : top.best(input.tenant(), isRecent ? Ranking.RECENT_VALUE : Ranking.VALUE, metric.number());
        List<Place> listed = best.subList(0, Math.min(input.ranks().limit(), best.size()));
        var names = new ArrayList<@Nullable String>();
        listed.forEach(place -> names.add(place.name()));
        return ReportTable.ofPlaces(new Columns().add("id", listed.stream().map(place -> place.user().value()).toList())
                .add("name", names).add("value", listed.stream().map(Place::value).toList())
                .of(Map.of(), metric == null ? null : new ObjectLabel("metric", metric.key(), metric.number())),
                listed.size());
    }
}
