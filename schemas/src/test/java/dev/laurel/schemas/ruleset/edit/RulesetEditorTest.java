package dev.laurel.schemas.ruleset.edit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementStatus;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsSystem.LevelRule;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.PointsTrigger.TriggerStatus;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Ruleset.ObjectIdentity;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.ruleset.Sources;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import dev.laurel.schemas.ruleset.edit.RulesetEditor.Result;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesetEditorTest {

    private static final Instant DAY_1 = Instant.parse("2026-01-10T08:00:00Z");
    private static final Instant DAY_2 = Instant.parse("2026-01-11T08:00:00Z");
    private static final Instant DAY_3 = Instant.parse("2026-01-12T08:00:00Z");
    private static final Ruleset EMPTY = Ruleset.empty(new TenantId("acme"));

    private static final String FULL = """
        {"metrics": {"laps": {"name": "Laps swum", "units": "laps"}, "dives": {}},
         "attributes": {"user": {"city": {"name": "City"}}, "event": {"city": {}, "pool": {}}},
         "achievements": {"forty": {"name": "Forty", "trigger": "metric", "metric": "laps", "value": 40.0}},
         "points": {"gems": {"maxPoints": 500, "triggers": {
            "per-ten": {"type": "metric", "metric": "laps", "threshold": 10, "points": 20},
            "per-dive": {"type": "metric", "metric": "dives", "threshold": 1, "points": -1}}}},
         "streak": {"evaluationMode": "AND", "metrics": {"laps": 1.50}},
         "settings": {"controlRatio": 10, "defaultTimeZone": "Europe/Helsinki"}}\
        """;

    @Test
    void shouldBuildTheWholeDocument() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);

        assertEquals(new TenantId("acme"), first.tenant());
        assertEquals(1, first.version());
        assertEquals(
                List.of("laps", "dives"),
                first.metrics().stream().map(Metric::key).toList());
        assertEquals("Laps swum", first.metrics().getFirst().name());
        assertEquals(DAY_1, first.metrics().getFirst().created());
        assertEquals(
                new AchievementTrigger.MetricTotal("laps", new BigDecimal("40"), List.of(), 0),
                first.achievements().getFirst().trigger());
        assertEquals(
                new StreakSettings(
                        true,
                        StreakFrequency.DAILY,
                        StreakSettings.EvaluationMode.AND,
                        List.of(new StreakSettings.Condition("laps", new BigDecimal("1.5"))),
                        null,
                        null,
                        null,
                        null,
                        List.of()),
                first.streak());
        assertEquals(
                new Settings(
                        10,
                        ZoneId.of("Europe/Helsinki"),
                        DayOfWeek.SUNDAY,
                        false,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null),
                first.settings());
        assertEquals(List.of(), first.retired());
    }

    @Test
    void shouldFillInDefaults() {
        Ruleset first = changed(EMPTY, "{\"metrics\":{\"laps\":{}}}", DAY_1);

        Metric laps = first.metrics().getFirst();
        assertEquals("laps", laps.name());
        assertEquals("number", laps.unitType());
        assertEquals("", laps.units());
        assertEquals(StreakSettings.DEFAULT, first.streak());
        assertEquals(Settings.DEFAULT, first.settings());
    }

    @Test
    void shouldNameDefaultTimeZoneUtc() {
        assertEquals("UTC", Settings.DEFAULT.defaultTimeZone().getId());
        assertEquals(
                Settings.DEFAULT,
                changed(EMPTY, "{\"settings\":{\"defaultTimeZone\":\"UTC\"}}", DAY_1)
                        .settings());
        assertEquals(
                Settings.DEFAULT, changed(EMPTY, "{\"settings\":{}}", DAY_1).settings());
    }

    @Test
    void shouldTreatEmptyLimitsAndBrandingAsAbsent() {
        assertEquals(
                Settings.DEFAULT,
                changed(EMPTY, "{\"settings\":{\"rateLimits\":{\"tier1\":null},\"branding\":{}}}", DAY_1)
                        .settings());
        assertEquals(
                new Settings.RateLimits(null, 50),
                changed(EMPTY, "{\"settings\":{\"rateLimits\":{\"tier2\":50}}}", DAY_1)
                        .settings()
                        .rateLimits());
    }

    @Test
    void shouldGiveEachObjectItsOwnNumber() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);

        List<Integer> numbers = numbersOf(first);
        assertEquals(9, numbers.size());
        assertEquals(9, new HashSet<>(numbers).size());
        assertTrue(numbers.stream().allMatch(n -> n < first.nextNumber()));
    }

    @Test
    void shouldFindNoChangeInEquivalentSource() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);

        Result again = edit(first, FULL.replace("40.0", "40").replace("1.50", "1.5"), DAY_2);

        assertSame(first, assertInstanceOf(Result.Unchanged.class, again).ruleset());
    }

    @Test
    void shouldFindNoChangeAfterReadingFromLog() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);
        Ruleset read = Json.read(Json.write(first), Ruleset.class);

        assertEquals(first, read);
        assertInstanceOf(Result.Unchanged.class, edit(read, FULL, DAY_2));
    }

    /** JSON holds times in milliseconds, so a finer time would differ after reading. */
    @Test
    void shouldReadBackRulesetMadeAtSubMillisecondTime() {
        Ruleset first = changed(EMPTY, FULL, Instant.parse("2026-01-10T08:00:00.123456789Z"));

        assertEquals(first, Json.read(Json.write(first), Ruleset.class));
    }

    @Test
    void shouldCreateFirstVersionFromEmptySource() {
        assertEquals(1, changed(EMPTY, "{}", DAY_1).version());
        assertInstanceOf(Result.Unchanged.class, edit(changed(EMPTY, "{}", DAY_1), "{}", DAY_2));
    }

    @Test
    void shouldTreatChangedOrderAsChange() {
        Ruleset first = changed(EMPTY, "{\"metrics\":{\"a\":{},\"b\":{}}}", DAY_1);
        Ruleset second = changed(first, "{\"metrics\":{\"b\":{},\"a\":{}}}", DAY_2);

        assertEquals(first.metrics().reversed(), second.metrics());
        assertEquals(first.nextNumber(), second.nextNumber());
    }

    @Test
    void shouldKeepNumberIdAndCreationTimeOnEdit() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);
        Ruleset second = changed(first, FULL.replace("Laps swum", "Lengths").replace("40.0", "50"), DAY_2);

        Metric before = first.metrics().getFirst();
        assertEquals(
                new Metric(before.number(), before.id(), "laps", "Lengths", "number", "laps", DAY_1),
                second.metrics().getFirst());
        assertEquals(
                first.achievements().getFirst().number(),
                second.achievements().getFirst().number());
        assertEquals(numbersOf(first), numbersOf(second));
        assertEquals(2, second.version());
    }

    @Test
    void shouldNeverUseANumberTwice() {
        Ruleset first = changed(EMPTY, "{\"metrics\":{\"a\":{},\"b\":{}}}", DAY_1);
        Ruleset second = changed(first, "{\"metrics\":{\"a\":{}}}", DAY_2);
        Ruleset third = changed(second, "{\"metrics\":{\"a\":{},\"c\":{}}}", DAY_3);

        assertEquals(3, metric(third, "c").number());
        assertEquals(
                List.of(new ObjectIdentity("metric", "b", 2, metric(first, "b").id(), DAY_1)), third.retired());
    }

    @Test
    void shouldForgetTheObjectsThatWereRemovedFirst() {
        Ruleset ruleset = changed(EMPTY, "{\"metrics\":{\"old\":{},\"first\":{}}}", DAY_1);
        int first = metric(ruleset, "first").number();
        int old = metric(ruleset, "old").number();
        ruleset = changed(ruleset, "{\"metrics\":{\"old\":{}}}", DAY_1);
        for (int i = 0; i < ObjectIdResolver.MAX_RETIRED - 1; i += 1_000) {
            String season = IntStream.range(i, Math.min(i + 1_000, ObjectIdResolver.MAX_RETIRED - 1))
                    .mapToObj(each -> "\"m" + each + "\":{}")
                    .collect(Collectors.joining(","));
            ruleset = changed(
                    changed(ruleset, "{\"metrics\":{\"old\":{}," + season + "}}", DAY_2),
                    "{\"metrics\":{\"old\":{}}}",
                    DAY_2);
        }
        assertEquals(first, ruleset.retired().getFirst().number());
        assertEquals(ObjectIdResolver.MAX_RETIRED, ruleset.retired().size());

        ruleset = changed(ruleset, "{\"metrics\":{}}", DAY_3);
        assertEquals(ObjectIdResolver.MAX_RETIRED, ruleset.retired().size());
        assertEquals(old, ruleset.retired().getLast().number(), "in the order of removal, not of creation");
        ruleset = changed(ruleset, "{\"metrics\":{\"old\":{},\"first\":{}}}", DAY_3);

        assertEquals(old, metric(ruleset, "old").number());
        Metric returned = metric(ruleset, "first");
        assertEquals(ruleset.nextNumber() - 1, returned.number(), "numbers are never used twice");
        assertEquals(DAY_3, returned.created());
    }

    @Test
    void shouldKeepNumberIdAndCreationTimeOfRevivedObjects() {
        String without = "{\"metrics\":{\"laps\":{}}}";
        Ruleset first = changed(EMPTY, FULL, DAY_1);
        Ruleset revived = changed(changed(first, without, DAY_2), FULL, DAY_3);

        assertEquals(first.metrics(), revived.metrics());
        assertEquals(first.attributes(), revived.attributes());
        Achievement before = first.achievements().getFirst();
        Achievement after = revived.achievements().getFirst();
        assertEquals(before.number(), after.number());
        assertEquals(before.id(), after.id());
        assertEquals(DAY_1, after.created());
        assertEquals(
                first.pointsSystems().getFirst().number(),
                revived.pointsSystems().getFirst().number());
        assertEquals(
                first.pointsSystems().getFirst().id(),
                revived.pointsSystems().getFirst().id());
        assertEquals(List.of(), revived.retired());
    }

    @Test
    void shouldDistinguishUserAndEventAttributesWithSameKey() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);

        Attribute ofUser = first.attributes().get(0);
        Attribute ofEvent = first.attributes().get(1);
        assertEquals(ofUser.key(), ofEvent.key());
        assertNotEquals(ofUser.number(), ofEvent.number());
        assertNotEquals(ofUser.id(), ofEvent.id());
    }

    // Points triggers.

    @Test
    void shouldGiveNewNumberButKeepIdWhenTriggerRuleChanges() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);
        Ruleset second = changed(first, FULL.replace("\"threshold\": 10", "\"threshold\": 20"), DAY_2);

        PointsTrigger before = trigger(first);
        PointsTrigger after = trigger(second);
        assertEquals(first.nextNumber(), after.number());
        assertEquals(before.id(), after.id());
        assertEquals(DAY_1, after.created());
        assertEquals(DAY_2, after.updated());
    }

    @Test
    void shouldNotReuseNumberWhenOldTriggerRuleReturns() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);
        Ruleset second = changed(first, FULL.replace("\"threshold\": 10", "\"threshold\": 20"), DAY_2);
        Ruleset third = changed(second, FULL, DAY_3);

        assertEquals(second.nextNumber(), trigger(third).number());
    }

    @Test
    void shouldKeepTriggerNumberWhenPointsChange() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);
        Ruleset second = changed(first, FULL.replace("\"points\": 20", "\"points\": 30"), DAY_2);

        PointsTrigger before = trigger(first);
        assertEquals(
                new PointsTrigger(
                        before.number(),
                        before.number(),
                        before.id(),
                        "per-ten",
                        before.rule(),
                        30,
                        TriggerStatus.ACTIVE,
                        List.of(),
                        DAY_1,
                        DAY_2,
                        DAY_1),
                trigger(second));
    }

    /** docs/semantics.md §6: a trigger that is active again starts its counts anew. */
    @Test
    void shouldGiveRevivedTriggerNewNumber() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);
        Ruleset second = changed(first, "{\"metrics\":{\"laps\":{},\"dives\":{}}}", DAY_2);
        Ruleset third = changed(second, FULL, DAY_3);

        assertTrue(trigger(third).number() >= second.nextNumber());
        assertEquals(trigger(first).number(), trigger(third).objectNumber());
        assertEquals(trigger(first).id(), trigger(third).id());
        assertEquals(DAY_1, trigger(third).created());
    }

    @Test
    void shouldDistinguishTriggersWithSameKeyInTwoSystems() {
        String two = """
            {"metrics": {"m": {}}, "points": {
             "a": {"triggers": {"t": {"type": "metric", "metric": "m", "threshold": 1, "points": 1}}},
             "b": {"triggers": {"t": {"type": "metric", "metric": "m", "threshold": 1, "points": 1}}}}}\
            """;
        Ruleset first = changed(EMPTY, two, DAY_1);

        assertNotEquals(
                first.pointsSystems().get(0).triggers().getFirst().id(),
                first.pointsSystems().get(1).triggers().getFirst().id());
    }

    @Test
    void shouldNotActivateAnInactiveTrigger() {
        PointsTrigger inactive =
                everything().pointsSystems().getFirst().triggers().get(1);

        assertEquals(TriggerStatus.INACTIVE, inactive.status());
        assertNull(inactive.activated());
    }

    @Test
    void shouldGiveReactivatedTriggerNewNumber() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);
        String off = FULL.replace("\"points\": 20", "\"points\": 20, \"status\": \"inactive\"");
        Ruleset second = changed(first, off, DAY_2);
        Ruleset third = changed(second, FULL, DAY_3);

        assertEquals(trigger(first).number(), trigger(second).number());
        assertNull(trigger(second).activated());
        assertEquals(DAY_2, trigger(second).updated());
        assertEquals(second.nextNumber(), trigger(third).number());
        assertEquals(DAY_3, trigger(third).activated());
        assertEquals(DAY_1, trigger(third).created());
    }

    @Test
    void shouldKeepNumberOfTriggerEditedWhileInactive() {
        String off = FULL.replace("\"points\": 20", "\"points\": 20, \"status\": \"inactive\"");
        Ruleset first = changed(EMPTY, off, DAY_1);
        Ruleset second = changed(first, off.replace("\"threshold\": 10", "\"threshold\": 20"), DAY_2);

        assertEquals(trigger(first).number(), trigger(second).number());
        assertNull(trigger(second).activated());
        assertEquals(first.nextNumber(), second.nextNumber());
    }

    @Test
    void shouldGiveNewNumberWhenEventFiltersChange() {
        Ruleset first = everything();
        Ruleset second =
                changed(first, Sources.EVERYTHING.replace("{\"pool\": \"50m\"}", "{\"pool\": \"25m\"}"), DAY_2);

        assertEquals(first.nextNumber(), trigger(second).number());
        assertEquals(DAY_2, trigger(second).activated());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"plan\": \"pro\"|\"plan\": \"free\"",
                "\"userAttributes\": {\"plan\": \"pro\"}|\"userAttributes\": {}",
                "\"points\": -20|\"points\": -21",
                "\"blockIfOutOfPoints\": true|\"blockIfOutOfPoints\": false"
            })
    void shouldKeepTriggerNumberWhenAwardTermsChange(String before, String after) {
        Ruleset first = everything();
        assertTrue(Sources.EVERYTHING.contains(before));
        Ruleset second = changed(first, Sources.EVERYTHING.replace(before, after), DAY_2);

        assertNotEquals(trigger(first), trigger(second));
        assertEquals(trigger(first).number(), trigger(second).number());
        assertEquals(DAY_1, trigger(second).activated());
        assertEquals(DAY_2, trigger(second).updated());
        assertEquals(first.nextNumber(), second.nextNumber());
    }

    // Levels and boosts.

    @Test
    void shouldOrderLevelsByTheirPoints() {
        List<Level> levels = everything().pointsSystems().getFirst().levels();

        assertEquals(List.of("bronze", "gold"), levels.stream().map(Level::key).toList());
        assertEquals("bronze", levels.getFirst().name());
        assertEquals("", levels.getFirst().description());
        assertEquals("https://example.net/b.png", levels.getFirst().badgeUrl());
        assertEquals(1000, levels.getLast().points());
    }

    @Test
    void shouldKeepIdentityOfLevelsAndBoostsOnEditAndRevival() {
        Ruleset first = everything();
        String edited =
                Sources.EVERYTHING.replace("\"points\": 0", "\"points\": 5000").replace("1.50,", "3,");
        PointsSystem before = first.pointsSystems().getFirst();
        PointsSystem after = changed(first, edited, DAY_2).pointsSystems().getFirst();
        Ruleset without = changed(first, "{\"points\": {\"gems\": {}}}", DAY_2);
        PointsSystem back =
                changed(without, Sources.EVERYTHING, DAY_3).pointsSystems().getFirst();

        assertEquals(
                before.levels().getFirst().number(), after.levels().getLast().number());
        assertEquals(before.levels().getFirst().id(), after.levels().getLast().id());
        assertEquals(
                before.boosts().getFirst().number(), after.boosts().getFirst().number());
        assertEquals(DAY_1, after.boosts().getFirst().created());
        assertEquals(before.levels(), back.levels());
        assertEquals(before.boosts(), back.boosts());
        assertEquals(before.levelAt(), LevelRule.REACHES);
        assertEquals(
                List.of("gems/always", "gems/bronze", "gems/gold", "gems/weekend"),
                without.retired().stream()
                        .filter(r -> r.kind().equals("level") || r.kind().equals("boost"))
                        .map(ObjectIdentity::key)
                        .sorted()
                        .toList());
    }

    // Achievements.

    @Test
    void shouldReactivateAnAnniversaryWithOtherYears() {
        String year = "{\"achievements\": {\"year\": {\"trigger\": \"anniversary\", \"anniversaryYears\": 1}}}";
        Ruleset first = changed(EMPTY, year, DAY_1);
        Ruleset second = changed(first, year.replace(": 1}", ": 2}"), DAY_2);

        assertEquals(
                new AchievementTrigger.Anniversary(1),
                first.achievements().getFirst().trigger());
        assertEquals(
                new AchievementTrigger.Anniversary(2),
                second.achievements().getFirst().trigger());
        assertEquals(DAY_2, second.achievements().getFirst().activated());
    }

    @Test
    void shouldActivateANewAchievement() {
        Achievement forty = changed(EMPTY, FULL, DAY_1).achievements().getFirst();

        assertEquals(AchievementStatus.ACTIVE, forty.status());
        assertEquals(List.of(DAY_1, DAY_1, DAY_1), List.of(forty.created(), forty.updated(), forty.activated()));
        assertEquals(1, forty.activeSince());
    }

    @Test
    void shouldKeepUneditedAchievements() {
        Ruleset first = everything();
        Ruleset second = changed(first, Sources.EVERYTHING.replace("Laps swum", "Lengths"), DAY_2);

        assertEquals(first.achievements(), second.achievements());
    }

    @Test
    void shouldKeepActivationWhenDescriptionOrBackdateChanges() {
        Ruleset first = everything();
        Ruleset second = changed(
                first,
                Sources.EVERYTHING.replace("\"Forty laps.\"", "\"40.\"").replace(", \"backdate\": false", ""),
                DAY_2);

        Achievement forty = second.achievements().getFirst();
        assertEquals("40.", forty.description());
        assertTrue(forty.backdate());
        assertEquals(List.of(DAY_1, DAY_2, DAY_1), List.of(forty.created(), forty.updated(), forty.activated()));
        assertEquals(1, forty.activeSince());
        assertEquals(first.achievements().getFirst().trigger(), forty.trigger());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "0|40.50|41",
                "0|\"plan\": \"\"|\"plan\": \"pro\"",
                "0|\"stroke\": \"crawl\"|\"stroke\": \"fly\"",
                "0|\"metric\": \"laps\", \"value\"|\"metric\": \"spent\", \"value\"",
                "1|\"streak\", \"streakLength\": 7}|\"streak\", \"streakLength\": 8}",
                "3|\"profile\", \"forty\"]|\"profile\"]"
            })
    void shouldReactivateAchievementWhenRulesChange(int index, String before, String after) {
        Ruleset first = everything();
        Ruleset second = changed(first, Sources.EVERYTHING.replace(before, after), DAY_2);

        Achievement edited = second.achievements().get(index);
        assertNotEquals(first.achievements().get(index), edited);
        assertEquals(List.of(DAY_1, DAY_2, DAY_2), List.of(edited.created(), edited.updated(), edited.activated()));
        assertEquals(2, edited.activeSince());
    }

    /** The order of conditions that must all hold is irrelevant. */
    @Test
    void shouldNotReactivateAchievementWhenOnlyOrderChanges() {
        Ruleset first = everything();
        Ruleset second = changed(
                first,
                Sources.EVERYTHING
                        .replace("{\"city\": \"Turku\", \"plan\": \"\"}", "{\"plan\": \"\", \"city\": \"Turku\"}")
                        .replace(
                                "{\"pool\": \"50m\", \"stroke\": \"crawl\"}",
                                "{\"stroke\": \"crawl\", \"pool\": \"50m\"}")
                        .replace("[\"week\", \"profile\", \"forty\"]", "[\"forty\", \"profile\", \"week\"]"),
                DAY_2);

        for (int i : new int[] {0, 3}) {
            assertNotEquals(first.achievements().get(i), second.achievements().get(i));
            assertEquals(DAY_1, second.achievements().get(i).activated());
            assertEquals(1, second.achievements().get(i).activeSince());
        }
        assertEquals(sum(first), sum(second));
    }

    @Test
    void shouldActivateAnInactiveAchievement() {
        Ruleset first = everything();
        Achievement before = first.achievements().get(2);
        Achievement after = changed(
                        first, Sources.EVERYTHING.replace("\"api\", \"status\": \"inactive\"", "\"api\""), DAY_2)
                .achievements()
                .get(2);

        assertNull(before.activated());
        assertEquals(0, before.activeSince());
        assertEquals(DAY_2, after.activated());
        assertEquals(2, after.activeSince());
    }

    @Test
    void shouldLockAndUnlockAnAchievement() {
        Ruleset first = everything();
        String lock = Sources.EVERYTHING.replace("\"value\": 40.50", "\"value\": 40.50, \"status\": \"locked\"");
        Ruleset locked = changed(first, lock, DAY_2);
        Ruleset unlocked = changed(locked, Sources.EVERYTHING, DAY_3);

        assertNull(locked.achievements().getFirst().activated());
        assertEquals(0, locked.achievements().getFirst().activeSince());
        assertEquals(0, sum(locked));
        assertEquals(DAY_3, unlocked.achievements().getFirst().activated());
        assertEquals(3, unlocked.achievements().getFirst().activeSince());
        assertEquals(locked.nextNumber(), sum(unlocked));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "active|inactive|must be one of active, locked for one that is active; is 'inactive'",
                "locked|inactive|must be one of active, locked for one that is locked; is 'inactive'",
                "inactive|locked|must be one of inactive, active for one that is inactive; is 'locked'"
            })
    void shouldRefuseForbiddenStatusOfAchievement(String was, String wanted, String message) {
        Ruleset before = EMPTY;
        if (was != null) {
            before = changed(EMPTY, api(was.equals("locked") ? "active" : was), DAY_1);
            before = was.equals("locked") ? changed(before, api(was), DAY_1) : before;
        }

        var refused = assertInstanceOf(Result.Invalid.class, edit(before, api(wanted), DAY_2));

        assertEquals(List.of(new Issue("/achievements/a/status", message)), refused.issues());
    }

    @Test
    void shouldReactivateAchievementWhenTriggerChanges() {
        String streak = "{\"achievements\": {\"a\": {\"trigger\": \"streak\", \"streakLength\": 3}}}";

        Ruleset inactive = changed(EMPTY, api("inactive"), DAY_1);
        assertEquals(
                new AchievementTrigger.StreakLength(3),
                changed(inactive, streak, DAY_2).achievements().getFirst().trigger());

        Achievement changed = changed(changed(EMPTY, api("active"), DAY_1), streak, DAY_2)
                .achievements()
                .getFirst();
        assertEquals(new AchievementTrigger.StreakLength(3), changed.trigger());
        assertEquals(DAY_2, changed.activated());
    }

    private static String api(String status) {
        return "{\"achievements\": {\"a\": {\"trigger\": \"api\", \"status\": \"" + status + "\"}}}";
    }

    // Sums of filtered events.

    @Test
    void shouldKeepSumWhileFiltersStay() {
        Ruleset first = everything();
        Ruleset second = changed(first, Sources.EVERYTHING.replace("40.50", "50"), DAY_2);

        assertEquals(sum(first), sum(second));
        assertEquals(first.nextNumber(), second.nextNumber());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"stroke\": \"crawl\"|\"stroke\": \"fly\"",
                "\"metric\": \"laps\", \"value\"|\"metric\": \"spent\", \"value\""
            })
    void shouldStartSumAnewWhenFiltersOrMetricChange(String before, String after) {
        Ruleset first = everything();
        Ruleset second = changed(first, Sources.EVERYTHING.replace(before, after), DAY_2);

        assertEquals(first.nextNumber(), sum(second));
    }

    @Test
    void shouldHaveNoSumWithoutFilters() {
        Ruleset first = everything();
        Ruleset second =
                changed(first, Sources.EVERYTHING.replace("{\"pool\": \"50m\", \"stroke\": \"crawl\"}", "{}"), DAY_2);
        Ruleset third = changed(second, Sources.EVERYTHING, DAY_3);

        assertEquals(0, sum(second));
        assertEquals(second.nextNumber(), sum(third));
    }

    private static int sum(Ruleset ruleset) {
        return ((AchievementTrigger.MetricTotal)
                        ruleset.achievements().getFirst().trigger())
                .sumNumber();
    }

    // Streaks.

    @Test
    void shouldHaveNeitherFreezesNorPersonalizationUnlessEnabled() {
        String off = Sources.EVERYTHING
                .replace("\"freezesEnabled\": true", "\"freezesEnabled\": false")
                .replace("\"personalizationEnabled\": true,", "");
        StreakSettings streak = changed(EMPTY, off, DAY_1).streak();

        assertNull(streak.freezes());
        assertNull(streak.personalization());
        assertEquals(new StreakSettings.Freezes(1, 5, 7, 2), streak.freezesOnceOn());
        assertEquals(2, streak.personalizationOnceOn().metrics().size());
    }

    @Test
    void shouldFillInDefaultsOfFreezes() {
        assertEquals(
                new StreakSettings.Freezes(0, 3, 0, 0),
                changed(EMPTY, "{\"streak\": {\"freezesEnabled\": true}}", DAY_1)
                        .streak()
                        .freezes());
        assertEquals(
                new StreakSettings.Freezes(3, 3, 0, 0),
                changed(EMPTY, "{\"streak\": {\"freezesEnabled\": true, \"initialFreezes\": 3}}", DAY_1)
                        .streak()
                        .freezes());
    }

    @Test
    void shouldReadAllAsAnd() {
        assertEquals(
                StreakSettings.EvaluationMode.AND,
                changed(EMPTY, "{\"streak\": {\"evaluationMode\": \"ALL\"}}", DAY_1)
                        .streak()
                        .evaluationMode());
    }

    /** Applies random rulesets in sequence; each one removes, revives and edits objects. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shouldKeepInvariantsThroughRandomHistory(long history) {
        Ruleset ruleset = EMPTY;
        var everNumbered = new HashMap<Integer, String>();
        var everIdentified = new HashMap<String, Integer>();
        for (int i = 0; i < 100; i++) {
            Instant now = DAY_1.plusSeconds(i);
            RulesetSource source = Sources.random(history * 1000 + i, i % 3 == 0);
            if (!(RulesetEditor.apply(ruleset, source, now) instanceof Result.Changed(Ruleset next))) {
                continue;
            }
            checkStep(ruleset, next, now);
            checkNumbers(next, everNumbered, everIdentified);
            assertEquals(next, Json.read(Json.write(next), Ruleset.class));
            assertSame(
                    next,
                    assertInstanceOf(
                                    Result.Unchanged.class,
                                    RulesetEditor.apply(next, RulesetSource.of(next, DAY_3), DAY_3))
                            .ruleset());
            ruleset = next;
        }
        assertTrue(ruleset.version() > 10, "most edits were refused: only " + ruleset.version() + " versions");
    }

    private static void checkStep(Ruleset before, Ruleset next, Instant now) {
        assertEquals(before.version() + 1, next.version());
        for (Achievement a : next.achievements()) {
            assertEquals(a.isActive(), a.activated() != null, a::toString);
            assertEquals(a.isActive(), a.activeSince() > 0, a::toString);
            assertEquals(
                    a.activated() != null && a.activated().equals(now), a.activeSince() == next.version(), a::toString);
            if (a.trigger() instanceof AchievementTrigger.MetricTotal total) {
                assertEquals(a.isActive() && !total.eventAttributes().isEmpty(), total.sumNumber() > 0, a::toString);
            }
            boolean isUntouched = before.achievements().contains(a);
            assertEquals(!isUntouched, a.updated().equals(now), a::toString);
        }
        for (Leaderboard l : next.leaderboards()) {
            assertEquals(
                    l.status() == LeaderboardStatus.INACTIVE,
                    l.activated() == null && !isFromElsewhere(l),
                    l::toString);
            assertEquals(l.status(), l.finished() != null ? LeaderboardStatus.FINISHED : l.status(), l::toString);
        }
        for (PointsSystem system : next.pointsSystems()) {
            for (PointsTrigger t : system.triggers()) {
                assertEquals(t.isActive(), t.activated() != null, t::toString);
                assertTrue(t.activated() == null || !t.activated().isAfter(t.updated()), t::toString);
            }
        }
    }

    private static boolean isFromElsewhere(Leaderboard l) {
        return l.status() == LeaderboardStatus.FINISHED && l.activated() == null;
    }

    /** Checks that no two objects share a number and that only points triggers and leaderboards change theirs. */
    private static void checkNumbers(
            Ruleset next, Map<Integer, String> everNumbered, Map<String, Integer> everIdentified) {
        for (ObjectIdentity object : ObjectIdResolver.objectsOf(next)) {
            String name = object.kind() + " " + object.key();
            assertEquals(name, everNumbered.computeIfAbsent(object.number(), _ -> name));
            assertTrue(object.number() < next.nextNumber());
            if (!object.kind().equals("trigger") && !object.kind().equals("leaderboard")) {
                assertEquals(object.number(), everIdentified.computeIfAbsent(name, _ -> object.number()));
            }
        }
        for (Achievement a : next.achievements()) {
            if (a.trigger() instanceof AchievementTrigger.MetricTotal total && total.sumNumber() > 0) {
                String name = "sum of " + a.key() + " " + a.trigger();
                assertTrue(everNumbered
                        .computeIfAbsent(total.sumNumber(), _ -> name)
                        .startsWith("sum of " + a.key()));
            }
        }
    }

    // Earlier documents.

    @Test
    void shouldFindNoChangeInDocumentWithoutStatusesAndLevels() throws IOException {
        byte[] json = Files.readAllBytes(Path.of("src/test/resources/dev/laurel/schemas/approved/ruleset-v1.json"));
        Ruleset old = Json.read(json, Ruleset.class);

        assertInstanceOf(Result.Unchanged.class, RulesetEditor.apply(old, RulesetSource.of(old, DAY_3), DAY_3));
    }

    // Ids.

    @Test
    void shouldDeriveIdsFromTenantAndKey() {
        Ruleset here = changed(EMPTY, FULL, DAY_1);
        Ruleset there = changed(Ruleset.empty(new TenantId("acme")), FULL, DAY_2);
        Ruleset otherTenant = changed(Ruleset.empty(TenantId.NONE), FULL, DAY_1);

        assertEquals(metric(here, "laps").id(), metric(there, "laps").id());
        assertEquals(3, metric(here, "laps").id().version());
        assertNotEquals(metric(here, "laps").id(), metric(otherTenant, "laps").id());
    }

    @Test
    void shouldKeepGivenId() {
        String id = "3f0c8f1e-7c1b-4d5a-9a39-0d0f6b1c2a10";
        Ruleset first = changed(EMPTY, "{\"metrics\":{\"laps\":{\"id\":\"" + id + "\"}}}", DAY_1);

        assertEquals(id, metric(first, "laps").id().toString());
        assertInstanceOf(Result.Unchanged.class, edit(first, "{\"metrics\":{\"laps\":{}}}", DAY_2));
    }

    /** An id must identify one object, even after an object was renamed and its old key returns. */
    @Test
    void shouldRefuseIdOfAnotherObject() {
        Ruleset first = changed(EMPTY, "{\"metrics\":{\"laps\":{}}}", DAY_1);
        String stolen = metric(first, "laps").id().toString();

        var refused = assertInstanceOf(
                Result.Invalid.class,
                edit(first, "{\"metrics\":{\"laps\":{},\"dives\":{\"id\":\"" + stolen + "\"}}}", DAY_2));

        assertEquals(1, refused.issues().size());
        assertTrue(refused.issues().getFirst().message().contains(stolen), refused.issues()::toString);
    }

    @Test
    void shouldReportIssuesAndChangeNothing() {
        Result result = edit(EMPTY, "{\"metrics\":{\"bad key\":{}}}", DAY_1);

        assertEquals(
                "/metrics/bad key",
                assertInstanceOf(Result.Invalid.class, result)
                        .issues()
                        .getFirst()
                        .path());
    }

    private static Ruleset everything() {
        return changed(EMPTY, Sources.EVERYTHING, DAY_1);
    }

    private static Ruleset changed(Ruleset current, String source, Instant now) {
        return assertInstanceOf(Result.Changed.class, edit(current, source, now))
                .ruleset();
    }

    private static Result edit(Ruleset current, String source, Instant now) {
        return RulesetEditor.apply(current, Sources.read(source), now);
    }

    private static Metric metric(Ruleset ruleset, String key) {
        return ruleset.metrics().stream()
                .filter(m -> m.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    private static PointsTrigger trigger(Ruleset ruleset) {
        return ruleset.pointsSystems().getFirst().triggers().getFirst();
    }

    private static List<Integer> numbersOf(Ruleset ruleset) {
        var numbers = new ArrayList<Integer>();
        ruleset.metrics().forEach(m -> numbers.add(m.number()));
        ruleset.attributes().forEach(a -> numbers.add(a.number()));
        ruleset.achievements().forEach(a -> numbers.add(a.number()));
        ruleset.pointsSystems().forEach(s -> {
            numbers.add(s.number());
            s.levels().forEach(l -> numbers.add(l.number()));
            s.boosts().forEach(b -> numbers.add(b.number()));
            s.triggers().forEach(t -> numbers.add(t.number()));
        });
        ruleset.leaderboards().forEach(l -> numbers.add(l.number()));
        return numbers;
    }
}
