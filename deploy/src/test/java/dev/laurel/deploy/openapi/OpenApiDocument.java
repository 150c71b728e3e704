package dev.laurel.deploy.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** An OpenAPI document on the class path. Immutable; thread-safe. */
public final class OpenApiDocument {

    private static final List<String> METHODS =
            List.of("get", "put", "post", "delete", "options", "head", "patch", "trace");

    /** Fictitious address of the documents. */
    private static final String SERVER = "http://laurel.test";

    /** Refuses duplicate keys, of which the second would silently replace the first. */
    private static final YAMLMapper YAML = YAMLMapper.builder(YAMLFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .build();

    public static final OpenApiDocument APPLICATION = new OpenApiDocument("application-api", "/v1/openapi");
    public static final OpenApiDocument ADMIN = new OpenApiDocument("admin-api", "/admin/v1/openapi");

    private final String path;
    private final String yaml;
    private final JsonNode json;
    private final List<Operation> operations;
    private final SchemaRegistry registry;
    private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

    private OpenApiDocument(String name, String path) {
        this.path = path;
        try (InputStream in = Json.class.getResourceAsStream("/dev/laurel/schemas/openapi/" + name + ".yaml")) {
            this.yaml = new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.json = YAML.readTree(yaml);
        this.operations = List.copyOf(read());
        this.registry = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                builder -> builder.schemas(Map.of(SERVER + path, json.toString()))
                        .schemaRegistryConfig(SchemaRegistryConfig.builder()
                                .formatAssertionsEnabled(true)
                                .build()));
    }

    /** Returns both documents. */
    public static List<OpenApiDocument> all() {
        return List.of(APPLICATION, ADMIN);
    }

    private List<Operation> read() {
        var found = new ArrayList<Operation>();
        for (Map.Entry<String, JsonNode> item : json.get("paths").properties()) {
            JsonNode servers = item.getValue().has("servers") ? item.getValue().get("servers") : json.get("servers");
            for (JsonNode server : servers) {
                String base = server.get("url").stringValue().replaceFirst("/$", "");
                for (String method : METHODS) {
                    if (item.getValue().has(method)) {
                        JsonNode operation = item.getValue().get(method);
                        found.add(new Operation(
                                this,
                                "/paths/" + escaped(item.getKey()) + "/" + method,
                                method.toUpperCase(Locale.ROOT),
                                base + item.getKey(),
                                operation,
                                parameters(item.getValue(), operation)));
                    }
                }
            }
        }
        return found;
    }

    private List<JsonNode> parameters(JsonNode item, JsonNode operation) {
        var parameters = new ArrayList<JsonNode>();
        item.path("parameters").forEach(parameter -> parameters.add(followed(parameter)));
        operation.path("parameters").forEach(parameter -> parameters.add(followed(parameter)));
        return List.copyOf(parameters);
    }

    private static String escaped(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }

    /** Returns the path at which the document is served. */
    public String path() {
        return path;
    }

    public String yaml() {
        return yaml;
    }

    public JsonNode json() {
        return json;
    }

    /** Returns every method of every path, once per server. */
    public List<Operation> operations() {
        return operations;
    }

    public JsonNode at(String pointer) {
        return json.at(JsonPointer.compile(pointer));
    }

    /** Resolves a reference within this document. */
    public JsonNode followed(JsonNode node) {
        JsonNode here = node;
        while (here.has("$ref") && here.get("$ref").stringValue().startsWith("#")) {
            here = at(here.get("$ref").stringValue().substring(1));
        }
        return here;
    }

    /** Validates {@code value}, including formats, against the schema at this place; returns the errors. */
    public List<Error> check(String pointer, JsonNode value) {
        return schemas.computeIfAbsent(pointer, this::schema).validate(value);
    }

    /** Validates the payload of a webhook; returns the errors. */
    public List<Error> checkPayload(String type, JsonNode payload) {
        return check("/webhooks/" + type + "/post/requestBody/content/application~1json/schema", payload);
    }

    private Schema schema(String pointer) {
        if (at(pointer).isMissingNode()) {
            throw new IllegalArgumentException("nothing at " + pointer);
        }
        return registry.getSchema(SchemaLocation.of(SERVER + path + "#" + pointer));
    }
}
