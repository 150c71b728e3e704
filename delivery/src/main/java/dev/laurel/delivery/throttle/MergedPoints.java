package dev.laurel.delivery.throttle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.serde.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Merges two points.changed of the same user and system into one (docs/webhooks.md §3). Pure. */
final class MergedPoints {

    static final int MAX_AWARDS = 100;

    private static final String POINTS = "points";
    private static final String ADDED = "added";
    private static final String TOTAL = "total";
    private static final String LEVEL = "level";
    private static final String AWARDS = "awards";

    private MergedPoints() {}

    /**
     * The newer event, with the sum and the newest awards of both, and the level if it differs from the level before both.
     *
     * @param rules determine the level before both
     */
    static HookEvent of(HookEvent older, HookEvent newer, CompiledRuleset rules) {
        Map<String, Object> before = pointsOf(bodyOf(older));
        Map<String, Object> body = bodyOf(newer);
        Map<String, Object> points = pointsOf(body);
        long added = Math.addExact(number(before, ADDED), number(points, ADDED));
        points.put(ADDED, added);
        var merged = new LinkedHashMap<>(points);
        List<Object> awards = newest(before, points);
        merged.remove(LEVEL);
        merged.remove(AWARDS);
        if (isLevelChanged(before, points, number(points, TOTAL) - added, rules, newer.about())) {
            merged.put(LEVEL, points.containsKey(LEVEL) ? points.get(LEVEL) : before.get(LEVEL));
        }
        merged.put(AWARDS, awards);
        body.put(POINTS, merged);
        return Records.with(newer, "id", idOf(older, newer), "body", Json.text(body));
    }

    /**
     * An event has a level if it has changed the level. If both events have one, the user may be back at the level before both.
     *
     * @param formerTotal the total before both
     */
    private static boolean isLevelChanged(
            Map<String, Object> before,
            Map<String, Object> points,
            long formerTotal,
            CompiledRuleset rules,
            @Nullable String system) {
        if (!before.containsKey(LEVEL) || !points.containsKey(LEVEL)) {
            return before.containsKey(LEVEL) || points.containsKey(LEVEL);
        }
        return rules.document().pointsSystems().stream()
                .filter(known -> known.id().toString().equals(system))
                .map(known -> !Objects.equals(idOf(known.levelOf(formerTotal)), idOf(points.get(LEVEL))))
                .findFirst()
                .orElse(true);
    }

    private static @Nullable String idOf(@Nullable Level level) {
        return level == null ? null : level.id().toString();
    }

    private static @Nullable Object idOf(@Nullable Object level) {
        return level == null ? null : ((Map<?, ?>) level).get("id");
    }

    private static List<Object> newest(Map<String, Object> before, Map<String, Object> points) {
        var awards = new ArrayList<Object>((List<?>) fieldOf(before, AWARDS));
        awards.addAll((List<?>) fieldOf(points, AWARDS));
        return awards.subList(Math.max(0, awards.size() - MAX_AWARDS), awards.size());
    }

    private static long number(Map<String, Object> points, String field) {
        return ((Number) fieldOf(points, field)).longValue();
    }

    private static Object fieldOf(Map<String, Object> body, String field) {
        return requireNonNull(body.get(field), "every points.changed has the field");
    }

    private static Map<String, Object> bodyOf(HookEvent event) {
        return copyOf(Json.readTree(event.body().getBytes(UTF_8)));
    }

    private static Map<String, Object> pointsOf(Map<String, Object> body) {
        return copyOf(fieldOf(body, POINTS));
    }

    private static Map<String, Object> copyOf(Object fields) {
        var copy = new LinkedHashMap<String, Object>();
        ((Map<?, ?>) fields).forEach((name, value) -> copy.put((String) name, value));
        return copy;
    }

    /** The id is the same whenever these two events are merged. */
    private static UUID idOf(HookEvent older, HookEvent newer) {
        return UUID.nameUUIDFromBytes(("laurel-merged/" + older.id() + "/" + newer.id()).getBytes(UTF_8));
    }
}
