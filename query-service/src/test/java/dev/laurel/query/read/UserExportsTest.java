package dev.laurel.query.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.user.UserState;
import dev.laurel.query.partition.CurrentUsers;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.Json;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** Exports a swimmer with events in two strokes. */
final class UserExportsTest {

    private final InMemoryUsers users = new InMemoryUsers();

    @BeforeEach
    void swim() throws Exception {
        users.rules("2026-03-01T00:00:00Z", """
            {"metrics": {"laps": {}}, "attributes": {"event": {"stroke": {}}},
             "achievements": {"crawler": {"trigger": "metric", "metric": "laps", "value": 100,
                                          "eventAttributes": {"stroke": "crawl"}},
                              "first": {"trigger": "metric", "metric": "laps", "value": 1}},
             "points": {"gems": {"triggers": {"ten": {"type": "metric", "metric": "laps", "threshold": 10, "points": 5}}}}}
            """);
        swim("crawl", 12, "2026-03-02T10:00:00Z");
        swim("crawl", 4, "2026-03-03T10:00:00Z");
        swim("back", 9, "2026-03-03T11:00:00Z");
        users.now("2026-03-03T12:00:00Z");
    }

    private void swim(String stroke, int laps, String at) throws Exception {
        users.command(
                "ida",
                "{\"type\":\"event\",\"metric\":\"laps\",\"value\":" + laps
                        + ",\"user\":{\"id\":\"ida\"},\"attributes\":{\"stroke\":\"" + stroke + "\"}}",
                at);
    }

    @Test
    void shouldSayThatItCannotBeImported() {
        JsonNode export = export();

        assertEquals("about", export.propertyNames().iterator().next());
        assertTrue(export.path("about").stringValue().contains("cannot be imported"), export.toString());
        assertEquals("2026-03-03T12:00:00.000Z", export.path("exported").stringValue());
    }

    @Test
    void shouldCountEventsAndSumThemByAttribute() {
        JsonNode laps = export().path("metrics").path(0);

        assertEquals(3, laps.path("events").intValue());
        assertEquals("""
            [{"date":"2026-03-02","change":12,"events":1,"attributes":{"stroke":{"crawl":12}}},\
            {"date":"2026-03-03","change":13,"events":2,"attributes":{"stroke":{"back":9,"crawl":4}}}]\
            """, laps.path("days").toString());
    }

    @Test
    void shouldShowSumsOfFilteredEvents() {
        JsonNode sum = export().path("sums").path(0);

        assertEquals(
                "achievement crawler 16",
                sum.path("object").stringValue() + " " + sum.path("key").stringValue() + " " + sum.path("sum"));
    }

    @Test
    void shouldCountPassedThresholds() {
        JsonNode trigger = export().path("points").path(0).path("triggers").path(0);

        assertEquals(2, trigger.path("times").intValue(), trigger.toString());
        assertTrue(trigger.path("id").isString(), trigger.toString());
    }

    @Test
    void shouldShowStateOfMessagesAndLastEvent() {
        JsonNode export = export();

        assertEquals("2026-03-03T11:00:00.000Z", export.path("lastEvent").stringValue());
        assertTrue(
                export.path("messages").path("waitingAchievements").isArray(),
                export.path("messages").toString());
    }

    @Test
    void shouldShowRewardedRuns() throws Exception {
        users.rules(
                "2026-03-03T11:30:00Z",
                "{\"metrics\": {\"laps\": {}}, \"leaderboards\": {\"top\": {\"rankBy\": \"metric\", \"metric\": \"laps\"}}}");
        int number = users.newest(TenantId.NONE).leaderboards().getFirst().number();
        for (int run : new int[] {0, 20_514}) {
            users.command(
                    "ida",
                    "{\"type\":\"run-finished\",\"user\":{\"id\":\"ida\"},\"leaderboard\":" + number + ",\"run\":" + run
                            + ",\"rank\":1,\"participants\":2}",
                    "2026-03-03T11:40:00Z");
        }

        List<String> runs = export().path("idempotencyKeys")
                .valueStream()
                .map(key -> key.path("run").toString())
                .toList();
        assertEquals(List.of("null", "\"2026-03-02\""), runs);
    }

    @Test
    void shouldKeepCompletionsOfDeletedAchievements() throws Exception {
        users.rules("2026-03-03T11:30:00Z", "{\"metrics\": {\"laps\": {}}}");

        JsonNode deleted = export().path("deletedAchievements");
        assertEquals(1, deleted.size(), deleted.toString());
        assertEquals("first", deleted.path(0).path("key").stringValue());
        assertEquals(
                "2026-03-02T10:00:00.000Z", deleted.path(0).path("achievedAt").stringValue());
    }

    /** Every component of the state is in the export, or computed from others. A new one must be added here or there. */
    @Test
    void shouldNameEveryPartOfTheState() {
        Set<String> exported = Set.of(
                "id",
                "profile",
                "preferences",
                "control",
                "createdMs",
                "updatedMs",
                "metrics",
                "sums",
                "points",
                "completions",
                "streak",
                "active",
                "boosts",
                "boards",
                "lastEventMs",
                "messages");
        Set<String> internal = Set.of("newestMs", "sequence", "rulesVersion", "boostsAnnouncedTo", "wakeUpMs");
        var parts = Arrays.stream(UserState.class.getRecordComponents())
                .map(part -> part.getName())
                .collect(Collectors.toCollection(TreeSet::new));

        parts.removeAll(exported);
        parts.removeAll(internal);
        assertEquals(Set.of(), parts);
        assertFalse(export().path("user").isMissingNode());
    }

    private JsonNode export() {
        var leaderboards = new LeaderboardReads(users.localNode(), null, null, null, null);
        var out = new ByteArrayOutputStream();
        try (JsonGenerator json = Json.mapperForTools().createGenerator(out)) {
            assertTrue(
                    new UserExports(new CurrentUsers(users.partitions(), users.rulesets(), users.clock()), leaderboards)
                            .export(UserKey.of("ida"), json));
        }
        return Json.read(out.toByteArray(), JsonNode.class);
    }
}
