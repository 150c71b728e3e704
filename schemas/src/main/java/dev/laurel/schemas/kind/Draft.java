package dev.laurel.schemas.kind;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * An ordered map of names to values: the human form of a configured object, or of a map of such objects. A value is a
 * String, Boolean, Integer, Long, BigDecimal or UUID, a list of these, or another draft. A field that is left out has no
 * entry; an entry of a map or a list may be null until it has been checked. Immutable.
 */
public final class Draft {

    public static final Draft EMPTY = new Draft(Map.of());

    private final Map<String, Object> values;

    private Draft(Map<String, Object> values) {
        this.values = values;
    }

    /** A draft of these values, in their order. The caller must not change a list or map that it passes. */
    public static Draft of(Map<String, ?> values) {
        return values.isEmpty() ? EMPTY : new Draft(Collections.unmodifiableMap(new LinkedHashMap<>(values)));
    }

    /** Names and values in turn; a null value leaves its field out. */
    public static Draft of(Object... namesAndValues) {
        var values = new LinkedHashMap<String, Object>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            if (namesAndValues[i + 1] != null) {
                values.put((String) namesAndValues[i], namesAndValues[i + 1]);
            }
        }
        return of(values);
    }

    /** The values by name, in order. Unmodifiable. */
    public Map<String, Object> values() {
        return values;
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

    /** The value; null if it is left out. */
    public Object get(String name) {
        return values.get(name);
    }

    /** The value of a field that holds text; null if it is left out. */
    public String text(String name) {
        return (String) values.get(name);
    }

    /** The value of a field that holds a draft; {@link #EMPTY} if it is left out. */
    public Draft part(String name) {
        return values.get(name) instanceof Draft part ? part : EMPTY;
    }

    /** The value of a field that holds a list; empty if it is left out. */
    public List<?> list(String name) {
        return values.get(name) instanceof List<?> list ? list : List.of();
    }

    /** The id of an object; null if the draft does not say one. */
    public UUID id() {
        return (UUID) values.get(Kind.ID);
    }

    /** The draft at the end of these names; {@link #EMPTY} if there is none. */
    public Draft at(Collection<String> path) {
        Draft draft = this;
        for (String name : path) {
            draft = draft.part(name);
        }
        return draft;
    }

    public Draft at(String... path) {
        return at(List.of(path));
    }

    /** The same with this value: in its old position, or as the last one. Null takes the entry out. */
    public Draft with(String name, Object value) {
        var changed = new LinkedHashMap<>(values);
        if (value == null) {
            changed.remove(name);
        } else {
            changed.put(name, value);
        }
        return of(changed);
    }

    /** The same with this value at the end of these names; missing drafts on the way are made. Null takes it out. */
    public Draft with(List<String> path, Object value) {
        String name = path.getFirst();
        return with(name, path.size() == 1 ? value : part(name).with(path.subList(1, path.size()), value));
    }

    /** The same with an entry under another name, in its old position. */
    public Draft renamed(String from, String to) {
        var renamed = new LinkedHashMap<String, Object>();
        values.forEach((name, value) -> renamed.put(name.equals(from) ? to : name, value));
        return of(renamed);
    }

    /** An unmodifiable list that may hold nulls. */
    static List<Object> listOf(Collection<?> items) {
        return Collections.unmodifiableList(new ArrayList<>(items));
    }

    /** A value with its lists and maps turned into lists and drafts, as {@link #of(Map)} wants it. */
    public static Object ofPlain(Object value) {
        return switch (value) {
            case List<?> list -> listOf(Arrays.asList(list.stream().map(Draft::ofPlain).toArray()));
            case Map<?, ?> map -> {
                var values = new LinkedHashMap<String, Object>();
                map.forEach((name, entry) -> values.put((String) name, ofPlain(entry)));
                yield of(values);
            }
            case null, default -> value;
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Draft draft && values.equals(draft.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
