package dev.laurel.schemas.kind;

import dev.laurel.schemas.input.Zones;
import dev.laurel.schemas.kind.Kind.Scope;
import dev.laurel.schemas.kind.Type.Day;
import dev.laurel.schemas.kind.Type.Decimal;
import dev.laurel.schemas.kind.Type.Entries;
import dev.laurel.schemas.kind.Type.Flag;
import dev.laurel.schemas.kind.Type.FullText;
import dev.laurel.schemas.kind.Type.ListOf;
import dev.laurel.schemas.kind.Type.MapOf;
import dev.laurel.schemas.kind.Type.OfRecord;
import dev.laurel.schemas.kind.Type.Part;
import dev.laurel.schemas.kind.Type.Reference;
import dev.laurel.schemas.kind.Type.Text;
import dev.laurel.schemas.kind.Type.TimeOfDay;
import dev.laurel.schemas.kind.Type.Whole;
import dev.laurel.schemas.kind.Type.Words;
import dev.laurel.schemas.kind.Type.Zone;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Converts drafts to document records, with defaults, and document records to drafts, without defaults. Pure. */
final class DraftMapper {

    private DraftMapper() {}

    // From a draft to a document.

    static <T> T make(Kind<T> kind, FieldMap draft, Map<String, ?> given, @Nullable Scope outer) {
        Class<T> recordType = Objects.requireNonNull(kind.recordType(), "objects of this kind are made by hand");
        var scope = new Scope(kind, draft.values(), outer);
        var values = new HashMap<String, @Nullable Object>(given);
        for (Field field : kind.fields()) {
            Object value = draft.get(field.name());
            if (value == null) {
                value = field.type() instanceof MapOf ? FieldMap.EMPTY : field.initial(given.get("key"));
            }
            if (value != null && scope.applies(field) && !(field.type() instanceof Entries)) {
                values.put(componentOf(kind, field), document(field.type(), value, scope));
            }
        }
        return Records.make(recordType, "", values);
    }

    /** The path of the component that holds a field. A field of a variant is a component of the record of the variant. */
    private static String componentOf(Kind<?> kind, Field field) {
        Field.Condition condition = field.condition();
        if (condition == null
                || !condition.isOwned()
                || condition.words().size() > 1
                || field.component().contains(".")) {
            return field.component();
        }
        Field variant = kind.field(condition.field());
        return variant == null || isEnum(kind, variant)
                ? field.component()
                : variant.component() + "." + field.component();
    }

    private static boolean isEnum(Kind<?> kind, Field field) {
        Class<?> recordType = kind.recordType();
        return recordType != null
                && Arrays.stream(recordType.getRecordComponents())
                        .anyMatch(component -> component.getName().equals(field.component())
                                && component.getType().isEnum());
    }

    private static Object document(Type type, Object value, Scope scope) {
        return switch (type) {
            case Text _, FullText _, Flag _, Whole _, Reference _ -> value;
            case Words words -> words.document().apply((String) value);
            case Decimal decimal -> decimal.canonical().apply((BigDecimal) value);
            case Day() -> LocalDate.parse((String) value);
            case TimeOfDay() -> LocalTime.parse((String) value);
            case Zone() -> Zones.stored((String) value);
            case ListOf list ->
                ((List<?>) value)
                        .stream()
                                .map(item -> document(list.item(), item, scope))
                                .toList();
            case MapOf map -> documentOf(map, (FieldMap) value, scope);
            case Part(Kind<?> kind) -> make(kind, (FieldMap) value, Map.of(), scope);
            case Entries _, OfRecord _ -> throw new IllegalArgumentException("the editor makes objects one by one");
        };
    }

    private static Object documentOf(MapOf type, FieldMap entries, Scope scope) {
        Class<? extends Record> entry = type.entry();
        if (entry == null) {
            var map = new LinkedHashMap<Object, Object>();
            entries.forEach(
                    (key, value) -> map.put(document(type.key(), key, scope), document(type.value(), value, scope)));
            return map;
        }
        RecordComponent[] components = entry.getRecordComponents();
        var list = new ArrayList<>();
        entries.forEach((key, value) -> list.add(
                type.value() instanceof Part(Kind<?> kind)
                        ? make(kind, (FieldMap) value, Map.of(components[0].getName(), key), scope)
                        : Records.make(
                                entry,
                                "",
                                Map.of(
                                        components[0].getName(),
                                        key,
                                        components[1].getName(),
                                        document(type.value(), value, scope)))));
        return list;
    }

    // From a document to a draft.

    /** @param isFull whether values that equal their defaults are included */
    static FieldMap export(Kind<?> kind, Object document, @Nullable Scope outer, boolean isFull) {
        var values = new LinkedHashMap<String, @Nullable Object>();
        var scope = new Scope(kind, values, outer);
        if (kind.isObject()) {
            values.put(FieldMap.ID, Records.get(document, FieldMap.ID));
        }
        for (Field field : kind.fields()) {
            if (field.type() instanceof Entries(Kind<?> objects, int _)) {
                if (!isFull) {
                    values.put(field.name(), draftsOf(objects, (List<?>) component(document, field.component())));
                }
                continue;
            }
            boolean applies = scope.applies(field);
            Object held = applies ? Records.get(document, componentOf(kind, field)) : null;
            Object value = held == null ? null : draft(field.type(), held, scope, isFull);
            if (value == null && field.type() instanceof MapOf && (applies || !isFull)) {
                value = FieldMap.EMPTY;
            }
            Object initial = field.initial(Records.get(document, "key"));
            if (value == null && applies && isFull) {
                value = initial;
            }
            // Conditions of the following fields depend on the value, so a field that they name has no default.
            if (value != null && (isFull || !value.equals(initial))) {
                values.put(field.name(), value);
            }
        }
        return FieldMap.of(values);
    }

    private static Object draft(Type type, Object value, Scope scope, boolean isFull) {
        return switch (type) {
            case Text _, FullText _, Flag _, Whole _, Reference _, Decimal _ -> value;
            case Words words -> words.word().apply(value);
            case Day _, TimeOfDay _, Zone _ -> value.toString();
            case ListOf list ->
                ((List<?>) value)
                        .stream()
                                .map(item -> draft(list.item(), item, scope, isFull))
                                .toList();
            case MapOf map -> draftOf(map, value, scope, isFull);
            case Part(Kind<?> kind) -> export(kind, value, scope, isFull);
            case Entries _, OfRecord _ -> throw new IllegalArgumentException("objects are exported one by one");
        };
    }

    private static FieldMap draftOf(MapOf type, Object held, Scope scope, boolean isFull) {
        var entries = new LinkedHashMap<String, Object>();
        Class<? extends Record> entryType = type.entry();
        if (entryType == null) {
            ((Map<?, ?>) held)
                    .forEach((key, value) -> entries.put(
                            (String) draft(type.key(), key, scope, isFull), draft(type.value(), value, scope, isFull)));
            return FieldMap.of(entries);
        }
        RecordComponent[] components = entryType.getRecordComponents();
        for (Object entry : (List<?>) held) {
            Object value = type.value() instanceof Part ? entry : component(entry, components[1].getName());
            entries.put((String) component(entry, components[0].getName()), draft(type.value(), value, scope, isFull));
        }
        return FieldMap.of(entries);
    }

    private static Object component(Object record, String name) {
        return Objects.requireNonNull(Records.get(record, name), "entries hold no null");
    }

    @SuppressWarnings("unchecked") // objects of a kind are its documents
    private static <T> FieldMap draftsOf(Kind<T> kind, List<?> objects) {
        return kind.export((List<T>) objects);
    }
}
