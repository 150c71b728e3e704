package dev.laurel.schemas.serde;

import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.serde.RecordJson.Draft;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/**
 * Reads and writes the records of a sealed interface as JSON, whose field {@code type} has the name of their kind. Immutable.
 *
 * @param <T> the interface
 */
final class TypedJson<T> {

    private static final String TYPE = "type";

    private final Map<String, RecordJson<? extends T>> byName = new LinkedHashMap<>();
    private final Map<Class<?>, RecordJson<? extends T>> byClass = new HashMap<>();

    /** @param writesNull see {@link RecordJson} */
    TypedJson(List<Kind<? extends T>> kinds, boolean writesNull) {
        for (Kind<? extends T> kind : kinds) {
            var json = new RecordJson<>(kind, writesNull);
            byName.put(kind.name(), json);
            byClass.put(kind.recordType(), json);
        }
    }

    /** A draft of a record of the type. */
    Draft<? extends T> draft(String type) throws BadInputException {
        RecordJson<? extends T> json = byName.get(type);
        if (json == null) {
            throw BadInputException.invalid(TYPE, "is '" + type + "', must be one of: " + names());
        }
        return json.draft(Map.of());
    }

    private String names() {
        return String.join(", ", byName.keySet());
    }

    /** Makes a draft of a record of a type. */
    interface Drafts<T> {
        Draft<? extends T> ofType(String type) throws BadInputException;
    }

    /**
     * Reads the object that begins at the current token.
     *
     * @param bytes what the parser reads; null: the object begins with its type
     */
    T read(JsonParser json, byte @Nullable [] bytes, Drafts<T> drafts) throws BadInputException {
        Draft<? extends T> draft = null;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = json.currentName();
            JsonToken value = json.nextToken();
            if (draft == null) {
                boolean isType = field.equals(TYPE) && value != JsonToken.VALUE_NULL;
                draft = drafts.ofType(isType ? RecordJson.text(json, TYPE) : typeOf(bytes));
            }
            take(draft, field, json);
        }
        if (draft == null) {
            throw typeIsMissing();
        }
        return draft.toRecord();
    }

    /** Reads a field of a draft; null counts as absent. */
    static void take(Draft<?> draft, String field, JsonParser json) throws BadInputException {
        if (json.currentToken() != JsonToken.VALUE_NULL && !draft.take(field, json)) {
            json.skipChildren();
        }
    }

    /**
     * Finds the type of a record that does not begin with it. Such a record is parsed twice, so that the draft of its type reads
     * every field: an unknown field may have any form, even if another type has a field of that name.
     */
    private String typeOf(byte @Nullable [] record) throws BadInputException {
        if (record != null) {
            try (JsonParser json = Json.FACTORY.createParser(ObjectReadContext.empty(), record)) {
                json.nextToken();
                while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                    boolean isType = json.currentName().equals(TYPE);
                    if (json.nextToken() != JsonToken.VALUE_NULL && isType) {
                        return RecordJson.text(json, TYPE);
                    }
                    json.skipChildren();
                }
            }
        }
        throw typeIsMissing();
    }

    private BadInputException typeIsMissing() {
        return BadInputException.invalid(TYPE, "is required, one of: " + names());
    }

    /** Writes a record, its type first. */
    void write(JsonGenerator json, T record) {
        RecordJson<? extends T> form = Objects.requireNonNull(byClass.get(record.getClass()));
        json.writeStartObject();
        json.writeStringProperty(TYPE, form.kind().name());
        form.write(json, record);
        json.writeEndObject();
    }
}
