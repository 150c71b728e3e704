package dev.laurel.platform.http;

import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.schemas.serde.Json;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Serves the documents of the interfaces without a key. {@code /v1/openapi} and {@code /admin/v1/openapi} are the OpenAPI
 * documents of the two APIs, as JSON; with the suffix {@code .yaml}, as YAML. {@code /v1/schemas} lists the JSON Schemas,
 * {@code /v1/schemas/{name}} is one of them. All files are loaded at start, so that no request opens a file. The
 * conversion of YAML to JSON is slow and happens at the first request.
 */
public final class DocumentRoutes implements Routes {

    private static final String APPLICATION_API = "application-api.yaml";
    private static final String ADMIN_API = "admin-api.yaml";
    private static final List<String> SCHEMAS = List.of(
            "command.schema.json",
            "log-command.schema.json",
            "import-line.schema.json",
            "effect.schema.json",
            "rejection.schema.json",
            "laurel-ruleset.schema.json",
            "replay-report.schema.json");

    private final Map<String, byte[]> schemas = new LinkedHashMap<>();
    private final Map<String, byte[]> openApiJson = new ConcurrentHashMap<>();

    /** The body of the list: the paths of the schemas. */
    private record SchemaListBody(List<String> schemas) {}

    public DocumentRoutes() {
        SCHEMAS.forEach(name -> schemas.put(name, DocumentedRoutes.read("json/" + name)));
    }

    @Override
    public void mount(RouteTable routes) {
        mountOpenApi(routes, "/v1/openapi", APPLICATION_API);
        mountOpenApi(routes, "/admin/v1/openapi", ADMIN_API);
        routes.get("/v1/schemas", RequiredRole.PUBLIC, this::listSchemas);
        routes.get("/v1/schemas/{name}", RequiredRole.PUBLIC, this::answerSchema);
    }

    private void mountOpenApi(RouteTable routes, String path, String file) {
        byte[] yaml = DocumentedRoutes.read("openapi/" + file);
        routes.get(
                path,
                RequiredRole.PUBLIC,
                context -> Answers.answer(
                        context,
                        200,
                        openApiJson.computeIfAbsent(
                                file, _ -> Json.write(YAMLMapper.shared().readTree(yaml)))));
        routes.get(path + ".yaml", RequiredRole.PUBLIC, context -> answer(context, "application/yaml", yaml));
    }

    private void listSchemas(Context context) {
        List<String> paths =
                schemas.keySet().stream().map(name -> "/v1/schemas/" + name).toList();
        Answers.json(context, 200, new SchemaListBody(paths));
    }

    private void answerSchema(Context context) {
        byte[] schema = schemas.get(context.pathParam("name"));
        if (schema == null) {
            throw new HttpRefusal(404, "No such schema; GET /v1/schemas lists them.");
        }
        answer(context, "application/schema+json", schema);
    }

    private static void answer(Context context, String contentType, byte[] document) {
        context.res().setCharacterEncoding(null); // the media types imply UTF-8; the server would add a charset
        context.status(200).contentType(contentType).result(document);
    }

    /** What an operation does, in a few words; the id itself if it is not, or no longer, documented. */
    public static String summaryOf(String operation) {
        return DocumentedRoutes.summaryOf(operation);
    }
}
