package dev.laurel.schemas.kind;

import java.util.Map;

/**
 * The values that conditions of fields look at: those of an object, and of the object around it.
 *
 * @param values of the object, by field
 * @param outer null at the top
 */
record Scope(Kind<?> kind, Map<String, Object> values, Scope outer) {

    /** Whether the field goes with this object. */
    boolean applies(Field field) {
        Field.Condition condition = field.condition();
        if (condition == null) {
            return true;
        }
        Object word = word(condition.field());
        return word == null ? !condition.isOwned() : condition.words().contains(word);
    }

    /** The largest value or length: that of the type, or a lower one beside a word of another field. */
    long max(Field field, long max) {
        for (Field.Narrowed narrowed : field.narrowed()) {
            if (narrowed.word().equals(word(narrowed.field()))) {
                return narrowed.max();
            }
        }
        return max;
    }

    /** Null if it is left out. */
    Object word(String field) {
        if (kind.field(field) != null) {
            return values.get(field);
        }
        return outer == null ? null : outer.word(field);
    }
}
