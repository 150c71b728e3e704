package dev.laurel.query.http;

import static dev.laurel.query.http.ReadAnswers.answer;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.http.DocumentRoutes;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.kafka.TopicPages;
import dev.laurel.platform.kafka.TopicPages.Found;
import dev.laurel.query.http.Query.Page;
import dev.laurel.query.read.AuditReads;
import dev.laurel.query.read.AuditReads.Filter;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.audit.AuditRecord.Outcome;
import dev.laurel.schemas.audit.AuditRecord.Versions;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.AuditBody;
import io.javalin.http.Context;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code GET /admin/v1/audit}: the audit log, newest first, page by page as JSON, or as a whole as CSV or as JSON lines (docs/admin-api.md
 * B8). A key that is bound to a tenant sees the records of that tenant. An export that fails when its beginning has been sent ends with
 * a line {@code {"error": …}}.
 *
 * @param access knows the names of tenants
 */
record AuditRoutes(AuditReads reads, AccessView access) implements Routes {

    private static final Logger LOG = LoggerFactory.getLogger(AuditRoutes.class);

    private static final String CSV = "text/csv";
    private static final String LINES = "application/x-ndjson";

    /** Until so much is written, an error can still replace the response. */
    private static final int BUFFER_BYTES = 64 * 1024;

    private static final List<String> COLUMNS = List.of(
            "id",
            "time",
            "authorType",
            "authorId",
            "author",
            "tenant",
            "operation",
            "summary",
            "outcome",
            "reason",
            "objects",
            "count",
            "rulesetBefore",
            "rulesetAfter",
            "requestId");

    @Override
    public void mount(RouteTable routes) {
        routes.get("/admin/v1/audit", RequiredRole.ADMIN, this::list);
    }

    private void list(Context context) {
        Filter filter = filter(context);
        try {
            if (Query.isAccepted(context, CSV)) {
                exportCsv(context, filter);
            } else if (Query.isAccepted(context, LINES)) {
                exportLines(context, filter);
            } else {
                TopicPages.Page<AuditRecord> page = reads.page(
                        filter,
                        Page.after(context, Page::offset),
                        Page.of(context, 0).limit());
                answer(context, page.records().stream().map(this::bodyOf).toList(), page.next(), String::valueOf);
            }
        } catch (IOException e) {
            LOG.debug("The client of an export of the audit log has gone: {}", e.toString());
        }
    }

    private void exportCsv(Context context, Filter filter) throws IOException {
        context.contentType(CSV + "; charset=utf-8");
        // Not closed, since that would send the beginning of a refused export.
        var table = new CsvTable(writerTo(context));
        table.add(COLUMNS);
        expectExported(reads.<IOException>export(filter, found -> table.add(cells(bodyOf(found)))));
        table.flush();
    }

    private void exportLines(Context context, Filter filter) throws IOException {
        context.contentType(LINES);
        Writer writer = writerTo(context);
        expectExported(reads.<IOException>export(filter, found -> {
            writer.write(Json.text(bodyOf(found)));
            writer.write('\n');
        }));
        writer.flush();
    }

    private static Writer writerTo(Context context) {
        return new BufferedWriter(new OutputStreamWriter(new ExportRoutes.LazyOutput(context), UTF_8), BUFFER_BYTES);
    }

    private static void expectExported(long tooMany) {
        if (tooMany > 0) {
            throw new HttpRefusal(
                    422,
                    "from and to must have at most " + AuditReads.MAX_EXPORTED
                            + " records between them in an export, have " + tooMany + ".");
        }
    }

    private static List<@Nullable Object> cells(AuditBody body) {
        Versions versions = body.ruleset();
        String objects = body.objects().stream()
                .map(object -> Stream.of(object.kind(), object.id(), object.name())
                        .filter(Objects::nonNull)
                        .collect(Collectors.joining(" ")))
                .collect(Collectors.joining("; "));
        return Arrays.asList(
                body.id(),
                Json.time(body.time()),
                body.author().type(),
                body.author().id(),
                body.author().name(),
                body.tenant(),
                body.operation(),
                body.summary(),
                body.outcome(),
                body.reason(),
                objects,
                body.count(),
                versions == null ? null : versions.before(),
                versions == null ? null : versions.after(),
                body.requestId());
    }

    private AuditBody bodyOf(Found<AuditRecord> found) {
        AuditRecord record = found.value();
        String tenant = record.tenant() == null ? "" : access.index().customerIdOf(record.tenant());
        return AuditBody.of(
                Long.toString(found.offset()),
                record,
                tenant.isEmpty() ? null : tenant,
                DocumentRoutes.summaryOf(record.operation()));
    }

    private Filter filter(Context context) {
        return new Filter(
                Query.time(context, "from", false),
                Query.time(context, "to", true),
                context.queryParam("author"),
                context.queryParam("operation"),
                context.queryParam("object"),
                Query.tenant(context, access),
                Query.oneOf(context, "outcome", Outcome.class));
    }
}
