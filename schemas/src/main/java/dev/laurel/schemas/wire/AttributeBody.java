package dev.laurel.schemas.wire;

import java.util.UUID;

/** admin-api.md A2. @param type {@code user} or {@code event} */
public record AttributeBody(UUID id, String name, String key, String type) implements AdminBody {}
