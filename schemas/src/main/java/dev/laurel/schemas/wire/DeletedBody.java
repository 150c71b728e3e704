package dev.laurel.schemas.wire;

import java.util.List;

/** The answer to a DELETE of the bulk pattern (admin-api.md A1). @param deleted of the form of {@link Deleted} */
public record DeletedBody(List<?> deleted, List<IssueBody> issues) {

    public record Deleted(String id) {}
}
