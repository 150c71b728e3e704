package dev.laurel.deploy.openapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * One method of one path of an OpenAPI document, under one of its servers. References are followed.
 *
 * @param document document of the operation, at {@code pointer}
 * @param method method in capitals
 * @param path path with the base of the server: {@code /v1/users/{id}}
 */
public record Operation(
        OpenApiDocument document,
        String pointer,
        String method,
        String path,
        JsonNode json,
        List<JsonNode> parameters) {

    public String id() {
        return json.get("operationId").stringValue();
    }

    /** Returns the name of the route: {@code GET /v1/users/{id}}. */
    public String name() {
        return method + " " + path;
    }

    public List<String> segments() {
        return List.of(path.substring(1).split("/"));
    }

    public boolean isOpen() {
        return json.has("security") && json.get("security").isEmpty();
    }

    public boolean hasParameter(String in, String name) {
        return parameters(in).stream()
                .anyMatch(parameter -> parameter.get("name").stringValue().equals(name));
    }

    /** @param in {@code path}, {@code query} or {@code header} */
    public List<JsonNode> parameters(String in) {
        return parameters.stream()
                .filter(parameter -> parameter.get("in").stringValue().equals(in))
                .toList();
    }

    public boolean hasBody() {
        return json.has("requestBody");
    }

    /** The place of the schema of its body. */
    public String bodySchema() {
        return pointer + "/requestBody/content/application~1json/schema";
    }

    /** A documented response. */
    public record Response(OpenApiDocument document, int status, String pointer, JsonNode json) {

        /** Whether there is a body: a redirect has none. */
        public boolean hasBody() {
            return json.has("content");
        }

        public String mediaType() {
            return json.get("content").propertyNames().iterator().next();
        }

        /** The place of the schema of its body. */
        public String schema() {
            return pointer + "/content/" + mediaType().replace("/", "~1") + "/schema";
        }

        /** Returns the schemas of its headers by name, required headers first. */
        public Map<String, JsonNode> headers() {
            var headers = new TreeMap<String, JsonNode>();
            json.get("headers")
                    .properties()
                    .forEach(header -> headers.put(header.getKey(), document.followed(header.getValue())));
            return headers;
        }
    }

    public List<Response> responses() {
        var responses = new ArrayList<Response>();
        for (Map.Entry<String, JsonNode> entry : json.get("responses").properties()) {
            JsonNode response = entry.getValue();
            String place = response.has("$ref")
                    ? response.get("$ref").stringValue().substring(1)
                    : pointer + "/responses/" + entry.getKey();
            responses.add(new Response(document, Integer.parseInt(entry.getKey()), place, document.followed(response)));
        }
        return responses;
    }

    /** Returns the response with this status; null: not documented. */
    public Response response(int status) {
        return responses().stream()
                .filter(response -> response.status() == status)
                .findFirst()
                .orElse(null);
    }

    @Override
    public String toString() {
        return name();
    }
}
