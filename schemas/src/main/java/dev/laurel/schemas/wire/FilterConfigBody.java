package dev.laurel.schemas.wire;

import java.util.UUID;

/** One attribute that must have one value, as the admin API names it (admin-api.md A1). */
public record FilterConfigBody(UUID attributeId, String attributeValue) {}
