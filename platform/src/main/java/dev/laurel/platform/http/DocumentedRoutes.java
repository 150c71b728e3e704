package dev.laurel.platform.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The routes of the whole deployment, from its OpenAPI documents. A process serves only some of them, and must
 * distinguish a path that does not exist in the deployment (404) from one that another process serves with other
 * methods (405). The documents are parsed at first use, because parsing is slow and rarely needed. Thread-safe.
 */
final class DocumentedRoutes {

    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

    /** A documented route that exists only if the test clock is enabled. */
    private static final String TEST_CLOCK = "/admin/v1/test-clock";

    private static final DocumentedRoutes ALL = new DocumentedRoutes();

    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable List<Route> routes;

    /** @param segments segments of the path; null matches any segment that is not empty */
    private record Route(@Nullable String[] segments, Set<String> methods) {

        boolean matches(String[] path) {
            if (path.length != segments.length) {
                return false;
            }
            for (int i = 0; i < path.length; i++) {
                String segment = segments[i];
                if (segment == null ? path[i].isEmpty() : !segment.equals(path[i])) {
                    return false;
                }
            }
            return true;
        }
    }

    private DocumentedRoutes() {}

    /** The methods of this path in the deployment, sorted; empty if the path does not exist. */
    static Set<String> methodsOf(String path) {
        String[] segments = (path.endsWith("/") ? path.substring(0, path.length() - 1) : path).split("/", -1);
        var methods = new TreeSet<String>();
        for (Route route : ALL.routes()) {
            if (route.matches(segments)) {
                methods.addAll(route.methods());
            }
        }
        return methods;
    }

    private List<Route> routes() {
        lock.lock();
        try {
            if (routes == null) {
                var read = new ArrayList<Route>();
                for (String file : OpenApiRoutes.FILES) {
                    read(file, read);
                }
                routes = List.copyOf(read);
            }
            return routes;
        } finally {
            lock.unlock();
        }
    }

    private static void read(String file, List<Route> into) {
        JsonNode document;
        try (InputStream in = OpenApiRoutes.open(file)) {
            document = YAMLMapper.shared().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
        for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
            var methods = new TreeSet<String>();
            path.getValue().propertyNames().stream().filter(METHODS::contains)
                    .forEach(method -> methods.add(method.toUpperCase(Locale.ROOT)));
            JsonNode servers = path.getValue().has("servers")
                    ? path.getValue().get("servers")
                    : document.get("servers");
            for (JsonNode server : servers) {
                String base = server.get("url").stringValue();
                String whole = (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path.getKey();
                if (!whole.equals(TEST_CLOCK)) {
                    into.add(new Route(segmentsOf(whole), methods));
                }
            }
        }
    }

    private static @Nullable String[] segmentsOf(String path) {
        @Nullable
        String[] segments = path.split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            String segment = segments[i];
            if (segment != null && segment.startsWith("{")) {
                segments[i] = null;
            }
        }
        return segments;
    }
}
