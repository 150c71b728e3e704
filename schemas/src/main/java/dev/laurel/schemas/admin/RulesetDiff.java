package dev.laurel.schemas.admin;

import dev.laurel.schemas.kind.Type;
import dev.laurel.schemas.kind.Type.Entries;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.AuditBody.AuthorBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetChangeBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetVersionBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetVersionBody.ChangedObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares two rulesets in their human form: lists added and removed objects as a whole, and changed fields of the others.
 * Pure; belongs to one comparison.
 */
public final class RulesetDiff {

    /** Limits the objects of a summary; the difference itself has all. */
    private static final int MAX_NAMED = 20;

    private final List<RulesetChangeBody> changes = new ArrayList<>();

    private RulesetDiff() {}

    /** @param now time at which the status of leaderboards is evaluated */
    public static List<RulesetChangeBody> between(Ruleset before, Ruleset after, Instant now) {
        var diff = new RulesetDiff();
        diff.maps("", tree(before, now), tree(after, now));
        return diff.changes;
    }

    /** Summarizes the changes of a version by object. */
    public static RulesetVersionBody summary(Ruleset before, Ruleset after) {
        var objects = new LinkedHashMap<String, String>();
        for (RulesetChangeBody change : between(before, after, after.published())) {
            boolean isWhole =
                    holdsObjects(change.path().substring(0, change.path().lastIndexOf('/')));
            objects.putIfAbsent(
                    IssueMessages.owner(change.path()), isWhole ? change.change() : RulesetChangeBody.CHANGED);
        }
        return new RulesetVersionBody(
                after.version(),
                after.published(),
                AuthorBody.of(after.author()),
                count(objects, RulesetChangeBody.ADDED),
                count(objects, RulesetChangeBody.CHANGED),
                count(objects, RulesetChangeBody.REMOVED),
                objects.entrySet().stream()
                        .limit(MAX_NAMED)
                        .map(e -> new ChangedObject(e.getValue(), e.getKey()))
                        .toList());
    }

    /**
     * Those of the changes by a source that delete something: an object, a group of settings, or what is in a section that the source
     * has and that is empty. A single field without a value is none.
     */
    public static List<RulesetChangeBody> deletions(List<RulesetChangeBody> changes, RulesetSource source) {
        return changes.stream()
                .filter(change -> change.change().equals(RulesetChangeBody.REMOVED))
                .filter(change -> isWhole(change.path()) || isEmptied(change.path(), source))
                .toList();
    }

    private static boolean isWhole(String path) {
        return holdsObjects(path.substring(0, path.lastIndexOf('/')))
                || RulesetSource.typeAt(path) instanceof Type.Part;
    }

    private static boolean isEmptied(String path, RulesetSource source) {
        String section = path.split("/")[1];
        return source.content().has(section) && source.content().part(section).isEmpty();
    }

    private static boolean holdsObjects(String path) {
        return RulesetSource.typeAt(path) instanceof Entries;
    }

    private static int count(Map<String, String> objects, String change) {
        return (int) objects.values().stream().filter(change::equals).count();
    }

    private static Map<?, ?> tree(Ruleset ruleset, Instant now) {
        return tidy(Json.plain(RulesetSource.of(ruleset, now))) instanceof Map<?, ?> tree ? tree : Map.of();
    }

    /** Removes nulls and empty maps. */
    private static @Nullable Object tidy(@Nullable Object value) {
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
        if (holdsObjects(path)) {
            order(path, before, after);
        }
    }

    private void values(String path, @Nullable Object before, @Nullable Object after) {
        if (Objects.equals(before, after)) {
            return;
        }
        // The content of sections and maps of objects is listed even if the whole was added or removed.
        boolean isOpened = path.indexOf('/', 1) < 0 || holdsObjects(path);
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

    /** Compares the order of objects, in which rules are applied. */
    private void order(String path, Map<?, ?> before, Map<?, ?> after) {
        List<?> was = before.keySet().stream().filter(after::containsKey).toList();
        List<?> is = after.keySet().stream().filter(before::containsKey).toList();
        if (!was.equals(is)) {
            changes.add(new RulesetChangeBody(RulesetChangeBody.CHANGED, path, Optional.of(was), Optional.of(is)));
        }
    }
}
