package dev.laurel.schemas.wire;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The value of a present field, which may be null. An {@code Optional<Present<T>>} is absent, null or a value. */
public record Present<T>(@Nullable T value) {

    /** A field that is present. */
    public static <T> Optional<Present<T>> of(@Nullable T value) {
        return Optional.of(new Present<>(value));
    }
}
