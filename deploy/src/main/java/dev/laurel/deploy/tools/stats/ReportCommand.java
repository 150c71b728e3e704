package dev.laurel.deploy.tools.stats;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.deploy.cli.AdminApiClient;
import dev.laurel.deploy.cli.ProgressReporter;
import dev.laurel.deploy.cli.Terminal;
import dev.laurel.deploy.cli.TextTable;
import dev.laurel.deploy.cli.ToolCommand;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.audit.AuditRecord.ChangedObject;
import dev.laurel.schemas.wire.AuditBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetVersionBody;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Asks one route of the admin API, with the parameters that the route has, and prints its answer as a table. */
@Command(
        name = "report",
        description = {
            "Print a report of a server: analytics, the audit log, or the versions of the ruleset.",
            "",
            "Parameters are those of the route in docs/analytics.md and docs/admin-api.md, such as from=2026-03-01. In"
                    + " a terminal, a chart of each column of analytics comes before the table. The table of the audit log"
                    + " has the newest 20 records, or limit=N, at most 10000; --csv and --json print all records of the"
                    + " time asked for, at most a million."
        })
public final class ReportCommand extends ToolCommand {

    private static final String AUDIT = "audit";
    private static final String HISTORY = "history";
    private static final String ANALYTICS = "/admin/v1/analytics/";
    private static final String LIMIT = "limit";
    private static final String JSON = "application/json";
    private static final int MAX_PAGE = 100;
    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 10_000;

    /** The number of objects that a row names. */
    private static final int NAMED = 3;

    @Parameters(
            index = "0",
            paramLabel = "REPORT",
            description =
                    "active-users, events, engagement, top-users, retention, impact, achievements, streaks, points,"
                            + " leaderboards, messages, webhooks: analytics; audit: the changes made through the admin API"
                            + " and their authors, newest first; history: the versions of the ruleset, newest first.")
    private String report;

    @Parameters(index = "1..*", paramLabel = "NAME=VALUE", description = "Parameters of the report.")
    private Map<String, String> parameters = Map.of();

    @Option(names = "--csv", fallbackValue = "true", description = "Print CSV; there is none of history.")
    private boolean csv;

    @Option(
            names = "--json",
            fallbackValue = "true",
            description = "Print the answer of the server; of the audit log, one JSON object per line.")
    private boolean json;

    @Override
    protected int work() {
        if (csv && (json || report.equals(HISTORY))) {
            throw new CommandFailed(json ? "give --csv or --json, not both" : "there is no CSV of history");
        }
        PrintWriter out = out();
        try (AdminApiClient calls = connection.calls()) {
            if (csv || json) {
                export(calls, Terminal.forDocument(out));
            } else {
                out.print(
                        switch (report) {
                            case AUDIT -> auditTable(records(calls));
                            case HISTORY ->
                                historyTable(read(calls, ask(calls, JSON, parameters), RulesetVersionBody[].class));
                            default ->
                                new StatsText(read(calls, ask(calls, JSON, parameters), JsonNode.class))
                                        .text(ProgressReporter.isOnTerminal());
                        });
            }
        } catch (IOException e) {
            throw new CommandFailed("the report was cut off: " + e.getMessage(), e);
        }
        return 0;
    }

    /** Copies the answer as it arrives. */
    private void export(AdminApiClient calls, PrintWriter out) throws IOException {
        var all = new HashMap<>(parameters);
        if (report.equals(AUDIT)) {
            all.remove(LIMIT);
        }
        var response = ask(calls, csv ? "text/csv" : "application/x-ndjson, " + JSON, all);
        try (InputStream body = response.body()) {
            new InputStreamReader(body, UTF_8).transferTo(out);
        }
        if (json && !report.equals(AUDIT)) {
            out.println();
        }
    }

    /** Fetches page after page; a page may be empty if many records in a row do not match. */
    private List<AuditBody> records(AdminApiClient calls) throws IOException {
        int limit = limit();
        var records = new ArrayList<AuditBody>();
        var page = new HashMap<>(parameters);
        String next = "";
        while (next != null && records.size() < limit) {
            page.put(LIMIT, Integer.toString(Math.min(MAX_PAGE, limit - records.size())));
            var response = ask(calls, JSON, page);
            next = response.headers().firstValue("X-Laurel-Next").orElse(null);
            records.addAll(List.of(read(calls, response, AuditBody[].class)));
            if (next != null) {
                page.put("after", next);
            }
        }
        return records;
    }

    private int limit() {
        try {
            int limit = Integer.parseInt(parameters.getOrDefault(LIMIT, Integer.toString(DEFAULT_LIMIT)));
            if (limit >= 1 && limit <= MAX_LIMIT) {
                return limit;
            }
        } catch (NumberFormatException _) {
            // Said below.
        }
        throw misuse("limit must be from 1 to " + MAX_LIMIT, null);
    }

    private static <T> T read(AdminApiClient calls, HttpResponse<InputStream> response, Class<T> type)
            throws IOException {
        try (InputStream body = response.body()) {
            return calls.read(body.readAllBytes(), type);
        }
    }

    /** Returns a response whose body the caller closes. @throws CommandFailed if the server refuses, or knows not all parameters */
    private HttpResponse<InputStream> ask(AdminApiClient calls, String type, Map<String, String> query)
            throws IOException {
        String path = switch (report) {
            case AUDIT -> "/admin/v1/audit";
            case HISTORY -> "/admin/v1/ruleset/history";
            default -> ANALYTICS + URLEncoder.encode(report, UTF_8);
        };
        var response = calls.openOrFail(calls.request(path + AdminApiClient.query(query))
                .header("Accept", type)
                .build());
        int status = response.statusCode();
        var warning = response.headers().firstValue("X-Laurel-Warning");
        if (status == 200 && warning.isEmpty()) {
            return response;
        }
        try (InputStream body = response.body()) {
            String error = status == 200 ? warning.orElse("") : AdminApiClient.errorOf(body.readAllBytes());
            boolean isAnswer =
                    status == 200 || status == 422 || status == 503 || status == 404 && path.startsWith(ANALYTICS);
            throw isAnswer ? new CommandFailed(error) : calls.unexpected(path, status, error);
        }
    }

    private static String auditTable(List<AuditBody> records) {
        var table = TextTable.under("TIME", "AUTHOR", "TENANT", "CHANGE", "OBJECTS", "VERSION", "OUTCOME");
        records.forEach(record -> table.row(
                record.time().toString(),
                record.author().name(),
                Objects.requireNonNullElse(record.tenant(), "-"),
                record.summary(),
                objects(record),
                versions(record),
                record.reason() == null ? record.outcome() : record.outcome() + ": " + record.reason()));
        return table.text();
    }

    private static String objects(AuditBody record) {
        return record.objects().isEmpty()
                ? Integer.toString(record.count())
                : named(
                        record.objects().stream().map(ReportCommand::name),
                        record.count() - Math.min(NAMED, record.objects().size()));
    }

    /** The first objects by their names. @param more how many more there are */
    private static String named(Stream<String> names, int more) {
        String named = names.limit(NAMED).collect(Collectors.joining(", "));
        return more > 0 ? named + " and " + more + " more" : named;
    }

    private static String name(ChangedObject object) {
        String id = object.name() == null ? object.id() : object.name();
        return id == null ? object.kind() : object.kind() + " " + id;
    }

    private static String versions(AuditBody record) {
        var versions = record.ruleset();
        return versions == null ? "-" : versions.before() + " -> " + versions.after();
    }

    private static String historyTable(RulesetVersionBody[] versions) {
        var table = TextTable.under("VERSION", "PUBLISHED", "AUTHOR", "CHANGES");
        for (var version : versions) {
            table.row(
                    Long.toString(version.version()),
                    version.published().toString(),
                    version.author() == null ? "-" : version.author().name(),
                    named(
                            version.objects().stream().map(one -> one.object() + " " + one.change()),
                            version.added() + version.changed() + version.removed() - NAMED));
        }
        return table.text();
    }
}
