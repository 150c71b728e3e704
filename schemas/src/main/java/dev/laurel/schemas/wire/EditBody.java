package dev.laurel.schemas.wire;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Bodies that answer bulk edits of the admin API: what was created, changed or deleted, and the issues of the rest. */
public sealed interface EditBody {

    /**
     * What is wrong with one item of a bulk request (docs/admin-api.md A1).
     *
     * @param severity {@code error} or {@code warning}
     * @param index of the item among those to create
     * @param id as it was given, of an item to change or delete
     * @param userId of an item about a user
     * @param boostId of a boost to change or delete
     * @param level the severity once more, where old clients ask for it; {@code reason} likewise the message
     */
    record IssueBody(String severity, String message, Optional<Integer> index, Optional<String> id,
            Optional<String> userId, Optional<String> boostId, Optional<String> level, Optional<String> reason) {

        public static final String ERROR = "error";
        public static final String WARNING = "warning";

        private static IssueBody of(String severity, String message, @Nullable Integer index, @Nullable String id,
                @Nullable String userId) {
            return new IssueBody(severity, message, Optional.ofNullable(index), Optional.ofNullable(id),
                    Optional.ofNullable(userId), Optional.empty(), Optional.empty(), Optional.empty());
        }

        /** @param index zero-based */
        public static IssueBody at(int index, String message) {
            return of(ERROR, message, index, null, null);
        }

        public static IssueBody of(String id, String message) {
            return ofThing(id, ERROR, message);
        }

        /** @param id of the object, as it was given */
        public static IssueBody ofThing(String id, String severity, String message) {
            return of(severity, message, null, id, null);
        }

        public static IssueBody ofUser(int index, @Nullable String userId, String severity, String message) {
            return of(severity, message, index, null, userId);
        }

        /** With the names of the fields that clients of versions 1.0.28 to 1.3.4 ask for. */
        public IssueBody withOldNames() {
            return new IssueBody(severity, message, index, id, userId, boostId, Optional.of(severity),
                    Optional.of(message));
        }

        /** The same, saying whom it is about. */
        public IssueBody ofUser(String user) {
            return new IssueBody(severity, message, index, id, Optional.of(user), boostId, level, reason);
        }

        public IssueBody ofBoost() {
            return new IssueBody(severity, message, index, id, userId, id, level, reason);
        }
    }

    /** The answer to a POST of the bulk pattern (docs/admin-api.md A1). */
    record CreatedBody(List<?> created, List<IssueBody> issues) implements EditBody {

        /** 201 if at least one was created. */
        public int status() {
            return created.isEmpty() ? 200 : 201;
        }
    }

    /** The answer to a PATCH of the bulk pattern (docs/admin-api.md A1). */
    record UpdatedBody(List<?> updated, List<IssueBody> issues) implements EditBody {}

    /** The answer to a DELETE of the bulk pattern (docs/admin-api.md A1). @param deleted of the form of {@link Deleted} */
    record DeletedBody(List<?> deleted, List<IssueBody> issues) implements EditBody {

        public record Deleted(String id) {}
    }
}
