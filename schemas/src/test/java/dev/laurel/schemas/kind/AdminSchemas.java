package dev.laurel.schemas.kind;

import static dev.laurel.schemas.kind.FileSchema.ordered;

import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.kind.Field.Missing;
import dev.laurel.schemas.kind.Kind.Keys;
import dev.laurel.schemas.kind.Type.Day;
import dev.laurel.schemas.kind.Type.Decimal;
import dev.laurel.schemas.kind.Type.Entries;
import dev.laurel.schemas.kind.Type.Flag;
import dev.laurel.schemas.kind.Type.FullText;
import dev.laurel.schemas.kind.Type.ListOf;
import dev.laurel.schemas.kind.Type.MapOf;
import dev.laurel.schemas.kind.Type.OfRecord;
import dev.laurel.schemas.kind.Type.Part;
import dev.laurel.schemas.kind.Type.Reference;
import dev.laurel.schemas.kind.Type.Text;
import dev.laurel.schemas.kind.Type.TimeOfDay;
import dev.laurel.schemas.kind.Type.Whole;
import dev.laurel.schemas.kind.Type.Words;
import dev.laurel.schemas.kind.Type.Zone;
import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Derives the schemas of configured objects and settings in the OpenAPI document of the admin API from their kinds.
 * {@link #computed}, {@link #onlyNew} and {@link #also} add what the kinds do not describe. An instance serves one document.
 */
final class AdminSchemas {

    private static final String TIME = "^\\d\\d:\\d\\d(:\\d\\d)?$";

    /** Names of the schemas that several fields share, by field name. */
    private static final Map<String, String> SHARED = Map.of("name", "Name", "description", "Description");

    /** The direction of a schema: given in requests or answered. */
    private enum Side {
        GIVEN,
        ANSWERED
    }

    private final Map<String, Object> schemas = new LinkedHashMap<>();

    private AdminSchemas() {}

    static Map<String, Object> all() {
        var all = new AdminSchemas();
        for (ObjectKind kind : ObjectKind.values()) {
            all.object(kind);
        }
        all.schemas.put("WebhookEvent", ordered("type", "string", "enum", WebhookEvent.types()));
        all.streakSettings();
        all.settings(
                "TenantSettings",
                "SettingsChanges",
                Settings.KIND,
                ordered(
                        "aggregationPeriod",
                        ordered(
                                "type",
                                "string",
                                "enum",
                                List.of("weekly", "monthly"),
                                "description",
                                "The nearest word to `recapPeriod`: weekly for a recap of every day, monthly for one"
                                        + " of every year. The word that is shown changes nothing. Default: weekly."),
                        "recapPeriod",
                        ordered(
                                "type",
                                "string",
                                "enum",
                                List.of("daily", "weekly", "monthly", "yearly"),
                                "description",
                                "How often recaps are sent. Default: weekly."),
                        "multiTenancyEnabled",
                        ordered("type", "boolean", "description", "Default: false.")),
                Map.of(
                        "firstTenant",
                        ordered(
                                "type",
                                "object",
                                "required",
                                List.of("customerId"),
                                "properties",
                                ordered(
                                        "customerId",
                                        ordered("type", "string", "minLength", 1, "maxLength", 255),
                                        "name",
                                        ordered("type", "string", "minLength", 1, "maxLength", 255)),
                                "description",
                                "The new tenant that has the rules and users without a tenant from now on; with "
                                        + "`multiTenancyEnabled: true` only.")));
        all.settings(
                "NotificationSettings", "NotificationSettingsChanges", Notifications.Timing.KIND, Map.of(), Map.of());
        all.file();
        return all.schemas;
    }

    /** The ruleset file, each of whose definitions becomes a schema. */
    private void file() {
        Map<String, Object> file = FileSchema.of(RulesetSource.KIND, "Laurel ruleset");
        var definitions = (Map<?, ?>) file.get("$defs");
        file.keySet().removeAll(List.of("$schema", "title", "$defs"));
        schemas.put("RulesetFile", moved(file));
        definitions.forEach((name, schema) -> schemas.put(nameInFile((String) name), moved(schema)));
    }

    private static String nameInFile(String definition) {
        return "RulesetFile" + Character.toUpperCase(definition.charAt(0)) + definition.substring(1);
    }

    private static Object moved(Object schema) {
        return switch (schema) {
            case Map<?, ?> keywords -> {
                var moved = new LinkedHashMap<Object, Object>();
                keywords.forEach((name, value) -> moved.put(
                        name,
                        name.equals("$ref") && value instanceof String ref
                                ? "#/components/schemas/" + nameInFile(ref.substring("#/$defs/".length()))
                                : moved(value)));
                if (moved.get("default") != null && !(moved.get("default") instanceof Map)) {
                    moved.put("description", described((String) moved.get("description"), moved.remove("default")));
                }
                yield moved;
            }
            case List<?> list -> list.stream().map(AdminSchemas::moved).toList();
            case null, default -> schema;
        };
    }

    private void object(ObjectKind objects) {
        Kind<?> kind = objects.description();
        String name = name(objects);
        boolean isOpen = objects == ObjectKind.POINTS_SYSTEM || objects == ObjectKind.WEBHOOK; // others extend it
        schemas.put(isOpen ? name + "Fields" : name, answered(objects, kind, isOpen));

        Map<String, Object> given = given(kind);
        boolean isKeyChangeable = kind.keys() == Keys.CHANGEABLE || kind.keys() == Keys.OPTIONAL;
        if (isKeyChangeable) {
            given.put(
                    "key",
                    reference(
                            "Key",
                            objects == ObjectKind.ACHIEVEMENT
                                    ? "Required for `api`. Changes only while it is inactive."
                                    : null));
        }
        String changes = changes(objects);
        schemas.put(changes, ordered("type", "object", "properties", given));
        var onlyNew = onlyNew(objects);
        if (kind.keys() == Keys.GIVEN) {
            onlyNew.put(
                    "key",
                    reference("Key", "What calls of the API and ruleset files name it by. Unique; does not change."));
        }
        schemas.put(
                "New" + name,
                ordered(
                        "allOf",
                        List.of(reference(changes, null)),
                        "required",
                        requiredOfNew(kind),
                        "properties",
                        onlyNew.isEmpty() ? null : onlyNew));
        schemas.put(
                "Changed" + name,
                ordered(
                        "allOf",
                        List.of(reference(changes, null)),
                        "required",
                        List.of("id"),
                        "properties",
                        Map.of("id", reference("GivenId", null))));
    }

    /** {@code AttributeChanges} is the schema of a request's attributes, so attributes have a name of their own here. */
    private static String changes(ObjectKind objects) {
        return objects == ObjectKind.ATTRIBUTE ? "CustomAttributeChanges" : name(objects) + "Changes";
    }

    private static String name(ObjectKind objects) {
        String[] words = objects.label().split(" ");
        return words.length == 1 ? words[0] : words[0] + "System";
    }

    private static List<String> requiredOfNew(Kind<?> kind) {
        var required = new LinkedHashSet<>(kind.requiredAtCreation());
        if (kind.keys() == Keys.GIVEN) {
            required.add("key");
        }
        kind.fields().stream()
                .filter(field -> field.isRequired() && !isOwned(field))
                .map(Field::adminName)
                .forEach(required::add);
        return List.copyOf(required);
    }

    /** Whether only one word of another field allows this field. */
    private static boolean isOwned(Field field) {
        return field.condition() != null
                && field.condition().isOwned()
                && field.condition().words().size() == 1;
    }

    // Parts that the kinds do not describe.

    /** Fields of answers that are not fields of the kind. */
    private static Map<String, Object> computed(ObjectKind objects) {
        return switch (objects) {
            case ATTRIBUTE -> Map.of("type", ordered("type", "string", "enum", List.of("user", "event")));
            case POINTS_SYSTEM -> Map.of("status", ordered("type", "string", "enum", List.of("active", "archived")));
            case BOOST ->
                Map.of(
                        "status",
                        ordered("type", "string", "enum", List.of("active", "scheduled", "finished")),
                        "userId",
                        ordered(
                                "type",
                                List.of("string", "null"),
                                "minLength",
                                1,
                                "maxLength",
                                255,
                                "description",
                                "The one user it is for, null if it is for all."));
            case ACHIEVEMENT -> Map.of("completions", reference("Count", "Not in the answer to a change."));
            default -> Map.of();
        };
    }

    /** Fields that can be given at creation only. */
    private static Map<String, Object> onlyNew(ObjectKind objects) {
        return switch (objects) {
            case ATTRIBUTE -> ordered("type", ordered("type", "string", "enum", List.of("user", "event")));
            case BOOST ->
                ordered(
                        "userId",
                        ordered(
                                "type",
                                List.of("string", "null"),
                                "minLength",
                                1,
                                "maxLength",
                                255,
                                "description",
                                "For this user only; excludes `userAttributes`."));
            case POINTS_SYSTEM ->
                ordered(
                        "levels",
                        ordered(
                                "type",
                                "array",
                                "items",
                                reference("NewLevel", null),
                                "description",
                                "A bad one rejects the whole system, as with boosts and triggers."),
                        "boosts",
                        ordered("type", "array", "items", reference("NewBoost", null)),
                        "triggers",
                        ordered("type", "array", "items", reference("NewTrigger", null)));
            default -> ordered();
        };
    }

    /** Further conditions on answers. */
    private static Map<String, Object> also(ObjectKind objects) {
        return switch (objects) {
            // A boost of one user has no filters.
            case BOOST ->
                ordered(
                        "if",
                        Map.of("properties", Map.of("userId", Map.of("type", "null"))),
                        "then",
                        Map.of("required", List.of("userAttributes")),
                        "else",
                        Map.of("properties", Map.of("userAttributes", false)));
            default -> ordered();
        };
    }

    // Answers.

    private Map<String, Object> answered(ObjectKind objects, Kind<?> kind, boolean isOpen) {
        var properties = new LinkedHashMap<String, Object>();
        var fields = new LinkedHashMap<String, Object>(properties(kind, Side.ANSWERED));
        fields.putAll(computed(objects));
        fields.put("id", reference("Id", null));
        fields.put("key", reference("Key", kind.keys() == Keys.ID ? "There if a document gave it one." : null));
        fields.put("created", reference("Time", null));
        fields.put("updated", reference("Time", null));
        kind.shown().forEach(name -> properties.put(name, fields.get(name)));
        fields.forEach((name, field) -> {
            boolean isOfSome = List.of("id", "key", "created", "updated").contains(name);
            if (!isOfSome) {
                properties.putIfAbsent(name, field);
            }
        });
        Set<String> required = new LinkedHashSet<>(properties.keySet());
        required.remove("completions");
        if (kind.keys() == Keys.ID || kind.keys() == Keys.OPTIONAL) {
            required.remove("key");
        }
        kind.fields().stream()
                .filter(field -> !isAlwaysShown(field)
                        || objects == ObjectKind.BOOST && field.name().equals("userAttributes"))
                .forEach(field -> required.remove(outer(field)));
        var schema = ordered("type", "object", "required", List.copyOf(required), "properties", properties);
        if (!kind.pairs().isEmpty()) {
            var pairs = new LinkedHashMap<String, Object>();
            kind.pairs().forEach(pair -> {
                pairs.put(pair.one(), List.of(pair.other()));
                pairs.put(pair.other(), List.of(pair.one()));
            });
            schema.put("dependentRequired", pairs);
        }
        List<Object> conditions = conditions(objects, kind);
        if (!conditions.isEmpty()) {
            schema.put("allOf", conditions);
        }
        schema.putAll(also(objects));
        if (!isOpen) {
            schema.put("additionalProperties", false);
        }
        return schema;
    }

    private static boolean isAlwaysShown(Field field) {
        boolean hasValue = field.isRequired()
                || field.initial(Field.KEY) != null
                || field.type() instanceof MapOf
                || field.name().equals("start"); // of a leaderboard: that of its creation
        return field.otherwise() != null || !isOwned(field) && (hasValue || field.missing() != Missing.ABSENT);
    }

    private static List<Object> conditions(ObjectKind objects, Kind<?> kind) {
        var conditions = new ArrayList<>();
        for (Field discriminator : kind.fields()) {
            if (!(discriminator.type() instanceof Words words)) {
                continue;
            }
            for (String word : words.words()) {
                var owned = kind.fields().stream()
                        .filter(field -> field.isOwnedBy(discriminator.name())
                                && field.otherwise() == null
                                && field.condition().words().equals(List.of(word)))
                        .toList();
                List<String> shown = owned.stream()
                        .filter(field -> field.isRequired() || field.type() instanceof MapOf)
                        .map(AdminSchemas::outer)
                        .toList();
                var others = new LinkedHashMap<String, Object>();
                owned.forEach(field -> others.put(outer(field), false));
                boolean isApi = objects == ObjectKind.ACHIEVEMENT && word.equals("api");
                if (isApi || !owned.isEmpty()) {
                    conditions.add(ordered(
                            "if",
                            Map.of("properties", Map.of(discriminator.adminName(), Map.of("const", word))),
                            "then",
                            Map.of("required", isApi ? List.of("key") : shown),
                            "else",
                            others.isEmpty() ? null : Map.of("properties", others)));
                }
            }
        }
        return conditions;
    }

    private static String outer(Field field) {
        int dot = field.adminName().indexOf('.');
        return dot < 0 ? field.adminName() : field.adminName().substring(0, dot);
    }

    // Settings.

    /** The settings of streaks have the names of public clients beside those of Laurel. */
    @SuppressWarnings("unchecked")
    private void streakSettings() {
        settings(
                "StreakSettings",
                "StreakSettingsChanges",
                StreakSettings.KIND,
                ordered(
                        "customizationEnabled",
                        ordered("type", "boolean", "description", "The same as personalizationEnabled."),
                        "freezes",
                        ordered(
                                "type",
                                List.of("object", "null"),
                                "required",
                                List.of("startCount", "maxCount"),
                                "properties",
                                ordered(
                                        "startCount",
                                        ordered("type", "integer", "minimum", 0, "maximum", 100),
                                        "maxCount",
                                        ordered("type", "integer", "minimum", 1, "maximum", 100),
                                        "autoEarnInterval",
                                        ordered("type", List.of("integer", "null"), "minimum", 1, "maximum", 365),
                                        "autoEarnAmount",
                                        ordered("type", List.of("integer", "null"), "minimum", 1, "maximum", 10)),
                                "description",
                                "The settings of freezes as a whole, or null if they are off. The interval and the"
                                        + " amount are given both or neither; the maximum also stands for greater values,"
                                        + " and leaves those as they are.")),
                Map.of());
        for (String schema : List.of("StreakSettings", "StreakSettingsChanges")) {
            var properties = (Map<String, Object>) ((Map<String, Object>) schemas.get(schema)).get("properties");
            var items = (Map<String, Object>) ((Map<String, Object>) properties.get("metrics")).get("items");
            var named = new LinkedHashMap<String, Object>();
            named.put("key", ordered("type", "string", "minLength", 1, "maxLength", 255));
            named.putAll((Map<String, Object>) items.get("properties"));
            items.put("properties", named);
            boolean isAnswer = schema.equals("StreakSettings");
            Object exact = named.put(
                    "threshold",
                    isAnswer ? ordered("type", "integer", "minimum", 1, "maximum", 10_000) : named.get("threshold"));
            named.put("exactThreshold", exact);
            items.put("required", isAnswer ? List.of("key", "metricId", "threshold") : List.of("threshold"));
            if (isAnswer) {
                var freezes = (Map<String, Object>) properties.get("freezes");
                freezes.put("required", List.of("startCount", "maxCount", "autoEarnInterval", "autoEarnAmount"));
                freezes.put("additionalProperties", false);
            }
        }
    }

    /** @param givenOnly fields that no answer shows */
    private void settings(
            String answer, String changes, Kind<?> kind, Map<String, Object> more, Map<String, Object> givenOnly) {
        var answered = new LinkedHashMap<String, Object>(properties(kind, Side.ANSWERED));
        var given = new LinkedHashMap<String, Object>(given(kind));
        more.forEach((name, field) -> {
            given.put(name, field);
            var shown = new LinkedHashMap<Object, Object>((Map<?, ?>) field);
            shown.remove("description");
            answered.put(name, shown);
        });
        given.putAll(givenOnly);
        schemas.put(
                answer,
                ordered(
                        "type",
                        "object",
                        "required",
                        List.copyOf(answered.keySet()),
                        "properties",
                        answered,
                        "additionalProperties",
                        false));
        schemas.put(changes, ordered("type", "object", "properties", given));
    }

    // Fields.

    private Map<String, Object> given(Kind<?> kind) {
        return properties(kind, Side.GIVEN);
    }

    private Map<String, Object> properties(Kind<?> kind, Side side) {
        var properties = new LinkedHashMap<String, Object>();
        for (Field field : kind.fields()) {
            boolean isShown = side == Side.GIVEN || !field.isHidden();
            if (isShown && !(field.type() instanceof Entries)) {
                boolean isExplained = side == Side.GIVEN || !kind.isObject();
                Object property = property(
                        field, side, isExplained ? Descriptions.ALL.inApi(field) : null, isClearable(kind, field));
                if (side == Side.GIVEN) {
                    property = extended(kind, field, (Map<?, ?>) property);
                }
                for (String name : names(field)) {
                    put(properties, field, name, property, side);
                }
            }
        }
        return properties;
    }

    /** Adds what forms need to know and JSON Schema has no keyword for. */
    private static Map<Object, Object> extended(Kind<?> kind, Field field, Map<?, ?> property) {
        var extended = new LinkedHashMap<Object, Object>(property);
        Object initial = initialOf(field);
        if (hasDefault(initial)) {
            extended.put("x-initial", initial);
        }
        Type referring = switch (field.type()) {
            case ListOf list -> list.item();
            case MapOf map -> map.key();
            default -> field.type();
        };
        if (referring instanceof Reference(Type.Target target)) {
            extended.put("x-references", String.join("/", target.path()));
        }
        Field.Condition condition = field.condition();
        Field other = condition == null ? null : kind.field(condition.field());
        if (other != null) {
            extended.put(
                    "x-when",
                    ordered("field", other.adminName(), "words", condition.words(), "required", field.isRequired()));
        }
        if (String.valueOf(property.get("description")).startsWith("Without effect")) {
            extended.put("deprecated", true);
        }
        return extended;
    }

    private static Object initialOf(Field field) {
        return field.atCreation() == null ? field.initial() : field.atCreation();
    }

    private static boolean hasDefault(Object initial) {
        return initial != null && !initial.equals(FieldMap.EMPTY) && !initial.equals(List.of()) && !initial.equals("");
    }

    /** The names of a field in requests and answers. */
    private static List<String> names(Field field) {
        return field.adminAlias() == null ? List.of(field.adminName()) : List.of(field.adminName(), field.adminAlias());
    }

    /** Adds a field by a name that may lead into an object. An object that can be cleared has only this field. */
    private void put(Map<String, Object> properties, Field field, String name, Object property, Side side) {
        int dot = name.indexOf('.');
        if (dot < 0) {
            properties.put(name, property);
        } else if (field.isClearable()) {
            properties.put(name.substring(0, dot), reference(side == Side.GIVEN ? "GivenBadge" : "BadgeOrNull", null));
        } else {
            Object others = properties.get(name.substring(0, dot)) instanceof Map<?, ?> object
                    ? object.get("properties")
                    : null;
            var inner = new LinkedHashMap<Object, Object>(others instanceof Map<?, ?> known ? known : Map.of());
            inner.put(name.substring(dot + 1), property);
            properties.put(
                    name.substring(0, dot),
                    ordered(
                            "type",
                            "object",
                            "required",
                            side == Side.GIVEN ? null : List.copyOf(inner.keySet()),
                            "properties",
                            inner,
                            "additionalProperties",
                            side == Side.GIVEN ? null : (Object) false));
        }
    }

    /** The second field of a pair is also clearable if the first one is. */
    private static boolean isClearable(Kind<?> kind, Field field) {
        return field.isClearable()
                || kind.pairs().stream()
                        .anyMatch(pair -> pair.other().equals(field.name())
                                && kind.field(pair.one()).isClearable());
    }

    private Object property(Field field, Side side, String explained, boolean isClearable) {
        boolean isGiven = side == Side.GIVEN;
        String about = isGiven ? explanation(field) : explained;
        if (SHARED.containsKey(field.adminName()) && field.type() instanceof Text) {
            return reference(SHARED.get(field.adminName()) + (field.isClearable() ? "OrNull" : ""), about);
        }
        if (field.type() instanceof MapOf map && map.value() instanceof Text) {
            return reference(isGiven ? "GivenFilters" : "AttributeFilters", about);
        }
        if (field.type() instanceof Reference) {
            return reference(isGiven ? "GivenId" : "Id", about);
        }
        if (field.type() instanceof Day && !isGiven) {
            return reference(field.missing() == Missing.NULL ? "DateOrNull" : "Date", about);
        }
        var property = new LinkedHashMap<String, Object>(type(field, field.type(), side));
        boolean isNullable = isGiven ? isClearable : field.missing() == Missing.NULL;
        if (isNullable) {
            property.put("type", List.of(property.get("type"), "null"));
            property.computeIfPresent("enum", (_, words) -> {
                var withNull = new ArrayList<Object>((List<?>) words);
                withNull.add(null);
                return withNull;
            });
        }
        Object initial = initialOf(field);
        boolean isDefaultNamed = isGiven && hasDefault(initial);
        if (about != null || isDefaultNamed) {
            property.put("description", isDefaultNamed ? described(about, initial) : about);
        }
        return property;
    }

    /**
     * A description that names the default. The keyword does not fit: an absent field of a change keeps its value, and
     * generators make a field with a default a required one.
     */
    private static String described(String about, Object initial) {
        return (about == null ? "" : about + " ") + "Default: " + initial + ".";
    }

    /** What a field of a request means, and the word of another field that it goes with. */
    private static String explanation(Field field) {
        String inApi = Descriptions.ALL.inApi(field);
        String about = inApi == null ? Descriptions.ALL.of(field) : inApi;
        String condition = conditionOf(field);
        boolean isSaid = about != null && (condition == null || about.contains("With '"));
        return isSaid ? about : about == null ? condition : about + " " + condition;
    }

    private static String conditionOf(Field field) {
        return field.condition() == null || field.condition().words().size() > 1
                ? null
                : field.isRequired()
                        ? "Required for `" + field.condition().words().getFirst() + "`."
                        : "For `" + field.condition().words().getFirst() + "` only.";
    }

    private Map<String, Object> type(Field field, Type type, Side side) {
        boolean isGiven = side == Side.GIVEN;
        return switch (type) {
            case Text(int min, int max) ->
                ordered(
                        "type",
                        "string",
                        "format",
                        "^https?://".equals(field.schema().get("pattern")) ? "uri" : null,
                        "minLength",
                        min == 0 ? null : (Object) min,
                        "maxLength",
                        max == 0 ? null : (Object) max);
            case FullText _, Zone _ -> ordered("type", "string");
            case Words words ->
                field.name().equals("events")
                        ? reference("WebhookEvent", null)
                        : ordered(
                                "type",
                                "string",
                                "enum",
                                field.adminWords().isEmpty() ? words.words() : field.adminWords());
            case Flag() -> ordered("type", "boolean");
            // The upper bounds of answers are those of the documents that they were written under.
            case Whole(long min, long max, boolean _, boolean isNonZero) ->
                ordered(
                        "type",
                        "integer",
                        "minimum",
                        isNonZero ? null : (Object) min,
                        "maximum",
                        max <= 1000 ? (Object) max : null,
                        "not",
                        isNonZero ? Map.of("const", 0) : null);
            case Decimal decimal -> {
                var number = ordered("type", "number");
                number.putAll(new TreeMap<>(decimal.schema()));
                yield number;
            }
            case Day() -> ordered("type", "string", "format", "date");
            case TimeOfDay() -> ordered("type", "string", "pattern", TIME);
            case Reference _ -> reference(isGiven ? "GivenId" : "Id", null);
            case ListOf list ->
                ordered(
                        "type",
                        "array",
                        "minItems",
                        list.min() == 0 ? null : (Object) list.min(),
                        "maxItems",
                        isGiven && !(list.item() instanceof Words) ? (Object) list.max() : null,
                        "items",
                        type(field, list.item(), side));
            case MapOf map
            when map.key() instanceof Reference -> ordered("type", "array", "items", entry(field, map, side));
            case OfRecord _ -> throw new IllegalArgumentException("not in configured objects: " + type);
            case MapOf map ->
                isGiven
                        ? ordered("type", "object", "additionalProperties", Map.of("type", List.of("boolean", "null")))
                        : ordered(
                                "type",
                                "object",
                                "propertyNames",
                                Map.of("enum", ((Words) map.key()).words()),
                                "additionalProperties",
                                Map.of("type", "boolean"));
            case Part(Kind<?> kind) -> {
                var part = ordered("type", "object", "properties", properties(kind, side));
                List<String> required = kind.fields().stream()
                        .filter(isGiven ? f -> f.isRequired() && !isOwned(f) : AdminSchemas::isAlwaysShown)
                        .flatMap(f -> names(f).stream())
                        .map(name -> name.replaceFirst("[.].*", ""))
                        .distinct()
                        .toList();
                yield ordered(
                        "type",
                        "object",
                        "required",
                        required.isEmpty() ? null : required,
                        "properties",
                        part.get("properties"),
                        "additionalProperties",
                        isGiven ? null : (Object) false);
            }
            case Entries _ -> throw new IllegalArgumentException("objects have schemas of their own");
        };
    }

    private Map<String, Object> entry(Field field, MapOf type, Side side) {
        var properties = ordered(field.entryKey(), reference(side == Side.GIVEN ? "GivenId" : "Id", null));
        var required = new ArrayList<>(List.of(field.entryKey()));
        if (type.value() instanceof Part(Kind<?> kind)) {
            properties.putAll(properties(kind, side));
            kind.fields().stream()
                    .filter(part -> side == Side.ANSWERED)
                    .map(Field::adminName)
                    .forEach(required::add);
        } else {
            properties.put(field.entryValue(), type(field, type.value(), side));
            required.add(field.entryValue());
        }
        return ordered(
                "type",
                "object",
                "required",
                required,
                "properties",
                properties,
                "additionalProperties",
                side == Side.GIVEN ? null : (Object) false);
    }

    private static Map<String, Object> reference(String schema, String about) {
        return ordered("$ref", "#/components/schemas/" + schema, "description", about);
    }
}
