package dev.laurel.producer;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Writes one JSON text, from its beginning to its end. Not thread-safe. */
final class JsonText {

    private final StringBuilder text = new StringBuilder(128);

    /** Whether a value, or the end, may follow without a comma. */
    private boolean isFirst = true;

    /** Fields of an object that are written later, in the order of their names, so that equal objects have equal texts. */
    static final class Fields {

        private final Map<String, Consumer<JsonText>> values = new TreeMap<>();

        /** @param value writes the value */
        void put(String name, Consumer<JsonText> value) {
            values.put(name, value);
        }

        /** The field is null. */
        void clear(String name) {
            values.put(name, JsonText::nothing);
        }

        boolean isEmpty() {
            return values.isEmpty();
        }

        int size() {
            return values.size();
        }

        void writeTo(JsonText json) {
            values.forEach((name, value) -> value.accept(json.name(name)));
        }
    }

    JsonText beginObject() {
        return begin('{');
    }

    JsonText endObject() {
        return end('}');
    }

    JsonText beginArray() {
        return begin('[');
    }

    JsonText endArray() {
        return end(']');
    }

    private JsonText begin(char bracket) {
        separate();
        text.append(bracket);
        isFirst = true;
        return this;
    }

    private JsonText end(char bracket) {
        text.append(bracket);
        isFirst = false;
        return this;
    }

    JsonText name(String name) {
        text(name);
        text.append(':');
        isFirst = true;
        return this;
    }

    JsonText field(String name, String value) {
        return name(name).text(value);
    }

    JsonText number(String name, BigDecimal value) {
        return name(name).number(value);
    }

    JsonText number(BigDecimal value) {
        separate();
        text.append(value.toPlainString());
        return this;
    }

    JsonText literal(boolean value) {
        separate();
        text.append(value);
        return this;
    }

    JsonText nothing() {
        separate();
        text.append("null");
        return this;
    }

    JsonText texts(Collection<String> values) {
        beginArray();
        values.forEach(this::text);
        return endArray();
    }

    JsonText text(String value) {
        separate();
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
        return this;
    }

    private void separate() {
        if (!isFirst) {
            text.append(',');
        }
        isFirst = false;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
