package dev.laurel.deploy.tools.stats;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.ConnectionOptions;
import dev.laurel.deploy.cli.ServerCalls;
import dev.laurel.deploy.cli.Terminal;
import dev.laurel.schemas.serde.Json;
import java.io.Console;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

import static java.nio.charset.StandardCharsets.UTF_8;

@Command(name = "stats", description = {"Print a report of analytics: how many users are active, how long they stay.",
        "", "In a terminal, a chart of each column comes before the table."})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class StatsCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "REPORT", description = "active-users, events, engagement, top-users, retention, impact, achievements, streaks, points, leaderboards, messages or webhooks.")
    private String report;

    @Option(names = "--from", paramLabel = "DATE", description = "The first day (default: 30 days that end with --to).")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "DATE", description = "The last day (default: today).")
    private @Nullable String to;

    @Option(names = "--granularity", paramLabel = "PERIOD", description = "day, week or month (default: day).")
    private @Nullable String granularity;

    @Option(names = "--segment-by", paramLabel = "NAME", description = "Divide by control, or by an attribute of users with 'analytics: true'.")
    private @Nullable String segmentBy;

    @Option(names = "--metric", paramLabel = "KEY", description = "Only this metric.")
    private @Nullable String metric;

    @Option(names = "--achievement", paramLabel = "KEY", description = "Only this achievement.")
    private @Nullable String achievement;

    @Option(names = "--system", paramLabel = "KEY", description = "Only this points system.")
    private @Nullable String system;

    @Option(names = "--leaderboard", paramLabel = "KEY", description = "Only this leaderboard.")
    private @Nullable String leaderboard;

    @Option(names = "--run", paramLabel = "DATE", description = "Only the runs of leaderboards with this date, by default on all of their days.")
    private @Nullable String run;

    @Option(names = "--template", paramLabel = "KEY", description = "Only this template of messages.")
    private @Nullable String template;

    @Option(names = "--webhook", paramLabel = "KEY", description = "Only this webhook.")
    private @Nullable String webhook;

    @Option(names = "--days", paramLabel = "N", description = "After how many days 'impact' compares, 1 to 90 (default: 14).")
    private @Nullable String days;

    @Option(names = "--range", paramLabel = "RANGE", description = "What 'top-users' compares: all or 30d (default: all).")
    private @Nullable String range;

    @Option(names = "--limit", paramLabel = "N", description = "How many users 'top-users' lists, 1 to 100 (default: 100).")
    private @Nullable String limit;

    @Option(names = "--csv", fallbackValue = "true", description = "Print CSV.")
    private boolean csv;

    @Option(names = "--json", fallbackValue = "true", description = "Print the answer of the server.")
    private boolean json;

    @Mixin
    private final ConnectionOptions connection = new ConnectionOptions();

    @Override
    public void run() {
        if (csv && json) {
            throw new CommandFailed("give --csv or --json, not both");
        }
        PrintWriter out = spec.commandLine().getOut();
        byte[] body = ask();
        if (csv || json) {
            Terminal.forDocument(out).print(new String(body, UTF_8).stripTrailing() + "\n");
        } else {
            Console console = System.console();
            out.print(new StatsText(Json.read(body, JsonNode.class)).text(console != null && console.isTerminal()));
        }
        out.flush();
    }

    private byte[] ask() {
        String path = "/admin/v1/analytics/" + URLEncoder.encode(report, UTF_8) + query();
        try (ServerCalls calls = connection.calls()) {
            HttpResponse<byte[]> response = calls
                    .sendOrFail(calls.request(path).header("Accept", csv ? "text/csv" : "application/json").build());
            return switch (response.statusCode()) {
                case 200 -> response.body();
                case 404, 422, 503 -> throw new CommandFailed(ServerCalls.errorOf(response));
                default -> throw calls.unexpected(path, response);
            };
        }
    }

    private String query() {
        var parameters = new LinkedHashMap<String, @Nullable String>();
        parameters.put("from", from);
        parameters.put("to", to);
        parameters.put("granularity", granularity);
        parameters.put("segmentBy", segmentBy);
        parameters.put("metric", metric);
        parameters.put("achievement", achievement);
        parameters.put("system", system);
        parameters.put("leaderboard", leaderboard);
        parameters.put("run", run);
        parameters.put("template", template);
        parameters.put("webhook", webhook);
        parameters.put("days", days);
        parameters.put("range", range);
        parameters.put("limit", limit);
        return ServerCalls.query(parameters);
    }
}
