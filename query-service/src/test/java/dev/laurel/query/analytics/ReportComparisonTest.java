package dev.laurel.query.analytics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.query.analytics.ReportComparison.Figures;
import dev.laurel.query.analytics.ReportComparison.Series;
import dev.laurel.query.analytics.ReportComparison.Side;
import dev.laurel.query.read.InMemoryUsers;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset.ObjectIdentity.Origin;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetEditor.Result;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportComparisonTest {

    private static final String RULES_AT = "2026-01-01T00:00:00Z";
    private static final Instant AT = Instant.parse("2026-03-03T12:00:00Z");

    /** With the achievement {@code ten} and others, the points system, its level, and the points of a lap. */
    private static final String RULES = """
        {"metrics":{"laps":{},"dives":{}},
         "achievements":{"ten":{"trigger":"metric","metric":"laps","value":10}%s},
         "points":{"%s":{"levels":{"%s":{"points":10}},
                         "triggers":{"lap":{"type":"metric","metric":"laps","threshold":1,"points":%d}}}},
         "streak":{"frequency":"daily"}}\
        """;

    /** 12 laps and a dive of Ann on two days, 3 laps of Bo on the second. */
    private static InMemoryUsers swim(InMemoryUsers users) throws Exception {
        return users.event("ann", "laps", 12, "2026-03-01T09:00:00Z")
                .event("ann", "dives", 1, "2026-03-02T09:00:00Z")
                .event("bo", "laps", 3, "2026-03-02T08:00:00Z");
    }

    private static String rules(String more, String system, String level, int points) {
        return RULES.formatted(more, system, level, points);
    }

    private static InMemoryUsers live() throws Exception {
        return swim(new InMemoryUsers().rules(RULES_AT, rules("", "gems", "seal", 1)));
    }

    /** The same events under other rules that follow from those of {@link #live}. */
    private static InMemoryUsers replayed(String rules) throws Exception {
        return swim(new InMemoryUsers()
                .rules(RULES_AT, rules("", "gems", "seal", 1))
                .rules(RULES_AT, rules));
    }

    private static Side side(InMemoryUsers users) {
        AccountCounters counters =
                Objects.requireNonNull(users.localNode().counters().get());
        return new Side(users.rulesets().newest(TenantId.NONE), counters);
    }

    private static ReportComparison compare(InMemoryUsers before, InMemoryUsers after) {
        return Objects.requireNonNull(ReportComparison.of(TenantId.NONE, side(before), side(after), AT));
    }

    private static Figures days(long total, long... days) {
        return new Figures(
                BigDecimal.valueOf(total),
                LongStream.of(days).mapToObj(BigDecimal::valueOf).toList());
    }

    private static Figures users(long count) {
        return days(count);
    }

    private static List<Series> different(ReportComparison comparison) {
        return comparison.series().stream().filter(series -> !series.isEqual()).toList();
    }

    @Test
    void shouldFindEqualCountsUnderTheSameRules() throws Exception {
        ReportComparison same = compare(live(), live());

        assertEquals(List.of(), different(same));
        assertEquals(List.of(LocalDate.of(2026, 3, 1), LocalDate.of(2026, 3, 2)), same.periods());
        assertEquals("day", same.span().granularity());
        var columns = new ArrayList<String>();
        same.series()
                .forEach(series -> columns.add(String.join(
                        " ", series.report(), series.object(), series.column(), String.valueOf(series.entry()))));
        assertEquals(
                List.of(
                        "points gems awarded null",
                        "points gems taken null",
                        "points gems usersByLevel (none)",
                        "points gems usersByLevel seal",
                        "achievements ten completions null",
                        "achievements laps usersByHighest (none)",
                        "achievements laps usersByHighest ten",
                        "streaks  started null",
                        "streaks  extended null",
                        "streaks  lost null",
                        "streaks  savedByFreezes null",
                        "streaks  restored null",
                        "active-users  dau null",
                        "active-users  newUsers null",
                        "events  events null",
                        "events  value null",
                        "events laps events null",
                        "events laps value null",
                        "events dives events null",
                        "events dives value null"),
                columns);
    }

    @Test
    void shouldCompareWhatOtherRulesAward() throws Exception {
        ReportComparison others = compare(live(), replayed(rules("", "gems", "seal", 5)));

        assertEquals(
                List.of(
                        new Series("points", "gems", "awarded", null, days(15, 12, 3), days(75, 60, 15)),
                        new Series("points", "gems", "usersByLevel", "(none)", users(1), users(0)),
                        new Series("points", "gems", "usersByLevel", "seal", users(1), users(2))),
                different(others));
    }

    @Test
    void shouldShowNothingOfAnObjectThatExistsInOneStateOnly() throws Exception {
        InMemoryUsers more = replayed(
                rules(",\"three\":{\"trigger\":\"metric\",\"metric\":\"laps\",\"value\":3}", "gems", "seal", 1));

        var gained = List.of(
                new Series("achievements", "three", "completions", null, null, days(2, 1, 1)),
                new Series("achievements", "laps", "usersByHighest", "(none)", users(1), users(0)),
                new Series("achievements", "laps", "usersByHighest", "three", null, users(1)));
        assertEquals(gained, different(compare(live(), more)));
        assertEquals(
                new Series("achievements", "three", "completions", null, days(2, 1, 1), null),
                different(compare(more, live())).stream()
                        .filter(series -> series.object().equals("three"))
                        .findFirst()
                        .orElseThrow());
    }

    @Test
    void shouldNotCallAnObjectWithoutCountsADifference() throws Exception {
        InMemoryUsers more = replayed(
                rules(",\"far\":{\"trigger\":\"metric\",\"metric\":\"laps\",\"value\":3000}", "gems", "seal", 1));

        ReportComparison comparison = compare(live(), more);

        assertEquals(List.of(), different(comparison));
        assertTrue(
                comparison
                        .series()
                        .contains(new Series("achievements", "far", "completions", null, null, days(0, 0, 0))),
                comparison::toString);
    }

    @Test
    void shouldCompareARenamedObjectUnderItsNewName() throws Exception {
        InMemoryUsers users = live();
        var source = Json.readForeign(rules("", "pearls", "whale", 1).getBytes(UTF_8), RulesetSource.class);
        var renamed = assertInstanceOf(
                        Result.Changed.class,
                        RulesetEditor.apply(
                                users.newest(TenantId.NONE),
                                source,
                                List.of(
                                        new Origin.Renamed("points", "gems", "pearls"),
                                        new Origin.Renamed("level", "gems/seal", "pearls/whale")),
                                AT))
                .ruleset();

        ReportComparison comparison = Objects.requireNonNull(ReportComparison.of(
                TenantId.NONE,
                side(users),
                new Side(new CompiledRuleset(renamed), side(users).counters()),
                AT));

        assertEquals(List.of(), different(comparison));
        assertTrue(
                comparison
                        .series()
                        .containsAll(List.of(
                                new Series("points", "pearls", "awarded", null, days(15, 12, 3), days(15, 12, 3)),
                                new Series("points", "pearls", "usersByLevel", "whale", users(1), users(1)))),
                comparison::toString);
        assertTrue(
                comparison.series().stream().noneMatch(series -> series.object().equals("gems")));
    }

    @Test
    void shouldAverageActiveUsers() throws Exception {
        InMemoryUsers busier = live().event("cy", "laps", 1, "2026-03-02T10:00:00Z");

        Series active = different(compare(live(), busier)).stream()
                .filter(series -> series.column().equals("dau"))
                .findFirst()
                .orElseThrow();

        assertEquals(days(0, 1, 2).numbers(), active.before().numbers());
        assertEquals(new BigDecimal("1.5"), active.before().total());
        assertEquals(new BigDecimal("2"), active.after().total());
    }

    @Test
    void shouldCompareNoDayAfterTheTimeOfTheReport() throws Exception {
        InMemoryUsers later = live().event("ann", "laps", 1, "2026-03-09T09:00:00Z");

        ReportComparison comparison = Objects.requireNonNull(
                ReportComparison.of(TenantId.NONE, side(live()), side(later), Instant.parse("2026-03-03T00:00:00Z")));

        assertEquals(LocalDate.of(2026, 3, 1), comparison.span().from());
        assertEquals(LocalDate.of(2026, 3, 3), comparison.span().to());
    }

    @Test
    void shouldCompareNothingWithoutCounts() throws Exception {
        InMemoryUsers empty = new InMemoryUsers().rules(RULES_AT, rules("", "gems", "seal", 1));

        assertNull(ReportComparison.of(TenantId.NONE, side(empty), side(empty), AT));
        assertNotNull(ReportComparison.of(TenantId.NONE, side(empty), side(live()), AT));
    }

    @ParameterizedTest
    @CsvSource({"0, DAY, 1", "30, DAY, 31", "31, WEEK, 5", "181, WEEK, 26", "182, MONTH, 6", "1095, MONTH, 36"})
    void shouldDivideWindowsIntoFewPeriods(int more, Window.Granularity granularity, int periods) {
        int monday = Math.toIntExact(LocalDate.of(2026, 6, 1).toEpochDay());

        Window window = Window.readable(monday, monday + more, DayOfWeek.MONDAY);

        assertEquals(granularity, window.granularity());
        assertEquals(periods, window.periods().size());
    }
}
