package dev.laurel.schemas.kind;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An ordered map of names to values: the human form of a configured object, or of a map of such objects. A value is a
 * String, Boolean, Integer, Long, BigDecimal or UUID, a list of these, or another draft. A field that is left out has no
 * entry; an entry of a map or a list may be null until the draft has been checked. Immutable.
 */
public record FieldMap(Map<String, @Nullable Object> values) {

    /** The name of the id of an object. */
    static final String ID = "id";

    public static final FieldMap EMPTY = new FieldMap(Map.of());

    public FieldMap {
        values = Collections.unmodifiableMap(values);
    }

    /** A draft of these values, in their order. The caller must not change a list or map that it passes. */
    public static FieldMap of(Map<String, ? extends @Nullable Object> values) {
        return values.isEmpty() ? EMPTY : new FieldMap(new LinkedHashMap<>(values));
    }

    /** Names and values in turn. A null value leaves its field out. */
    public static FieldMap of(@Nullable Object... namesAndValues) {
        var values = new LinkedHashMap<String, @Nullable Object>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            if (namesAndValues[i] instanceof String name && namesAndValues[i + 1] != null) {
                values.put(name, namesAndValues[i + 1]);
            }
        }
        return of(values);
    }

    /** Passes on the entries whose value is not null: in a checked draft, all of them. */
    public void forEach(BiConsumer<String, Object> action) {
        values.forEach((name, value) -> {
            if (value != null) {
                action.accept(name, value);
            }
        });
    }

    /** The objects of a checked map of objects, by key. */
    public Map<String, FieldMap> objects() {
        var objects = new LinkedHashMap<String, FieldMap>();
        forEach((key, value) -> objects.put(key, (FieldMap) value));
        return objects;
    }

    public Set<String> names() {
        return values.keySet();
    }

    public int size() {
        return values.size();
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** Whether there is an entry, even if its value is null. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    public @Nullable Object get(String name) {
        return values.get(name);
    }

    /** The value of a field that holds text. */
    public @Nullable String text(String name) {
        return (String) values.get(name);
    }

    /** The value of a field that holds a draft; {@link #EMPTY} if it is left out. */
    public FieldMap part(String name) {
        return values.get(name) instanceof FieldMap part ? part : EMPTY;
    }

    /** The value of a field that holds a list; empty if it is left out. */
    public List<?> list(String name) {
        return values.get(name) instanceof List<?> list ? list : List.of();
    }

    /** The id of an object. */
    public @Nullable UUID id() {
        return (UUID) values.get(ID);
    }

    /** The draft at the end of a path of names; {@link #EMPTY} if there is none. */
    public FieldMap at(Collection<String> path) {
        FieldMap draft = this;
        for (String name : path) {
            draft = draft.part(name);
        }
        return draft;
    }

    /** This draft with another value, in its old position or last. Null removes the entry. */
    public FieldMap with(String name, @Nullable Object value) {
        var changed = new LinkedHashMap<>(values);
        if (value == null) {
            changed.remove(name);
        } else {
            changed.put(name, value);
        }
        return of(changed);
    }

    /** This draft with another value at the end of a path; missing drafts on the way are created. Null removes the entry. */
    public FieldMap with(List<String> path, @Nullable Object value) {
        String name = path.getFirst();
        return with(name, path.size() == 1 ? value : part(name).with(path.subList(1, path.size()), value));
    }

    /** This draft with an entry under another name, in its old position. */
    public FieldMap renamed(String from, String to) {
        var renamed = new LinkedHashMap<String, @Nullable Object>();
        values.forEach((name, value) -> renamed.put(name.equals(from) ? to : name, value));
        return of(renamed);
    }

    /** An unmodifiable list that may hold nulls. */
    static List<@Nullable Object> listOf(Collection<? extends @Nullable Object> items) {
        return Collections.unmodifiableList(new ArrayList<>(items));
    }

    @Override
    public String toString() {
        return values.toString();
    }

    /** A value that cannot be read as a draft of its kind. The message has its path and the problem. */
    public static final class DraftException extends RuntimeException {

        /** @param path names of fields and indexes such as {@code [0]}, from the outermost */
        DraftException(List<String> path, String problem) {
            super(String.join(".", path) + ": " + problem);
        }
    }
}
