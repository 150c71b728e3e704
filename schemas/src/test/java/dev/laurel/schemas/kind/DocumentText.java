package dev.laurel.schemas.kind;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Writes plain values as readable JSON or YAML, on one line where they fit. Pure. */
final class DocumentText {

    private static final int WIDTH = 120;

    /** Text that YAML reads unchanged without quotes, even in a map on one line. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z$/][A-Za-z0-9_$/.-]*");

    private static final Pattern OTHER_VALUE =
            Pattern.compile("true|false|null|yes|no|on|off|y|n", Pattern.CASE_INSENSITIVE);

    private final boolean isYaml;

    private DocumentText(boolean isYaml) {
        this.isYaml = isYaml;
    }

    static String json(Object value) {
        return new DocumentText(false).block(value, "") + "\n";
    }

    /** @param indent of the names of the map, each of which starts a line */
    static String yaml(Map<?, ?> map, String indent) {
        return new DocumentText(true).lines(map, indent);
    }

    private String lines(Map<?, ?> map, String indent) {
        var text = new StringBuilder();
        map.forEach((name, value) -> {
            String start = indent + scalar(name) + ":";
            String line = flow(value);
            boolean isShort = start.length() + 1 + line.length() <= WIDTH && !isSchemaOfObject(value);
            if (!isShort && value instanceof List<?> list && list.stream().anyMatch(Map.class::isInstance)) {
                text.append(start).append('\n');
                list.forEach(item ->
                        text.append(indent).append("  - ").append(flow(item)).append('\n'));
            } else if (isShort || !(value instanceof Map)) {
                text.append(start).append(' ').append(line).append('\n');
            } else {
                text.append(start).append('\n').append(lines((Map<?, ?>) value, indent + "  "));
            }
        });
        return text.toString();
    }

    private static boolean isSchemaOfObject(Object value) {
        return value instanceof Map<?, ?> map && map.containsKey("properties") && map.size() > 1;
    }

    private String block(Object value, String indent) {
        var parts = new ArrayList<String>();
        String inner = indent + "  ";
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, field) -> parts.add(inner + scalar(name) + ": "
                    + member(field, inner, scalar(name).length() + 2)));
            return "{\n" + String.join(",\n", parts) + "\n" + indent + "}";
        }
        if (value instanceof List<?> list && list.stream().anyMatch(Map.class::isInstance)) {
            list.forEach(item -> parts.add(inner + member(item, inner, 0)));
            return "[\n" + String.join(",\n", parts) + "\n" + indent + "]";
        }
        return flow(value);
    }

    private String member(Object value, String indent, int offset) {
        String line = flow(value);
        return indent.length() + offset + line.length() <= WIDTH ? line : block(value, indent);
    }

    /** The value on one line. */
    private String flow(Object value) {
        var parts = new ArrayList<String>();
        return switch (value) {
            case Map<?, ?> map -> {
                map.forEach((name, field) -> parts.add(scalar(name) + ": " + flow(field)));
                yield parts.isEmpty()
                        ? "{}"
                        : isYaml ? "{" + String.join(", ", parts) + "}" : "{ " + String.join(", ", parts) + " }";
            }
            case List<?> list -> {
                list.forEach(item -> parts.add(flow(item)));
                yield "[" + String.join(", ", parts) + "]";
            }
            case null -> "null";
            default -> scalar(value);
        };
    }

    private String scalar(Object value) {
        if (!(value instanceof String text)) {
            return String.valueOf(value);
        }
        if (isYaml) {
            return PLAIN.matcher(text).matches() && !OTHER_VALUE.matcher(text).matches()
                    ? text
                    : "'" + text.replace("'", "''") + "'";
        }
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
