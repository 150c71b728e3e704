package dev.laurel.schemas.ruleset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.RulesetSource.ChannelsSource;
import dev.laurel.schemas.ruleset.RulesetSource.EmailSource;
import dev.laurel.schemas.ruleset.RulesetSource.MetricSource;
import dev.laurel.schemas.ruleset.RulesetSource.NotificationsSource;
import dev.laurel.schemas.ruleset.RulesetSource.BrandingSource;
import dev.laurel.schemas.ruleset.RulesetSource.RateLimitsSource;
import dev.laurel.schemas.ruleset.RulesetSource.SettingsSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakReminderSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakSource;
import dev.laurel.schemas.ruleset.RulesetSource.TimingSource;
import dev.laurel.schemas.ruleset.RulesetSource.WindowSource;
import dev.laurel.schemas.serde.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

final class RulesetExportTest {

    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
    private static final Instant LATER = NOON.plusSeconds(60);
    private static final Ruleset EMPTY = Ruleset.empty(TenantId.NONE);

    /** One with everything, and many of which each has something. */
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
        assertInstanceOf(RulesetEditor.Result.Unchanged.class, apply(ruleset, RulesetExport.sourceOf(ruleset, NOON)));
    }

    @ParameterizedTest
    @MethodSource("sources")
    void shouldMakeTheSameRulesOnAnotherInstance(RulesetSource source) {
        Ruleset here = applied(EMPTY, source);
        RulesetSource exported = RulesetExport.sourceOf(here, NOON);

        Ruleset elsewhere = applied(Ruleset.empty(new TenantId("acme")), exported);

        assertEquals(exported, RulesetExport.sourceOf(elsewhere, NOON));
        assertEquals(withoutNumbers(here), withoutNumbers(elsewhere));
    }

    @ParameterizedTest
    @MethodSource("sources")
    void shouldReadBackFromJson(RulesetSource source) {
        RulesetSource exported = RulesetExport.sourceOf(applied(EMPTY, source), NOON);

        assertEquals(exported, Json.read(Json.write(exported), RulesetSource.class));
    }

    /** An achievement can only be locked later, so this version has a history. */
    @Test
    void shouldExportLockedAchievements() {
        Ruleset first = applied(EMPTY, Sources.read(Sources.EVERYTHING));
        Ruleset locked = applied(first, Sources.read(
                Sources.EVERYTHING.replace("\"trigger\": \"streak\"",
                        "\"trigger\": \"streak\", \"status\": \"locked\"")));

        RulesetSource exported = RulesetExport.sourceOf(locked, NOON);

        assertEquals("locked", exported.achievements().get("week").status());
        assertInstanceOf(RulesetEditor.Result.Unchanged.class, apply(locked, exported));
    }

    @Test
    void shouldKeepOrderOfEntries() {
        RulesetSource exported = RulesetExport.sourceOf(applied(EMPTY, Sources.read(Sources.EVERYTHING)), NOON);

        assertEquals(List.of("laps", "spent"), List.copyOf(exported.metrics().keySet()));
        assertEquals(List.of("forty", "week", "profile", "all"), List.copyOf(exported.achievements().keySet()));
        assertEquals(List.of("week", "profile", "forty"), exported.achievements().get("all").achievements());
        assertEquals(List.of("per-ten", "forty", "week", "rent", "welcome"),
                List.copyOf(exported.points().get("gems").triggers().keySet()));
    }

    @Test
    void shouldLeaveOutDefaults() {
        var source = new RulesetSource(Map.of("laps", new MetricSource(null, "laps", "number", "")), null, null, null,
                new StreakSource(true, "daily", "OR", null, false, 0, 3, null, null, false, null), null,
                new SettingsSource(0, "UTC", "sunday", false, "America/New_York", true,
                        new RateLimitsSource(null, null), new BrandingSource(null, null, null, null, null)),
                null,
                new NotificationsSource(null, new TimingSource("weekly", List.of(3, 5, 7, 14, 30),
                        new StreakReminderSource(4, "friday", "09:00", 25, "09:00:00"),
                        new WindowSource("17:00", "21:00"), null),
                        new ChannelsSource(new EmailSource(null, null, null))));

        RulesetSource exported = RulesetExport.sourceOf(applied(EMPTY, source), NOON);

        UUID id = exported.metrics().get("laps").id();
        assertEquals(new MetricSource(id, null, null, null), exported.metrics().get("laps"));
        assertNull(exported.streak());
        assertNull(exported.settings());
        assertEquals(RulesetSource.EMPTY.notifications(), exported.notifications());
    }

    @Test
    void shouldLeaveOutDefaultsOfWhatIsInside() {
        RulesetSource exported = RulesetExport.sourceOf(applied(EMPTY, Sources.read("""
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
                   "settings": {"recapPeriod": "daily", "streakReminder": {"weeklyDay": "friday"}}}}""")), NOON);

        String json = Json.mapperForTools().writeValueAsString(exported);
        for (String word : List.of("active", "exceeds", "\"down\"", "false", "backdate\":true", "maxFreezes\":3",
                "1000", "friday", "[]")) {
            assertFalse(json.contains(word), word + " in " + json);
        }
    }

    /** Numbers are given in the order of appearance, which an export may change. */
    private static JsonNode withoutNumbers(Ruleset ruleset) {
        var renamed = new Ruleset(TenantId.NONE, 1, ruleset.published(), 1, ruleset.metrics(), ruleset.attributes(),
                ruleset.achievements(), ruleset.streak(), ruleset.pointsSystems(), ruleset.leaderboards(),
                ruleset.settings(), ruleset.webhooks(), ruleset.notifications(), ruleset.retired());
        JsonNode tree = Json.read(Json.write(renamed), JsonNode.class);
        tree.findParents("number").forEach(object -> ((ObjectNode) object).remove("number"));
        tree.findParents("sumNumber").forEach(trigger -> ((ObjectNode) trigger).put("sumNumber",
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
