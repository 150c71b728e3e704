package dev.laurel.schemas.wire;

import org.jspecify.annotations.Nullable;

/** The value of a present field, which may be null. An {@code Optional<Present<T>>} is absent, null or a value. */
public record Present<T>(@Nullable T value) {}
