package dev.laurel.deploy.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.deploy.openapi.RawConnection.Request;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Requests generated from the OpenAPI documents, valid or invalid in one or several ways. A number always gives the
 * same request. Thread-safe.
 */
public final class RandomRequests {

    /** A generated request with its number. */
    public record Numbered(long number, Operation operation, Request request) {}

    private static final List<String> ODD_SEGMENTS = List.of(
            "%2F",
            "a%2Fb",
            "..%2F..",
            "%2e%2e",
            "%00",
            "%F0%9F%98%80",
            "null",
            "0",
            "-1",
            "a;b=c",
            "a+b",
            "%25",
            "%3Fx%3D1",
            "a%20b",
            "x".repeat(300),
            "x".repeat(2_000),
            "'",
            "*",
            "%E2%80%AE",
            "%7B%7D",
            "true",
            "%0D%0AX-Evil:%201");
    private static final List<String> BAD_SEGMENTS = List.of("%zz", "%", "%C3%28", "%FF", "%ED%A0%80");
    private static final List<String> ODD_QUERIES = List.of(
            "",
            "=",
            "&&",
            "limit=",
            "limit=ten",
            "limit=1e3",
            "limit=99999999999",
            "skip=-1",
            "userId=",
            "ids=",
            "ids=a,b",
            "ids[]=a&ids[0]=b",
            "userIds=%00",
            "run=today",
            "year=0",
            "year=99999",
            "awards=NaN",
            "userAttributes=x",
            "userAttributes=:",
            "userAttributes=a:b,a:c",
            "includeFinished=maybe",
            "type=all",
            "x=" + "y".repeat(3_000),
            "a=%F0%9F%98%80",
            "limit=1&limit=2",
            "numEvents=-5",
            "historyPeriods=401",
            "offset=2147483648",
            "startDate=2026-02-30");
    private static final List<String> ODD_HEADERS = List.of(
            "Accept: text/html",
            "Content-Type: text/html",
            "Content-Type: ;;",
            "Content-Type: application/x-www-form-urlencoded",
            "Content-Type: multipart/form-data",
            "Content-Encoding: gzip",
            "X-Request-Id: " + "r".repeat(500),
            "X-Request-Id: a b",
            "X-Request-Id: ok-1",
            "Tenant-ID: ",
            "Tenant-ID: nobody",
            "Idempotency-Key: ",
            "Idempotency-Key: k",
            "Idempotency-Key: \u00e9",
            "Idempotency-Key: UTF-8''%C3",
            "Idempotency-Key: UTF-8''%C3%A9",
            "Origin: https://example.net",
            "Cookie: a=b",
            "X-Forwarded-For: 1.2.3.4",
            "Range: bytes=0-1",
            "If-None-Match: *",
            "Accept-Encoding: gzip",
            "X-HTTP-Method-Override: DELETE",
            "X-Fern-Language: JavaScript");

    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

    private final long seed;
    private final String key;
    private final List<String> credentials;
    private final Map<String, List<String>> known;
    private final List<Operation> operations;

    /**
     * @param key key of the requests
     * @param known useful texts for a field or parameter, by its name
     * @param operations operations to generate requests for
     */
    public RandomRequests(long seed, String key, Map<String, List<String>> known, List<Operation> operations) {
        this(seed, key, List.of("X-API-KEY: " + key), known, operations);
    }

    private RandomRequests(
            long seed,
            String key,
            List<String> credentials,
            Map<String, List<String>> known,
            List<Operation> operations) {
        this.seed = seed;
        this.key = key;
        this.credentials = credentials;
        this.known = known;
        this.operations = operations;
    }

    /** Returns the same requests with these headers instead of the key; {@link #refused} needs the key. */
    public RandomRequests with(List<String> otherCredentials) {
        return new RandomRequests(seed, key, otherCredentials, known, operations);
    }

    /** Works like {@link #anything}, with a method that need not be one of the path. */
    public Numbered anyMethod(long number) {
        Numbered numbered = anything(number);
        Request request = numbered.request();
        return new Numbered(
                number,
                numbered.operation(),
                new Request(pick(METHODS, random(~number)), request.target(), request.headers(), request.body()));
    }

    /** Returns a mostly valid request about a user of its own. */
    public Numbered anything(long number) {
        RandomGenerator random = random(number);
        Operation operation = pick(operations, random);
        var values = values(operation, number, random);
        String target = target(operation, values, random, random.nextInt(6) == 0 ? ODD_SEGMENTS : null);
        if (random.nextInt(10) == 0) {
            target += (target.contains("?") ? "&" : "?") + pick(ODD_QUERIES, random);
        }
        var headers = headers(operation, values, random);
        if (random.nextInt(5) == 0) {
            headers.add(pick(ODD_HEADERS, random));
        }
        byte[] body = null;
        if (operation.hasBody()) {
            JsonNode json = body(operation, values, random);
            for (int mutations = random.nextInt(4); mutations > 1; mutations--) {
                json = Mutation.somewhere(json, random);
            }
            body = json.toString().getBytes(UTF_8);
        } else if (random.nextInt(30) == 0) {
            body = "{\"x\": 1}".getBytes(UTF_8);
        }
        String method = operation.method().equals("GET") && random.nextInt(20) == 0 ? "HEAD" : operation.method();
        return new Numbered(number, operation, new Request(method, target, headers, body));
    }

    /** Returns a request that must be refused with a 4xx. */
    public Numbered refused(long number) {
        RandomGenerator random = random(number);
        Operation operation = pick(operations, random);
        var values = values(operation, number, random);
        String target = target(operation, values, random, null);
        var headers = headers(operation, values, random);
        byte[] body =
                operation.hasBody() ? body(operation, values, random).toString().getBytes(UTF_8) : null;
        String method = operation.method();
        // First without a required key, then with other errors.
        int kind = random.nextInt(operation.hasBody() ? 9 : 5);
        switch (operation.isOpen() && (kind == 0 || kind == 4) ? 3 : kind) {
            case 0 -> {
                headers.removeIf(header -> header.startsWith("X-API-KEY"));
                headers.addAll(pick(
                        List.of(
                                List.of(),
                                List.of("X-API-KEY: wrong"),
                                List.of("X-API-KEY: "),
                                List.of("X-API-KEY: " + key + "x"),
                                List.of("X-API-KEY: app_12345678.secret"),
                                List.of("Authorization: Bearer " + key)),
                        random));
            }
            case 1 -> method = pick(List.of("TRACE", "FOO", "PROPFIND"), random);
            case 2 ->
                target = operation.path().contains("{")
                        ? target(operation, values, random, BAD_SEGMENTS)
                        : "/%zz" + target;
            case 3 -> target = target.replaceFirst("(\\?.*)?$", "/nowhere/at/all");
            case 4 -> {
                headers.removeIf(header -> header.startsWith("X-API-KEY"));
                headers.add("X-API-KEY: " + key.substring(1));
            }
            case 5 ->
                body = random.nextInt(20) == 0
                        ? Mutation.tooLarge(body(operation, values, random))
                        : Mutation.unreadable(body(operation, values, random), random);
            default -> body = Mutation.unreadable(body(operation, values, random), random);
        }
        return new Numbered(number, operation, new Request(method, target, headers, body));
    }

    /** Returns the user of a request with this number. */
    public static String userOf(long number) {
        return "fuzz-" + number;
    }

    private RandomGenerator random(long number) {
        return new SplittableRandom(seed * 1_000_003 + number);
    }

    private RandomValues values(Operation operation, long number, RandomGenerator random) {
        var texts = new TreeMap<>(known);
        texts.put("userId", List.of(userOf(number)));
        texts.put("userIds", List.of(userOf(number)));
        boolean isOfUser = operation.document() == OpenApiDocument.APPLICATION
                || operation.path().contains("/users")
                || operation.path().endsWith("/events")
                || operation.path().endsWith("/restore");
        if (isOfUser) {
            texts.put("id", List.of(userOf(number)));
            texts.put("ids", List.of(userOf(number)));
        }
        return new RandomValues(operation.document(), random, texts);
    }

    private List<String> headers(Operation operation, RandomValues values, RandomGenerator random) {
        var headers = new ArrayList<String>();
        headers.addAll(credentials);
        headers.add("Content-Type: application/json");
        if (operation.hasParameter("header", "Idempotency-Key") && random.nextInt(4) == 0) {
            headers.add("Idempotency-Key: key-" + random.nextInt(10));
        }
        return headers;
    }

    private static JsonNode body(Operation operation, RandomValues values, RandomGenerator random) {
        JsonNode schema = operation.document().at(operation.bodySchema());
        if (schema.path("$ref").asString("").startsWith("/")) {
            // Another document, represented by its example.
            return operation.document().at(operation.bodySchema().replaceFirst("/schema$", "/example"));
        }
        JsonNode body = values.of("", schema);
        return body.isContainer() ? body : JsonNodeFactory.instance.objectNode();
    }

    private static String target(
            Operation operation, RandomValues values, RandomGenerator random, List<String> otherSegments) {
        var target = new StringBuilder();
        for (String segment : operation.segments()) {
            target.append('/');
            if (!segment.startsWith("{")) {
                target.append(segment);
            } else if (otherSegments != null) {
                target.append(pick(otherSegments, random));
            } else {
                String name = segment.substring(1, segment.length() - 1);
                JsonNode parameter = operation.parameters("path").stream()
                        .filter(candidate -> candidate.get("name").stringValue().equals(name))
                        .findFirst()
                        .orElseThrow();
                String value = values.of(nameOf(operation, name), parameter.get("schema"))
                        .asString();
                target.append(encoded(value.isEmpty() ? "x" : value));
            }
        }
        String separator = "?";
        for (JsonNode parameter : operation.parameters("query")) {
            if (!parameter.path("required").asBoolean(false) && random.nextInt(3) > 0 || random.nextInt(12) == 0) {
                continue;
            }
            String name = parameter.get("name").stringValue();
            JsonNode value = values.of(name, parameter.get("schema"));
            if (!value.isArray()) {
                target.append(separator).append(name).append('=').append(encoded(value.asString("")));
                separator = "&";
                continue;
            }
            for (JsonNode item : value) {
                target.append(separator)
                        .append(name)
                        .append(random.nextInt(4) == 0 ? "[]" : "")
                        .append('=')
                        .append(encoded(item.asString("")));
                separator = "&";
            }
        }
        return target.toString();
    }

    /** Returns the kind of object that a key in a path identifies, from the preceding segment. */
    private static String nameOf(Operation operation, String parameter) {
        if (!parameter.equals("key")) {
            return parameter;
        }
        List<String> segments = operation.segments();
        return segments.get(segments.indexOf("{key}") - 1) + ".key";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text.substring(0, Math.min(300, text.length())), UTF_8)
                .replace("+", "%20");
    }

    private static <T> T pick(List<T> all, RandomGenerator random) {
        return all.get(random.nextInt(all.size()));
    }
}
