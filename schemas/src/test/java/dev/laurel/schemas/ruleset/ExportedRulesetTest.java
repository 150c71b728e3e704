package dev.laurel.schemas.ruleset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

final class ExportedRulesetTest {

    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
    private static final Instant LATER = NOON.plusSeconds(60);
    private static final Ruleset EMPTY = Ruleset.empty(TenantId.NONE);

    /** Returns one source with every field and 200 random sources. */
    static Stream<RulesetSource> sources() {
        var sources = new ArrayList<RulesetSource>();
        sources.add(Sources.read(Sources.EVERYTHING));
        for (int seed = 0; seed < 200; seed++) {
            sources.add(Sources.random(seed, false));
        }
        return sources.stream();
    }

    @ParameterizedTest
    @MethodSource("sources")
    void shouldChangeNothingWhenExportIsAppliedAgain(RulesetSource source) {
        Ruleset ruleset = applied(EMPTY, source);

        assertInstanceOf(RulesetEditor.Result.Unchanged.class, apply(ruleset, source));
        assertInstanceOf(RulesetEditor.Result.Unchanged.class, apply(ruleset, RulesetSource.of(ruleset, NOON)));
    }

    @ParameterizedTest
    @MethodSource("sources")
    void shouldProduceSameRulesOnAnotherInstance(RulesetSource source) {
        Ruleset here = applied(EMPTY, source);
        RulesetSource exported = RulesetSource.of(here, NOON);

        Ruleset elsewhere = applied(Ruleset.empty(new TenantId("acme")), exported);

        assertEquals(exported, RulesetSource.of(elsewhere, NOON));
        assertEquals(withoutNumbers(here), withoutNumbers(elsewhere));
    }

    @ParameterizedTest
    @MethodSource("sources")
    void shouldReadBackFromJson(RulesetSource source) {
        RulesetSource exported = RulesetSource.of(applied(EMPTY, source), NOON);

        assertEquals(exported, Json.read(Json.write(exported), RulesetSource.class));
    }

    /** A new achievement cannot be locked, so the test needs two versions. */
    @Test
    void shouldExportLockedAchievements() {
        Ruleset first = applied(EMPTY, Sources.read(Sources.EVERYTHING));
        Ruleset locked = applied(
                first,
                Sources.read(Sources.EVERYTHING.replace(
                        "\"trigger\": \"streak\"", "\"trigger\": \"streak\", \"status\": \"locked\"")));

        RulesetSource exported = RulesetSource.of(locked, NOON);

        assertEquals(
                "locked", exported.content().part("achievements").part("week").text("status"));
        assertInstanceOf(RulesetEditor.Result.Unchanged.class, apply(locked, exported));
    }

    @Test
    void shouldKeepOrderOfEntries() {
        RulesetSource exported = RulesetSource.of(applied(EMPTY, Sources.read(Sources.EVERYTHING)), NOON);

        assertEquals(
                List.of("laps", "spent"),
                List.copyOf(exported.content().part("metrics").names()));
        assertEquals(
                List.of("forty", "week", "profile", "all"),
                List.copyOf(exported.content().part("achievements").names()));
        assertEquals(
                List.of("week", "profile", "forty"),
                exported.content().part("achievements").part("all").list("achievements"));
        assertEquals(
                List.of("per-ten", "forty", "week", "rent", "welcome"),
                List.copyOf(exported.content()
                        .part("points")
                        .part("gems")
                        .part("triggers")
                        .names()));
    }

    @Test
    void shouldLeaveOutDefaults() {
        var source = RulesetSource.of(FieldMap.of(
                        "metrics",
                        FieldMap.of("laps", FieldMap.of("name", "laps", "unitType", "number", "units", "")),
                        "streak",
                        FieldMap.of(
                                "enabled",
                                true,
                                "frequency",
                                "daily",
                                "evaluationMode",
                                "OR",
                                "freezesEnabled",
                                false,
                                "initialFreezes",
                                0,
                                "maxFreezes",
                                3,
                                "personalizationEnabled",
                                false),
                        "settings",
                        FieldMap.of(
                                "controlRatio",
                                0,
                                "defaultTimeZone",
                                "UTC",
                                "weekStartsOn",
                                "sunday",
                                "integerLeaderboardValues",
                                false,
                                "messageTimeZone",
                                "America/New_York",
                                "applicationKeysEnabled",
                                true,
                                "rateLimits",
                                FieldMap.of(),
                                "branding",
                                FieldMap.of()),
                        "notifications",
                        FieldMap.of(
                                "settings",
                                FieldMap.of(
                                        "recapPeriod",
                                        "weekly",
                                        "reactivationDays",
                                        List.of(3, 5, 7, 14, 30),
                                        "streakReminder",
                                        FieldMap.of(
                                                "dailyHoursBefore",
                                                4,
                                                "weeklyDay",
                                                "friday",
                                                "weeklyTime",
                                                "09:00",
                                                "monthlyDay",
                                                25,
                                                "monthlyTime",
                                                "09:00:00"),
                                        "achievementWindow",
                                        FieldMap.of("from", "17:00", "to", "21:00")),
                                "channels",
                                FieldMap.of("email", FieldMap.of())))
                .values());

        RulesetSource exported = RulesetSource.of(applied(EMPTY, source), NOON);

        assertEquals(
                Set.of("id"), exported.content().part("metrics").part("laps").names());
        assertFalse(exported.content().has("streak"));
        assertFalse(exported.content().has("settings"));
        assertEquals(
                RulesetSource.EMPTY.content().part("notifications"),
                exported.content().part("notifications"));
    }

    @Test
    void shouldLeaveOutDefaultsOfNestedObjects() {
        RulesetSource exported = RulesetSource.of(applied(EMPTY, Sources.read("""
            {"metrics": {"m": {}},
             "achievements": {"a": {"trigger": "api", "status": "active", "backdate": true}},
             "points": {"p": {"levelAt": "exceeds", "levels": {"l": {"points": 1, "description": ""}},
               "boosts": {"b": {"start": "2026-01-01", "multiplier": 2, "rounding": "down"}},
               "triggers": {"t": {"type": "metric", "metric": "m", "threshold": 1, "points": 1, "status": "active",
                 "blockIfOutOfPoints": false}}}},
             "streak": {"freezesEnabled": true, "initialFreezes": 0, "maxFreezes": 3},
             "leaderboards": {"b": {"rankBy": "streak", "status": "inactive", "maxParticipants": 1000,
               "breakdownAttributes": []}}, "settings": {"integerLeaderboardValues": false},
             "webhooks": {"w": {"url": "https://a.example", "events": ["streak.lost"], "status": "active"}},
             "notifications": {"templates": {"t": {"type": "recap", "channel": "push", "title": "T", "body": "B",
               "status": "active", "variations": []}},
               "settings": {"recapPeriod": "daily", "streakReminder": {"weeklyDay": "friday"}}}}\
            """)), NOON);

        String json = Json.mapperForTools().writeValueAsString(exported);
        for (String word : List.of(
                "active",
                "exceeds",
                "\"down\"",
                "false",
                "backdate\":true",
                "maxFreezes\":3",
                "1000",
                "friday",
                "[]")) {
            assertFalse(json.contains(word), word + " in " + json);
        }
    }

    /** Removes the numbers, which follow the order of appearance: an export may change that order. */
    private static JsonNode withoutNumbers(Ruleset ruleset) {
        var renamed = new Ruleset(
                TenantId.NONE,
                1,
                ruleset.published(),
                1,
                ruleset.metrics(),
                ruleset.attributes(),
                ruleset.achievements(),
                ruleset.streak(),
                ruleset.pointsSystems(),
                ruleset.leaderboards(),
                ruleset.settings(),
                ruleset.webhooks(),
                ruleset.notifications(),
                ruleset.retired(),
                null,
                null);
        JsonNode tree = Json.read(Json.write(renamed), JsonNode.class);
        tree.findParents("number").forEach(object -> ((ObjectNode) object).remove("number"));
        tree.findParents("sumNumber")
                .forEach(trigger -> ((ObjectNode) trigger)
                        .put(
                                "sumNumber",
                                Integer.signum(trigger.get("sumNumber").asInt())));
        return tree;
    }

    private static Ruleset applied(Ruleset current, RulesetSource source) {
        return switch (apply(current, source)) {
            case RulesetEditor.Result.Changed(Ruleset ruleset) -> ruleset;
            case RulesetEditor.Result result -> throw new AssertionError(result.toString());
        };
    }

    private static RulesetEditor.Result apply(Ruleset current, RulesetSource source) {
        return RulesetEditor.apply(current, source, current.version() == 0 ? NOON : LATER);
    }
}
