package dev.laurel.deploy.openapi;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Random values for a schema of a document. They follow the keywords of our documents, but not the rules about
 * combinations of fields, which only the server checks. The same random numbers give the same values. Used by one
 * request.
 */
final class RandomValues {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int DEPTH_MAX = 8;
    private static final List<String> WORDS = List.of(
            "laps",
            "Ida Laine",
            "x",
            "ä ö ü",
            "日本",
            "a@b.fi",
            "  ",
            "0",
            "null",
            "<b>html</b>",
            "'; --",
            "\u0000",
            "😀",
            "a".repeat(255));

    private final OpenApiDocument document;
    private final RandomGenerator random;
    private final Map<String, List<String>> known;

    /** @param known useful texts for a field or parameter, by its name */
    RandomValues(OpenApiDocument document, RandomGenerator random, Map<String, List<String>> known) {
        this.document = document;
        this.random = random;
        this.known = known;
    }

    JsonNode of(String name, JsonNode schema) {
        return of(name, schema, 0);
    }

    private JsonNode of(String name, JsonNode given, int depth) {
        JsonNode schema = document.followed(given);
        if (known.containsKey(name) && random.nextInt(8) > 0) {
            String text = pick(known.get(name));
            return text == null ? JSON.nullNode() : JSON.stringNode(text);
        }
        if (schema.has("const")) {
            return schema.get("const");
        }
        if (schema.has("enum")) {
            return schema.get("enum").get(random.nextInt(schema.get("enum").size()));
        }
        if (schema.has("oneOf")) {
            return of(
                    name,
                    schema.get("oneOf").get(random.nextInt(schema.get("oneOf").size())),
                    depth);
        }
        return switch (type(schema)) {
            case "object" -> object(schema, depth);
            case "array" -> array(name, schema, depth);
            case "string" -> JSON.stringNode(text(schema));
            case "integer" -> JSON.numberNode(whole(schema));
            case "number" ->
                JSON.numberNode(BigDecimal.valueOf(whole(schema)).add(BigDecimal.valueOf(random.nextInt(100), 2)));
            case "boolean" -> JSON.booleanNode(random.nextBoolean());
            default -> JSON.nullNode();
        };
    }

    /** Returns one of several types; null is rare. */
    private String type(JsonNode schema) {
        if (!schema.has("type")) {
            return "object";
        }
        JsonNode type = schema.get("type");
        if (type.isString()) {
            return type.stringValue();
        }
        String one = type.get(random.nextInt(type.size())).stringValue();
        return one.equals("null") && random.nextInt(3) > 0 ? type.get(0).stringValue() : one;
    }

    private ObjectNode object(JsonNode schema, int depth) {
        var object = JSON.objectNode();
        var fields = new TreeMap<String, JsonNode>();
        var required = new ArrayList<String>();
        collect(schema, fields, required);
        fields.forEach((name, field) -> {
            if (required.contains(name) || depth < DEPTH_MAX && random.nextInt(3) == 0) {
                object.set(name, of(name, field, depth + 1));
            }
        });
        if (fields.isEmpty() && schema.path("additionalProperties").isObject()) {
            for (int i = random.nextInt(3); i > 0; i--) {
                String key = known.containsKey("attribute") ? pick(known.get("attribute")) : pick(WORDS);
                object.set(key, of("", schema.get("additionalProperties"), depth + 1));
            }
        }
        if (random.nextInt(6) == 0) {
            object.put("unknown", "ignored");
        }
        return object;
    }

    private void collect(JsonNode schema, Map<String, JsonNode> fields, List<String> required) {
        schema.path("allOf").forEach(part -> collect(document.followed(part), fields, required));
        schema.path("properties").properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        schema.path("required").forEach(name -> required.add(name.stringValue()));
    }

    private ArrayNode array(String name, JsonNode schema, int depth) {
        var array = JSON.arrayNode();
        int min = schema.path("minItems").asInt(0);
        int size = min + (depth < DEPTH_MAX ? random.nextInt(3) : 0);
        for (int i = 0; i < size; i++) {
            array.add(of(name, schema.get("items"), depth + 1));
        }
        return array;
    }

    private long whole(JsonNode schema) {
        long min = schema.has("minimum") ? schema.get("minimum").longValue() : schema.has("exclusiveMinimum") ? 1 : -50;
        long max = schema.has("maximum") ? schema.get("maximum").longValue() : min + 100;
        return switch (random.nextInt(6)) {
            case 0 -> min;
            case 1 -> max;
            default -> min + random.nextLong(Math.clamp(max - min, 1, 100));
        };
    }

    private String text(JsonNode schema) {
        return switch (schema.path("format").asString("")) {
            case "date" ->
                "%04d-%02d-%02d".formatted(2020 + random.nextInt(12), 1 + random.nextInt(12), 1 + random.nextInt(28));
            case "date-time" -> "2026-03-%02dT09:15:00.000Z".formatted(1 + random.nextInt(28));
            case "uuid" -> "%08x-0000-4000-8000-00000000%04x".formatted(random.nextInt(), random.nextInt(0x10000));
            // Webhooks are called, so their address has no server.
            case "uri" -> "http://127.0.0.1:1/" + random.nextInt(100);
            default -> schema.has("pattern") ? matching(schema.get("pattern").stringValue()) : pick(WORDS);
        };
    }

    private String matching(String pattern) {
        if (pattern.equals("@")) {
            return "user" + random.nextInt(1000) + "@example.net";
        }
        return pattern.contains(":")
                ? "%02d:%02d".formatted(random.nextInt(24), random.nextInt(60))
                : "key-" + random.nextInt(100_000);
    }

    private <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
