package dev.laurel.schemas.serde;

import dev.laurel.schemas.input.BadInputException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/** The constants of an enum by their names on the wire, which are in lower case. Immutable. */
final class WireNames<E extends Enum<E>> {

    private final Map<String, E> byName = new LinkedHashMap<>();
    private final String all;

    WireNames(Class<E> type) {
        for (E constant : type.getEnumConstants()) {
            byName.put(of(constant), constant);
        }
        this.all = String.join(", ", byName.keySet());
    }

    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    @Nullable
    E byName(String name) {
        return byName.get(name);
    }

    /** The names, separated by commas. */
    String all() {
        return all;
    }

    E read(JsonParser json, String field) throws BadInputException {
        String name = Fields.text(json, field);
        E constant = byName.get(name);
        if (constant == null) {
            throw BadInputException.invalid(field, "is '" + name + "', must be one of: " + all);
        }
        return constant;
    }
}
