package dev.laurel.schemas.ruleset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.RulesetEditor.Result;
import dev.laurel.schemas.serde.Json;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

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
             "settings": {"controlRatio": 10, "defaultTimeZone": "Europe/Helsinki"}}""";

    @Test
    void shouldBuildTheWholeDocument() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);

        assertEquals(new TenantId("acme"), first.tenant());
        assertEquals(1, first.version());
        assertEquals(List.of("laps", "dives"), first.metrics().stream().map(Metric::key).toList());
        assertEquals("Laps swum", first.metrics().getFirst().name());
        assertEquals(DAY_1, first.metrics().getFirst().created());
        assertEquals(new AchievementTrigger.MetricTotal("laps", new BigDecimal("40")),
                first.achievements().getFirst().trigger());
        assertEquals(new StreakSettings(true, StreakFrequency.DAILY, StreakSettings.EvaluationMode.AND,
                List.of(new StreakSettings.Condition("laps", new BigDecimal("1.5")))), first.streak());
        assertEquals(new Settings(10, ZoneId.of("Europe/Helsinki")), first.settings());
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
    void shouldNameTheDefaultZoneAsAPersonWouldWriteIt() {
        assertEquals("UTC", Settings.DEFAULT.defaultTimeZone().getId());
        assertEquals(Settings.DEFAULT,
                changed(EMPTY, "{\"settings\":{\"defaultTimeZone\":\"UTC\"}}", DAY_1).settings());
        assertEquals(Settings.DEFAULT, changed(EMPTY, "{\"settings\":{}}", DAY_1).settings());
    }

    @Test
    void shouldGiveEachObjectANumberOfItsOwn() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);

        List<Integer> numbers = numbersOf(first);
        assertEquals(9, numbers.size());
        assertEquals(9, new HashSet<>(numbers).size());
        assertTrue(numbers.stream().allMatch(n -> n < first.nextNumber()));
    }

    @Test
    void shouldFindNothingToDoWhenTheSourceSaysTheSame() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);

        Result again = edit(first, FULL.replace("40.0", "40").replace("1.50", "1.5"), DAY_2);

        assertSame(first, assertInstanceOf(Result.Unchanged.class, again).ruleset());
    }

    @Test
    void shouldFindNothingToDoAfterADetourThroughTheLog() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);
        Ruleset read = Json.read(Json.write(first), Ruleset.class);

        assertEquals(first, read);
        assertInstanceOf(Result.Unchanged.class, edit(read, FULL, DAY_2));
    }

    /** Times are written with milliseconds: a finer one would differ from what is read back. */
    @Test
    void shouldReadBackWhatItMadeAtAnyTime() {
        Ruleset first = changed(EMPTY, FULL, Instant.parse("2026-01-10T08:00:00.123456789Z"));

        assertEquals(first, Json.read(Json.write(first), Ruleset.class));
    }

    @Test
    void shouldMakeAFirstVersionEvenOfNothing() {
        assertEquals(1, changed(EMPTY, "{}", DAY_1).version());
        assertInstanceOf(Result.Unchanged.class, edit(changed(EMPTY, "{}", DAY_1), "{}", DAY_2));
    }

    @Test
    void shouldSeeAChangedOrderAsAChange() {
        Ruleset first = changed(EMPTY, "{\"metrics\":{\"a\":{},\"b\":{}}}", DAY_1);
        Ruleset second = changed(first, "{\"metrics\":{\"b\":{},\"a\":{}}}", DAY_2);

        assertEquals(first.metrics().reversed(), second.metrics());
        assertEquals(first.nextNumber(), second.nextNumber());
    }

    @Test
    void shouldKeepNumberIdAndCreationOfWhatIsEdited() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);
        Ruleset second = changed(first, FULL.replace("Laps swum", "Lengths").replace("40.0", "50"), DAY_2);

        Metric before = first.metrics().getFirst();
        assertEquals(new Metric(before.number(), before.id(), "laps", "Lengths", "number", "laps", DAY_1),
                second.metrics().getFirst());
        assertEquals(first.achievements().getFirst().number(), second.achievements().getFirst().number());
        assertEquals(numbersOf(first), numbersOf(second));
        assertEquals(2, second.version());
    }

    @Test
    void shouldNeverUseANumberTwice() {
        Ruleset first = changed(EMPTY, "{\"metrics\":{\"a\":{},\"b\":{}}}", DAY_1);
        Ruleset second = changed(first, "{\"metrics\":{\"a\":{}}}", DAY_2);
        Ruleset third = changed(second, "{\"metrics\":{\"a\":{},\"c\":{}}}", DAY_3);

        assertEquals(3, metric(third, "c").number());
        assertEquals(List.of(new Retired("metric", "b", 2, metric(first, "b").id(), DAY_1)), third.retired());
    }

    @Test
    void shouldGiveARevivedObjectItsNumberIdAndCreationBack() {
        String without = "{\"metrics\":{\"laps\":{}}}";
        Ruleset first = changed(EMPTY, FULL, DAY_1);
        Ruleset revived = changed(changed(first, without, DAY_2), FULL, DAY_3);

        assertEquals(first.metrics(), revived.metrics());
        assertEquals(first.attributes(), revived.attributes());
        assertEquals(first.achievements(), revived.achievements());
        assertEquals(first.pointsSystems().getFirst().number(), revived.pointsSystems().getFirst().number());
        assertEquals(first.pointsSystems().getFirst().id(), revived.pointsSystems().getFirst().id());
        assertEquals(List.of(), revived.retired());
    }

    @Test
    void shouldTellUserAndEventAttributesOfOneKeyApart() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);

        Attribute ofUser = first.attributes().get(0);
        Attribute ofEvent = first.attributes().get(1);
        assertEquals(ofUser.key(), ofEvent.key());
        assertNotEquals(ofUser.number(), ofEvent.number());
        assertNotEquals(ofUser.id(), ofEvent.id());
    }

    // Points triggers.

    @Test
    void shouldGiveATriggerWithAnotherRuleANewNumberButKeepItsId() {
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
    void shouldNotGoBackToAnOldNumberWithAnOldRule() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);
        Ruleset second = changed(first, FULL.replace("\"threshold\": 10", "\"threshold\": 20"), DAY_2);
        Ruleset third = changed(second, FULL, DAY_3);

        assertEquals(second.nextNumber(), trigger(third).number());
    }

    @Test
    void shouldKeepTheNumberOfATriggerWhosePointsAreEdited() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);
        Ruleset second = changed(first, FULL.replace("\"points\": 20", "\"points\": 30"), DAY_2);

        PointsTrigger before = trigger(first);
        assertEquals(new PointsTrigger(before.number(), before.id(), "per-ten", before.rule(), 30, DAY_1, DAY_2),
                trigger(second));
    }

    /** semantics.md §6: a trigger that is active again starts its counts anew. */
    @Test
    void shouldStartARevivedTriggerAnew() {
        Ruleset first = changed(EMPTY, FULL, DAY_1);
        Ruleset second = changed(first, "{\"metrics\":{\"laps\":{},\"dives\":{}}}", DAY_2);
        Ruleset third = changed(second, FULL, DAY_3);

        assertTrue(trigger(third).number() >= second.nextNumber());
        assertEquals(trigger(first).id(), trigger(third).id());
        assertEquals(DAY_1, trigger(third).created());
    }

    @Test
    void shouldTellTriggersOfOneNameInTwoSystemsApart() {
        String two = """
                {"metrics": {"m": {}}, "points": {
                 "a": {"triggers": {"t": {"type": "metric", "metric": "m", "threshold": 1, "points": 1}}},
                 "b": {"triggers": {"t": {"type": "metric", "metric": "m", "threshold": 1, "points": 1}}}}}""";
        Ruleset first = changed(EMPTY, two, DAY_1);

        assertNotEquals(first.pointsSystems().get(0).triggers().getFirst().id(),
                first.pointsSystems().get(1).triggers().getFirst().id());
    }

    // Ids.

    @Test
    void shouldMakeTheSameIdsFromTheSameNames() {
        Ruleset here = changed(EMPTY, FULL, DAY_1);
        Ruleset there = changed(Ruleset.empty(new TenantId("acme")), FULL, DAY_2);
        Ruleset otherTenant = changed(Ruleset.empty(TenantId.NONE), FULL, DAY_1);

        assertEquals(metric(here, "laps").id(), metric(there, "laps").id());
        assertEquals(3, metric(here, "laps").id().version());
        assertNotEquals(metric(here, "laps").id(), metric(otherTenant, "laps").id());
    }

    @Test
    void shouldTakeAGivenIdAndKeepItAfterwards() {
        String id = "3f0c8f1e-7c1b-4d5a-9a39-0d0f6b1c2a10";
        Ruleset first = changed(EMPTY, "{\"metrics\":{\"laps\":{\"id\":\"" + id + "\"}}}", DAY_1);

        assertEquals(id, metric(first, "laps").id().toString());
        assertInstanceOf(Result.Unchanged.class, edit(first, "{\"metrics\":{\"laps\":{}}}", DAY_2));
    }

    /** The id of what was renamed away comes back with its old key: two objects would answer to one id. */
    @Test
    void shouldRefuseAnIdThatAnotherObjectHas() {
        Ruleset first = changed(EMPTY, "{\"metrics\":{\"laps\":{}}}", DAY_1);
        String stolen = metric(first, "laps").id().toString();

        var refused = assertInstanceOf(Result.Invalid.class,
                edit(first, "{\"metrics\":{\"laps\":{},\"dives\":{\"id\":\"" + stolen + "\"}}}", DAY_2));

        assertEquals(1, refused.issues().size());
        assertTrue(refused.issues().getFirst().message().contains(stolen), refused.issues()::toString);
    }

    @Test
    void shouldReportIssuesAndChangeNothing() {
        Result result = edit(EMPTY, "{\"metrics\":{\"bad key\":{}}}", DAY_1);

        assertEquals("/metrics/bad key", assertInstanceOf(Result.Invalid.class, result).issues().getFirst().path());
    }

    private static Ruleset changed(Ruleset current, String source, Instant now) {
        return assertInstanceOf(Result.Changed.class, edit(current, source, now)).ruleset();
    }

    private static Result edit(Ruleset current, String source, Instant now) {
        try {
            return RulesetEditor.apply(current,
                    new RulesetEdit.Replace(Json.readForeign(source.getBytes(UTF_8), RulesetSource.class)), now);
        } catch (BadInputException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    private static Metric metric(Ruleset ruleset, String key) {
        return ruleset.metrics().stream().filter(m -> m.key().equals(key)).findFirst().orElseThrow();
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
            s.triggers().forEach(t -> numbers.add(t.number()));
        });
        return numbers;
    }
}
