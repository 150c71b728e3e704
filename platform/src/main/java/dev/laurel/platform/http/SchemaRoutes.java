package dev.laurel.platform.http;

import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.schemas.serde.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Serves the JSON Schemas without a key: {@code GET /v1/schemas} and {@code GET /v1/schemas/{name}}. The schemas are
 * loaded once, at start; a request selects one by its name and never opens a file.
 */
public final class SchemaRoutes implements Routes {

    private static final String FOLDER = "/dev/laurel/schemas/json/";
    private static final String CONTENT_TYPE = "application/schema+json";

    /** The published schemas. A schema that is missing in this build is not served. */
    private static final List<String> NAMES = List.of("command.schema.json", "log-command.schema.json",
            "import-line.schema.json", "effect.schema.json", "rejection.schema.json", "laurel-ruleset.schema.json",
            "replay-report.schema.json");

    private final Map<String, byte[]> schemas;

    /** The body of the list: the paths of the schemas. */
    private record SchemaListBody(List<String> schemas) {}

    public SchemaRoutes() {
        var found = new LinkedHashMap<String, byte[]>();
        for (String name : NAMES) {
            byte[] schema = resource(name);
            if (schema != null) {
                found.put(name, schema);
            }
        }
        this.schemas = Collections.unmodifiableMap(found);
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.get("/v1/schemas", this::list);
        routes.get("/v1/schemas/{name}", this::one);
    }

    private void list(Context context) {
        List<String> paths = schemas.keySet().stream().map(name -> "/v1/schemas/" + name).toList();
        HttpServer.answer(context, 200, Json.write(new SchemaListBody(paths)));
    }

    private void one(Context context) {
        byte[] schema = schemas.get(context.pathParam("name"));
        if (schema == null) {
            throw new HttpRefusal(404, "No such schema; GET /v1/schemas lists them.");
        }
        context.res().setCharacterEncoding(null); // JSON is UTF-8 by definition; the server would add a charset
        context.status(200).contentType(CONTENT_TYPE).result(schema);
    }

    private static byte @Nullable [] resource(String name) {
        try (InputStream in = SchemaRoutes.class.getResourceAsStream(FOLDER + name)) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the schema " + name, e);
        }
    }
}
