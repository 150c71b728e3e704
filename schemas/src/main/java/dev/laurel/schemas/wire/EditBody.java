package dev.laurel.schemas.wire;

import dev.laurel.schemas.kind.Records;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Bodies of answers to bulk edits of the admin API: created, changed or deleted objects, and the issues of the others. */
public sealed interface EditBody {

    /**
     * A problem of one item of a bulk request (docs/admin-api.md A1).
     *
     * @param severity {@code error} or {@code warning}
     * @param index index of an item to create, or of an item to change that has no id
     * @param id id in the request, for an item to change or delete
     * @param userId the user, for an item about a user
     * @param boostId id in the request, for a boost to change or delete
     * @param level the severity for old clients
     * @param reason the message for old clients
     */
    record IssueBody(
            String severity,
            String message,
            Optional<Integer> index,
            Optional<String> id,
            Optional<String> userId,
            Optional<String> boostId,
            Optional<String> level,
            Optional<String> reason) {

        public static final String ERROR = "error";
        public static final String WARNING = "warning";

        private static IssueBody of(
                String severity,
                String message,
                @Nullable Integer index,
                @Nullable String id,
                @Nullable String userId) {
            return new IssueBody(
                    severity,
                    message,
                    Optional.ofNullable(index),
                    Optional.ofNullable(id),
                    Optional.ofNullable(userId),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }

        /** @param index zero-based */
        public static IssueBody at(int index, String message) {
            return of(ERROR, message, index, null, null);
        }

        public static IssueBody of(String id, String message) {
            return ofThing(id, ERROR, message);
        }

        /** @param id id in the request; null if the item has none, so that its index identifies it */
        public static IssueBody ofUpdate(int index, @Nullable String id, String message) {
            return id == null ? at(index, message) : of(id, message);
        }

        /** @param id id in the request */
        public static IssueBody ofThing(String id, String severity, String message) {
            return of(severity, message, null, id, null);
        }

        /** An issue of the request as a whole. */
        public static IssueBody ofNothing(String severity, String message) {
            return of(severity, message, null, null, null);
        }

        public static IssueBody ofUser(int index, @Nullable String userId, String severity, String message) {
            return of(severity, message, index, null, userId);
        }

        /** This issue with the field names for clients of versions 1.0.28 to 1.3.4. */
        public IssueBody withOldNames() {
            return Records.with(this, "level", Optional.of(severity), "reason", Optional.of(message));
        }

        /** This issue with its user. */
        public IssueBody ofUser(String user) {
            return Records.with(this, "userId", Optional.of(user));
        }

        public IssueBody ofBoost() {
            return Records.with(this, "boostId", id);
        }
    }

    /** The answer to a POST of the bulk pattern (docs/admin-api.md A1). */
    record CreatedBody(List<?> created, List<IssueBody> issues) implements EditBody {

        /** 201 if at least one object was created. */
        public int status() {
            return created.isEmpty() ? 200 : 201;
        }
    }

    /** The answer to a PATCH of the bulk pattern (docs/admin-api.md A1). */
    record UpdatedBody(List<?> updated, List<IssueBody> issues) implements EditBody {}

    /** The answer to a DELETE of the bulk pattern (docs/admin-api.md A1). @param deleted {@link Deleted} or a body of the same form */
    record DeletedBody(List<?> deleted, List<IssueBody> issues) implements EditBody {

        public record Deleted(String id) {}
    }

    /** A body with the fields of another one, which several bodies share. They are written in its place, as fields of this body. */
    interface VariantBody {

        Object base();
    }

    /** The body of an object in the admin API. */
    interface AdminBody {

        UUID id();
    }
}
