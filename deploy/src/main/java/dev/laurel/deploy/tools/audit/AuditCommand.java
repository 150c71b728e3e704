package dev.laurel.deploy.tools.audit;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.ConnectionOptions;
import dev.laurel.deploy.cli.ServerCalls;
import dev.laurel.deploy.cli.Terminal;
import dev.laurel.deploy.cli.TextTable;
import dev.laurel.schemas.audit.AuditRecord.ChangedObject;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.AuditBody;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import static java.nio.charset.StandardCharsets.UTF_8;

@Command(name = "audit", description = {"List the changes made through the admin API and their authors, newest first.",
        "",
        "--csv and --json print all records of the time asked for, at most a million."})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class AuditCommand implements Runnable {

    private static final int MAX_PAGE = 100;
    private static final int MAX_LIMIT = 10_000;
    private static final int NAMED = 3;
    private static final String NEXT = "X-Laurel-Next";
    private static final String PATH = "/admin/v1/audit";

    @Spec
    private CommandSpec spec;

    @Option(names = "--from", paramLabel = "TIME", description = "The first time, such as 2026-03-04T09:00:00Z, or day (default: the beginning).")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "The time after the last, or the last day (default: now).")
    private @Nullable String to;

    @Option(names = "--author", paramLabel = "NAME", description = "Only changes by the author with this name or id.")
    private @Nullable String author;

    @Option(names = "--operation", paramLabel = "ID", description = "Only this operation of the OpenAPI document, such as updateMetrics.")
    private @Nullable String operation;

    @Option(names = "--object", paramLabel = "NAME", description = "Only changes of objects with this kind, id, key or name.")
    private @Nullable String object;

    @Option(names = "--tenant", paramLabel = "ID", description = "Only changes of this tenant.")
    private @Nullable String tenant;

    @Option(names = "--outcome", paramLabel = "OUTCOME", description = "Only what was accepted or refused, or whose result is unknown.")
    private @Nullable String outcome;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "How many records the table has, 1 to 10000 (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--csv", fallbackValue = "true", description = "Print CSV.")
    private boolean csv;

    @Option(names = "--json", fallbackValue = "true", description = "Print one JSON object per line.")
    private boolean json;

    @Mixin
    private final ConnectionOptions connection = new ConnectionOptions();

    @Override
    public void run() {
        if (csv && json) {
            throw new CommandFailed("give --csv or --json, not both");
        }
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new ParameterException(spec.commandLine(), "--limit must be from 1 to " + MAX_LIMIT);
        }
        PrintWriter out = spec.commandLine().getOut();
        try (ServerCalls calls = connection.calls()) {
            if (csv || json) {
                export(calls, csv ? "text/csv" : "application/x-ndjson", Terminal.forDocument(out));
            } else {
                out.print(table(records(calls)));
            }
        }
        out.flush();
    }

    /** Copies the answer as it arrives. */
    private void export(ServerCalls calls, String type, PrintWriter out) {
        var response = calls.openOrFail(calls.request(PATH + query(Map.of())).header("Accept", type).build());
        try (var body = response.body()) {
            if (response.statusCode() != 200) {
                throw failure(calls, response.statusCode(), ServerCalls.errorOf(body.readAllBytes()));
            }
            Reader text = new InputStreamReader(body, UTF_8);
            text.transferTo(out);
        } catch (IOException e) {
            throw new CommandFailed("the export was cut off: " + e.getMessage(), e);
        }
    }

    /** Fetches page after page; a page may be empty if many records in a row do not match. */
    private List<AuditBody> records(ServerCalls calls) {
        var records = new ArrayList<AuditBody>();
        String next = "";
        while (next != null && records.size() < limit) {
            var page = new LinkedHashMap<String, @Nullable String>();
            page.put("limit", Integer.toString(Math.min(MAX_PAGE, limit - records.size())));
            page.put("after", next.isEmpty() ? null : next);
            HttpResponse<byte[]> response = calls.sendOrFail(calls.request(PATH + query(page)).build());
            if (response.statusCode() != 200) {
                throw failure(calls, response.statusCode(), ServerCalls.errorOf(response));
            }
            records.addAll(List.of(Json.read(response.body(), AuditBody[].class)));
            next = response.headers().firstValue(NEXT).orElse(null);
        }
        return records;
    }

    private static CommandFailed failure(ServerCalls calls, int status, String error) {
        return switch (status) {
            case 422, 503 -> new CommandFailed(error);
            default -> calls.unexpected(PATH, status, error);
        };
    }

    private static String table(List<AuditBody> records) {
        var table = TextTable.under("TIME", "AUTHOR", "TENANT", "CHANGE", "OBJECTS", "VERSION", "OUTCOME");
        records.forEach(record -> table.row(record.time().toString(), record.author().name(),
                Objects.requireNonNullElse(record.tenant(), "-"), record.summary(), objects(record), versions(record),
                record.reason() == null ? record.outcome() : record.outcome() + ": " + record.reason()));
        return table.text();
    }

    private static String objects(AuditBody record) {
        String named = record.objects().stream().limit(NAMED).map(AuditCommand::name).collect(Collectors.joining(", "));
        int more = record.count() - Math.min(NAMED, record.objects().size());
        return named.isEmpty() ? Integer.toString(record.count()) : more > 0 ? named + " and " + more + " more" : named;
    }

    private static String name(ChangedObject object) {
        String id = object.name() == null ? object.id() : object.name();
        return id == null ? object.kind() : object.kind() + " " + id;
    }

    private static String versions(AuditBody record) {
        var versions = record.ruleset();
        return versions == null ? "-" : versions.before() + " -> " + versions.after();
    }

    private String query(Map<String, @Nullable String> page) {
        var parameters = new LinkedHashMap<String, @Nullable String>();
        parameters.put("from", from);
        parameters.put("to", to);
        parameters.put("author", author);
        parameters.put("operation", operation);
        parameters.put("object", object);
        parameters.put("tenant", tenant);
        parameters.put("outcome", outcome);
        parameters.putAll(page);
        return ServerCalls.query(parameters);
    }
}
