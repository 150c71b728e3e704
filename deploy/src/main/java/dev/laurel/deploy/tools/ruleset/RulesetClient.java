package dev.laurel.deploy.tools.ruleset;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.ServerCalls;
import dev.laurel.deploy.tools.ServerRefusal;
import dev.laurel.schemas.ruleset.RulesetIssue;
import dev.laurel.schemas.ruleset.RulesetSource;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.RulesetAppliedBody;
import dev.laurel.schemas.wire.RulesetDiffBody;
import dev.laurel.schemas.wire.RulesetVersionBody;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Reads and writes the ruleset of a server through its admin API. Every failure to get an answer is a
 * {@link CommandFailed} of one line that names the server; issues with the ruleset are a value. Thread-safe.
 */
public final class RulesetClient implements AutoCloseable {

    private static final String PATH = "/admin/v1/ruleset";
    private static final String VERSION_HEADER = "X-Laurel-Ruleset-Version";

    private final URI server;
    private final ServerCalls calls;

    /** @param tls whom an https server must be vouched for by; null: by those that Java knows */
    public RulesetClient(URI server, String key, SSLContext tls) {
        this.server = server;
        this.calls = new ServerCalls(server, key, tls);
    }

    /** What came of writing a ruleset. */
    public sealed interface Applied {

        record Done(RulesetAppliedBody body) implements Applied {}

        /** The server found these issues and changed nothing. */
        record Refused(List<RulesetIssue> issues) implements Applied {}
    }

    /** @param version 0 if the server has no ruleset yet */
    public record Current(RulesetSource source, long version) {}

    /** What came of comparing a ruleset with the server's. */
    public sealed interface Compared {

        record Done(RulesetDiffBody body) implements Compared {}

        /** The server found these issues. */
        record Refused(List<RulesetIssue> issues) implements Compared {}
    }

    /** Makes {@code source} the server's ruleset, whatever that is now. */
    public Applied apply(RulesetSource source) {
        return applied(request("").PUT(json(source)));
    }

    /** Likewise, but only while {@code base} is the newest version; that it is not is an issue. */
    public Applied apply(RulesetSource source, long base) {
        return applied(request("?base=" + base).PUT(json(source)));
    }

    /** Makes the server's ruleset say what it said in an earlier version. */
    public Applied rollback(long version) {
        return applied(request("/rollback").POST(json(Map.of("version", version))));
    }

    /** Changes nothing. */
    public Compared compare(RulesetSource source) {
        HttpResponse<byte[]> response = send(
                request("/diff").header("Content-Type", "application/json").POST(json(source)).build());
        return switch (response.statusCode()) {
            case 200 -> new Compared.Done(read(response, RulesetDiffBody.class));
            case 422 -> new Compared.Refused(issues(response));
            default -> throw refusal(response);
        };
    }

    /** Newest first. */
    public List<RulesetVersionBody> history(int limit, int skip) {
        HttpResponse<byte[]> response = send(request("/history?limit=" + limit + "&skip=" + skip).GET().build());
        if (response.statusCode() != 200) {
            throw refusal(response);
        }
        return List.of(read(response, RulesetVersionBody[].class));
    }

    private Applied applied(HttpRequest.Builder request) {
        HttpResponse<byte[]> response = send(request.header("Content-Type", "application/json").build());
        return switch (response.statusCode()) {
            case 200 -> new Applied.Done(read(response, RulesetAppliedBody.class));
            case 422 -> new Applied.Refused(issues(response));
            default -> throw refusal(response);
        };
    }

    private static HttpRequest.BodyPublisher json(Object body) {
        return HttpRequest.BodyPublishers.ofByteArray(Json.write(body));
    }

    public Current current() {
        HttpResponse<byte[]> response = send(request("").GET().build());
        if (response.statusCode() != 200) {
            throw refusal(response);
        }
        long version = response.headers().firstValueAsLong(VERSION_HEADER).orElse(0);
        return new Current(read(response, RulesetSource.class), version);
    }

    /** @param rest of the path, and the query */
    private HttpRequest.Builder request(String rest) {
        return calls.request(PATH + rest);
    }

    private HttpResponse<byte[]> send(HttpRequest request) {
        try {
            return calls.send(request);
        } catch (IOException e) {
            throw new CommandFailed(
                    "cannot reach a Laurel server at " + server + " (" + ServerCalls.reason(e) + ")", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted while waiting for " + server, e);
        }
    }

    private <T> T read(HttpResponse<byte[]> response, Class<T> type) {
        try {
            return Json.read(response.body(), type);
        } catch (JacksonException e) {
            throw new CommandFailed("the answer of " + server + " is not that of a Laurel server of this version", e);
        }
    }

    private List<RulesetIssue> issues(HttpResponse<byte[]> response) {
        JsonNode body = read(response, JsonNode.class);
        var issues = new ArrayList<RulesetIssue>();
        for (JsonNode issue : body.path("issues")) {
            issues.add(new RulesetIssue(issue.path("path").asString(""), issue.path("message").asString("")));
        }
        if (issues.isEmpty()) {
            issues.add(new RulesetIssue("", body.path("error").asString("is refused")));
        }
        return issues;
    }

    private CommandFailed refusal(HttpResponse<byte[]> response) {
        String error = ServerRefusal.errorOf(response.body());
        return error.startsWith("Ruleset version")
                ? new CommandFailed(server + ": " + error)
                : ServerRefusal.of(server, PATH, response.statusCode(), response.body());
    }

    @Override
    public void close() {
        calls.close();
    }
}
