package dev.laurel.schemas.kind;

import dev.laurel.schemas.input.Uuids;
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
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads plain values as a draft: known fields only, each of its type, in the order of the kind. Belongs to one read. */
final class DraftReader {

    private final List<String> path = new ArrayList<>();

    private DraftReader() {}

    static FieldMap read(Kind<?> kind, Map<?, ?> values) {
        return new DraftReader().object(kind, values);
    }

    private FieldMap object(Kind<?> kind, Map<?, ?> values) {
        var read = new LinkedHashMap<String, @Nullable Object>();
        values.forEach((key, value) -> {
            String name = (String) key;
            path.add(name);
            Field field = kind.field(name);
            if (field != null) {
                read.put(name, value(field.type(), value));
            } else if (kind.isObject() && name.equals(FieldMap.ID)) {
                read.put(name, id(value));
            } else {
                throw bad("is not a known field; known: " + known(kind));
            }
            path.removeLast();
        });
        return ordered(kind, read);
    }

    /** Puts fields into the order of the kind and omits nulls. Sections that a ruleset does not have stay missing. */
    static FieldMap ordered(Kind<?> kind, Map<String, @Nullable Object> read) {
        var ordered = new LinkedHashMap<String, Object>();
        if (read.get(FieldMap.ID) != null && kind.isObject()) {
            ordered.put(FieldMap.ID, read.get(FieldMap.ID));
        }
        for (Field field : kind.fields()) {
            Object value = read.get(field.name());
            boolean isFilled = value == null && kind.recordType() != null;
            if (isFilled && (field.type() instanceof MapOf || field.type() instanceof Entries)) {
                value = FieldMap.EMPTY;
            }
            if (value != null) {
                ordered.put(field.name(), value);
            }
        }
        return FieldMap.of(ordered);
    }

    private static String known(Kind<?> kind) {
        return Stream.concat(
                        kind.fields().stream().map(Field::name), kind.isObject() ? Stream.of(FieldMap.ID) : Stream.of())
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private @Nullable UUID id(@Nullable Object value) {
        UUID id = value instanceof String text ? Uuids.parse(text) : value instanceof UUID uuid ? uuid : null;
        if (id == null && value != null) {
            throw bad("must be a UUID");
        }
        return id;
    }

    private @Nullable Object value(Type type, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        return switch (type) {
            case Text _, FullText _, Words _, Day _, TimeOfDay _, Zone _, Reference _ -> {
                if (!(value instanceof String)) {
                    throw bad("must be a string");
                }
                yield value;
            }
            case Flag() -> {
                if (!(value instanceof Boolean)) {
                    throw bad("must be true or false");
                }
                yield value;
            }
            case Whole whole -> whole(whole, value);
            case Decimal _ -> decimal(value);
            case ListOf list -> list(list, value);
            case MapOf map -> map(map.value(), value);
            case Entries(Kind<?> kind, int _) -> map(new Part(kind), value);
            case Part(Kind<?> kind) -> object(kind, fields(value));
            case OfRecord _ -> throw new IllegalArgumentException("not in configured objects: " + type);
        };
    }

    private Object whole(Whole type, Object value) {
        long number = switch (value) {
            case Integer given -> given;
            case Long given -> given;
            default -> throw bad("must be a whole number");
        };
        if (type.isInt() && number != (int) number) {
            throw bad("must be a whole number");
        }
        return type.value(number);
    }

    private BigDecimal decimal(Object value) {
        return switch (value) {
            case BigDecimal number -> number;
            case Number number -> new BigDecimal(number.toString());
            default -> throw bad("must be a number");
        };
    }

    private List<@Nullable Object> list(ListOf type, Object value) {
        if (!(value instanceof List<?> given)) {
            throw bad("must be an array");
        }
        var items = new ArrayList<@Nullable Object>();
        for (int i = 0; i < given.size(); i++) {
            path.add("[" + i + "]");
            items.add(value(type.item(), given.get(i)));
            path.removeLast();
        }
        return FieldMap.listOf(items);
    }

    private FieldMap map(Type type, Object value) {
        var entries = new LinkedHashMap<String, @Nullable Object>();
        fields(value).forEach((key, entry) -> {
            path.add((String) key);
            entries.put((String) key, value(type, entry));
            path.removeLast();
        });
        return FieldMap.of(entries);
    }

    private Map<?, ?> fields(Object value) {
        return switch (value) {
            case Map<?, ?> fields -> fields;
            case FieldMap draft -> draft.values();
            default -> throw bad("must be an object");
        };
    }

    private FieldMap.DraftException bad(String problem) {
        return new FieldMap.DraftException(path, problem);
    }
}
