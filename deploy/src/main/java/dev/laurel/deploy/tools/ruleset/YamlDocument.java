package dev.laurel.deploy.tools.ruleset;

import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A YAML 1.2 text as a JSON tree with the location of each value. It creates nothing but that tree, so tags cannot
 * name classes, and size, depth and aliases are limited. Reports what JSON cannot express: keys that are not scalars,
 * duplicate keys, tags, infinities.
 */
final class YamlDocument {

    static final int MAX_CHARACTERS = 4 * 1024 * 1024;
    private static final int MAX_NODES = 500_000;
    private static final int MAX_ALIASES = 10_000;
    private static final int MAX_DEPTH = 32;
    /** Limits of numbers, above those of any ruleset, because longer ones take time to parse. */
    private static final int MAX_NUMBER_LENGTH = 40;

    private static final Pattern DECIMAL_CHARACTERS = Pattern.compile("[-+.eE0-9]*");
    private static final int MAX_EXPONENT = 40;

    private final String name;
    private final Map<String, @Nullable Mark> marks = new HashMap<>();
    private final List<RulesetOutput.Problem> problems = new ArrayList<>();
    private @Nullable JsonNode root;
    private int nodes;

    private YamlDocument(String name) {
        this.name = name;
    }

    /** Parses {@code text}; errors in its YAML are in {@link #problems}. */
    static YamlDocument parse(String name, String text) {
        var document = new YamlDocument(name);
        try {
            document.read(text);
        } catch (MarkedYamlEngineException e) {
            document.problem(
                    e.getProblemMark().or(e::getContextMark).orElse(null), "", "is not valid YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            document.problem(
                    null,
                    "",
                    "is not valid YAML: "
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        } catch (DocumentTooLarge e) {
            document.problem(null, "", e.problem);
        }
        return document;
    }

    private void read(String text) {
        var settings = LoadSettings.builder()
                .setLabel(name)
                .setSchema(new CoreSchema())
                .setAllowDuplicateKeys(true)
                .setAllowNonScalarKeys(true)
                .setMaxAliasesForCollections(MAX_ALIASES)
                .setCodePointLimit(MAX_CHARACTERS)
                .build();
        Optional<Node> composed = new Compose(settings).composeReader(new WholePairs(text));
        root = composed.isEmpty() ? JsonNodeFactory.instance.nullNode() : convert(composed.get(), "", 0);
    }

    /**
     * A text of which no part that is read ends with half of a surrogate pair. The parser reads the other half behind the end of
     * its buffer, which fails.
     */
    private static final class WholePairs extends StringReader {

        WholePairs(String text) {
            super(text);
        }

        @Override
        public int read(char[] buffer, int from, int length) throws IOException {
            int read = super.read(buffer, from, Math.max(1, length - 1));
            if (read > 0 && read < length && Character.isHighSurrogate(buffer[from + read - 1])) {
                int other = super.read(buffer, from + read, 1);
                return other < 0 ? read : read + other;
            }
            return read;
        }
    }

    /** Returns the value of the whole document; null if the text is not valid YAML. */
    @Nullable
    JsonNode root() {
        return root;
    }

    List<RulesetOutput.Problem> problems() {
        return List.copyOf(problems);
    }

    /** Returns a problem at {@code path}, located at the nearest enclosing value in the text. */
    RulesetOutput.Problem problemAt(String path, String message) {
        String known = path;
        while (!marks.containsKey(known) && !known.isEmpty()) {
            known = known.substring(0, known.lastIndexOf('/'));
        }
        return at(marks.get(known), path, message);
    }

    private RulesetOutput.Problem at(@Nullable Mark mark, String path, String message) {
        return mark == null
                ? new RulesetOutput.Problem(name, 0, 0, path, message)
                : new RulesetOutput.Problem(name, mark.getLine() + 1, mark.getColumn() + 1, path, message);
    }

    private void problem(@Nullable Mark mark, String path, String message) {
        problems.add(at(mark, path, message));
    }

    private JsonNode convert(Node node, String path, int depth) {
        marks.putIfAbsent(path, node.getStartMark().orElse(null));
        // An alias may refer to a large value, even to one that contains it.
        if (depth > MAX_DEPTH) {
            throw new DocumentTooLarge("is nested deeper than " + MAX_DEPTH + " levels, or refers to itself");
        }
        if (++nodes > MAX_NODES) {
            throw new DocumentTooLarge("has more than " + MAX_NODES + " values, aliases counted each time");
        }
        return switch (node) {
            case MappingNode mapping -> convert(mapping, path, depth);
            case SequenceNode sequence -> convert(sequence, path, depth);
            case ScalarNode scalar -> convert(scalar, path, marks.get(path));
            default -> throw new IllegalStateException("no YAML node: " + node.getNodeType());
        };
    }

    private JsonNode convert(MappingNode mapping, String path, int depth) {
        expectTag(mapping, Tag.MAP, path);
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (NodeTuple tuple : mapping.getValue()) {
            Mark keyMark = tuple.getKeyNode().getStartMark().orElse(null);
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                problem(keyMark, path, "has a key that is not a plain text");
                continue;
            }
            String at = path + "/" + escape(key.getValue());
            if (object.has(key.getValue())) {
                Mark first = marks.get(at);
                problem(
                        keyMark,
                        at,
                        "is written twice" + (first == null ? "" : ", first in line " + (first.getLine() + 1)));
                continue;
            }
            // A value is located at its name; a block begins one line later.
            marks.put(at, keyMark);
            object.set(key.getValue(), convert(tuple.getValueNode(), at, depth + 1));
        }
        return object;
    }

    private JsonNode convert(SequenceNode sequence, String path, int depth) {
        expectTag(sequence, Tag.SEQ, path);
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (Node item : sequence.getValue()) {
            array.add(convert(item, path + "/" + array.size(), depth + 1));
        }
        return array;
    }

    private JsonNode convert(ScalarNode scalar, String path, @Nullable Mark mark) {
        String text = scalar.getValue();
        Tag tag = scalar.getTag();
        JsonNodeFactory json = JsonNodeFactory.instance;
        if (tag.equals(Tag.STR)) {
            return json.stringNode(text);
        }
        if (tag.equals(Tag.NULL)) {
            return json.nullNode();
        }
        if (tag.equals(Tag.BOOL)) {
            return json.booleanNode(Boolean.parseBoolean(text));
        }
        if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
            return number(text, path, mark);
        }
        problem(mark, path, "has the tag " + tag.getValue() + "; tags are not allowed");
        return json.nullNode();
    }

    private JsonNode number(String text, String path, @Nullable Mark mark) {
        try {
            if (!DECIMAL_CHARACTERS.matcher(text).matches()) {
                throw new NumberFormatException(text); // digits of other scripts, which Java would accept
            }
            if (text.length() <= MAX_NUMBER_LENGTH) {
                var number = new BigDecimal(text);
                if (Math.abs((long) number.precision() - number.scale()) <= MAX_EXPONENT
                        && Math.abs(number.scale()) <= MAX_EXPONENT) {
                    return number(number);
                }
            }
            problem(mark, path, "is out of range: " + text);
        } catch (NumberFormatException _) {
            problem(mark, path, "must be a decimal number, is " + text);
        }
        return JsonNodeFactory.instance.numberNode(BigDecimal.ONE);
    }

    /** Converts equal whole numbers, such as 100 and 1e2, to the same value. */
    private static JsonNode number(BigDecimal number) {
        if (number.signum() == 0 || number.stripTrailingZeros().scale() <= 0) {
            BigInteger whole = number.toBigInteger();
            return whole.bitLength() < Long.SIZE
                    ? JsonNodeFactory.instance.numberNode(whole.longValue())
                    : JsonNodeFactory.instance.numberNode(whole);
        }
        return JsonNodeFactory.instance.numberNode(number);
    }

    private void expectTag(Node node, Tag expected, String path) {
        if (!node.getTag().equals(expected)) {
            problem(
                    node.getStartMark().orElse(null),
                    path,
                    "has the tag " + node.getTag().getValue() + "; tags are not allowed");
        }
    }

    static String escape(String key) {
        return key.replace("~", "~0").replace("/", "~1");
    }

    private static final class DocumentTooLarge extends RuntimeException {

        private final String problem;

        DocumentTooLarge(String problem) {
            super(problem, null, false, false);
            this.problem = problem;
        }
    }
}
