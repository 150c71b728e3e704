package dev.laurel.deploy.tools.ruleset;

import dev.laurel.deploy.cli.AdminApiClient;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.RulesetBody.RulesetAppliedBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetDiffBody;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * A client for the ruleset of a server. If there is no usable response, a {@link CommandFailed} with one line names
 * the server; issues of the ruleset are returned as a value. Thread-safe.
 *
 * @param calls closed with this client
 */
public record RulesetClient(AdminApiClient calls) implements AutoCloseable {

    private static final String PATH = "/admin/v1/ruleset";
    private static final String VERSION_HEADER = "X-Laurel-Ruleset-Version";

    /** The outcome of a request that contains a ruleset. */
    public sealed interface Outcome<T> {

        record Done<T>(T body) implements Outcome<T> {}

        /** The server found these issues, at least one, and changed nothing. */
        record Refused<T>(List<Issue> issues) implements Outcome<T> {}
    }

    /** @param version 0 if the server has no ruleset yet */
    public record Current(RulesetSource source, long version) {}

    /** Makes {@code source} the ruleset of the server, whatever its present version. */
    public Outcome<RulesetAppliedBody> apply(RulesetSource source) {
        return send(request("").PUT(json(source)), RulesetAppliedBody.class);
    }

    /**
     * Does the same with the sections that {@code source} has, but only while {@code base} is the newest version; otherwise that is an
     * issue.
     */
    public Outcome<RulesetAppliedBody> apply(RulesetSource source, long base) {
        return send(request("?missing=keep&base=" + base).PUT(json(source)), RulesetAppliedBody.class);
    }

    /** Restores the rules of an earlier version as the newest version. */
    public Outcome<RulesetAppliedBody> rollback(long version) {
        return send(request("/rollback").POST(json(Map.of("version", version))), RulesetAppliedBody.class);
    }

    /** Compares the sections that {@code source} has with the ruleset of the server; changes nothing. */
    public Outcome<RulesetDiffBody> compare(RulesetSource source) {
        return send(request("/diff?missing=keep").POST(json(source)), RulesetDiffBody.class);
    }

    private <T> Outcome<T> send(HttpRequest.Builder request, Class<T> type) {
        HttpResponse<byte[]> response = calls.sendOrFail(
                request.header("Content-Type", "application/json").build());
        return switch (response.statusCode()) {
            case 200 -> new Outcome.Done<>(calls.read(response.body(), type));
            case 422 -> new Outcome.Refused<>(issues(response));
            default -> throw refusal(response);
        };
    }

    private static HttpRequest.BodyPublisher json(Object body) {
        return HttpRequest.BodyPublishers.ofByteArray(Json.write(body));
    }

    public Current current() {
        HttpResponse<byte[]> response = calls.sendOrFail(request("").GET().build());
        if (response.statusCode() != 200) {
            throw refusal(response);
        }
        long version = response.headers().firstValueAsLong(VERSION_HEADER).orElse(0);
        return new Current(calls.read(response.body(), RulesetSource.class), version);
    }

    /** @param rest rest of the path, and the query */
    private HttpRequest.Builder request(String rest) {
        return calls.request(PATH + rest);
    }

    private List<Issue> issues(HttpResponse<byte[]> response) {
        JsonNode body = calls.read(response.body(), JsonNode.class);
        var issues = new ArrayList<Issue>();
        for (JsonNode issue : body.path("issues")) {
            issues.add(new Issue(
                    issue.path("path").asString(""), issue.path("message").asString("")));
        }
        if (issues.isEmpty()) {
            issues.add(new Issue("", body.path("error").asString("is refused")));
        }
        return issues;
    }

    private CommandFailed refusal(HttpResponse<byte[]> response) {
        String error = AdminApiClient.errorOf(response.body());
        return error.startsWith("Ruleset version")
                ? new CommandFailed(calls.server() + ": " + error)
                : calls.unexpected(PATH, response);
    }

    @Override
    public void close() {
        calls.close();
    }
}
