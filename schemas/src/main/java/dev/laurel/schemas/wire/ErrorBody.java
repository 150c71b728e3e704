package dev.laurel.schemas.wire;

/** The body of every error (application-api.md §1 "Errors"). */
public record ErrorBody(String error) {}
