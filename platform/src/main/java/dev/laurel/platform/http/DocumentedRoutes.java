package dev.laurel.platform.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * The routes of the whole deployment, from its OpenAPI documents. A process serves only some of them, and must
 * distinguish a path that does not exist in the deployment (404) from one that another process serves with other
 * methods (405). The documents are parsed at first use, because parsing is slow and rarely needed. Thread-safe.
 */
public final class DocumentedRoutes {

    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

    /** A documented route that exists only if the test clock is enabled. */
    private static final String TEST_CLOCK = "/admin/v1/test-clock";

    private static final Pattern PARAMETER = Pattern.compile("\\{\\w+}");

    private DocumentedRoutes() {}

    private record Route(Pattern path, Set<String> methods) {}

    /** What an operation does. @param summary such as {@code Create metrics} */
    private record Operation(String id, String summary) {}

    /** Defers the parsing to the first use. */
    private static final class Holder {
        private static final List<JsonNode> DOCUMENTS = DocumentRoutes.parseOpenApi();
        private static final List<Route> ROUTES = read(DOCUMENTS);

        /** By method and path, in which all parameters have the same name. */
        private static final Map<String, Operation> OPERATIONS = readOperations(DOCUMENTS);
        private static final Map<String, String> SUMMARIES = OPERATIONS.values().stream()
                .collect(Collectors.toUnmodifiableMap(Operation::id, Operation::summary, (first, _) -> first));
    }

    /** The {@code operationId} of a route; the route itself if it is not documented. @param path as it is mounted */
    static String operationOf(String method, String path) {
        String route = method + " " + path;
        Operation operation = Holder.OPERATIONS.get(PARAMETER.matcher(route).replaceAll("{}"));
        return operation == null ? route : operation.id();
    }

    /** What an operation does, in a few words; the id itself if it is not, or no longer, documented. */
    public static String summaryOf(String operation) {
        return Holder.SUMMARIES.getOrDefault(operation, operation);
    }

    private static Map<String, Operation> readOperations(List<JsonNode> documents) {
        var operations = new HashMap<String, Operation>();
        for (JsonNode document : documents) {
            for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
                for (JsonNode server : document.get("servers")) {
                    String whole = RequestFilter.withoutSlash(server.get("url").stringValue()) + path.getKey();
                    path.getValue().properties().forEach(method -> {
                        if (METHODS.contains(method.getKey())) {
                            operations.put(
                                    PARAMETER.matcher(method.getKey().toUpperCase(Locale.ROOT) + " " + whole)
                                            .replaceAll("{}"),
                                    new Operation(method.getValue().get("operationId").stringValue(),
                                            method.getValue().get("summary").stringValue()));
                        }
                    });
                }
            }
        }
        return operations;
    }

    /** The methods of this path in the deployment, sorted; empty if the path does not exist. */
    static Set<String> methodsOf(String path) {
        return Holder.ROUTES.stream().filter(route -> route.path.matcher(RequestFilter.withoutSlash(path)).matches())
                .flatMap(route -> route.methods.stream()).collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Route> read(List<JsonNode> documents) {
        var routes = new ArrayList<Route>();
        for (JsonNode document : documents) {
            for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
                Set<String> methods = path.getValue().propertyNames().stream().filter(METHODS::contains)
                        .map(method -> method.toUpperCase(Locale.ROOT)).collect(Collectors.toSet());
                JsonNode servers = path.getValue().has("servers")
                        ? path.getValue().get("servers")
                        : document.get("servers");
                for (JsonNode server : servers) {
                    String whole = RequestFilter.withoutSlash(server.get("url").stringValue()) + path.getKey();
                    if (!whole.equals(TEST_CLOCK)) {
                        routes.add(new Route(pattern(whole), methods));
                    }
                }
            }
        }
        return routes;
    }

    /** A pattern in which each parameter of the path matches one segment. */
    private static Pattern pattern(String path) {
        return Pattern.compile(Arrays.stream(path.split("/", -1))
                .map(segment -> segment.startsWith("{") ? "[^/]+" : Pattern.quote(segment))
                .collect(Collectors.joining("/")));
    }
}
