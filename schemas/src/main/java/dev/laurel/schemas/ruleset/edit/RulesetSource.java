package dev.laurel.schemas.ruleset.edit;

import static dev.laurel.schemas.kind.Kind.MAX_OBJECTS;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.FieldMap.DraftException;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Type;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Attribute.AttributeType;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.Webhook;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The human form of a ruleset: the content of {@code laurel.yaml}. Objects are entries of maps, under their keys and in the
 * order of the file. Omitted fields have their defaults. Immutable.
 *
 * @param content a draft of {@link #KIND}
 */
public record RulesetSource(FieldMap content) {

    private static final int MAX_WEBHOOKS = 100;
    private static final int MAX_TEMPLATES = 500;

    /**
     * The configuration of a tenant: the content of laurel.yaml. Objects are entries of maps, under their keys; rules are applied in the
     * order of the entries. Keys have 1 to 255 letters, digits, '-' and '_'. An object that keeps its key keeps its id and the data of
     * users; an object with another key is a new object. The data of users of a removed object are kept, and the object continues with
     * them when it returns under the same key (docs/admin-api.md C).
     */
    public static final Kind<?> KIND = Kind.of(
            "ruleset",
            null,
            // The metrics, by metric key. An event with any other key is refused.
            Field.entries("metrics", Metric.KIND, MAX_OBJECTS),
            // The custom attributes that requests may set. A request with another attribute is refused.
            Field.part(
                    "attributes",
                    Kind.of(
                            "attributes",
                            null,
                            // Attributes of users, by attribute key.
                            Field.entries("user", Attribute.KIND, MAX_OBJECTS).together(Attribute::checkUsers),
                            // Attributes of events, by attribute key.
                            Field.entries("event", Attribute.KIND, MAX_OBJECTS).together(Attribute::checkEvents))),
            // The achievements, by achievement key.
            Field.entries("achievements", Achievement.KIND, MAX_OBJECTS).together(CompositeCycles::check),
            // The points systems, by system key.
            Field.entries("points", PointsSystem.KIND, MAX_OBJECTS),
            // The settings of streaks. Left out: a daily streak that any positive event extends.
            Field.part("streak", StreakSettings.KIND),
            // The leaderboards, by leaderboard key; at most 100 that are not finished.
            Field.entries("leaderboards", Leaderboard.KIND, MAX_OBJECTS),
            // Settings of the tenant.
            Field.part("settings", Settings.KIND),
            // The webhooks, by webhook key. The secret that signs the events of a webhook is created together with the
            // webhook and shown
            // by the admin API.
            Field.entries("webhooks", Webhook.KIND, MAX_WEBHOOKS),
            // Messages by email and push. The credentials of the services that send them are secrets and are set by the
            // admin API.
            Field.part(
                    "notifications",
                    Kind.of(
                            "notifications",
                            null,
                            // The templates of messages, by template key.
                            Field.entries("templates", Template.KIND, MAX_TEMPLATES)
                                    .together(Template::checkUnique),
                            // The times at which messages are due, in the user's local time.
                            Field.part("settings", Notifications.Timing.KIND),
                            // The senders of messages.
                            Field.part(
                                    "channels",
                                    Kind.of("channels", null, Field.part("email", Notifications.Sender.KIND))))));

    /** The export of a ruleset without rules: every map of objects is there, and empty. */
    public static final RulesetSource EMPTY = of(Ruleset.empty(TenantId.NONE), Instant.EPOCH);

    /**
     * Reads plain values, as a JSON parser returns them.
     *
     * @throws DraftException if there is an unknown field or a value of a wrong type; nothing else is checked
     */
    public static RulesetSource of(Map<?, ?> values) {
        return new RulesetSource(KIND.read(values));
    }

    /**
     * Exports a ruleset. Applying the source to the same ruleset changes nothing. Values that equal their defaults are omitted;
     * ids are included, so that the objects keep them on another instance.
     *
     * @param now time at which the status of leaderboards is evaluated
     */
    public static RulesetSource of(Ruleset ruleset, Instant now) {
        Notifications notifications = ruleset.notifications();
        FieldMap email = Notifications.Sender.KIND.export(notifications.sender());
        List<Leaderboard> boards = ruleset.leaderboards().stream()
                .map(board -> LeaderboardEditor.exported(board, now))
                .toList();
        return new RulesetSource(FieldMap.of(
                "metrics",
                Metric.KIND.export(ruleset.metrics()),
                "attributes",
                FieldMap.of(
                        "user",
                        attributes(ruleset, AttributeType.USER),
                        "event",
                        attributes(ruleset, AttributeType.EVENT)),
                "achievements",
                Achievement.KIND.export(ruleset.achievements()),
                "points",
                PointsSystem.KIND.export(ruleset.pointsSystems()),
                "streak",
                ruleset.streak().equals(StreakSettings.DEFAULT) ? null : StreakSettings.KIND.export(ruleset.streak()),
                "leaderboards",
                Leaderboard.KIND.export(boards),
                "settings",
                unlessEmpty(Settings.KIND.export(ruleset.settings())),
                "webhooks",
                Webhook.KIND.export(ruleset.webhooks()),
                "notifications",
                FieldMap.of(
                        "templates",
                        Template.KIND.export(notifications.templates()),
                        "settings",
                        notifications.timing().equals(Notifications.Timing.DEFAULT)
                                ? null
                                : Notifications.Timing.KIND.export(notifications.timing()),
                        "channels",
                        email.isEmpty() ? null : FieldMap.of("email", email))));
    }

    private static FieldMap attributes(Ruleset ruleset, AttributeType type) {
        return Attribute.KIND.export(
                ruleset.attributes().stream().filter(a -> a.type() == type).toList());
    }

    private static @Nullable FieldMap unlessEmpty(FieldMap draft) {
        return draft.isEmpty() ? null : draft;
    }

    /**
     * Checks keys, ranges and references (docs/admin-api.md A1). Only {@link RulesetEditor} checks changes of existing objects.
     *
     * @return the first hundred issues in the order of the document
     */
    public List<Issue> issues() {
        var issues = new IssueList();
        KIND.check(content, issues);
        return issues.found();
    }

    /**
     * This source with the sections of another that it does not have, so that it says nothing about them. A section that it has and
     * that is empty stays empty. Attributes of users and of events are sections of their own, and so are templates, settings and
     * senders of messages.
     */
    public RulesetSource over(RulesetSource other) {
        return new RulesetSource(over(KIND, content, other.content));
    }

    private static FieldMap over(Kind<?> kind, FieldMap given, FieldMap other) {
        FieldMap merged = given;
        for (Field field : kind.fields()) {
            String name = field.name();
            if (!given.has(name) && other.has(name)) {
                merged = merged.with(name, other.get(name));
            } else if (field.type() instanceof Type.Part(Kind<?> part)
                    && part.recordType() == null
                    && !given.part(name).isEmpty()) {
                merged = merged.with(name, over(part, given.part(name), other.part(name)));
            }
        }
        return merged;
    }

    /** The type of the value to which a JSON pointer leads; null if there is no such field. */
    public static @Nullable Type typeAt(String pointer) {
        return KIND.typeAt(
                pointer.isEmpty() ? List.of() : List.of(pointer.substring(1).split("/")));
    }

    /**
     * Finds achievements that require each other, so that none of them can be completed. A depth-first search that keeps its path
     * in a map, because a chain of ten thousand achievements would overflow the call stack.
     */
    private static final class CompositeCycles {

        private final Map<String, List<String>> prerequisites;
        private final int max;
        private final List<List<String>> cycles = new ArrayList<>();
        private final Set<String> done = new HashSet<>();

        /** The keys from the start to the present one, with those of their prerequisites that are not followed yet. */
        private final LinkedHashMap<String, Iterator<String>> path = new LinkedHashMap<>();

        private CompositeCycles(Map<String, List<String>> prerequisites, int max) {
            this.prerequisites = prerequisites;
            this.max = max;
        }

        /** @param path JSON pointer to the map of achievements */
        static void check(IssueList issues, String path, FieldMap achievements) {
            var prerequisites = new LinkedHashMap<String, List<String>>();
            achievements.values().forEach((key, value) -> {
                if (value instanceof FieldMap achievement && "achievement".equals(achievement.text("trigger"))) {
                    prerequisites.put(
                            key,
                            achievement.list("achievements").stream()
                                    .map(String.class::cast)
                                    .toList());
                }
            });
            for (List<String> cycle : in(prerequisites, IssueList.MAX_ISSUES + 1)) {
                String first = cycle.getFirst();
                String members = IssueList.joined(cycle, " needs ");
                issues.add(
                        path + "/" + IssueList.escaped(first) + "/achievements",
                        "leads in a circle: " + members + " needs " + IssueList.quoted(first)
                                + ", so none of them can be completed");
            }
        }

        /**
         * @param prerequisites keys by key
         * @return at most {@code max} cycles, each in the order of its requirements; one that requires itself is a cycle of one
         */
        static List<List<String>> in(Map<String, List<String>> prerequisites, int max) {
            var walk = new CompositeCycles(prerequisites, max);
            prerequisites.keySet().forEach(walk::from);
            return walk.cycles;
        }

        private void from(String start) {
            enter(start);
            while (!path.isEmpty() && cycles.size() < max) {
                Map.Entry<String, Iterator<String>> last = path.lastEntry();
                if (!last.getValue().hasNext()) {
                    path.remove(last.getKey());
                    done.add(last.getKey());
                    continue;
                }
                String next = last.getValue().next();
                if (path.containsKey(next)) {
                    List<String> keys = List.copyOf(path.keySet());
                    cycles.add(keys.subList(keys.indexOf(next), keys.size()));
                } else {
                    enter(next);
                }
            }
        }

        private void enter(String key) {
            List<String> next = prerequisites.get(key);
            if (next != null && !done.contains(key)) {
                path.put(key, next.iterator());
            }
        }
    }
}
