package dev.laurel.deploy.openapi;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Ways to make a body invalid. */
final class Mutation {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Depth beyond any valid body. */
    private static final int DEEP = 2_000;

    private static final int LARGE = 1024 * 1024 + 1;

    private Mutation() {}

    /** Replaces, removes or adds a value at a random place. */
    static JsonNode somewhere(JsonNode body, RandomGenerator random) {
        JsonNode changed = body.deepCopy();
        var places = new ArrayList<JsonNode>();
        collect(changed, places);
        if (places.isEmpty()) {
            return junk(random);
        }
        switch (places.get(random.nextInt(places.size()))) {
            case ObjectNode object when object.isEmpty() -> object.set("x", junk(random));
            case ObjectNode object -> {
                var names = List.copyOf(object.propertyNames());
                String name = names.get(random.nextInt(names.size()));
                switch (random.nextInt(5)) {
                    case 0 -> object.remove(name);
                    case 1 -> object.set(name.toUpperCase(Locale.ROOT), object.remove(name));
                    default -> object.set(name, junk(random));
                }
            }
            case ArrayNode array when array.isEmpty() -> array.add(junk(random));
            case ArrayNode array -> {
                int at = random.nextInt(array.size());
                switch (random.nextInt(4)) {
                    case 0 -> array.remove(at);
                    case 1 -> array.add(array.get(at));
                    default -> array.set(at, junk(random));
                }
            }
            case JsonNode other -> throw new IllegalStateException("no container: " + other);
        }
        return changed;
    }

    private static void collect(JsonNode node, List<JsonNode> places) {
        if (node.isContainer()) {
            places.add(node);
            node.forEach(child -> collect(child, places));
        }
    }

    /** Values without {@code true} and without meaningful objects, so that no setting is enabled by accident. */
    private static JsonNode junk(RandomGenerator random) {
        return switch (random.nextInt(16)) {
            case 0 -> JSON.nullNode();
            case 1 -> JSON.stringNode("");
            case 2 -> JSON.stringNode("x".repeat(300));
            case 3 -> JSON.stringNode("x".repeat(30_000));
            case 4 -> JSON.stringNode("\ud800");
            case 5 -> JSON.stringNode("\u0000\u0007");
            case 6 -> JSON.numberNode(-1);
            case 7 -> JSON.numberNode(new BigDecimal("1e400"));
            case 8 -> JSON.numberNode(Long.MAX_VALUE);
            case 9 -> JSON.numberNode(new BigDecimal("0.0000000000001"));
            case 10 -> JSON.booleanNode(false);
            case 11 -> JSON.arrayNode();
            case 12 -> JSON.objectNode();
            case 13 -> JSON.arrayNode().add(JSON.objectNode().put("x", 1));
            case 14 -> JSON.objectNode().put("x", 1);
            default -> JSON.stringNode("2026-02-30");
        };
    }

    /** Returns a body that is no JSON, or JSON of an unexpected kind. */
    static byte[] unreadable(JsonNode body, RandomGenerator random) {
        byte[] whole = body.toString().getBytes(UTF_8);
        return switch (random.nextInt(12)) {
            case 0 -> new byte[0];
            case 1 -> Arrays.copyOf(whole, random.nextInt(whole.length));
            case 2 -> (body + " " + body).getBytes(UTF_8);
            case 3 -> {
                byte[] broken = body.toString().replace("}", ",\"x\":\"?\"}").getBytes(UTF_8);
                for (int i = 0; i < broken.length; i++) {
                    broken[i] = broken[i] == '?' ? (byte) 0xFF : broken[i];
                }
                yield body.toString().contains("}") ? broken : new byte[] {(byte) 0xFF};
            }
            case 4 -> "{\"x\": \"\u00e9\"}".getBytes(ISO_8859_1);
            case 5 -> ("[".repeat(DEEP) + "]".repeat(DEEP)).getBytes(UTF_8);
            case 6 -> "\"text\"".getBytes(UTF_8);
            case 7 -> "null".getBytes(UTF_8);
            case 8 -> "<html><body>hello</body></html>".getBytes(UTF_8);
            case 9 -> "value=1&user=x".getBytes(UTF_8);
            case 10 -> (body.isArray() ? "{}" : "[]").getBytes(UTF_8);
            default -> new byte[] {0, 1, 2, (byte) 0xFE, (byte) 0xFF};
        };
    }

    static byte[] tooLarge(JsonNode body) {
        byte[] large = Arrays.copyOf(body.toString().getBytes(UTF_8), LARGE);
        for (int i = body.toString().getBytes(UTF_8).length; i < LARGE; i++) {
            large[i] = ' ';
        }
        return large;
    }
}
