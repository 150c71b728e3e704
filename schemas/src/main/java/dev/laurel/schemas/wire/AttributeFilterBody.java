package dev.laurel.schemas.wire;

/** One attribute that must have one value. */
public record AttributeFilterBody(String key, String value) {}
