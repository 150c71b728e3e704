package dev.laurel.schemas.wire;

import org.jspecify.annotations.Nullable;

/** The body of every error (docs/application-api.md §1 "Errors"). */
public record ErrorBody(@Nullable String error) {}
