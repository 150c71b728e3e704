package dev.laurel.deploy.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.networknt.schema.Error;
import dev.laurel.deploy.openapi.Operation.Response;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks responses against the OpenAPI documents: status, media type, headers and body. Also checks rules that the
 * documents cannot express: integers are written without fraction and exponent, errors name no classes, and strictly typed clients of
 * the public contract can decode what they know ({@link PublicShapes}). Records the documented responses that occurred, see
 * {@link #seen}. Thread-safe.
 */
public final class ResponseCheck {

    /** Statuses that are answered before a route is found, or at any route; 403 is that of a session without its token. */
    private static final Set<Integer> OF_NO_ROUTE = Set.of(400, 401, 403, 404, 405, 413, 414, 415, 429, 431);

    /** Statuses of requests that are too malformed to reach a route. */
    private static final Set<Integer> OF_BROKEN_REQUESTS = Set.of(400, 413, 414, 431);

    private static final Pattern INTERNALS = Pattern.compile(
            "\\bat [a-z]+[.][\\w.$]+\\(|Exception\\b|\\b(java|javax|jakarta|tools[.]jackson|org[.]apache|org[.]eclipse|"
                    + "kotlin|io[.]javalin|dev[.]laurel)[.][a-z]");
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** Shared by all tests of a run. */
    private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

    private final List<Operation> operations;

    public ResponseCheck() {
        this.operations = OpenApiDocument.all().stream()
                .flatMap(document -> document.operations().stream())
                .toList();
    }

    /**
     * A received response.
     *
     * @param method of the request
     * @param target of the request, as it was sent
     * @param headers values of a header by its name, in any case
     */
    public record Answer(
            String method, String target, int status, Function<String, List<String>> headers, byte[] body) {

        @Override
        public String toString() {
            String text = new String(body, UTF_8);
            return method + " " + target + " → " + status + " "
                    + (text.length() > 2000 ? text.substring(0, 2000) + "…" : text);
        }
    }

    /** @throws AssertionError with all errors of the response */
    public void expectDocumented(Answer answer) {
        List<String> problems = problemsOf(answer);
        if (!problems.isEmpty()) {
            throw new AssertionError(
                    "not as the OpenAPI documents say: " + answer + "\n" + String.join("\n", problems));
        }
    }

    /** Returns the errors of the response; empty: none. */
    public List<String> problemsOf(Answer answer) {
        var problems = new ArrayList<String>();
        if (answer.headers.apply("X-Request-Id").size() != 1) {
            problems.add("it must have one X-Request-Id, has " + answer.headers.apply("X-Request-Id"));
        }
        Operation operation = operation(answer.method, answer.target);
        Response response = operation == null ? null : operation.response(answer.status);
        if (response != null) {
            SEEN.add(operation.name() + " " + answer.status);
            checkDocumented(answer, operation, response, problems);
        } else if ((operation == null ? OF_NO_ROUTE : OF_BROKEN_REQUESTS).contains(answer.status)) {
            checkError(answer, problems);
        } else {
            problems.add("the status " + answer.status + " is not documented for "
                    + (operation == null ? "an unknown route" : operation));
        }
        return problems;
    }

    /** Returns the documented responses that occurred, as {@code GET /v1/users/{id} 200}. */
    public static Set<String> seen() {
        return Set.copyOf(SEEN);
    }

    /** Returns the operation of a request; null: none. */
    public Operation operation(String method, String target) {
        String sought = method.equals("HEAD") ? "GET" : method;
        return onPath(target).stream()
                .filter(operation -> operation.method().equals(sought))
                .findFirst()
                .orElse(null);
    }

    /** Returns all methods of a path, the paths with fewer parameters first. */
    private List<Operation> onPath(String target) {
        String path = target.replaceFirst("[?#].*", "").replaceFirst("(?<=.)/$", "");
        String[] segments = path.replaceFirst("^/", "").split("/", -1);
        return operations.stream()
                .filter(operation -> matches(operation.segments(), segments))
                .sorted(Comparator.comparingInt(ResponseCheck::parametersInPath))
                .toList();
    }

    private static int parametersInPath(Operation operation) {
        return (int) operation.segments().stream()
                .filter(segment -> segment.startsWith("{"))
                .count();
    }

    private static boolean matches(List<String> template, String[] segments) {
        if (template.size() != segments.length) {
            return false;
        }
        for (int i = 0; i < segments.length; i++) {
            String expected = template.get(i);
            if (expected.startsWith("{") ? segments[i].isEmpty() : !expected.equals(decoded(segments[i]))) {
                return false;
            }
        }
        return true;
    }

    private static String decoded(String segment) {
        try {
            return URLDecoder.decode(segment.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException _) {
            return segment;
        }
    }

    private void checkDocumented(Answer answer, Operation operation, Response response, List<String> problems) {
        for (Map.Entry<String, JsonNode> header : response.headers().entrySet()) {
            checkHeader(answer, header.getKey(), header.getValue(), problems);
        }
        if (!response.hasBody()) {
            if (answer.body.length > 0) {
                problems.add("it must have no body");
            }
            return;
        }
        checkMediaType(answer, response.mediaType(), problems);
        if (answer.method.equals("HEAD") || !response.mediaType().endsWith("json")) {
            return;
        }
        JsonNode body = json(answer, problems);
        if (body == null) {
            return;
        }
        for (Error error : response.document().check(response.schema(), body)) {
            problems.add(
                    error.getInstanceLocation() + " " + error.getMessage() + " [" + error.getEvaluationPath() + "]");
        }
        if (answer.status >= 400) {
            checkWords(body, problems);
        } else {
            problems.addAll(PublicShapes.V1_26.problemsOf(operation, body, new HashSet<>()));
        }
        if (!response.schema().contains("openapi/")) {
            checkNumbers(body, "", problems);
        }
    }

    private static void checkHeader(Answer answer, String name, JsonNode header, List<String> problems) {
        List<String> values = answer.headers.apply(name);
        if (header.path("required").asBoolean(false) && values.size() != 1) {
            problems.add("it must have one header " + name + ", has " + values);
        }
        boolean isNumber = header.get("schema").get("type").stringValue().equals("integer");
        for (String value : values) {
            if (isNumber && !value.matches("\\d{1,18}")) {
                problems.add("header " + name + " must be a number, is " + value);
            }
        }
    }

    private void checkError(Answer answer, List<String> problems) {
        checkMediaType(answer, "application/json", problems);
        if (answer.status == 405) {
            checkAllowed(answer, problems);
        }
        if (answer.method.equals("HEAD")) {
            return;
        }
        JsonNode body = json(answer, problems);
        if (body != null) {
            OpenApiDocument.APPLICATION
                    .check("/components/schemas/Error", body)
                    .forEach(error -> problems.add(error.toString()));
            checkWords(body, problems);
        }
    }

    private void checkAllowed(Answer answer, List<String> problems) {
        var documented =
                onPath(answer.target).stream().map(Operation::method).collect(Collectors.toCollection(TreeSet::new));
        var allowed = answer.headers.apply("Allow").stream()
                .flatMap(value -> Arrays.stream(value.split(", *")))
                .filter(method -> !method.equals("HEAD") && !method.equals("OPTIONS"))
                .collect(Collectors.toCollection(TreeSet::new));
        if (!allowed.equals(documented)) {
            problems.add("Allow must name " + documented + ", names " + allowed);
        }
    }

    private static void checkMediaType(Answer answer, String expected, List<String> problems) {
        List<String> types = answer.headers.apply("Content-Type");
        if (!types.equals(List.of(expected))) {
            problems.add("Content-Type must be " + expected + ", is " + types);
        }
    }

    private static JsonNode json(Answer answer, List<String> problems) {
        try {
            JsonNode body = MAPPER.readTree(answer.body);
            if (!body.isMissingNode()) {
                return body;
            }
            problems.add("the body is empty");
        } catch (JacksonException e) {
            problems.add("the body is not JSON: " + e.getOriginalMessage());
        }
        return null;
    }

    /** Errors are for people outside of the project. */
    private static void checkWords(JsonNode body, List<String> problems) {
        String message = body.path("error").asString("");
        if (INTERNALS.matcher(message).find()) {
            problems.add("the error speaks of the inside: " + message);
        }
    }

    /** Clients with an integer type accept neither 12.0 nor 1e6. */
    private static void checkNumbers(JsonNode node, String place, List<String> problems) {
        if (node.isBigDecimal() && node.decimalValue().stripTrailingZeros().scale() <= 0) {
            problems.add(place + " is a whole number and must be written as one, is " + node);
        }
        node.properties().forEach(field -> checkNumbers(field.getValue(), place + "/" + field.getKey(), problems));
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            checkNumbers(node.get(i), place + "/" + i, problems);
        }
    }
}
