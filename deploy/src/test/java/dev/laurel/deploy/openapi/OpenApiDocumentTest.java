package dev.laurel.deploy.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.laurel.deploy.openapi.Operation.Response;
import dev.laurel.platform.http.PeerCalls;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.WebhookPayload;
import dev.laurel.schemas.wire.WebhookPayload.SamplePayloads;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tests that the documents are valid, complete and consistent, and that their examples are valid. */
final class OpenApiDocumentTest {

    private static final Pattern PATH_PARAMETER = Pattern.compile("\\{(\\w+)}");

    private static Stream<OpenApiDocument> documents() {
        return OpenApiDocument.all().stream();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void shouldBeValidOpenApi(OpenApiDocument document) {
        SchemaRegistry registry = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                builder -> builder.schemaIdResolvers(resolvers ->
                        resolvers.mapPrefix("https://spec.openapis.org/", "classpath:spec.openapis.org/")));
        Schema openApi =
                registry.getSchema(SchemaLocation.of("https://spec.openapis.org/oas/3.1/schema-base/2022-10-07"));
        assertFalse(openApi.validate(Json.mapperForTools().readTree("{\"openapi\": \"3.1.0\"}"))
                .isEmpty());

        assertEquals(List.of(), openApi.validate(document.json()));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void shouldResolveAllReferencesAndUseAllComponents(OpenApiDocument document) {
        Set<String> references = new HashSet<>();
        collectReferences(document.json(), references);
        Set<String> unused = new TreeSet<>();
        for (String kind : List.of("schemas", "responses", "parameters", "headers")) {
            document.json()
                    .get("components")
                    .get(kind)
                    .propertyNames()
                    .forEach(name -> unused.add("#/components/" + kind + "/" + name));
        }

        for (String reference : references) {
            assertTrue(reference.startsWith("#"), () -> "leads to another file: " + reference);
            assertFalse(document.at(reference.substring(1)).isMissingNode(), reference);
        }
        unused.removeAll(references);
        assertEquals(Set.of(), unused);
    }

    @ParameterizedTest
    @EnumSource
    void shouldDescribeThePayloadsOfWebhooks(WebhookEvent event) {
        WebhookPayload payload = SamplePayloads.of(event, Instant.parse("2026-03-04T09:15:00Z"));
        var sample = (ObjectNode) Json.mapperForTools().readTree(Json.write(payload));

        assertEquals(List.of(), OpenApiDocument.APPLICATION.checkPayload(event.type(), sample));
        for (String field : List.copyOf(sample.propertyNames())) {
            ObjectNode without = sample.deepCopy();
            without.remove(field);
            assertFalse(
                    OpenApiDocument.APPLICATION
                            .checkPayload(event.type(), without)
                            .isEmpty(),
                    field);
        }
        sample.put("more", 1);
        assertFalse(
                OpenApiDocument.APPLICATION.checkPayload(event.type(), sample).isEmpty());
    }

    private static void collectReferences(JsonNode node, Set<String> references) {
        if (node.path("$ref").isString()) {
            references.add(node.get("$ref").stringValue());
        }
        node.forEach(child -> collectReferences(child, references));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void shouldDeclareEveryOperationOnceWithItsParameters(OpenApiDocument document) {
        var ids = new HashSet<String>();
        for (Operation operation : document.operations()) {
            // Under two bases, it is the same operation.
            assertTrue(operation.path().startsWith("/api/") || ids.add(operation.id()), operation.id());
            Set<String> inPath = PATH_PARAMETER
                    .matcher(operation.path())
                    .results()
                    .map(match -> match.group(1))
                    .collect(Collectors.toSet());
            Set<String> declared = operation.parameters("path").stream()
                    .map(parameter -> parameter.get("name").stringValue())
                    .collect(Collectors.toSet());
            assertEquals(inPath, declared, operation::name);
        }
    }

    /** Clients retry 409 and 408, and a 5xx other than 503 is a fault, so none of these is documented. */
    @ParameterizedTest
    @MethodSource("documents")
    void shouldDocumentOnlyStatusesOfTheContract(OpenApiDocument document) {
        var allowed = Set.of(200, 201, 202, 400, 401, 403, 404, 413, 415, 422, 429, 503);
        var signIn = Set.of("POST /admin/v1/session", "DELETE /admin/v1/session");
        for (Operation operation : document.operations()) {
            for (Response response : operation.responses()) {
                // Browsers follow the links of emails, go to a provider and back, and back to a page whose form they
                // sent.
                boolean isRedirect =
                        response.status() == 302 && operation.path().matches("/m/.*|/admin/v1/session/oidc.*")
                                || response.status() == 303 && operation.name().startsWith("POST /unsubscribe/");
                boolean isSignOut = response.status() == 204 && signIn.contains(operation.name());
                assertTrue(
                        isRedirect || isSignOut || allowed.contains(response.status()),
                        () -> operation + " " + response.status());
                assertTrue(response.headers().containsKey("X-Request-Id"), () -> operation + " " + response.status());
                assertEquals(
                        Set.of(429, 503).contains(response.status())
                                && !operation.path().equals("/readyz"),
                        response.headers().containsKey("Retry-After"),
                        () -> operation + " " + response.status());
                assertEquals(
                        response.status() == 429,
                        response.headers().containsKey("X-RateLimit-Reset"),
                        () -> operation + " " + response.status());
            }
            assertEquals(
                    operation.isOpen(),
                    operation.response(401) == null || operation.name().equals("POST /admin/v1/session"),
                    operation::name);
            assertEquals(operation.hasBody(), operation.response(400) != null, operation::name);
            assertEquals(operation.hasBody(), operation.response(413) != null, operation::name);
            boolean mayHaveBody = !operation.name().matches("(GET|DELETE) .*");
            assertEquals(mayHaveBody, operation.response(415) != null, operation::name);
        }
    }

    /** Routes about one user, which a copy answers while the owner is away. */
    @ParameterizedTest
    @MethodSource("documents")
    void shouldMarkResponsesThatMayBeStale(OpenApiDocument document) {
        for (Operation operation : document.operations()) {
            boolean isOfUser = operation.method().equals("GET")
                    && (operation.path().matches("/(v1|api)/users/\\{id}.*")
                            || operation.path().endsWith("/preview")
                            || operation.path().endsWith("/timeline")
                            || operation.path().startsWith("/unsubscribe/"));

            assertEquals(
                    isOfUser,
                    operation.response(200) != null
                            && operation.response(200).headers().containsKey(PeerCalls.STALE),
                    operation::name);
        }
    }

    /** An open schema would accept a response with an undocumented field. */
    @ParameterizedTest
    @MethodSource("documents")
    void shouldForbidAdditionalPropertiesInResponses(OpenApiDocument document) {
        var open = new TreeSet<String>();
        for (Operation operation : document.operations()) {
            for (Response response : operation.responses()) {
                if (response.hasBody()) {
                    collectOpen(
                            document,
                            document.at(response.schema()),
                            operation.id() + " " + response.status(),
                            open,
                            new HashSet<>());
                }
            }
        }
        // Documents of another kind, and the export and reports, whose fields vary.
        open.removeIf(place -> place.matches(
                "get(Admin)?OpenApi 200 .*|getSchema 200 .*|exportUser 200 .*|getReplayReport 200 .*|getReport"
                        + " 200/series/.*"));
        assertEquals(Set.of(), open);
    }

    private static void collectOpen(
            OpenApiDocument document, JsonNode schema, String place, Set<String> open, Set<JsonNode> visited) {
        JsonNode here = document.followed(schema);
        if (!visited.add(here) || here.has("$ref")) {
            return;
        }
        boolean isObject = here.path("type").toString().contains("object") || here.has("allOf");
        boolean isClosed = Stream.of("additionalProperties", "unevaluatedProperties", "maxProperties")
                .anyMatch(here::has);
        if (isObject && !isClosed) {
            open.add(place + " " + here.path("required"));
        }
        here.path("properties")
                .properties()
                .forEach(field -> collectOpen(document, field.getValue(), place + "/" + field.getKey(), open, visited));
        for (String inside : List.of("items", "additionalProperties")) {
            if (here.path(inside).isObject()) {
                collectOpen(document, here.get(inside), place + "/" + inside, open, visited);
            }
        }
        here.path("oneOf").forEach(one -> collectOpen(document, one, place, open, visited));
        // A composed schema is closed by the composing schema, so only its fields are checked.
        here.path("allOf")
                .forEach(part -> document.followed(part)
                        .path("properties")
                        .properties()
                        .forEach(field ->
                                collectOpen(document, field.getValue(), place + "/" + field.getKey(), open, visited)));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void shouldHaveValidExamples(OpenApiDocument document) {
        var wrong = new ArrayList<String>();
        int[] examples = {0};
        for (Operation operation : document.operations()) {
            for (Response response : operation.responses()) {
                if (response.hasBody()) {
                    JsonNode content = response.json().get("content").get(response.mediaType());
                    check(document, content, response.schema(), operation + " " + response.status(), examples, wrong);
                }
            }
            if (operation.hasBody()) {
                String schema = operation.bodySchema();
                check(
                        document,
                        document.at(schema.replaceFirst("/schema$", "")),
                        schema,
                        operation + " body",
                        examples,
                        wrong);
            }
        }
        document.json()
                .get("components")
                .get("parameters")
                .properties()
                .forEach(parameter -> check(
                        document,
                        parameter.getValue(),
                        "/components/parameters/" + parameter.getKey() + "/schema",
                        parameter.getKey(),
                        examples,
                        wrong));

        assertEquals(List.of(), wrong);
        assertTrue(examples[0] > 20, () -> "only " + examples[0]);
    }

    private static void check(
            OpenApiDocument document, JsonNode holder, String schema, String where, int[] count, List<String> wrong) {
        if (holder.has("example")) {
            count[0]++;
            document.check(schema, holder.get("example")).forEach(error -> wrong.add(where + ": " + error));
        }
    }

    /** Clients are generated from each document, and from both. */
    @Test
    void shouldAgreeOnSharedComponents() {
        Map<String, JsonNode> schemas =
                OpenApiDocument.APPLICATION.json().get("components").get("schemas").properties().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        for (String name : List.of(
                "Id",
                "Key",
                "Time",
                "TimeOrNull",
                "Date",
                "DateOrNull",
                "TextOrNull",
                "Count",
                "Error",
                "Pending",
                "User",
                "UpdatedUser",
                "UpsertedUser",
                "AttributeChanges")) {
            assertEquals(schemas.get(name), OpenApiDocument.ADMIN.at("/components/schemas/" + name), name);
        }
        for (String name : List.of("TooMany", "Busy", "TooLarge", "Pending")) {
            assertEquals(
                    OpenApiDocument.APPLICATION.at("/components/responses/" + name),
                    OpenApiDocument.ADMIN.at("/components/responses/" + name),
                    name);
        }
    }

    /** The worked examples of the wire contract, which the documents contain as well. */
    @ParameterizedTest
    @CsvSource({
        "event, recordEvent, 201",
        "user, getUser, 200",
        "user, createUser, 201",
        "preferences, getPreferences, 200",
        "preferences, updatePreferences, 200",
        "streak, getUserStreak, 200",
        "userPoints, getUserPoints, 200",
        "userLeaderboard, getUserLeaderboard, 200",
        "wrapped, getUserWrapped, 200",
        "summary, countUsersByPoints, 200",
        "leaderboard, getLeaderboard, 200",
        "created, createMetrics, 201",
        "unknownAttribute, recordEvent, 422"
    })
    void shouldAgreeWithWorkedExamples(String name, String operationId, int status) throws IOException {
        JsonNode example;
        try (InputStream in = OpenApiDocumentTest.class.getResourceAsStream("/worked-examples/" + name + ".json")) {
            example = Json.mapperForTools().readTree(in);
        }
        Operation operation = documents()
                .flatMap(document -> document.operations().stream())
                .filter(candidate -> candidate.id().equals(operationId))
                .findFirst()
                .orElseThrow();
        Response response = operation.response(status);

        assertEquals(List.of(), operation.document().check(response.schema(), example));
        assertEquals(
                example.toString(),
                response.json()
                        .get("content")
                        .get("application/json")
                        .get("example")
                        .toString());
    }
}
