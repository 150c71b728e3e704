package dev.laurel.producer;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes JSON. A value is null, a text, a boolean, a number, a collection of values, or a map of texts to values, in their order. */
final class JsonText {

    private JsonText() {}

    static String of(@Nullable Object value) {
        var text = new StringBuilder(128);
        write(text, value);
        return text.toString();
    }

    private static void write(StringBuilder text, @Nullable Object value) {
        if (value instanceof String words) {
            writeText(text, words);
        } else if (value instanceof BigDecimal number) {
            text.append(number.toPlainString());
        } else if (value instanceof Map<?, ?> fields) {
            char before = '{';
            for (Map.Entry<?, ?> field : fields.entrySet()) {
                writeText(text.append(before), (String) field.getKey());
                write(text.append(':'), field.getValue());
                before = ',';
            }
            text.append(fields.isEmpty() ? "{}" : "}");
        } else if (value instanceof Collection<?> values) {
            char before = '[';
            for (Object each : values) {
                write(text.append(before), each);
                before = ',';
            }
            text.append(values.isEmpty() ? "[]" : "]");
        } else {
            text.append(value);
        }
    }

    private static void writeText(StringBuilder text, String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ') {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
