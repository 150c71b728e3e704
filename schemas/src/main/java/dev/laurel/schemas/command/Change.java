package dev.laurel.schemas.command;

/** What a request says about one property: nothing, that it be cleared, or its new value. */
public sealed interface Change<T> {

    /** Not given: the property stays as it is. */
    record Keep<T>() implements Change<T> {}

    /** Given as null where the contract lets null clear. */
    record Clear<T>() implements Change<T> {}

    record Set<T>(T value) implements Change<T> {}

    Keep<?> KEEP = new Keep<>();
    Clear<?> CLEAR = new Clear<>();

    @SuppressWarnings("unchecked") // a Keep holds no T
    static <T> Change<T> keep() {
        return (Change<T>) KEEP;
    }

    @SuppressWarnings("unchecked") // a Clear holds no T
    static <T> Change<T> clear() {
        return (Change<T>) CLEAR;
    }

    static <T> Change<T> set(T value) {
        return new Set<>(value);
    }

    /** The property's value after this change. */
    default T appliedTo(T current) {
        return switch (this) {
            case Keep<T> _ -> current;
            case Clear<T> _ -> null;
            case Set<T>(T value) -> value;
        };
    }

    default boolean isGiven() {
        return !(this instanceof Keep<T>);
    }
}
