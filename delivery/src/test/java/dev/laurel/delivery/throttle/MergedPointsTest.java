package dev.laurel.delivery.throttle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.laurel.core.TestRulesets;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.Json;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class MergedPointsTest {

    private static final CompiledRuleset RULES = new CompiledRuleset(TestRulesets.first("""
        metrics: {laps: {}}
        points: {gems: {levels: {otter: {points: 10}, seal: {points: 20}}}}
        """));
    private static final PointsSystem GEMS = RULES.document().pointsSystems().getFirst();
    private static final List<UUID> HOOKS = List.of(new UUID(0, 7));

    /** @param level key, "none", or null: the event has no level */
    private static HookEvent event(int number, String name, long total, long added, String level, int... awards) {
        String levelField = level == null ? "" : "\"level\":" + level(level) + ",";
        String list = IntStream.of(awards)
                .mapToObj(award -> "{\"id\":\"a" + award + "\",\"awarded\":0.50}")
                .collect(Collectors.joining(","));
        return new HookEvent(
                new UUID(1, number),
                TenantId.NONE,
                Instant.ofEpochSecond(number),
                WebhookEvent.POINTS_CHANGED,
                HOOKS,
                GEMS.id().toString(),
                "{\"type\":\"points.changed\",\"user\":{\"id\":\"ann\",\"name\":\"" + name
                        + "\"},\"points\":{\"key\":\"gems\",\"maxPoints\":null,\"total\":" + total + ",\"added\":"
                        + added
                        + "," + levelField + "\"awards\":[" + list + "]}}");
    }

    private static String level(String key) {
        return GEMS.levels().stream()
                .filter(level -> level.key().equals(key))
                .findFirst()
                .map(Level::id)
                .map(id -> "{\"id\":\"" + id + "\",\"key\":\"" + key + "\"}")
                .orElse("null");
    }

    private static JsonNode merged(HookEvent... events) {
        HookEvent all = events[0];
        for (int i = 1; i < events.length; i++) {
            all = MergedPoints.of(all, events[i], RULES);
        }
        return Json.mapperForTools().readTree(all.body().getBytes(UTF_8));
    }

    @Test
    void shouldAddPointsAndTakeOtherFieldsFromTheNewestEvent() {
        JsonNode body = merged(
                event(1, "Ann", 5, 5, null, 1), event(2, "Ann", 3, -2, null, 2), event(3, "Anna", 4, 1, null, 3, 4));

        assertEquals("""
            {"type":"points.changed","user":{"id":"ann","name":"Anna"},"points":{"key":"gems","maxPoints":null,"total":4,\
            "added":4,"awards":[{"id":"a1","awarded":0.5},{"id":"a2","awarded":0.5},{"id":"a3","awarded":0.5},\
            {"id":"a4","awarded":0.5}]}}\
            """, new String(Json.write(body), UTF_8));
    }

    @Test
    void shouldKeepTheNewestHundredAwards() {
        JsonNode awards = merged(
                        event(1, "Ann", 90, 90, null, IntStream.range(0, 90).toArray()),
                        event(2, "Ann", 110, 20, null, IntStream.range(90, 110).toArray()))
                .at("/points/awards");

        assertEquals(100, awards.size());
        assertEquals("a10", awards.get(0).get("id").asString());
        assertEquals("a109", awards.get(99).get("id").asString());
    }

    @Test
    void shouldContainTheLevelIfAnyEventHasChangedIt() {
        JsonNode points = merged(event(1, "Ann", 12, 12, "otter"), event(2, "Ann", 13, 1, null))
                .get("points");
        assertEquals("otter", points.at("/level/key").asString());
        assertEquals(
                List.of("key", "maxPoints", "total", "added", "level", "awards"), List.copyOf(points.propertyNames()));

        assertEquals(
                "seal",
                merged(event(1, "Ann", 12, 12, "otter"), event(2, "Ann", 25, 13, "seal"))
                        .at("/points/level/key")
                        .asString());
    }

    @Test
    void shouldNotContainALevelThatWasHeldBefore() {
        HookEvent up = event(1, "Ann", 21, 2, "seal");
        HookEvent down = event(2, "Ann", 19, -2, "otter");

        assertEquals(false, merged(up, down).get("points").has("level"));
        assertEquals(
                "seal",
                merged(up, down, event(3, "Ann", 22, 3, "seal"))
                        .at("/points/level/key")
                        .asString());
    }

    @Test
    void shouldContainThatNoLevelIsHeldAnyMore() {
        JsonNode points = merged(event(1, "Ann", 21, 2, "seal"), event(2, "Ann", 0, -21, "none"))
                .get("points");

        assertEquals(true, points.has("level"));
        assertEquals(true, points.get("level").isNull());
    }

    @Test
    void shouldDeriveTheIdFromTheMergedEvents() {
        HookEvent one = event(1, "Ann", 5, 5, null);
        HookEvent two = event(2, "Ann", 6, 1, null);
        HookEvent merged = MergedPoints.of(one, two, RULES);

        assertEquals(merged, MergedPoints.of(one, two, RULES));
        assertNotEquals(
                merged.id(),
                MergedPoints.of(one, event(3, "Ann", 6, 1, null), RULES).id());
        assertNotEquals(two.id(), merged.id());
        assertEquals(HOOKS, merged.webhooks());
        assertEquals(two.at(), merged.at());
    }
}
