package dev.laurel.schemas.audit;

import dev.laurel.schemas.key.TenantId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record of {@code laurel.audit}: one request to change something through the admin API (docs/admin-api.md B9). It names objects and
 * never has their content, so that no secret can be in it.
 *
 * @param time by the clock of the process that answered, also where a test clock gives the time of everything else
 * @param tenant null: the request concerned all tenants, or named none
 * @param operation the {@code operationId} of the route in the OpenAPI document
 * @param outcome what became of the request
 * @param reason why it was refused; null unless it was
 * @param objects what was changed, at most {@value #MAX_OBJECTS}
 * @param count the number of objects that were changed, and of events that were recorded
 * @param ruleset the versions of the ruleset; null if the request did not concern it, or its result is not known
 * @param requestId the id of the request in the logs of the processes
 */
public record AuditRecord(
        Instant time,
        Author author,
        @Nullable TenantId tenant,
        String operation,
        Outcome outcome,
        @Nullable String reason,
        List<ChangedObject> objects,
        int count,
        @Nullable Versions ruleset,
        String requestId) {

    /** More than a bulk request may name. */
    public static final int MAX_OBJECTS = 200;

    public AuditRecord {
        objects = List.copyOf(objects.size() <= MAX_OBJECTS ? objects : objects.subList(0, MAX_OBJECTS));
    }

    /** What became of a request. */
    public enum Outcome {
        /** It was carried out, except for the parts that its answer names as issues. */
        ACCEPTED,
        /** Its result was not known when it was answered: the change, or a part of it, is or may be in the log. */
        UNKNOWN,
        /** The author may not do that; nothing was changed. */
        REFUSED
    }

    /**
     * An object that was changed.
     *
     * @param kind such as {@code metric} or {@code user}
     * @param id null where there is only one of the kind
     * @param name the key in the ruleset, or a name; null if it has none
     */
    public record ChangedObject(
            String kind, @Nullable String id, @Nullable String name) {}

    /** The versions of the tenant's ruleset before and after a change; equal if the ruleset did not change. */
    public record Versions(long before, long after) {}

    /**
     * The admin key or signed-in person that made a change.
     *
     * @param id the id of the key, or what identifies the person where people sign in
     * @param name the name at the time of the change; not unique
     */
    public record Author(Type type, String id, String name) {

        /** What an author is. */
        public enum Type {
            /** An admin key. */
            KEY,
            /** A signed-in person. */
            PERSON
        }
    }
}
