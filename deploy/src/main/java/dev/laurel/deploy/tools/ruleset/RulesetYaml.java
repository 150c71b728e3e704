package dev.laurel.deploy.tools.ruleset;

import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.RepresentToNode;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.JsonNode;

/**
 * Writes a ruleset as YAML: sections and entries in ruleset order, ids last, without empty values. The same source
 * gives the same text, and {@link RulesetFile} reads it back equal.
 */
final class RulesetYaml {

    /** Names the schema for editors. */
    private static final String SCHEMA_LINE = "# yaml-language-server: $schema=";

    private RulesetYaml() {}

    /** @param server address of the server whose schema editors use */
    static String write(RulesetSource source, String server) {
        JsonNode tree = Json.read(Json.write(source), JsonNode.class);
        var text = new StringBuilder(SCHEMA_LINE)
                .append(server)
                .append("/v1/schemas/")
                .append(RulesetSchema.FILE)
                .append('\n');
        var settings = DumpSettings.builder()
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setSchema(new CoreSchema())
                .setWidth(120)
                .setSplitLines(false)
                .build();
        var dump = new Dump(settings, new TextRepresenter(settings));
        for (Map.Entry<String, JsonNode> section : tree.properties()) {
            Object value = plain(section.getValue(), "/" + section.getKey());
            if (value != null) {
                text.append('\n').append(dump.dumpToString(Map.of(section.getKey(), value)));
            }
        }
        return isEmpty(text) ? text.append("\n{}\n").toString() : text.toString();
    }

    /**
     * Quotes texts with ends of lines that only Unicode has: the writer would put them into lines of their own, and a reader drops them.
     */
    private static final class TextRepresenter extends StandardRepresenter {

        private static final Pattern OTHER_LINE_ENDS = Pattern.compile("[\\u0085\\u2028\\u2029]");

        TextRepresenter(DumpSettings settings) {
            super(settings);
            RepresentToNode usual = Objects.requireNonNull(representers.get(String.class), "texts are written");
            representers.put(
                    String.class,
                    text -> OTHER_LINE_ENDS.matcher((String) text).find()
                            ? representScalar(Tag.STR, (String) text, ScalarStyle.DOUBLE_QUOTED)
                            : usual.representData(text));
        }
    }

    private static boolean isEmpty(CharSequence text) {
        return text.chars().filter(c -> c == '\n').count() == 1;
    }

    /** Returns null for values that are not written. */
    private static @Nullable Object plain(JsonNode value, String path) {
        return switch (value.getNodeType()) {
            case OBJECT -> object(value, path);
            case ARRAY ->
                value.valueStream().map(item -> plain(item, path + "/-")).toList();
            case NUMBER -> value.isIntegralNumber() ? value.numberValue() : new BigDecimal(value.asString());
            case BOOLEAN -> value.asBoolean();
            case NULL -> null;
            default -> value.asString();
        };
    }

    private static @Nullable Map<String, Object> object(JsonNode object, String path) {
        var fields = new LinkedHashMap<String, Object>();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            Object value = plain(field.getValue(), path + "/" + field.getKey());
            if (value != null) {
                fields.put(field.getKey(), value);
            } else if (RulesetFile.holdsEntries(path)) {
                fields.put(field.getKey(), Map.of());
            }
        }
        // An object of the ruleset may have the key "id"; its value is a map.
        if (fields.get("id") instanceof String id) {
            fields.remove("id");
            fields.put("id", id);
        }
        return fields.isEmpty() ? null : fields;
    }
}
