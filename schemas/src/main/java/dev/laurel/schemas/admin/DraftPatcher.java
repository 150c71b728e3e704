package dev.laurel.schemas.admin;

import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.input.Uuids;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Type;
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
import dev.laurel.schemas.kind.Type.Target;
import dev.laurel.schemas.kind.Type.Text;
import dev.laurel.schemas.kind.Type.TimeOfDay;
import dev.laurel.schemas.kind.Type.Whole;
import dev.laurel.schemas.kind.Type.Words;
import dev.laurel.schemas.kind.Type.Zone;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Applies the fields of a request to a draft by its kind: a given field replaces the value of the draft, null clears it if the
 * field is clearable, and ids become keys. Checks only types; the checks of the ruleset follow.
 */
final class DraftPatcher {

    /** Limits the entries of a list; the checks of the ruleset have lower limits. */
    private static final int MAX_ENTRIES = 100;

    private static final int MAX_QUOTED = 60;

    private final PendingEdit draft;

    /** @param draft contains the objects to which references refer */
    DraftPatcher(PendingEdit draft) {
        this.draft = draft;
    }

    /** @param before the object, or {@link FieldMap#EMPTY} */
    FieldMap patch(Kind<?> kind, RequestFields item, FieldMap before) throws BadInputException {
        FieldMap next = before;
        for (Field field : kind.fields()) {
            if (field.type() instanceof Entries) {
                continue;
            }
            Object former = next.get(field.name());
            Object value = value(field, item, former);
            next = next.with(field.name(), value);
            if (former != null && !former.equals(value)) {
                next = withoutOwnedBy(field, kind, next);
            }
        }
        return next;
    }

    private static FieldMap withoutOwnedBy(Field changed, Kind<?> kind, FieldMap draft) {
        FieldMap kept = draft;
        for (Field field : kind.fields()) {
            if (field.isOwnedBy(changed.name())) {
                kept = kept.with(field.name(), null);
            }
        }
        return kept;
    }

    /** The new value of a field; null if it has none. */
    @Nullable
    Object value(Field field, RequestFields item, @Nullable Object before) throws BadInputException {
        String name = field.adminName();
        String alias = field.adminAlias();
        if (alias == null || !isGiven(field, alias, item)) {
            return value(field, name, item, before);
        }
        Object value = value(field, alias, item, before);
        if (isGiven(field, name, item) && !Objects.equals(value, value(field, name, item, before))) {
            throw item.bad(alias, "differs from " + name + ", which is another name of it");
        }
        return value;
    }

    /** Whether the request sets or clears the field by this name. */
    private static boolean isGiven(Field field, String name, RequestFields item) throws BadInputException {
        int dot = name.indexOf('.');
        if (dot < 0) {
            return item.has(name) || field.isClearable() && item.isNull(name);
        }
        String outer = name.substring(0, dot);
        if (field.isClearable()) {
            return item.has(outer) || item.isNull(outer);
        }
        RequestFields object = item.object(outer);
        return object != null && isGiven(field, name.substring(dot + 1), object);
    }

    private @Nullable Object value(Field field, String name, RequestFields item, @Nullable Object before)
            throws BadInputException {
        int dot = name.indexOf('.');
        if (dot >= 0) {
            return inner(field, name.substring(0, dot), name.substring(dot + 1), item, before);
        }
        if (item.isNull(name)) {
            return field.isClearable() ? null : before;
        }
        Object given = item.has(name) ? given(field, item, name, before) : null;
        if (given == null) {
            return before;
        }
        // A request may repeat a value as it was shown where the field does not apply or has no value.
        boolean isEmpty =
                given.equals(field.otherwise()) || given.equals(field.missing()) || FieldMap.EMPTY.equals(given);
        return isEmpty ? null : given;
    }

    /** Reads a field inside an object. An object that can be cleared has only this field. */
    private @Nullable Object inner(Field field, String outer, String name, RequestFields item, @Nullable Object before)
            throws BadInputException {
        if (item.isNull(outer)) {
            if (field.isClearable()) {
                return null;
            }
            throw item.bad(outer, "must be an object");
        }
        RequestFields object = item.object(outer);
        if (object == null) {
            return before;
        }
        if (field.isClearable()) {
            object.require(name);
        }
        return value(field, name, object, before);
    }

    private @Nullable Object given(Field field, RequestFields item, String name, @Nullable Object before)
            throws BadInputException {
        return switch (field.type()) {
            case Text _, FullText _, Day _, TimeOfDay _, Zone _ -> item.text(name);
            case Words _ -> field.adminWords().isEmpty() ? item.text(name) : item.word(name, field.adminWords());
            case Flag() -> item.bool(name);
            case Whole whole
            when field.isRanged() -> Math.toIntExact(item.requiredWhole(name, whole.min(), whole.max()));
            case Whole whole when whole.isInt() -> item.integer(name);
            case Whole _ -> item.whole(name);
            case Decimal _ -> item.number(name);
            case Reference(Target target) -> key(target, item, name, item.requiredText(name));
            case ListOf list -> list(list.item(), item, name, Math.max(list.max(), MAX_ENTRIES));
            case MapOf map when map.key() instanceof Reference(Target target) -> entries(field, map, target, item);
            case MapOf _ -> flags(item.requiredObject(name), before == null ? FieldMap.EMPTY : (FieldMap) before);
            case Part(Kind<?> kind) ->
                patch(kind, item.requiredObject(name), before == null ? FieldMap.EMPTY : (FieldMap) before);
            case Entries _, OfRecord _ ->
                throw new IllegalArgumentException("parts of an object are created one by one");
        };
    }

    private List<?> list(Type type, RequestFields item, String name, int max) throws BadInputException {
        return switch (type) {
            case Reference(Target target) -> {
                var keys = new ArrayList<String>();
                for (String id : item.texts(name, max)) {
                    keys.add(key(target, item, name + "[" + keys.size() + "]", id));
                }
                yield keys;
            }
            case Part(Kind<?> kind) -> {
                var parts = new ArrayList<FieldMap>();
                for (RequestFields part : item.objects(name, max)) {
                    parts.add(patch(kind, part, FieldMap.EMPTY));
                }
                yield parts;
            }
            case Whole whole -> {
                List<Object> numbers = item.list(name, max);
                for (int i = 0; i < numbers.size(); i++) {
                    if (!(numbers.get(i) instanceof Integer)) {
                        throw item.bad(
                                name + "[" + i + "]",
                                "must be a whole number from " + whole.min() + " to " + whole.max());
                    }
                }
                yield numbers;
            }
            default -> item.texts(name, max);
        };
    }

    private String key(Target target, RequestFields item, String field, String text) throws BadInputException {
        UUID id = Uuids.parse(text);
        if (id == null) {
            throw item.bad(field, "must be a valid UUID");
        }
        return draft.keyOf(target, item, field, id);
    }

    /** Converts a list of objects, each with an id, to values by key. */
    private FieldMap entries(Field field, MapOf type, Target target, RequestFields item) throws BadInputException {
        var entries = new LinkedHashMap<String, Object>();
        for (RequestFields entry : item.objects(field.adminName(), MAX_ENTRIES)) {
            String key = key(target, entry, field.entryKey(), entry.requiredText(field.entryKey()));
            boolean isText = type.value() instanceof Text;
            if (entries.containsKey(key) && !isText) {
                throw entry.bad(field.entryKey(), "is named twice");
            }
            Object value = entryValue(field.entryValue(), type, entry);
            Object other = entries.putIfAbsent(key, value);
            if (other != null && !other.equals(value)) {
                throw entry.bad(
                        field.entryValue(), "asks for two values of '" + UnicodeText.cut(key, MAX_QUOTED) + "'");
            }
        }
        return FieldMap.of(entries);
    }

    private Object entryValue(String field, MapOf type, RequestFields entry) throws BadInputException {
        return switch (type.value()) {
            case Part(Kind<?> kind) -> patch(kind, entry, FieldMap.EMPTY);
            case Text _ -> entry.requiredText(field);
            default -> entry.requiredNumber(field);
        };
    }

    /** Changes flags; null removes one. */
    private static FieldMap flags(RequestFields given, FieldMap before) throws BadInputException {
        FieldMap flags = before;
        for (String name : given.names(MAX_ENTRIES)) {
            flags = flags.with(name, given.bool(name));
        }
        return flags;
    }

    /** A new object before its fields are read. */
    static FieldMap initial(Kind<?> kind, UUID id) {
        FieldMap initial = FieldMap.of("id", id);
        for (Field field : kind.fields()) {
            initial = initial.with(field.name(), field.atCreation());
        }
        return initial;
    }
}
