package dev.laurel.schemas.http;

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
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The routes of the whole deployment, by its OpenAPI documents. A process serves some of them only, reads or writes, and has to
 * tell an address that exists nowhere (404) from one that another process has, but with another method (405). The documents
 * are read when that is asked for first: it is seldom, and takes longer than anything else at a start. Thread-safe.
 */
final class DocumentedRoutes {

    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

    /** Where it is not switched on there is no such route, whatever the document says. */
    private static final String TEST_CLOCK = "/admin/v1/test-clock";

    private static final DocumentedRoutes ALL = new DocumentedRoutes();

    private final ReentrantLock lock = new ReentrantLock();
    private List<Route> routes;

    /** @param segments of the path; null: any that is not empty */
    private record Route(String[] segments, Set<String> methods) {

        boolean matches(String[] path) {
            if (path.length != segments.length) {
                return false;
            }
            for (int i = 0; i < path.length; i++) {
                if (segments[i] == null ? path[i].isEmpty() : !segments[i].equals(path[i])) {
                    return false;
                }
            }
            return true;
        }
    }

    private DocumentedRoutes() {}

    /** The methods that this path has in the deployment, sorted; empty if there is no such path. */
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

    private static String[] segmentsOf(String path) {
        String[] segments = path.split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            if (segments[i].startsWith("{")) {
                segments[i] = null;
            }
        }
        return segments;
    }
}
