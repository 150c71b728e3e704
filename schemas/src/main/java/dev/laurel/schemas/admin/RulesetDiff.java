package dev.laurel.schemas.admin;

import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.RulesetBody.RulesetChangeBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetVersionBody.ChangedObject;
import dev.laurel.schemas.wire.RulesetBody.RulesetVersionBody;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What is different between two rulesets in their human form: whole objects that came or went, single fields of those that
 * are in both. Pure; belongs to one comparison.
 */
public final class RulesetDiff {

    /** A history is for people, who find the rest in the difference itself. */
    private static final int MAX_NAMED = 20;

    /** Maps of objects. What is in them is told of one by one even where the map as a whole came or went. */
    private static final Pattern OBJECTS = Pattern
            .compile("/metrics|/attributes/(user|event)|/achievements|/points|/points/[^/]+/(levels|boosts|triggers)"
                    + "|/leaderboards|/webhooks|/notifications/templates");
    private static final Pattern AROUND_OBJECTS = Pattern.compile("/attributes|/notifications|/streak|/settings");

    private final List<RulesetChangeBody> changes = new ArrayList<>();

    private RulesetDiff() {}

    /** @param now both are compared as what they are at this time */
    public static List<RulesetChangeBody> between(Ruleset before, Ruleset after, Instant now) {
        var diff = new RulesetDiff();
        diff.maps("", tree(before, now), tree(after, now));
        return diff.changes;
    }

    /** What a version has changed, by the objects that it has changed. */
    public static RulesetVersionBody summary(Ruleset before, Ruleset after) {
        var objects = new LinkedHashMap<String, String>();
        for (RulesetChangeBody change : between(before, after, after.published())) {
            String[] steps = change.path().split("/");
            boolean isWhole = OBJECTS.matcher(String.join("/", List.of(steps).subList(0, steps.length - 1))).matches();
            objects.putIfAbsent(IssueMessages.owner(change.path()),
                    isWhole ? change.change() : RulesetChangeBody.CHANGED);
        }
        return new RulesetVersionBody(after.version(), after.published(), count(objects, RulesetChangeBody.ADDED),
                count(objects, RulesetChangeBody.CHANGED), count(objects, RulesetChangeBody.REMOVED),
                objects.entrySet().stream().limit(MAX_NAMED).map(e -> new ChangedObject(e.getValue(), e.getKey()))
                        .toList());
    }

    private static int count(Map<String, String> objects, String change) {
        return (int) objects.values().stream().filter(change::equals).count();
    }

    private static Map<?, ?> tree(Ruleset ruleset, Instant now) {
        return (Map<?, ?>) tidy(Json.plain(RulesetSource.of(ruleset, now)));
    }

    /** Without what is null or empty. */
    private static Object tidy(Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            return value;
        }
        var tidy = new LinkedHashMap<Object, Object>();
        map.forEach((key, field) -> {
            Object kept = tidy(field);
            if (kept != null && !Map.of().equals(kept)) {
                tidy.put(key, kept);
            }
        });
        return tidy;
    }

    private void maps(String path, Map<?, ?> before, Map<?, ?> after) {
        var keys = new LinkedHashSet<Object>(after.keySet());
        keys.addAll(before.keySet());
        for (Object key : keys) {
            String step = key.toString().replace("~", "~0").replace("/", "~1");
            values(path + "/" + step, before.get(key), after.get(key));
        }
        if (OBJECTS.matcher(path).matches()) {
            order(path, before, after);
        }
    }

    private void values(String path, Object before, Object after) {
        if (Objects.equals(before, after)) {
            return;
        }
        boolean isOpened = path.indexOf('/', 1) < 0 || OBJECTS.matcher(path).matches()
                || AROUND_OBJECTS.matcher(path).matches();
        boolean areMaps = (before instanceof Map || before == null) && (after instanceof Map || after == null);
        if (areMaps && (isOpened || before != null && after != null)) {
            maps(path, before == null ? Map.of() : (Map<?, ?>) before, after == null ? Map.of() : (Map<?, ?>) after);
            return;
        }
        String change = before == null
                ? RulesetChangeBody.ADDED
                : after == null ? RulesetChangeBody.REMOVED : RulesetChangeBody.CHANGED;
        changes.add(new RulesetChangeBody(change, path, Optional.ofNullable(before), Optional.ofNullable(after)));
    }

    /** Rules apply in their order, so that is a difference too. */
    private void order(String path, Map<?, ?> before, Map<?, ?> after) {
        List<?> was = before.keySet().stream().filter(after::containsKey).toList();
        List<?> is = after.keySet().stream().filter(before::containsKey).toList();
        if (!was.equals(is)) {
            changes.add(new RulesetChangeBody(RulesetChangeBody.CHANGED, path, Optional.of(was), Optional.of(is)));
        }
    }
}
