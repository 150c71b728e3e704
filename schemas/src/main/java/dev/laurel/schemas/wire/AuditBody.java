package dev.laurel.schemas.wire;

import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.audit.AuditRecord.ChangedObject;
import dev.laurel.schemas.audit.AuditRecord.Versions;
import dev.laurel.schemas.kind.IssueList;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record of the audit log (docs/admin-api.md B9).
 *
 * @param id the place of the record in the list, which reads can continue after
 * @param tenant customer id; null: the request concerned all tenants, or there are none
 * @param summary the operation as a sentence, from the OpenAPI document
 */
public record AuditBody(
        String id,
        Instant time,
        AuthorBody author,
        @Nullable String tenant,
        String operation,
        String summary,
        String outcome,
        @Nullable String reason,
        List<ChangedObject> objects,
        int count,
        @Nullable Versions ruleset,
        String requestId) {

    public static AuditBody of(String id, AuditRecord record, @Nullable String tenant, String summary) {
        return new AuditBody(
                id,
                record.time(),
                new AuthorBody(record.author()),
                tenant,
                record.operation(),
                summary,
                IssueList.word(record.outcome()),
                record.reason(),
                record.objects(),
                record.count(),
                record.ruleset(),
                record.requestId());
    }

    /** Who made a change. @param type {@code key} or {@code person} */
    public record AuthorBody(String type, String id, String name) {

        AuthorBody(Author author) {
            this(IssueList.word(author.type()), author.id(), author.name());
        }

        /** Null for no author. */
        public static @Nullable AuthorBody of(@Nullable Author author) {
            return author == null ? null : new AuthorBody(author);
        }
    }

    /**
     * A record of the log that was rejected (docs/admin-api.md B11).
     *
     * @param id the place of the rejection in the list, which reads can continue after
     * @param time when it was rejected
     * @param key the record's key as text; null: it has none
     * @param tenant customer id of the tenant that the key names; null: none, or the key cannot be read
     * @param payload null: the record has no value
     * @param resent null: it was not sent again, as far as the newest audit records tell
     */
    public record RejectionBody(
            String id,
            Instant time,
            SourceBody source,
            @Nullable String key,
            @Nullable String tenant,
            String reason,
            @Nullable PayloadBody payload,
            @Nullable ResentBody resent) {

        /** The place of the rejected record in the log. @param time its timestamp */
        public record SourceBody(String topic, int partition, long offset, Instant time) {}

        /**
         * The value of the rejected record; one of {@code text} and {@code base64} is null.
         *
         * @param base64 the bytes, of a whole value that is not UTF-8
         * @param isWhole false: it is cut
         */
        public record PayloadBody(
                @Nullable String text, @Nullable String base64, boolean isWhole) {}

        /** @param outcome of the newest re-sending, as in the audit log */
        public record ResentBody(Instant time, AuthorBody author, String outcome) {}

        /**
         * The answer to a re-sending.
         *
         * @param topic the log that has the new record; null, as partition and offset, if its place is not known
         * @param time the time of the command
         * @param outcome {@code accepted}; {@code repeated}: it had been accepted before, and counts once; {@code pending}
         */
        public record ResendBody(
                @Nullable String topic,
                @Nullable Integer partition,
                @Nullable Long offset,
                String userId,
                Instant time,
                String outcome) {}
    }
}
