package dev.laurel.schemas.kind;

import dev.laurel.schemas.kind.Type.Day;
import dev.laurel.schemas.kind.Type.Decimal;
import dev.laurel.schemas.kind.Type.Entries;
import dev.laurel.schemas.kind.Type.Flag;
import dev.laurel.schemas.kind.Type.FullText;
import dev.laurel.schemas.kind.Type.ListOf;
import dev.laurel.schemas.kind.Type.MapOf;
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
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Document records of drafts, defaults filled in, and drafts of document records, defaults left out. Pure. */
final class DraftMapper {

    private DraftMapper() {}

    // From a draft to a document.

    static <T> T make(Kind<T> kind, Draft draft, Map<String, ?> given) {
        return make(kind, draft, given, null);
    }

    private static <T> T make(Kind<T> kind, Draft draft, Map<String, ?> given, Scope outer) {
        var scope = new Scope(kind, draft.values(), outer);
        var values = new HashMap<String, Object>(given);
        for (Field field : kind.fields()) {
            Object value = draft.get(field.name());
            if (value == null) {
                value = field.type() instanceof MapOf ? Draft.EMPTY : field.initial(given.get("key"));
            }
            if (value != null && scope.applies(field) && !(field.type() instanceof Entries)) {
                values.put(componentOf(kind, field), document(field.type(), value, scope));
            }
        }
        return Records.make(kind.record(), "", values);
    }

    /** Fields of a variant are components of its record. */
    private static String componentOf(Kind<?> kind, Field field) {
        Field.Condition condition = field.condition();
        boolean isOwned = condition != null && condition.isOwned() && kind.field(condition.field()) != null
                && !field.component().contains(".") && condition.words().size() == 1;
        return isOwned ? kind.field(condition.field()).component() + "." + field.component() : field.component();
    }

    private static Object document(Type type, Object value, Scope scope) {
        return switch (type) {
            case Text _,FullText _,Flag _,Whole _,Reference _ -> value;
            case Words words -> words.document().apply((String) value);
            case Decimal decimal -> decimal.canonical().apply((BigDecimal) value);
            case Day() -> LocalDate.parse((String) value);
            case TimeOfDay() -> LocalTime.parse((String) value);
            case Zone() -> ZoneId.of((String) value);
            case ListOf list ->
                ((List<?>) value).stream().map(item -> document(list.item(), item, scope)).toList();
            case MapOf map -> documentOf(map, (Draft) value, scope);
            case Part(Kind<?> kind) -> make(kind, (Draft) value, Map.of(), scope);
            case Entries _ -> throw new IllegalArgumentException("the editor makes objects one by one");
        };
    }

    private static Object documentOf(MapOf type, Draft entries, Scope scope) {
        if (type.entry() == null) {
            var values = new LinkedHashMap<Object, Object>();
            entries.values().forEach((key, value) -> values.put(document(type.key(), key, scope),
                    document(type.value(), value, scope)));
            return values;
        }
        RecordComponent[] components = type.entry().getRecordComponents();
        var list = new ArrayList<>();
        entries.values().forEach((key, value) -> {
            if (type.value() instanceof Part(Kind<?> kind)) {
                list.add(make(kind, (Draft) value, Map.of(components[0].getName(), key), scope));
            } else {
                list.add(Records.make(type.entry(), "", Map.of(components[0].getName(), key, components[1].getName(),
                        document(type.value(), value, scope))));
            }
        });
        return list;
    }

    // From a document to a draft.

    /** @param isFull whether values that equal their defaults stay */
    static Draft export(Kind<?> kind, Object document, Scope outer, boolean isFull) {
        var values = new LinkedHashMap<String, Object>();
        var scope = new Scope(kind, values, outer);
        if (kind.isObject()) {
            values.put(Kind.ID, Records.get(document, Kind.ID));
        }
        for (Field field : kind.fields()) {
            if (field.type() instanceof Entries) {
                continue;
            }
            boolean applies = scope.applies(field);
            Object held = applies ? Records.get(document, componentOf(kind, field)) : null;
            Object value = held == null ? null : draft(field.type(), held, scope, isFull);
            if (value == null && field.type() instanceof MapOf && (applies || !isFull)) {
                value = Draft.EMPTY;
            }
            Object initial = field.initial(Records.get(document, "key"));
            if (value == null && applies && isFull) {
                value = initial;
            }
            boolean isDefault = value != null && value.equals(initial);
            // A discriminator is looked at by the fields after it, so it has no default.
            if (value != null && (isFull || !isDefault)) {
                values.put(field.name(), value);
            }
        }
        return Draft.of(values);
    }

    private static Object draft(Type type, Object value, Scope scope, boolean isFull) {
        return switch (type) {
            case Text _,FullText _,Flag _,Whole _,Reference _,Decimal _ -> value;
            case Words words -> words.word().apply(value);
            case Day _,TimeOfDay _,Zone _ -> value.toString();
            case ListOf list ->
                ((List<?>) value).stream().map(item -> draft(list.item(), item, scope, isFull)).toList();
            case MapOf map -> draftOf(map, value, scope, isFull);
            case Part(Kind<?> kind) -> export(kind, value, scope, isFull);
            case Entries _ -> throw new IllegalArgumentException("objects are exported one by one");
        };
    }

    private static Draft draftOf(MapOf type, Object held, Scope scope, boolean isFull) {
        var entries = new LinkedHashMap<String, Object>();
        if (held instanceof Map<?, ?> map) {
            map.forEach((key, value) -> entries.put((String) draft(type.key(), key, scope, isFull),
                    draft(type.value(), value, scope, isFull)));
            return Draft.of(entries);
        }
        RecordComponent[] components = type.entry().getRecordComponents();
        for (Object entry : (List<?>) held) {
            Object value = type.value() instanceof Part
                    ? entry
                    : Objects.requireNonNull(Records.get(entry, components[1].getName()));
            entries.put((String) Records.get(entry, components[0].getName()),
                    draft(type.value(), value, scope, isFull));
        }
        return Draft.of(entries);
    }
}
