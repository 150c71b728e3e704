package dev.laurel.platform.http;

import dev.laurel.platform.command.LocalFiles;
import dev.laurel.schemas.serde.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The routes of the whole deployment, from a summary of its OpenAPI documents that is derived from them at build time, because parsing
 * them takes a second. A process serves only some of them, and must distinguish a path that does not exist in the deployment (404) from
 * one that another process serves with other methods (405). Thread-safe.
 */
final class DocumentedRoutes {

    /** A documented route that exists only if the test clock is enabled. */
    private static final String TEST_CLOCK = "/admin/v1/test-clock";

    private static final Pattern PARAMETER = Pattern.compile("\\{\\w+}");

    private DocumentedRoutes() {}

    private record Route(Pattern path, String method) {}

    /**
     * An operation of the documents.
     *
     * @param paths with all mounts
     * @param summary what it does, such as {@code Create metrics}
     * @param query names of query parameters
     * @param body names of the fields of the body: an object, by name; a list with one such object; true for anything else; null if the
     *        body has no named fields, or none at all
     */
    record Operation(
            String method,
            List<String> paths,
            String id,
            String summary,
            List<String> query,
            @Nullable Object body) {}

    /** Defers the reading to the first use. */
    private static final class Holder {
        private static final List<Operation> ALL =
                List.of(Json.read(read("openapi/operations.json"), Operation[].class));
        private static final List<Route> ROUTES = ALL.stream()
                .flatMap(operation -> operation.paths.stream()
                        .filter(path -> !path.equals(TEST_CLOCK))
                        .map(path -> new Route(pattern(path), operation.method)))
                .toList();

        /** By method and path, in which all parameters have the same name. */
        private static final Map<String, Operation> OPERATIONS = ALL.stream()
                .flatMap(operation ->
                        operation.paths.stream().map(path -> Map.entry(routeOf(operation.method, path), operation)))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

        private static final Map<String, String> SUMMARIES = ALL.stream()
                .collect(Collectors.toUnmodifiableMap(Operation::id, Operation::summary, (first, _) -> first));
    }

    /** Null if the route is not documented. @param path as it is mounted */
    static @Nullable Operation operation(String method, String path) {
        return Holder.OPERATIONS.get(routeOf(method, path));
    }

    private static String routeOf(String method, String path) {
        return method + " " + PARAMETER.matcher(path).replaceAll("{}");
    }

    /** The {@code operationId} of a route; the route itself if it is not documented. @param path as it is mounted */
    static String operationOf(String method, String path) {
        Operation operation = operation(method, path);
        return operation == null ? method + " " + path : operation.id();
    }

    /** @see DocumentRoutes#summaryOf */
    static String summaryOf(String operation) {
        return Holder.SUMMARIES.getOrDefault(operation, operation);
    }

    /** The methods of this path in the deployment, sorted; empty if the path does not exist. */
    static Set<String> methodsOf(String path) {
        return Holder.ROUTES.stream()
                .filter(route ->
                        route.path.matcher(RequiredRole.withoutSlash(path)).matches())
                .map(Route::method)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** A pattern in which each parameter of the path matches one segment. */
    private static Pattern pattern(String path) {
        return Pattern.compile(
                Arrays.stream(PARAMETER.split(path, -1)).map(Pattern::quote).collect(Collectors.joining("[^/]+")));
    }

    /** The bytes of a file among the schemas. */
    static byte[] read(String file) {
        return LocalFiles.resource(DocumentedRoutes.class, "/dev/laurel/schemas/" + file);
    }
}
