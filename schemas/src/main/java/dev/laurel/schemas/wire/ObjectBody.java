package dev.laurel.schemas.wire;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A configured object as the admin API shows it, written as the JSON object of its fields. Immutable. */
public record ObjectBody(Map<String, Object> fields) implements AdminBody {

    public ObjectBody {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    @Override
    public UUID id() {
        return (UUID) Objects.requireNonNull(fields.get("id"), "an object has an id");
    }

    /** Null if it has no such field. */
    public @Nullable Object get(String field) {
        return fields.get(field);
    }

    /** The same with one more field at its end. */
    public ObjectBody with(String field, Object value) {
        var more = new LinkedHashMap<>(fields);
        more.put(field, value);
        return new ObjectBody(more);
    }

    /** Without its values: this may end up in a log, and some of them are secret. */
    @Override
    public String toString() {
        return "ObjectBody[id=" + fields.get("id") + "]";
    }
}
