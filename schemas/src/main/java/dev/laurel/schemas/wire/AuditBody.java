package dev.laurel.schemas.wire;

import dev.laurel.schemas.audit.AuditRecord.ChangedObject;
import dev.laurel.schemas.audit.AuditRecord.Versions;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.audit.Author;
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
public record AuditBody(String id, Instant time, AuthorBody author, @Nullable String tenant, String operation,
        String summary, String outcome, @Nullable String reason, List<ChangedObject> objects, int count,
        @Nullable Versions ruleset, String requestId) {

    public static AuditBody of(String id, AuditRecord record, @Nullable String tenant, String summary) {
        return new AuditBody(id, record.time(), new AuthorBody(record.author()), tenant, record.operation(), summary,
                IssueList.word(record.outcome()), record.reason(), record.objects(), record.count(), record.ruleset(),
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
}
