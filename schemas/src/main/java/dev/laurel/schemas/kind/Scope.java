package dev.laurel.schemas.kind;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values on which conditions of fields depend: those of an object, and those of the object around it.
 *
 * @param values values of the object by field
 * @param outer the object around it; null at the top
 */
record Scope(Kind<?> kind, Map<String, @Nullable Object> values, @Nullable Scope outer) {

    /** Whether the condition of the field is met. */
    boolean applies(Field field) {
        Field.Condition condition = field.condition();
        if (condition == null) {
            return true;
        }
        Object word = word(condition.field());
        return word == null ? !condition.isOwned() : condition.words().contains(word);
    }

    /** The largest value or length of the field. @param max the maximum of its type */
    long max(Field field, long max) {
        for (Field.Narrowed narrowed : field.narrowed()) {
            if (narrowed.word().equals(word(narrowed.field()))) {
                return narrowed.max();
            }
        }
        return max;
    }

    /** The word of a field of this object or of those around it. */
    @Nullable
    Object word(String field) {
        if (kind.field(field) != null) {
            return values.get(field);
        }
        return outer == null ? null : outer.word(field);
    }
}
