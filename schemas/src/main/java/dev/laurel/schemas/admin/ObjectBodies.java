package dev.laurel.schemas.admin;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.edit.ObjectKind;
import dev.laurel.schemas.edit.SettingsKind;
import dev.laurel.schemas.kind.Draft;
import dev.laurel.schemas.kind.Field.Missing;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.kind.Type.Entries;
import dev.laurel.schemas.kind.Type.ListOf;
import dev.laurel.schemas.kind.Type.MapOf;
import dev.laurel.schemas.kind.Type.Part;
import dev.laurel.schemas.kind.Type.Reference;
import dev.laurel.schemas.kind.Type.Target;
import dev.laurel.schemas.kind.Type;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.Webhook;
import dev.laurel.schemas.wire.ObjectBody;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * What the admin API shows of the objects and settings of a ruleset, derived from their kinds (docs/admin-api.md). Belongs to one
 * answer.
 */
public final class ObjectBodies {

    private final Ruleset ruleset;
    private final Instant now;
    private final Map<Target, Map<String, UUID>> ids = new HashMap<>();

    private ObjectBodies(Ruleset ruleset, Instant now) {
        this.ruleset = ruleset;
        this.now = now;
    }

    /**
     * All objects of this kind, oldest first.
     *
     * @param parent id of the points system they belong to, null where there is none
     * @return null if there is no such points system
     */
    public static List<ObjectBody> of(ObjectKind kind, Ruleset ruleset, UUID parent, Instant now) {
        var bodies = new ObjectBodies(ruleset, now);
        if (!kind.hasParent()) {
            return bodies.of(kind, null);
        }
        PointsSystem system = systemOf(ruleset, parent);
        return system == null ? null : bodies.of(kind, system);
    }

    private static PointsSystem systemOf(Ruleset ruleset, UUID id) {
        return ruleset.pointsSystems().stream().filter(system -> system.id().equals(id)).findFirst().orElse(null);
    }

    /** One of the singletons: all of it, defaults filled in. @param access says which secrets there are; none is shown */
    public static ObjectBody settings(SettingsKind kind, Ruleset ruleset, AccessIndex access) {
        return settings(kind, ruleset, new AccessDraft(access));
    }

    static ObjectBody settings(SettingsKind kind, Ruleset ruleset, AccessDraft access) {
        var bodies = new ObjectBodies(ruleset, Instant.EPOCH);
        return switch (kind) {
            case ACCOUNT -> bodies.body(Settings.KIND, ruleset.settings(), Map.of()).with("multiTenancyEnabled",
                    access.isMultiTenant());
            case STREAK -> bodies.body(StreakSettings.KIND, ruleset.streak(), Map.of());
            case NOTIFICATIONS ->
                bodies.body(Notifications.Timing.KIND, ruleset.notifications().timing(), Map.of());
            case CHANNELS -> new ObjectBody(Map.of()).with("email",
                    bodies.body(Notifications.Sender.KIND, ruleset.notifications().sender(), Map.of())
                            .with("smtpConfigured", ChannelSecrets.has(access, ruleset.tenant(), Secret.SMTP_URL)))
                    .with("push", ChannelSecrets.services(access, ruleset.tenant()));
        };
    }

    /**
     * The body of an object in the answer to its creation.
     *
     * @param body as it is always shown
     * @param json the fields of the item that it was made from
     */
    static ObjectBody created(ObjectKind kind, ObjectBody body, Object json, Ruleset ruleset, Instant now) {
        return switch (kind) {
            case ACHIEVEMENT -> body.with("completions", 0); // nobody can have it yet
            case POINTS_SYSTEM -> {
                ObjectBody system = body;
                for (ObjectKind part : List.of(ObjectKind.LEVEL, ObjectKind.BOOST, ObjectKind.TRIGGER)) {
                    String field = part.path().substring(part.path().lastIndexOf('/') + 1);
                    if (((Map<?, ?>) json).get(field) != null) {
                        system = system.with(field, of(part, ruleset, body.id(), now));
                    }
                }
                yield system;
            }
            default -> body;
        };
    }

    private List<ObjectBody> of(ObjectKind kind, PointsSystem system) {
        return switch (kind) {
            case METRIC -> all(Metric.KIND, sorted(ruleset.metrics(), Comparator.comparingInt(Metric::number)));
            case ATTRIBUTE -> sorted(ruleset.attributes(), Comparator.comparingInt(Attribute::number)).stream()
                    .map(a -> body(Attribute.KIND, a, Map.of("type", word(a.type())))).toList();
            case POINTS_SYSTEM -> ruleset.pointsSystems().stream()
                    .map(s -> body(PointsSystem.KIND, s, Map.of("status", "active"))).toList();
            // In the order of their creation; the document has them by their points.
            case LEVEL -> all(Level.KIND, sorted(system.levels(), Comparator.comparingInt(Level::number)));
            case BOOST -> system.boosts().stream().map(this::boost).toList();
            case TRIGGER -> all(PointsTrigger.KIND, system.triggers());
            case LEADERBOARD -> sorted(ruleset.leaderboards(), Comparator.comparing(Leaderboard::created)).stream()
                    .map(l -> body(Leaderboard.KIND, l, Map.of("status", word(l.statusAt(now))))).toList();
            case ACHIEVEMENT ->
                all(Achievement.KIND, sorted(ruleset.achievements(), Comparator.comparing(Achievement::created)));
            case WEBHOOK -> all(Webhook.KIND, sorted(ruleset.webhooks(), Comparator.comparingInt(Webhook::number)));
            case TEMPLATE -> all(Template.KIND,
                    sorted(ruleset.notifications().templates(), Comparator.comparingInt(Template::number)));
        };
    }

    private ObjectBody boost(Boost boost) {
        var computed = new HashMap<String, Object>();
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        computed.put("status", today.isBefore(boost.start())
                ? "scheduled"
                : boost.end() != null && today.isAfter(boost.end()) ? "finished" : "active");
        computed.put("userId", null); // it belongs to no single user
        return body(Boost.KIND, boost, computed);
    }

    private static <T> List<T> sorted(List<T> objects, Comparator<T> order) {
        return objects.stream().sorted(order).toList();
    }

    private <T> List<ObjectBody> all(Kind<T> kind, List<T> objects) {
        return objects.stream().map(object -> body(kind, object, Map.of())).toList();
    }

    /** @param computed fields that no document holds, or not as they are shown */
    private <T> ObjectBody body(Kind<T> kind, T object, Map<String, ?> computed) {
        Draft draft = kind.exportAll(object);
        var fields = new LinkedHashMap<String, Object>(fields(kind, draft));
        if (kind.isObject()) {
            fields.put("id", draft.id());
            for (String component : List.of("key", "created", "updated")) {
                fields.put(component, Records.get(object, component));
            }
            if (fields.get("key").equals(draft.id().toString())) {
                fields.remove("key"); // a document did not give it one
            }
        }
        fields.putAll(computed);
        return new ObjectBody(ordered(kind, fields));
    }

    private static Map<String, Object> ordered(Kind<?> kind, Map<String, Object> fields) {
        if (kind.shown().isEmpty()) {
            return fields;
        }
        var names = new LinkedHashSet<String>();
        var rest = new LinkedHashSet<>(fields.keySet());
        rest.removeAll(List.of("id", "key", "created", "updated"));
        kind.shown().forEach(rest::remove);
        for (String name : kind.shown()) {
            if (name.equals("created")) {
                names.addAll(rest);
            }
            names.add(name);
        }
        names.addAll(rest);
        names.retainAll(fields.keySet());
        var ordered = new LinkedHashMap<String, Object>();
        names.forEach(name -> ordered.put(name, fields.get(name)));
        return ordered;
    }

    /** @param draft with all defaults */
    private Map<String, Object> fields(Kind<?> kind, Draft draft) {
        var fields = new LinkedHashMap<String, Object>();
        for (Field field : kind.fields()) {
            if (field.isHidden() || field.type() instanceof Entries) {
                continue;
            }
            Object value = draft.get(field.name());
            boolean isMissing = value == null || Draft.EMPTY.equals(value) && field.missing() == Missing.NULL;
            Object shown = !isMissing
                    ? shown(field, field.type(), value)
                    : kind.goesWith(field, draft) ? field.missing() : field.otherwise();
            String name = field.adminName();
            int dot = name.indexOf('.');
            if (shown == Missing.NULL) {
                fields.put(dot < 0 ? name : name.substring(0, dot), null);
            } else if (shown != null && shown != Missing.ABSENT) {
                fields.put(dot < 0 ? name : name.substring(0, dot),
                        dot < 0 ? shown : Map.of(name.substring(dot + 1), shown));
            }
        }
        return fields;
    }

    private Object shown(Field field, Type type, Object value) {
        return switch (type) {
            case Reference(Target target) -> idOf(target, (String) value);
            case ListOf list -> ((List<?>) value).stream().map(item -> shown(field, list.item(), item)).toList();
            case MapOf map when map.key() instanceof Reference(Target target) -> ((Draft) value).values().entrySet()
                    .stream().map(entry -> entry(field, map, idOf(target, entry.getKey()), entry.getValue())).toList();
            case Part(Kind<?> kind) -> fields(kind, (Draft) value);
            default -> value instanceof Draft draft ? draft.values() : value;
        };
    }

    private Map<String, Object> entry(Field field, MapOf type, UUID id, Object value) {
        var entry = new LinkedHashMap<String, Object>();
        entry.put(field.entryKey(), id);
        if (type.value() instanceof Part(Kind<?> kind)) {
            entry.putAll(fields(kind, (Draft) value));
        } else {
            entry.put(field.entryValue(), value);
        }
        return entry;
    }

    private UUID idOf(Target target, String key) {
        return ids.computeIfAbsent(target, this::idsOf).get(key);
    }

    private Map<String, UUID> idsOf(Target target) {
        var byKey = new HashMap<String, UUID>();
        switch (target.path().getFirst()) {
            case "metrics" -> ruleset.metrics().forEach(m -> byKey.put(m.key(), m.id()));
            case "achievements" -> ruleset.achievements().forEach(a -> byKey.put(a.key(), a.id()));
            case "points" -> ruleset.pointsSystems().forEach(s -> byKey.put(s.key(), s.id()));
            default -> ruleset.attributes().stream().filter(a -> word(a.type()).equals(target.path().getLast()))
                    .forEach(a -> byKey.put(a.key(), a.id()));
        }
        return byKey;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
