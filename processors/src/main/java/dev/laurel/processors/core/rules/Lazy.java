package dev.laurel.processors.core.rules;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A part of compiled rules that is made at its first use, because most versions of a ruleset are never used for it. Threads that
 * use it first at the same time may make it twice, with equal results. Thread-safe.
 */
final class Lazy<T> implements Supplier<T> {

    /** Null when the part is made, so that what it was made from can be discarded. */
    private volatile @Nullable Supplier<T> make;

    private volatile @Nullable T made;

    Lazy(Supplier<T> make) {
        this.make = make;
    }

    @Override
    public T get() {
        T known = made;
        if (known != null) {
            return known;
        }
        Supplier<T> maker = make;
        if (maker == null) {
            return Objects.requireNonNull(made, "it is made before the maker is discarded");
        }
        T first = maker.get();
        made = first;
        make = null;
        return first;
    }
}
