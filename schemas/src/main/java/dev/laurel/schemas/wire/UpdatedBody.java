package dev.laurel.schemas.wire;

import java.util.List;

/** The answer to a PATCH of the bulk pattern (admin-api.md A1). */
public record UpdatedBody(List<?> updated, List<IssueBody> issues) {}
