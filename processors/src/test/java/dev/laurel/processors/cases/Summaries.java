package dev.laurel.processors.cases;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.rules.Periods;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.EventSummaries;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.core.view.PointsRanges;
import dev.laurel.core.view.WrappedYear;
import dev.laurel.core.view.WrappedYear.Percentiles;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.PointsSystemBody.LevelUsersBody;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The summaries that a case can expect: over the days of a user, or over all users. */
final class Summaries {

    private Summaries() {}

    /** The boosts that apply to the user's awards on that local day, by system. */
    static ObjectNode boosts(UserState state, CompiledRuleset rules, int today) {
        var boosts = Json.mapperForTools().createObjectNode();
        for (PointsSystem system : rules.document().pointsSystems()) {
            boosts.set(system.key(), tree(PointsBodies.activeBoosts(state, system, rules, today)));
        }
        return boosts;
    }

    /** The numbers of users in each range of totals, by system. */
    static ObjectNode ranges(AccountCounters account, TenantId tenant, CompiledRuleset rules) {
        var ranges = Json.mapperForTools().createObjectNode();
        for (PointsSystem system : rules.document().pointsSystems()) {
            var counted = new PointsRanges();
            var others = new long[] {account.sum(tenant, Counter.USERS, 0, SegmentGroup.ALL, 0, 0)};
            account.forEach(tenant, Counter.POINTS_RANGES, system.number(), SegmentGroup.ALL, (cell, users) -> {
                counted.add(cell, users);
                others[0] -= users;
            });
            counted.add(0, others[0]);
            ranges.set(system.key(), tree(counted.toBodies()));
        }
        return ranges;
    }

    /** The numbers of users on each level, by system. */
    static ObjectNode levels(AccountCounters account, TenantId tenant, CompiledRuleset rules) {
        var levels = Json.mapperForTools().createObjectNode();
        for (PointsSystem system : rules.document().pointsSystems()) {
            levels.set(
                    system.key(),
                    tree(system.levels().stream()
                            .map(level -> new LevelUsersBody(
                                    PointsBodies.level(level),
                                    account.sum(
                                            tenant,
                                            Counter.LEVELS,
                                            system.number(),
                                            SegmentGroup.ALL,
                                            level.number(),
                                            level.number())))
                            .toList()));
        }
        return levels;
    }

    /** @param asked the query of the call, with {@code metric} or {@code points} as its subject */
    static JsonNode ofEvents(JsonNode asked, UserState state, UserHistory history, CompiledRuleset rules) {
        var frequency =
                StreakFrequency.valueOf(asked.get("aggregation").asString().toUpperCase(Locale.ROOT));
        var periods = new Periods(frequency, rules.document().settings().weekStartsOn());
        int first = day(asked.get("startDate"));
        int last = day(asked.get("endDate"));
        List<?> bodies = asked.has("metric")
                ? EventSummaries.ofMetric(
                        state,
                        history,
                        rules.metric(asked.get("metric").asString()).metric().number(),
                        periods,
                        first,
                        last)
                : EventSummaries.ofPoints(
                        state, history, numberOf(asked.get("points").asString(), rules), periods, first, last);
        return tree(bodies);
    }

    /** @param asked has the {@code year}; leaderboards and other users are ignored */
    static JsonNode ofYear(JsonNode asked, UserState state, UserHistory history, CompiledRuleset rules, long atMs) {
        var year = new WrappedYear(
                state,
                rules,
                history,
                Bodies.today(state, rules, atMs),
                asked.get("year").asInt());
        return tree(year.toBody(Collections.nCopies(year.spans().size(), Map.of()), Percentiles.UNKNOWN)
                .activity());
    }

    private static int numberOf(String system, CompiledRuleset rules) {
        return rules.document().pointsSystems().stream()
                .filter(s -> s.key().equals(system))
                .findFirst()
                .orElseThrow()
                .number();
    }

    private static int day(JsonNode date) {
        return Math.toIntExact(LocalDate.parse(date.asString()).toEpochDay());
    }

    private static JsonNode tree(Object body) {
        return Json.mapperForTools().readTree(Json.write(body));
    }
}
