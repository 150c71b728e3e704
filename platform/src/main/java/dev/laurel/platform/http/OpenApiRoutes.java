package dev.laurel.platform.http;

import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.schemas.serde.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Serves the OpenAPI documents without a key: {@code /v1/openapi} for the application API and {@code /admin/v1/openapi}
 * for the admin API, as JSON; with the suffix {@code .yaml}, as YAML. The YAML files are loaded at start. The
 * conversion to JSON is slow and happens at the first request.
 */
public final class OpenApiRoutes implements Routes {

    /** The documents of the application API and of the admin API. */
    static final List<String> FILES = List.of("application-api.yaml", "admin-api.yaml");

    private static final String FOLDER = "/dev/laurel/schemas/openapi/";

    @Override
    public void mount(RoutesConfig routes) {
        mount(routes, "/v1/openapi", new Document(FILES.getFirst()));
        mount(routes, "/admin/v1/openapi", new Document(FILES.getLast()));
    }

    private static void mount(RoutesConfig routes, String path, Document document) {
        routes.get(path, context -> HttpServer.answer(context, 200, document.json()));
        routes.get(path + ".yaml", context -> answerYaml(context, document.yaml));
    }

    private static void answerYaml(Context context, byte[] yaml) {
        context.res().setCharacterEncoding(null); // the media type implies UTF-8; the server would add a charset
        context.status(200).contentType("application/yaml").result(yaml);
    }

    /** Opens a document. The caller must close the stream. */
    static InputStream open(String file) {
        return OpenApiRoutes.class.getResourceAsStream(FOLDER + file);
    }

    private static final class Document {
        private final ReentrantLock lock = new ReentrantLock();
        private final byte[] yaml;
        private byte @Nullable [] json;

        private Document(String file) {
            try (InputStream in = open(file)) {
                this.yaml = in.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + file, e);
            }
        }

        private byte[] json() {
            lock.lock();
            try {
                if (json == null) {
                    json = Json.write(YAMLMapper.shared().readTree(yaml));
                }
                return json;
            } finally {
                lock.unlock();
            }
        }
    }
}
