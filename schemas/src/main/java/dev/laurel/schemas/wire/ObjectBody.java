package dev.laurel.schemas.wire;

import dev.laurel.schemas.wire.EditBody.AdminBody;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The body of a configured object in the admin API, written as the JSON object of its fields. Immutable. */
public record ObjectBody(Map<String, @Nullable Object> fields) implements AdminBody {

    public ObjectBody {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    @Override
    public UUID id() {
        return (UUID) Objects.requireNonNull(fields.get("id"), "an object has an id");
    }

    public @Nullable Object get(String field) {
        return fields.get(field);
    }

    /** This body with another field at its end. */
    public ObjectBody with(String field, @Nullable Object value) {
        var more = new LinkedHashMap<String, @Nullable Object>(fields);
        more.put(field, value);
        return new ObjectBody(more);
    }

    /** Omits the values, some of which are secret, because the text may be logged. */
    @Override
    public String toString() {
        return "ObjectBody[id=" + fields.get("id") + "]";
    }
}
