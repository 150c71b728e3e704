package dev.laurel.processors.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.Counter.Cohorts;
import dev.laurel.core.analytics.Segment;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Attribute;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The counters of the account in a rule case: all cells that are not 0 must be listed. */
final class CaseCounters {

    /** Cells that a case looks at: some years of days, or of lengths. */
    private static final int FIRST =
            Math.toIntExact(LocalDate.parse("2020-01-01").toEpochDay());

    private static final int LAST =
            Math.toIntExact(LocalDate.parse("2030-12-31").toEpochDay());

    private final AccountCounters counters;
    private final CompiledRuleset rules;
    private final TenantId tenant;

    CaseCounters(AccountCounters counters, CompiledRuleset rules, TenantId tenant) {
        this.counters = counters;
        this.rules = rules;
        this.tenant = tenant;
    }

    void expect(JsonNode expected, String where) {
        for (JsonNode one : expected) {
            assertEquals(expectedCells(one), cells(one), where + ": counters " + one);
        }
    }

    /** {@code 2026-03-01: 1}, or {@code 2026-03-01..2026-03-07: 1} for several days. */
    private static Map<String, BigDecimal> expectedCells(JsonNode one) {
        var cells = new TreeMap<String, BigDecimal>();
        one.get("cells").properties().forEach(cell -> {
            String[] ends = cell.getKey().split("\\.\\.");
            BigDecimal value = cell.getValue().decimalValue().stripTrailingZeros();
            if (ends.length == 1) {
                cells.put(ends[0], value);
            } else {
                for (LocalDate day = LocalDate.parse(ends[0]);
                        !day.isAfter(LocalDate.parse(ends[1]));
                        day = day.plusDays(1)) {
                    cells.put(day.toString(), value);
                }
            }
        });
        return cells;
    }

    private Map<String, BigDecimal> cells(JsonNode one) {
        Counter counter =
                Counter.valueOf(one.get("of").asString().replace('-', '_').toUpperCase(Locale.ROOT));
        SegmentGroup group = group(one);
        int object = object(one);
        var cells = new TreeMap<String, BigDecimal>();
        if (counter == Counter.COHORT) {
            int day = Math.toIntExact(
                    LocalDate.parse(one.get("firstSeen").asString()).toEpochDay());
            put(
                    cells,
                    "active ",
                    counters.numbers(
                            tenant,
                            counter,
                            object,
                            group,
                            Cohorts.active(day, 0),
                            Cohorts.active(day, Cohorts.LAST_DAY)));
            put(
                    cells,
                    "last ",
                    counters.numbers(
                            tenant,
                            counter,
                            object,
                            group,
                            Cohorts.lastActive(day, 0),
                            Cohorts.lastActive(day, Cohorts.LAST_DAY)));
        } else if (counter == Counter.STREAK_LENGTHS || counter == Counter.LONGEST_STREAKS) {
            put(cells, "", counters.numbers(tenant, counter, object, group, 0, 1_000));
        } else if (counter == Counter.HIGHEST_ACHIEVEMENTS) {
            counters.forEach(
                    tenant,
                    counter,
                    object,
                    group,
                    (cell, users) -> cells.put(
                            Objects.requireNonNull(rules.achievement(cell)).key(), plain(users)));
        } else if (counter == Counter.LEVELS) {
            counters.forEach(
                    tenant, counter, object, group, (cell, users) -> cells.put(levelKey(object, cell), plain(users)));
        } else if (counter.isDecimal()) {
            BigDecimal[] days = counters.decimals(tenant, counter, object, group, FIRST, LAST);
            for (int i = 0; i < days.length; i++) {
                if (days[i].signum() != 0) {
                    cells.put(LocalDate.ofEpochDay(FIRST + i).toString(), days[i].stripTrailingZeros());
                }
            }
        } else {
            long[] days = counters.numbers(tenant, counter, object, group, FIRST, LAST);
            for (int i = 0; i < days.length; i++) {
                if (days[i] != 0) {
                    cells.put(LocalDate.ofEpochDay(FIRST + i).toString(), plain(days[i]));
                }
            }
        }
        return cells;
    }

    private String levelKey(int system, int level) {
        return rules.referencedSystem(system).levels().stream()
                .filter(one -> one.number() == level)
                .findFirst()
                .orElseThrow()
                .key();
    }

    private static void put(Map<String, BigDecimal> cells, String prefix, long[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] != 0) {
                cells.put(prefix + i, plain(numbers[i]));
            }
        }
    }

    private static BigDecimal plain(long number) {
        return BigDecimal.valueOf(number).stripTrailingZeros();
    }

    private int object(JsonNode one) {
        if (one.has("metric")) {
            return rules.referencedMetric(one.get("metric").asString()).number();
        }
        if (one.has("achievement")) {
            return rules.referencedAchievement(one.get("achievement").asString())
                    .number();
        }
        if (one.has("template")) {
            return rules.document().notifications().templates().stream()
                    .filter(template ->
                            template.key().equals(one.get("template").asString()))
                    .findFirst()
                    .orElseThrow()
                    .number();
        }
        if (one.has("trigger")) {
            return rules.referencedSystem(one.get("system").asString()).triggers().stream()
                    .filter(trigger -> trigger.key().equals(one.get("trigger").asString()))
                    .findFirst()
                    .orElseThrow()
                    .objectNumber();
        }
        return one.has("system")
                ? rules.referencedSystem(one.get("system").asString()).number()
                : 0;
    }

    /** All users, or those of {@code control: true} or {@code plan: pro}, where plan is an attribute; null: without a value. */
    private SegmentGroup group(JsonNode one) {
        if (one.has("control")) {
            return one.get("control").asBoolean() ? SegmentGroup.IN_CONTROL : SegmentGroup.TREATMENT;
        }
        for (Attribute attribute : rules.analyticsAttributes()) {
            if (one.has(attribute.key())) {
                List<SegmentGroup> groups = SegmentGroup.by(attribute, counters.values(tenant, attribute.number()));
                JsonNode value = one.get(attribute.key());
                String text = value.isNull() ? null : value.asString();
                return groups.stream()
                        .filter(group -> Objects.equals(group.value(), text))
                        .findFirst()
                        .orElse(new SegmentGroup(
                                attribute.key(),
                                text,
                                List.of(new Segment(attribute.number(), String.valueOf(text))),
                                List.of()));
            }
        }
        return SegmentGroup.ALL;
    }
}
