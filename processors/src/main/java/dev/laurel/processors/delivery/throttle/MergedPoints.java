package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.serde.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Merges two points.changed of the same user and system into one ({@code docs/webhooks.md} §3). Pure. */
final class MergedPoints {

    static final int MAX_AWARDS = 100;

    private static final String POINTS = "points";
    private static final String ADDED = "added";
    private static final String TOTAL = "total";
    private static final String LEVEL = "level";
    private static final String AWARDS = "awards";

    private MergedPoints() {}

    /**
     * The newer event, with the sum of both, the newest awards of both, and the level if it differs from that before both.
     *
     * @param rules tell which level was held before
     */
    static HookEvent of(HookEvent older, HookEvent newer, CompiledRuleset rules) {
        Map<String, Object> before = pointsOf(bodyOf(older));
        Map<String, Object> body = bodyOf(newer);
        Map<String, Object> points = pointsOf(body);
        long added = Math.addExact(number(before, ADDED), number(points, ADDED));
        points.put(ADDED, added);
        Map<String, Object> merged = new LinkedHashMap<>(points);
        List<Object> awards = newest(before, points);
        merged.remove(LEVEL);
        merged.remove(AWARDS);
        if (isLevelChanged(before, points, number(points, TOTAL) - added, rules, newer.about())) {
            merged.put(LEVEL, points.containsKey(LEVEL) ? points.get(LEVEL) : before.get(LEVEL));
        }
        merged.put(AWARDS, awards);
        body.put(POINTS, merged);
        return new HookEvent(idOf(older, newer), newer.tenant(), newer.at(), newer.event(), newer.webhooks(),
                newer.about(), new String(Json.write(body), UTF_8));
    }

    /**
     * An event has a level when it has changed it. If both have, the user may be back at the former one.
     *
     * @param formerTotal before both
     */
    private static boolean isLevelChanged(Map<String, Object> before, Map<String, Object> points, long formerTotal,
            CompiledRuleset rules, String system) {
        if (!before.containsKey(LEVEL) || !points.containsKey(LEVEL)) {
            return before.containsKey(LEVEL) || points.containsKey(LEVEL);
        }
        return rules.document().pointsSystems().stream().filter(known -> known.id().toString().equals(system))
                .map(known -> !Objects.equals(idOf(known.levelOf(formerTotal)), idOf(points.get(LEVEL)))).findFirst()
                .orElse(true);
    }

    private static String idOf(Level level) {
        return level == null ? null : level.id().toString();
    }

    private static Object idOf(Object level) {
        return level == null ? null : ((Map<?, ?>) level).get("id");
    }

    private static List<Object> newest(Map<String, Object> before, Map<String, Object> points) {
        var awards = new ArrayList<Object>((List<?>) before.get(AWARDS));
        awards.addAll((List<?>) points.get(AWARDS));
        return awards.subList(Math.max(0, awards.size() - MAX_AWARDS), awards.size());
    }

    private static long number(Map<String, Object> points, String field) {
        return ((Number) points.get(field)).longValue();
    }

    private static Map<String, Object> bodyOf(HookEvent event) {
        return copyOf(Json.readTree(event.body().getBytes(UTF_8)));
    }

    private static Map<String, Object> pointsOf(Map<String, Object> body) {
        return copyOf(body.get(POINTS));
    }

    private static Map<String, Object> copyOf(Object fields) {
        var copy = new LinkedHashMap<String, Object>();
        ((Map<?, ?>) fields).forEach((name, value) -> copy.put((String) name, value));
        return copy;
    }

    /** The same id whenever these two are merged. */
    private static UUID idOf(HookEvent older, HookEvent newer) {
        return UUID.nameUUIDFromBytes(("laurel-merged/" + older.id() + "/" + newer.id()).getBytes(UTF_8));
    }
}
