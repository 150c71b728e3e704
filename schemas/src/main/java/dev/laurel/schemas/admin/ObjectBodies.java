package dev.laurel.schemas.admin;

import static dev.laurel.schemas.kind.IssueList.word;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.edit.Edit.SettingsKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Field.Missing;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.kind.Type;
import dev.laurel.schemas.kind.Type.Entries;
import dev.laurel.schemas.kind.Type.ListOf;
import dev.laurel.schemas.kind.Type.MapOf;
import dev.laurel.schemas.kind.Type.Part;
import dev.laurel.schemas.kind.Type.Reference;
import dev.laurel.schemas.kind.Type.Target;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes the bodies of objects and settings of a ruleset from their kinds (docs/admin-api.md). Belongs to one answer. */
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
     * @param parent id of the points system to which they belong; null for kinds without a parent
     * @return null if there is no such points system
     */
    public static @Nullable List<ObjectBody> of(ObjectKind kind, Ruleset ruleset, @Nullable UUID parent, Instant now) {
        var bodies = new ObjectBodies(ruleset, now);
        return !kind.hasParent()
                ? bodies.objects(kind)
                : ruleset.pointsSystems().stream()
                        .filter(system -> system.id().equals(parent))
                        .findFirst()
                        .map(system -> bodies.parts(kind, system))
                        .orElse(null);
    }

    /** Like {@link #of} for a points system that exists. */
    public static List<ObjectBody> ofExisting(ObjectKind kind, Ruleset ruleset, @Nullable UUID parent, Instant now) {
        return Objects.requireNonNull(of(kind, ruleset, parent, now), "the points system exists");
    }

    /** The settings with all defaults. @param access the secrets, of which bodies show only whether they are set */
    public static ObjectBody settings(SettingsKind kind, Ruleset ruleset, AccessIndex access) {
        return settings(kind, ruleset, new PendingAccess(access));
    }

    /**
     * The account of an instance with several tenants, for a request that names none of them: what is the whole instance's, and what
     * public clients require, as a new tenant has it.
     */
    public static ObjectBody ofInstance(AccessIndex access) {
        return ofInstance(new PendingAccess(access));
    }

    static ObjectBody ofInstance(PendingAccess access) {
        ObjectBody ofNew = settings(SettingsKind.ACCOUNT, Ruleset.empty(TenantId.NONE), access);
        var body = new ObjectBody(Map.of());
        for (String field : List.of("branding", "experimentation", "aggregationPeriod", "multiTenancyEnabled")) {
            body = body.with(field, ofNew.get(field));
        }
        return body;
    }

    static ObjectBody settings(SettingsKind kind, Ruleset ruleset, PendingAccess access) {
        var bodies = new ObjectBodies(ruleset, Instant.EPOCH);
        return switch (kind) {
            case ACCOUNT ->
                bodies.body(Settings.KIND, ruleset.settings(), Map.of())
                        .with(
                                "aggregationPeriod",
                                word(ruleset.notifications()
                                        .timing()
                                        .recapPeriod()
                                        .aggregation()))
                        .with(
                                "recapPeriod",
                                word(ruleset.notifications().timing().recapPeriod()))
                        .with("multiTenancyEnabled", access.isMultiTenant());
            case STREAK -> bodies.streak(ruleset.streak());
            case NOTIFICATIONS ->
                bodies.body(Notifications.Timing.KIND, ruleset.notifications().timing(), Map.of());
            case CHANNELS ->
                new ObjectBody(Map.of())
                        .with(
                                "email",
                                bodies.body(
                                                Notifications.Sender.KIND,
                                                ruleset.notifications().sender(),
                                                Map.of())
                                        .with(
                                                "smtpConfigured",
                                                ChannelSecrets.has(access, ruleset.tenant(), Secret.SMTP_URL)))
                        .with("push", ChannelSecrets.services(access, ruleset.tenant()));
        };
    }

    /**
     * The body of an object in the answer to its creation.
     *
     * @param body the body in other answers
     * @param json the fields of the item in the request
     */
    static ObjectBody created(ObjectKind kind, ObjectBody body, @Nullable Object json, Ruleset ruleset, Instant now) {
        return switch (kind) {
            case ACHIEVEMENT -> body.with("completions", 0);
            case POINTS_SYSTEM -> {
                ObjectBody system = body;
                for (ObjectKind part : List.of(ObjectKind.LEVEL, ObjectKind.BOOST, ObjectKind.TRIGGER)) {
                    String field = part.path().substring(part.path().lastIndexOf('/') + 1);
                    if (json instanceof Map<?, ?> fields && fields.get(field) != null) {
                        system = system.with(field, ofExisting(part, ruleset, body.id(), now));
                    }
                }
                yield system;
            }
            default -> body;
        };
    }

    private List<ObjectBody> objects(ObjectKind kind) {
        return switch (kind) {
            case METRIC -> all(Metric.KIND, sorted(ruleset.metrics(), Comparator.comparingInt(Metric::number)));
            case ATTRIBUTE ->
                sorted(ruleset.attributes(), Comparator.comparingInt(Attribute::number)).stream()
                        .map(a -> body(Attribute.KIND, a, Map.of("type", word(a.type()))))
                        .toList();
            case POINTS_SYSTEM ->
                ruleset.pointsSystems().stream()
                        .map(s -> body(PointsSystem.KIND, s, Map.of("status", "active")))
                        .toList();
            case LEADERBOARD ->
                sorted(ruleset.leaderboards(), Comparator.comparing(Leaderboard::created)).stream()
                        .map(l -> body(Leaderboard.KIND, l, Map.of("status", word(l.statusAt(now)))))
                        .toList();
            case ACHIEVEMENT ->
                all(Achievement.KIND, sorted(ruleset.achievements(), Comparator.comparing(Achievement::created)));
            case WEBHOOK -> all(Webhook.KIND, sorted(ruleset.webhooks(), Comparator.comparingInt(Webhook::number)));
            case TEMPLATE ->
                all(
                        Template.KIND,
                        sorted(ruleset.notifications().templates(), Comparator.comparingInt(Template::number)));
            case LEVEL, BOOST, TRIGGER -> throw new IllegalArgumentException(kind + " belongs to a points system");
        };
    }

    private List<ObjectBody> parts(ObjectKind kind, PointsSystem system) {
        return switch (kind) {
            // In the order of creation, not of their points.
            case LEVEL -> all(Level.KIND, sorted(system.levels(), Comparator.comparingInt(Level::number)));
            case BOOST -> system.boosts().stream().map(this::boost).toList();
            case TRIGGER -> all(PointsTrigger.KIND, system.triggers());
            default -> throw new IllegalArgumentException(kind + " belongs to no points system");
        };
    }

    private ObjectBody boost(Boost boost) {
        var computed = new HashMap<String, @Nullable Object>();
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        computed.put(
                "status",
                today.isBefore(boost.start())
                        ? "scheduled"
                        : boost.end() != null && today.isAfter(boost.end()) ? "finished" : "active");
        computed.put("userId", null); // only personal boosts have a user
        return body(Boost.KIND, boost, computed);
    }

    private static <T> List<T> sorted(List<T> objects, Comparator<T> order) {
        return objects.stream().sorted(order).toList();
    }

    private <T> List<ObjectBody> all(Kind<T> kind, List<T> objects) {
        return objects.stream().map(object -> body(kind, object, Map.of())).toList();
    }

    /** @param computed fields that are not shown as the document holds them */
    private <T> ObjectBody body(Kind<T> kind, T object, Map<String, ? extends @Nullable Object> computed) {
        FieldMap draft = kind.exportAll(object);
        var fields = new LinkedHashMap<String, @Nullable Object>(fields(kind, draft));
        if (kind.isObject()) {
            fields.put("id", draft.id());
            for (String component : List.of("key", "created", "updated")) {
                fields.put(component, Records.get(object, component));
            }
            if (String.valueOf(draft.id()).equals(fields.get("key"))) {
                fields.remove("key"); // the object has no key of its own
            }
        }
        fields.putAll(computed);
        return new ObjectBody(ordered(kind, fields));
    }

    /** The settings of streaks by the names of Laurel and by those of public clients. */
    private ObjectBody streak(StreakSettings streak) {
        var target = new Target("metric", "metrics");
        var metrics = new ArrayList<Map<String, @Nullable Object>>();
        for (StreakSettings.Condition condition : streak.conditions()) {
            var entry = new LinkedHashMap<String, @Nullable Object>();
            entry.put("key", condition.metric());
            entry.put("metricId", idOf(target, condition.metric()));
            StreakSettingsForms.show(condition.threshold(), entry);
            metrics.add(entry);
        }
        return body(StreakSettings.KIND, streak, Map.of("metrics", metrics))
                .with("customizationEnabled", streak.personalization() != null)
                .with("freezes", StreakSettingsForms.shown(streak.freezes()));
    }

    private static Map<String, @Nullable Object> ordered(Kind<?> kind, Map<String, @Nullable Object> fields) {
        if (kind.shown().isEmpty()) {
            return fields;
        }
        var rest = new LinkedHashMap<>(fields);
        rest.keySet().removeAll(List.of("id", "key", "created", "updated"));
        kind.shown().forEach(rest::remove);
        var ordered = new LinkedHashMap<String, @Nullable Object>();
        for (String name : kind.shown()) {
            if (name.equals("created")) {
                ordered.putAll(rest);
            }
            if (fields.containsKey(name)) {
                ordered.put(name, fields.get(name));
            }
        }
        ordered.putAll(rest);
        return ordered;
    }

    /** @param draft with all defaults */
    private Map<String, @Nullable Object> fields(Kind<?> kind, FieldMap draft) {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        for (Field field : kind.fields()) {
            if (field.isHidden() || field.type() instanceof Entries) {
                continue;
            }
            Object value = draft.get(field.name());
            boolean isShownEmpty = field.missing() != Missing.NULL || !FieldMap.EMPTY.equals(value);
            Object shown = value != null && isShownEmpty
                    ? shown(field, field.type(), value)
                    : kind.goesWith(field, draft) ? field.missing() : field.otherwise();
            if (shown != null && shown != Missing.ABSENT) {
                put(fields, field.adminName(), shown);
                if (field.adminAlias() != null) {
                    put(fields, field.adminAlias(), shown);
                }
            }
        }
        return fields;
    }

    /** @param name may lead into an object, which is null if the field has no value */
    private static void put(Map<String, @Nullable Object> fields, String name, Object shown) {
        int dot = name.indexOf('.');
        String outer = dot < 0 ? name : name.substring(0, dot);
        if (shown == Missing.NULL) {
            fields.put(outer, null);
        } else if (dot < 0) {
            fields.put(name, shown);
        } else {
            var object = new LinkedHashMap<Object, @Nullable Object>();
            if (fields.get(outer) instanceof Map<?, ?> others) {
                object.putAll(others);
            }
            object.put(name.substring(dot + 1), shown);
            fields.put(outer, object);
        }
    }

    private @Nullable Object shown(Field field, Type type, Object value) {
        return switch (type) {
            case Reference(Target target) -> idOf(target, (String) value);
            case ListOf list ->
                ((List<?>) value)
                        .stream().map(item -> shown(field, list.item(), item)).toList();
            case MapOf map
            when map.key() instanceof Reference(Target target) -> {
                var entries = new ArrayList<Map<String, @Nullable Object>>();
                ((FieldMap) value).forEach((key, entry) -> entries.add(entry(field, map, idOf(target, key), entry)));
                yield entries;
            }
            case Part(Kind<?> kind) -> fields(kind, (FieldMap) value);
            default -> value instanceof FieldMap draft ? draft.values() : value;
        };
    }

    private Map<String, @Nullable Object> entry(Field field, MapOf type, @Nullable UUID id, Object value) {
        var entry = new LinkedHashMap<String, @Nullable Object>();
        entry.put(field.entryKey(), id);
        if (type.value() instanceof Part(Kind<?> kind)) {
            entry.putAll(fields(kind, (FieldMap) value));
        } else {
            entry.put(field.entryValue(), value);
        }
        return entry;
    }

    private @Nullable UUID idOf(Target target, String key) {
        return ids.computeIfAbsent(target, this::idsOf).get(key);
    }

    private Map<String, UUID> idsOf(Target target) {
        var byKey = new HashMap<String, UUID>();
        switch (target.path().getFirst()) {
            case "metrics" -> ruleset.metrics().forEach(m -> byKey.put(m.key(), m.id()));
            case "achievements" -> ruleset.achievements().forEach(a -> byKey.put(a.key(), a.id()));
            case "leaderboards" -> ruleset.leaderboards().forEach(l -> byKey.put(l.key(), l.id()));
            case "points" -> ruleset.pointsSystems().forEach(s -> byKey.put(s.key(), s.id()));
            default ->
                ruleset.attributes().stream()
                        .filter(a -> word(a.type()).equals(target.path().getLast()))
                        .forEach(a -> byKey.put(a.key(), a.id()));
        }
        return byKey;
    }
}
