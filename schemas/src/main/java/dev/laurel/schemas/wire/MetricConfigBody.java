package dev.laurel.schemas.wire;

import java.util.UUID;

/** admin-api.md A3. */
public record MetricConfigBody(UUID id, String name, String key, String unitType, String units)
        implements
            AdminBody {}
