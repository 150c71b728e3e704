package dev.laurel.schemas.wire;

import java.util.List;

/** The answer to a DELETE of the bulk pattern (admin-api.md A1). */
public record DeletedBody(List<Deleted> deleted, List<IssueBody> issues) {

    public record Deleted(String id) {}
}
