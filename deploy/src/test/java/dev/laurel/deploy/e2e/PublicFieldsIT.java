package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.openapi.OpenApiDocument;
import dev.laurel.deploy.openapi.Operation;
import dev.laurel.deploy.openapi.ResponseCheck;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Shows that no request field that clients of the service know is ignored ({@code request-fields.yaml}): each is in the
 * OpenAPI document, and a value of a wrong type is refused with a message that names the field, so the field is read.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class PublicFieldsIT {

    private static final String RULESET = """
        {"metrics": {"laps": {}}, "attributes": {"user": {"city": {}}, "event": {"pool": {}}},
         "achievements": {"hello": {"trigger": "api"}},
         "points": {"gems": {"levels": {"otter": {"points": 10}}, "boosts": {"may": {"start": "2030-05-01",
           "multiplier": 2}}, "triggers": {"hello": {"type": "user_creation", "points": 1}}}},
         "leaderboards": {"all": {"status": "inactive", "rankBy": "metric", "metric": "laps"}},
         "streak": {"freezesEnabled": true, "personalizationEnabled": true, "metrics": {"laps": 1}}}
        """;
    private static final Map<String, String> OBJECTS = Map.of(
            "attribute",
            "/attributes/user/city/id",
            "metric",
            "/metrics/laps/id",
            "achievement",
            "/achievements/hello/id",
            "system",
            "/points/gems/id",
            "level",
            "/points/gems/levels/otter/id",
            "boost",
            "/points/gems/boosts/may/id",
            "trigger",
            "/points/gems/triggers/hello/id",
            "leaderboard",
            "/leaderboards/all/id",
            "eventAttribute",
            "/attributes/event/pool/id");
    /** Requests about tenants are refused while multi-tenancy is off. The routes about tenants ignore the header. */
    private static final String[] TENANT = {"Tenant-ID", "first"};

    private static final Pattern OBJECT = Pattern.compile("\\{(\\w+)}");
    private static final int MIN_FIELDS = 200;

    @AutoClose
    private static LaurelInstance instance;

    private static final Map<String, String> IDS = new HashMap<>();

    @BeforeAll
    static void start() throws InterruptedException {
        instance = LaurelInstance.start();
        instance.client().put("/admin/v1/ruleset", RULESET).expect(200);
        instance.client().put("/v1/users/ida", "{}");
        JsonNode ruleset =
                instance.client().get("/admin/v1/ruleset").expect(200).json();
        OBJECTS.forEach((name, pointer) -> IDS.put(name, ruleset.at(pointer).stringValue()));
        instance.client()
                .patch(
                        "/admin/v1/settings",
                        "{\"multiTenancyEnabled\": true, \"firstTenant\": {\"customerId\": \"" + TENANT[1] + "\"}}")
                .expect(200);
        IDS.put("tenant", instance.client().get("/admin/v1/tenants").expect(200).string("/0/id"));
    }

    @Test
    void shouldReadEveryFieldThatClientsKnow() throws IOException {
        var ignored = new TreeMap<String, String>();
        int fields = 0;
        for (JsonNode row : rows()) {
            String[] call = row.get("call").stringValue().split(" ");
            String path = withIds(call[1]);
            Operation operation = new ResponseCheck().operation(call[0], path);
            for (JsonNode field : row.get("fields")) {
                fields++;
                String problem = problemOf(operation, path, row.get("body"), field.stringValue());
                if (problem != null) {
                    ignored.put(row.get("call").stringValue() + " " + field.stringValue(), problem);
                }
            }
        }
        assertEquals(Map.of(), ignored);
        assertTrue(fields >= MIN_FIELDS, "only " + fields);
    }

    private static JsonNode rows() throws IOException {
        try (InputStream in = PublicFieldsIT.class.getResourceAsStream("/request-fields.yaml")) {
            return YAMLMapper.shared().readTree(in);
        }
    }

    private static String withIds(String text) {
        return OBJECT.matcher(text).replaceAll(found -> IDS.get(found.group(1)));
    }

    private static String problemOf(Operation operation, String path, JsonNode body, String field) {
        Set<String> types = new HashSet<>();
        boolean isList = body.isArray();
        collectTypes(
                operation.document(),
                operation.document().at(operation.bodySchema()),
                (isList ? "[]." : "") + field,
                types);
        if (types.isEmpty()) {
            return "not in the OpenAPI document";
        }
        JsonNode wrong = Json.mapperForTools().readTree(types.contains("object") ? "\"x\"" : "{\"x\": 1}");
        JsonNode changed = Json.mapperForTools().readTree(withIds(body.toString()));
        set((ObjectNode) (isList ? changed.get(0) : changed), field, wrong);

        JsonResponse answer = instance.client().send(operation.method(), path, changed.toString(), TENANT);
        Pattern name = Pattern.compile("\\b" + field.replaceFirst(".*[.]", "") + "\\b", Pattern.CASE_INSENSITIVE);
        for (String message : messages(answer)) {
            if (name.matcher(message).find()) {
                return null;
            }
        }
        return changed + " → " + answer.status() + " " + answer.text();
    }

    /** The error, or the messages of issues that are errors. */
    private static Set<String> messages(JsonResponse answer) {
        var messages = new TreeSet<String>();
        if (answer.status() >= 400) {
            messages.add(answer.string("/error"));
        }
        for (JsonNode issue : answer.json().path("issues")) {
            if (issue.get("severity").stringValue().equals("error")) {
                messages.add(issue.get("message").stringValue());
            }
        }
        return messages;
    }

    /** Sets the field at the end of a path, and makes the objects and lists on the way. */
    private static void set(ObjectNode object, String path, JsonNode value) {
        int dot = path.indexOf('.');
        String name = dot < 0 ? path : path.substring(0, dot);
        if (dot < 0) {
            object.set(name, value);
        } else if (name.endsWith("[]")) {
            String list = name.substring(0, name.length() - 2);
            ArrayNode items = object.has(list) ? (ArrayNode) object.get(list) : object.putArray(list);
            set((ObjectNode) (items.isEmpty() ? items.addObject() : items.get(0)), path.substring(dot + 1), value);
        } else {
            set(
                    (ObjectNode) (object.has(name) ? object.get(name) : object.putObject(name)),
                    path.substring(dot + 1),
                    value);
        }
    }

    /** Collects the types of the schema at the end of a path; none if there is no such field. */
    private static void collectTypes(OpenApiDocument document, JsonNode schema, String path, Set<String> types) {
        JsonNode here = document.followed(schema);
        here.path("allOf").forEach(part -> collectTypes(document, part, path, types));
        here.path("oneOf").forEach(part -> collectTypes(document, part, path, types));
        if (path.isEmpty()) {
            JsonNode type = here.path("type");
            if (type.isString()) {
                types.add(type.stringValue());
            }
            type.forEach(one -> types.add(one.stringValue()));
            return;
        }
        int dot = path.indexOf('.');
        String name = dot < 0 ? path : path.substring(0, dot);
        String rest = dot < 0 ? "" : path.substring(dot + 1);
        if (name.equals("[]")) {
            collectTypes(document, here.path("items"), rest, types);
        } else if (name.endsWith("[]")) {
            JsonNode list = here.path("properties").path(name.substring(0, name.length() - 2));
            collectTypes(document, list, "[]." + rest, types);
        } else if (here.path("properties").has(name)) {
            collectTypes(document, here.path("properties").get(name), rest, types);
        }
    }
}
