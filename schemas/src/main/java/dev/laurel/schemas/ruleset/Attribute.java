package dev.laurel.schemas.ruleset;

import java.util.UUID;

/** A custom attribute that requests may set; its key is unique among those of its type. */
public record Attribute(int number, UUID id, String key, String name, AttributeType type) {}
