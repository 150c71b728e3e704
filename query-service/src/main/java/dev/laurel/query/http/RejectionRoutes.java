package dev.laurel.query.http;

import static dev.laurel.query.http.ReadAnswers.answer;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.kafka.RejectionReads;
import dev.laurel.platform.kafka.TopicPages;
import dev.laurel.platform.kafka.TopicPages.Found;
import dev.laurel.platform.kafka.TopicPages.Range;
import dev.laurel.query.http.Query.Page;
import dev.laurel.query.read.AuditReads;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.topic.Rejection;
import dev.laurel.schemas.wire.AuditBody.AuthorBody;
import dev.laurel.schemas.wire.AuditBody.RejectionBody;
import dev.laurel.schemas.wire.AuditBody.RejectionBody.PayloadBody;
import dev.laurel.schemas.wire.AuditBody.RejectionBody.ResentBody;
import dev.laurel.schemas.wire.AuditBody.RejectionBody.SourceBody;
import io.javalin.http.Context;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /admin/v1/rejections}: the rejected records of the log, newest first, and one of them with its whole value
 * (docs/admin-api.md B11). A key that is bound to a tenant sees the records whose keys name that tenant.
 *
 * @param audit knows what was sent again
 * @param access knows the names of tenants
 */
record RejectionRoutes(RejectionReads rejections, AuditReads audit, AccessView access) implements Routes {

    private static final String NOT_FOUND = "Rejection not found by ID";
    private static final String RESEND = "resendRejection";
    private static final String ID = "[0-9]{1,18}";
    private static final int MAX_REASON_LENGTH = 255;

    /** As much as can be sent again. */
    private static final int MAX_PAYLOAD_BYTES = 1024 * 1024;

    /** The newest audit records of re-sendings that are compared with a page. */
    private static final int MAX_RESENT = 1_000;

    /** Rejections have the time of a broker, audit records that of a process. */
    private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofMinutes(5);

    @Override
    public void mount(RouteTable routes) {
        routes.get("/admin/v1/rejections", RequiredRole.ADMIN, this::list);
        routes.get("/admin/v1/rejections/{id}", RequiredRole.ADMIN, this::one);
    }

    private void list(Context context) {
        String reason = context.queryParam("reason");
        if (reason != null && reason.length() > MAX_REASON_LENGTH) {
            throw new HttpRefusal(422, "reason must have at most " + MAX_REASON_LENGTH + " characters.");
        }
        var filter = new RejectionReads.Filter(
                new Range(Query.time(context, "from", false), Query.time(context, "to", true)),
                reason,
                Query.tenant(context, access));
        TopicPages.Page<Rejection> page = rejections.page(
                filter, Page.after(context, Page::offset), Page.of(context, 0).limit());
        Map<String, ResentBody> resent = page.records().isEmpty()
                ? Map.of()
                : resentSince(page.records().getLast().timestamp());
        answer(
                context,
                page.records().stream()
                        .map(found -> bodyOf(found, payloadOf(found.value()), resent))
                        .toList(),
                page.next(),
                String::valueOf);
    }

    private void one(Context context) {
        Caller caller = Caller.of(context);
        TenantId bound = caller.isBound() ? caller.tenant() : null;
        String id = context.pathParam("id");
        Found<Rejection> found = id.matches(ID) ? rejections.find(Long.parseLong(id)) : null;
        if (found == null || bound != null && !bound.equals(found.value().tenantOfKey())) {
            throw new HttpRefusal(404, NOT_FOUND);
        }
        byte[] value = rejections.valueOf(found.value());
        answer(
                context,
                bodyOf(
                        found,
                        value == null ? payloadOf(found.value()) : payloadOf(value),
                        resentSince(found.timestamp())));
    }

    /** The payload as the rejection has it. */
    private static @Nullable PayloadBody payloadOf(Rejection rejection) {
        String value = rejection.value();
        return value == null ? null : new PayloadBody(value, null, !rejection.mayBeCut());
    }

    private static PayloadBody payloadOf(byte[] value) {
        if (value.length > MAX_PAYLOAD_BYTES) {
            // Text that is cut inside a character ends with a replacement character.
            return new PayloadBody(new String(value, 0, MAX_PAYLOAD_BYTES, UTF_8), null, false);
        }
        try {
            return new PayloadBody(
                    UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString(), null, true);
        } catch (CharacterCodingException _) {
            return new PayloadBody(null, Base64.getEncoder().encodeToString(value), true);
        }
    }

    private RejectionBody bodyOf(
            Found<Rejection> found, @Nullable PayloadBody payload, Map<String, ResentBody> resent) {
        Rejection rejection = found.value();
        TenantId tenant = rejection.tenantOfKey();
        String customer = tenant == null ? "" : access.index().customerIdOf(tenant);
        String id = Long.toString(found.offset());
        return new RejectionBody(
                id,
                found.timestamp(),
                new SourceBody(rejection.topic(), rejection.partition(), rejection.offset(), rejection.time()),
                rejection.key(),
                customer.isEmpty() ? null : customer,
                rejection.reason(),
                payload,
                resent.get(id));
    }

    /** The newest re-sending of each rejection since it was rejected, as far as one page of the audit log tells. */
    private Map<String, ResentBody> resentSince(Instant from) {
        var filter = new AuditReads.Filter(from.minus(MAX_CLOCK_DIFFERENCE), null, null, RESEND, null, null, null);
        var resent = new HashMap<String, ResentBody>();
        for (Found<AuditRecord> found : audit.page(filter, null, MAX_RESENT).records()) {
            AuditRecord record = found.value();
            record.objects().stream()
                    .filter(object -> object.kind().equals("rejection"))
                    .forEach(object -> resent.putIfAbsent(
                            String.valueOf(object.id()),
                            new ResentBody(
                                    record.time(),
                                    Objects.requireNonNull(AuthorBody.of(record.author())),
                                    IssueList.word(record.outcome()))));
        }
        return resent;
    }
}
