package dev.laurel.schemas.kind;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.ruleset.edit.TemplateVariables;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Compares the checked-in documents that are derived from kinds, and the table of roles, with what they are derived from. With
 * {@code -Dlaurel.regenerate=true}, rewrites the documents first.
 */
class DerivedDocumentsTest {

    private static final Path RESOURCES = Path.of("src/main/resources/dev/laurel/schemas");
    private static final String BEGIN =
            "    # Configured objects and settings. Derived from their kinds: see DerivedDocumentsTest.\n";
    private static final String PAYLOADS =
            "    # Payloads of webhooks. Derived from their records: see DerivedDocumentsTest.\n";
    private static final String WEBHOOKS =
            "  # Derived from the records of their payloads: see DerivedDocumentsTest.\n";
    private static final Path ROLES = Path.of("../docs/operations/security.md");
    private static final Path VARIABLES = Path.of("../docs/delivery.md");
    private static final String TABLE = "<!-- Derived from the OpenAPI documents: see DerivedDocumentsTest. -->\n";
    private static final String VARIABLES_TABLE =
            "<!-- Derived from TemplateVariables: see DerivedDocumentsTest. -->\n";
    private static final String TABLE_END = "<!-- End of what is derived. -->\n";
    private static final List<String> METHODS = List.of("get", "post", "put", "patch", "delete");
    private static final String END = "# End of what is derived.\n";
    private static final String COMMAND = "mvn -pl schemas test -Dtest=DerivedDocumentsTest -Dlaurel.regenerate=true";

    @Test
    void shouldMatchTheJsonSchemaOfTheRulesetFile() throws IOException {
        expect(
                RESOURCES.resolve("json/laurel-ruleset.schema.json"),
                DocumentText.json(FileSchema.of(RulesetSource.KIND, "Laurel ruleset")));
    }

    @Test
    void shouldMatchTheJsonSchemasOfRecords() throws IOException {
        for (String name : List.of("command", "log-command", "effect")) {
            Path file = RESOURCES.resolve("json/" + name + ".schema.json");
            JsonNode before = Json.mapperForTools().readTree(Files.readString(file, UTF_8));
            String title = before.get("title").stringValue();
            String description = before.get("description").stringValue();
            expect(
                    file,
                    DocumentText.json(
                            name.equals("effect")
                                    ? RecordSchemas.effects(description)
                                    : RecordSchemas.commands(name, title, description, name.equals("command"))));
        }
    }

    @Test
    void shouldMatchTheSchemasOfTheAdminApi() throws IOException {
        Path file = RESOURCES.resolve("openapi/admin-api.yaml");
        expect(file, with(Files.readString(file, UTF_8), BEGIN, AdminSchemas.all(), "    "));
    }

    @Test
    void shouldMatchTheWebhooksOfTheApplicationApi() throws IOException {
        Path file = RESOURCES.resolve("openapi/application-api.yaml");
        String text = with(Files.readString(file, UTF_8), WEBHOOKS, WebhookSchemas.webhooks(), "  ");
        expect(file, with(text, PAYLOADS, WebhookSchemas.payloads(), "    "));
    }

    @Test
    void shouldMatchTheTableOfRoles() throws IOException {
        expectTable(ROLES, TABLE, tableOfRoles());
    }

    @Test
    void shouldMatchTheTableOfVariables() throws IOException {
        expectTable(VARIABLES, VARIABLES_TABLE, tableOfVariables());
    }

    private static void expectTable(Path file, String mark, String table) throws IOException {
        String document = Files.readString(file, UTF_8);
        assertTrue(document.contains(mark), file + " has no " + mark);
        int begin = document.indexOf(mark) + mark.length();
        expect(file, document.substring(0, begin) + table + document.substring(document.indexOf(TABLE_END, begin)));
    }

    /** What each type of message has on each channel. */
    private static String tableOfVariables() {
        var table =
                new StringBuilder("| variables of | in messages of type | on | names |\n| --- | --- | --- | --- |\n");
        for (TemplateVariables.Group group : TemplateVariables.GROUPS) {
            String name = group.name().isEmpty() ? "the message" : "`" + group.name() + ".`…";
            table.append("| ")
                    .append(name)
                    .append(" | ")
                    .append(
                            group.types().size() == NotificationType.values().length
                                    ? "all"
                                    : joined(group.types().stream().map(type -> "`" + IssueList.word(type) + "`")))
                    .append(" | ")
                    .append(joined(Stream.of(NotificationChannel.values()).map(IssueList::word)))
                    .append(" | ")
                    .append(joined(group.fields().stream().map(field -> "`" + field + "`")))
                    .append(" |\n");
        }
        return table.toString();
    }

    private static String joined(Stream<String> words) {
        return words.collect(Collectors.joining(", "));
    }

    @Test
    void shouldMatchTheOperations() throws IOException {
        shouldMatchTheSchemasOfTheAdminApi(); // what is derived from documents that are derived themselves
        var lines = new ArrayList<String>();
        for (String api : List.of("application-api", "admin-api")) {
            JsonNode document = YAMLMapper.shared()
                    .readTree(Files.readString(RESOURCES.resolve("openapi/" + api + ".yaml"), UTF_8));
            document.get("paths")
                    .properties()
                    .forEach(path -> METHODS.stream()
                            .filter(path.getValue()::has)
                            .forEach(method -> lines.add(new String(
                                    Json.write(operation(document, path.getKey(), path.getValue(), method)), UTF_8))));
        }

        expect(RESOURCES.resolve("openapi/operations.json"), "[\n" + String.join(",\n", lines) + "\n]\n");
    }

    /** What servers need to know of an operation; see {@code DocumentedRoutes}. */
    private static Map<String, Object> operation(JsonNode document, String path, JsonNode item, String method) {
        JsonNode operation = item.get(method);
        var found = new LinkedHashMap<String, Object>();
        found.put("method", method.toUpperCase(Locale.ROOT));
        found.put(
                "paths",
                (item.has("servers") ? item : document)
                        .get("servers")
                        .valueStream()
                        .map(server -> server.get("url").stringValue().replaceFirst("/$", "") + path)
                        .toList());
        found.put("id", operation.get("operationId").stringValue());
        found.put("summary", operation.get("summary").stringValue());
        found.put(
                "query",
                Stream.of(item, operation)
                        .flatMap(owner -> owner.path("parameters").valueStream())
                        .map(parameter -> resolved(document, parameter))
                        .filter(parameter -> parameter.get("in").stringValue().equals("query"))
                        .flatMap(parameter -> Stream.concat(
                                Stream.of(parameter.get("name")),
                                parameter.path("x-also").valueStream()))
                        .map(JsonNode::stringValue)
                        .toList());
        JsonNode body = resolved(document, operation.path("requestBody")).at("/content/application~1json/schema");
        if (namesOf(document, body) instanceof Object names && !names.equals(true)) {
            found.put("body", names);
        }
        return found;
    }

    /**
     * The names that values of a schema may have: of an object, a map; of a list of such objects, a list with one entry. True for all
     * others, also if names beside those of the schema are refused.
     */
    private static Object namesOf(JsonNode document, JsonNode schema) {
        JsonNode whole = resolved(document, schema);
        var names = new TreeMap<String, Object>();
        whole.path("allOf").valueStream().map(part -> namesOf(document, part)).forEach(part -> {
            if (part instanceof Map<?, ?> fields) {
                fields.forEach((name, value) -> names.put((String) name, value));
            }
        });
        whole.path("properties")
                .properties()
                .forEach(field -> names.put(field.getKey(), namesOf(document, field.getValue())));
        whole.path("x-also").valueStream().forEach(name -> names.put(name.stringValue(), true));
        if (whole.has("items")) {
            Object item = namesOf(document, whole.get("items"));
            return item.equals(true) ? item : List.of(item);
        }
        return names.isEmpty() || whole.has("additionalProperties") ? true : names;
    }

    private static JsonNode resolved(JsonNode document, JsonNode node) {
        return node.has("$ref") ? document.at(node.get("$ref").stringValue().substring(1)) : node;
    }

    /** The least roles by path and method; each operation that needs a key must name one. */
    private static String tableOfRoles() throws IOException {
        var table = new StringBuilder(
                "| route | GET | POST | PUT | PATCH | DELETE |\n| --- | --- | --- | --- | --- | --- |\n");
        for (String api : List.of("application-api", "admin-api")) {
            JsonNode document = YAMLMapper.shared()
                    .readTree(Files.readString(RESOURCES.resolve("openapi/" + api + ".yaml"), UTF_8));
            String base = document.at("/servers/0/url").asString();
            for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
                String cells = METHODS.stream()
                        .map(method -> roleOf(path.getValue().path(method)))
                        .collect(Collectors.joining(" | ", " | ", " |\n"));
                if (cells.chars().anyMatch(Character::isLetter)) {
                    table.append("| `")
                            .append(base)
                            .append(path.getKey())
                            .append('`')
                            .append(cells);
                }
            }
        }
        return table.toString().replace("|  |", "| |").replace("|  |", "| |");
    }

    private static String roleOf(JsonNode operation) {
        if (operation.isMissingNode() || operation.has("security")) {
            return "";
        }
        return Role.of(operation.path("x-role").asString()).word()
                + (operation.path("x-instance").asBoolean(false) ? ", unbound" : "");
    }

    /** Replaces what is between the mark of a derived part and its end. */
    private static String with(String document, String mark, Map<String, Object> derived, String indent) {
        int begin = document.indexOf(mark) + mark.length();
        int end = document.indexOf(indent + END, begin);
        assertTrue(document.contains(mark) && end >= begin, "the marks of what is derived are gone: " + mark);
        return document.substring(0, begin) + DocumentText.yaml(derived, indent) + document.substring(end);
    }

    private static void expect(Path file, String derived) throws IOException {
        if (Boolean.getBoolean("laurel.regenerate")) {
            Files.writeString(file, derived);
        }
        assertEquals(
                derived,
                Files.readString(file, UTF_8),
                file + " no longer says what the kinds say; regenerate it: " + COMMAND);
    }
}
