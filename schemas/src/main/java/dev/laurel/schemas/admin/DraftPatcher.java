package dev.laurel.schemas.admin;

import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.input.Uuids;
import dev.laurel.schemas.kind.Draft;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Type.Day;
import dev.laurel.schemas.kind.Type.Decimal;
import dev.laurel.schemas.kind.Type.Entries;
import dev.laurel.schemas.kind.Type.Flag;
import dev.laurel.schemas.kind.Type.FullText;
import dev.laurel.schemas.kind.Type.ListOf;
import dev.laurel.schemas.kind.Type.MapOf;
import dev.laurel.schemas.kind.Type.Part;
import dev.laurel.schemas.kind.Type.Reference;
import dev.laurel.schemas.kind.Type.Target;
import dev.laurel.schemas.kind.Type.Text;
import dev.laurel.schemas.kind.Type.TimeOfDay;
import dev.laurel.schemas.kind.Type.Whole;
import dev.laurel.schemas.kind.Type.Words;
import dev.laurel.schemas.kind.Type.Zone;
import dev.laurel.schemas.kind.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;

/**
 * Reads items of the admin API by their kind: a field that is given replaces what the draft says, null clears it where the kind
 * lets it, ids become keys. Types are judged here; what else may stand in a field is for the checks of the ruleset to say.
 */
final class DraftPatcher {

    /** Entries of a list; how many of them make sense is for the checks of the ruleset to say. */
    private static final int MAX_ENTRIES = 100;

    private static final int MAX_QUOTED = 60;

    private final EditDraft draft;

    /** @param draft whose objects references name */
    DraftPatcher(EditDraft draft) {
        this.draft = draft;
    }

    /** @param before the object, or {@link Draft#EMPTY} */
    Draft read(Kind<?> kind, RequestFields item, Draft before) throws BadInputException {
        Draft next = before;
        for (Field field : kind.fields()) {
            if (field.type() instanceof Entries) {
                continue;
            }
            Object value = value(field, item, next.get(field.name()));
            boolean isChanged = next.has(field.name()) && !next.get(field.name()).equals(value);
            next = next.with(field.name(), value);
            if (isChanged) {
                next = withoutOwnedBy(field, kind, next);
            }
        }
        return next;
    }

    private static Draft withoutOwnedBy(Field discriminator, Kind<?> kind, Draft draft) {
        Draft kept = draft;
        for (Field field : kind.fields()) {
            if (field.isOwnedBy(discriminator.name())) {
                kept = kept.with(field.name(), null);
            }
        }
        return kept;
    }

    /** @param before null if it is left out */
    Object value(Field field, RequestFields item, Object before) throws BadInputException {
        String name = field.adminName();
        int dot = name.indexOf('.');
        if (dot >= 0) {
            return inner(item, name.substring(0, dot), name.substring(dot + 1), before);
        }
        if (item.isNull(name)) {
            return field.isClearable() ? null : before;
        }
        Object given = item.has(name) ? given(field, item, name, before) : null;
        if (given == null) {
            return before;
        }
        // What is shown of an object can be given as it was shown, though it says nothing there.
        boolean saysNothing = given.equals(field.otherwise()) || Draft.EMPTY.equals(given);
        return saysNothing ? null : given;
    }

    private static Object inner(RequestFields item, String outer, String name, Object before) throws BadInputException {
        if (item.isNull(outer)) {
            return null;
        }
        RequestFields object = item.object(outer);
        return object == null ? before : object.requiredText(name);
    }

    private Object given(Field field, RequestFields item, String name, Object before) throws BadInputException {
        return switch (field.type()) {
            case Text _,FullText _,Day _,TimeOfDay _,Zone _ -> item.text(name);
            case Words _ -> field.adminWords().isEmpty()
                    ? item.text(name)
                    : item.word(name, field.adminWords().toArray(String[]::new));
            case Flag() -> item.bool(name);
            case Whole whole when field.isRanged() -> item.integer(name, (int) whole.min(), (int) whole.max());
            case Whole whole when whole.isInt() -> item.integer(name);
            case Whole _ -> item.whole(name);
            case Decimal _ -> item.number(name);
            case Reference(Target target) -> draft.keyOf(target, item, name, item.uuid(name));
            case ListOf list -> list(list.item(), item, name);
            case MapOf map when map.key() instanceof Reference(Target target) -> entries(field, map, target, item);
            case MapOf _ -> flags(item.object(name), before == null ? Draft.EMPTY : (Draft) before);
            case Part(Kind<?> kind) -> read(kind, item.object(name), before == null ? Draft.EMPTY : (Draft) before);
            case Entries _ -> throw new IllegalArgumentException("parts of an object are created one by one");
        };
    }

    private List<?> list(Type type, RequestFields item, String name) throws BadInputException {
        return switch (type) {
            case Reference(Target target) -> {
                var keys = new ArrayList<String>();
                List<String> ids = item.texts(name, MAX_ENTRIES);
                for (int i = 0; i < ids.size(); i++) {
                    keys.add(key(target, item, name + "[" + i + "]", ids.get(i)));
                }
                yield keys;
            }
            case Part(Kind<?> kind) -> {
                var parts = new ArrayList<Draft>();
                for (RequestFields part : item.items(name, MAX_ENTRIES)) {
                    parts.add(read(kind, part, Draft.EMPTY));
                }
                yield parts;
            }
            case Whole _ -> {
                List<Object> numbers = item.list(name, MAX_ENTRIES);
                if (!numbers.stream().allMatch(Integer.class::isInstance)) {
                    throw item.bad(name, "must be whole numbers of days");
                }
                yield numbers;
            }
            default -> item.texts(name, MAX_ENTRIES);
        };
    }

    private String key(Target target, RequestFields item, String field, String text) throws BadInputException {
        UUID id = Uuids.parse(text);
        if (id == null) {
            throw item.bad(field, "must be a valid UUID");
        }
        return draft.keyOf(target, item, field, id);
    }

    /** A list of objects with an id each as values by key. */
    private Draft entries(Field field, MapOf type, Target target, RequestFields item) throws BadInputException {
        var entries = new LinkedHashMap<String, Object>();
        for (RequestFields entry : item.items(field.adminName(), MAX_ENTRIES)) {
            String key = key(target, entry, field.entryKey(), entry.requiredText(field.entryKey()));
            boolean isText = type.value() instanceof Text;
            if (entries.containsKey(key) && !isText) {
                throw entry.bad(field.entryKey(), "is named twice");
            }
            Object value = entryValue(field, type, entry);
            Object other = entries.putIfAbsent(key, value);
            if (other != null && !other.equals(value)) {
                throw entry.bad(field.entryValue(),
                        "asks for two values of '" + UnicodeText.cut(key, MAX_QUOTED) + "'");
            }
        }
        return Draft.of(entries);
    }

    private Object entryValue(Field field, MapOf type, RequestFields entry) throws BadInputException {
        if (type.value() instanceof Part(Kind<?> kind)) {
            return read(kind, entry, Draft.EMPTY);
        }
        entry.require(field.entryValue());
        return type.value() instanceof Text ? entry.text(field.entryValue()) : entry.number(field.entryValue());
    }

    /** A name that is given as null is taken out. */
    private static Draft flags(RequestFields given, Draft before) throws BadInputException {
        Draft flags = before;
        for (String name : given.names(MAX_ENTRIES)) {
            flags = flags.with(name, given.isNull(name) ? null : given.bool(name));
        }
        return flags;
    }

    /** What a new object has before anything of it is read. */
    static Draft initial(Kind<?> kind, UUID id) {
        Draft initial = Draft.of("id", id);
        for (Field field : kind.fields()) {
            initial = initial.with(field.name(), field.atCreation());
        }
        return initial;
    }
}
