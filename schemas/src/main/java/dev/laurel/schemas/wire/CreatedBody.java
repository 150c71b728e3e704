package dev.laurel.schemas.wire;

import java.util.List;

/** The answer to a POST of the bulk pattern (admin-api.md A1). */
public record CreatedBody(List<?> created, List<IssueBody> issues) {

    /** 201 if at least one was created. */
    public int status() {
        return created.isEmpty() ? 200 : 201;
    }
}
