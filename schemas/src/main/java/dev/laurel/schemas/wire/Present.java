package dev.laurel.schemas.wire;

import org.jspecify.annotations.Nullable;

/**
 * The value of a field that is there and may be null: an {@code Optional<Present<T>>} tells the three states of the
 * contract's {@code T~?} apart (absent, null, value).
 */
public record Present<T>(@Nullable T value) {}
