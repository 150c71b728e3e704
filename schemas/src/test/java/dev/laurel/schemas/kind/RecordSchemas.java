package dev.laurel.schemas.kind;

import static dev.laurel.schemas.kind.FileSchema.ordered;
import static dev.laurel.schemas.kind.FileSchema.sorted;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.kind.Type.Day;
import dev.laurel.schemas.kind.Type.Decimal;
import dev.laurel.schemas.kind.Type.Flag;
import dev.laurel.schemas.kind.Type.Form;
import dev.laurel.schemas.kind.Type.ListOf;
import dev.laurel.schemas.kind.Type.LooseText;
import dev.laurel.schemas.kind.Type.MapOf;
import dev.laurel.schemas.kind.Type.Part;
import dev.laurel.schemas.kind.Type.Reference;
import dev.laurel.schemas.kind.Type.Text;
import dev.laurel.schemas.kind.Type.Time;
import dev.laurel.schemas.kind.Type.Whole;
import dev.laurel.schemas.kind.Type.Words;
import dev.laurel.schemas.kind.Type.Zone;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Examples;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Derives the JSON Schemas of the records of topics from their kinds. The descriptions are the comments of the records and of their
 * components in the source. An instance serves one schema.
 */
final class RecordSchemas {

    private static final Path SOURCES = Path.of("src/main/java/dev/laurel/schemas");
    private static final Pattern RECORD =
            Pattern.compile("/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:public )?record (\\w+)\\(", Pattern.DOTALL);
    private static final Pattern INLINE = Pattern.compile("\\{@(?:link|code) ([^}]*)}");
    private static final Pattern CITATION = Pattern.compile(" \\(docs/(?:[^()]|\\([^)]*\\))*\\)");
    private static final String TIME = "^[+-]?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$";

    /** The comment of a record, and those of its components. */
    private record Comment(String text, Map<String, String> components) {}

    private final Map<String, Comment> comments = new LinkedHashMap<>();
    private final Map<String, Object> definitions = new LinkedHashMap<>();

    /** Whether every field is written, without a value as null. */
    private final boolean isComplete;

    private RecordSchemas(boolean isComplete, String... sources) throws IOException {
        this.isComplete = isComplete;
        for (String source : sources) {
            RECORD.matcher(Files.readString(SOURCES.resolve(source), UTF_8))
                    .results()
                    .forEach(found -> comments.put(found.group(2), comment(found)));
        }
    }

    /** The schema of the commands that producers may write, or of those that only Laurel writes. */
    static Map<String, Object> commands(String name, String title, String description, boolean isOfUser)
            throws IOException {
        Predicate<Kind<?>> isIncluded =
                kind -> Command.UserCommand.class.isAssignableFrom(kind.recordType()) == isOfUser;
        var examples = new ArrayList<>();
        Examples.commands().values().forEach(command -> {
            if (command instanceof Command.UserCommand == isOfUser) {
                examples.add(Json.readTree(CommandJson.write(command)));
            }
        });
        return new RecordSchemas(false, "command/Command.java", "command/UserChange.java")
                .document(
                        name,
                        title,
                        description,
                        Command.KINDS.stream().filter(isIncluded).toList(),
                        examples);
    }

    static Map<String, Object> effects(String description) throws IOException {
        var examples = new ArrayList<>();
        Examples.effects().values().forEach(effect -> examples.add(Json.readTree(Json.write(effect))));
        return new RecordSchemas(true, "effect/Effect.java")
                .document("effect", "Effect", description, Effect.KINDS, examples);
    }

    private Map<String, Object> document(
            String name, String title, String description, List<? extends Kind<?>> kinds, List<?> examples) {
        var variants = new ArrayList<>();
        for (Kind<?> kind : kinds) {
            String key = camelCase(kind.name());
            definitions.put(key, object(kind, kind.name()));
            variants.add(Map.of("$ref", "#/$defs/" + key));
        }
        return ordered(
                "$schema",
                "https://json-schema.org/draft/2020-12/schema",
                "$id",
                "https://laurel.dev/v1/schemas/" + name + ".schema.json",
                "title",
                title,
                "description",
                description,
                "type",
                "object",
                "required",
                List.of("type"),
                "properties",
                Map.of("type", Map.of("enum", kinds.stream().map(Kind::name).toList())),
                "oneOf",
                variants,
                "examples",
                examples,
                "$defs",
                definitions);
    }

    private static Comment comment(MatchResult found) {
        String text = found.group(1).replaceAll("\\s*\\n\\s*\\* ?", " ").strip();
        var components = new LinkedHashMap<String, String>();
        String[] parts = text.split(" *@param ");
        for (int i = 1; i < parts.length; i++) {
            int space = parts[i].indexOf(' ');
            components.put(parts[i].substring(0, space), plain(parts[i].substring(space + 1)));
        }
        return new Comment(plain(parts[0]), components);
    }

    private static String plain(String comment) {
        String plain = CITATION.matcher(INLINE.matcher(comment)
                        .replaceAll(link -> Matcher.quoteReplacement(
                                link.group(1).substring(link.group(1).indexOf('#') + 1))))
                .replaceAll("")
                .replaceAll("\\s+", " ")
                .strip();
        return plain.isEmpty() ? plain : Character.toUpperCase(plain.charAt(0)) + plain.substring(1);
    }

    private static String camelCase(String name) {
        return Pattern.compile("[-._ ](.)")
                .matcher(name)
                .replaceAll(next -> next.group(1).toUpperCase());
    }

    private Map<String, Object> object(Kind<?> kind, @Nullable String type) {
        Comment comment = comments.getOrDefault(kind.recordType().getSimpleName(), new Comment("", Map.of()));
        var required = new ArrayList<String>();
        var properties = new LinkedHashMap<String, Object>();
        if (type != null) {
            required.add("type");
            properties.put("type", Map.of("const", type));
        }
        for (Field field : kind.fields()) {
            boolean isRequired = field.isRequired() && !isWithoutNeeds(field.type());
            if (isRequired || isComplete) {
                required.add(field.name());
            }
            var property = ordered("description", comment.components().get(field.component()));
            property.putAll(type(field.type()));
            property.putAll(sorted(field.schema()));
            properties.put(field.name(), isRequired ? property : nullable(property));
        }
        return ordered(
                "description",
                comment.text().isEmpty() ? null : comment.text(),
                "type",
                "object",
                "required",
                required.isEmpty() ? null : required,
                "properties",
                properties);
    }

    private static boolean isWithoutNeeds(Type type) {
        return type instanceof Part(Kind<?> kind) && kind.fields().stream().noneMatch(Field::isRequired);
    }

    private static Map<String, Object> nullable(Map<String, Object> property) {
        var nullable = new LinkedHashMap<>(property);
        if (nullable.containsKey("$ref")) {
            nullable.put("anyOf", List.of(Map.of("$ref", nullable.remove("$ref")), Map.of("type", "null")));
        }
        nullable.computeIfPresent("type", (_, type) -> {
            var types = new ArrayList<Object>(type instanceof List<?> list ? list : List.of(type));
            types.add("null");
            return types;
        });
        nullable.computeIfPresent("enum", (_, words) -> {
            var values = new ArrayList<@Nullable Object>((List<?>) words);
            values.add(null);
            return values;
        });
        return nullable;
    }

    private Map<String, Object> type(Type type) {
        return switch (type) {
            case Text(int min, int max) ->
                ordered(
                        "type",
                        "string",
                        "minLength",
                        min == 0 ? null : (Object) min,
                        "maxLength",
                        max == 0 ? null : (Object) max);
            case Reference _ -> ordered("type", "string", "maxLength", 255);
            case LooseText(int max) ->
                ordered(
                        "description",
                        "Numbers and booleans are converted to text.",
                        "type",
                        List.of("string", "number", "boolean", "null"),
                        "maxLength",
                        max);
            case Words words -> ordered("enum", words.words());
            case Flag() -> ordered("type", "boolean");
            case Whole(long min, long max, boolean _, boolean _) ->
                ordered("type", "integer", "minimum", min < -1000 ? null : (Object) min, "maximum", max);
            case Decimal decimal -> with(decimal.schema(), "number");
            case Day() ->
                shared(
                        "date",
                        ordered(
                                "description",
                                "Such as 2026-03-04.",
                                "type",
                                "string",
                                "pattern",
                                "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"));
            case Time(boolean hasMillis) ->
                hasMillis
                        ? shared(
                                "time",
                                ordered(
                                        "description",
                                        "UTC with milliseconds, such as 2026-03-04T09:15:00.000Z.",
                                        "type",
                                        "string",
                                        "pattern",
                                        TIME))
                        : ordered("type", "string", "format", "date-time");
            case Form form
            when form == Type.BY_CLASS.get(java.util.UUID.class) -> shared("id", with(form.schema(), "string"));
            case Form form -> with(form.schema(), "string");
            case ListOf list ->
                ordered(
                        "type",
                        "array",
                        "maxItems",
                        list.max() == Integer.MAX_VALUE ? null : (Object) list.max(),
                        "items",
                        type(list.item()));
            case MapOf map
            when map.key() instanceof Words words -> {
                var entries = new LinkedHashMap<String, Object>();
                words.words().forEach(word -> entries.put(word, nullable(type(map.value()))));
                yield ordered("type", "object", "properties", entries, "additionalProperties", false);
            }
            case MapOf map ->
                shared(
                        "attributes",
                        ordered(
                                "type",
                                "object",
                                "maxProperties",
                                map.max(),
                                "additionalProperties",
                                type(map.value())));
            case Part(Kind<?> kind) ->
                shared(camelCase(kind.name().isEmpty() ? "change" : kind.name()), object(kind, null));
            case Zone _ -> ordered("description", "IANA name, such as Europe/Helsinki.", "type", "string");
            default -> throw new IllegalArgumentException("not in records of topics: " + type);
        };
    }

    private static Map<String, Object> with(Map<String, ?> keywords, String type) {
        var schema = ordered("type", type);
        schema.putAll(sorted(keywords));
        return schema;
    }

    private Map<String, Object> shared(String name, Map<String, Object> schema) {
        definitions.putIfAbsent(name, schema);
        return ordered("$ref", "#/$defs/" + name);
    }
}
