package dev.laurel.deploy.tools.ruleset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.TestServer;
import dev.laurel.schemas.access.Actor;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.ErrorBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetAppliedBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetChangeBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetDiffBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetVersionBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetVersionBody.ChangedObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the ruleset commands against a stub of the admin API. */
final class RulesetClientTest {

    private static final String KEY = "stand0in.0123456789abcdef";
    private static final List<RulesetChangeBody> CHANGES = List.of(
            new RulesetChangeBody("added", "/metrics/laps", Optional.empty(), Optional.of(Map.of("units", "laps"))),
            new RulesetChangeBody("changed", "/settings/controlRatio", Optional.of(5), Optional.of(10)),
            new RulesetChangeBody("removed", "/metrics/runs", Optional.of(Map.of()), Optional.empty()));

    @TempDir
    private Path dir;

    private Path file;

    @AutoClose
    private HttpServer server;

    private final AtomicReference<RulesetSource> held = new AtomicReference<>();
    private final AtomicReference<String> base = new AtomicReference<>();
    private final AtomicReference<List<RulesetChangeBody>> changes = new AtomicReference<>(List.of());
    private final AtomicReference<List<Issue>> issues = new AtomicReference<>(List.of());
    private String out;
    private String err;

    @BeforeEach
    void start() throws IOException {
        file = Files.writeString(dir.resolve("laurel.yaml"), "metrics:\n  laps:\n    units: laps\n");
        Files.writeString(dir.resolve("admin-key"), KEY + "\n");
        server = TestServer.start(new HttpSettings.Address("127.0.0.1", 0), new BootstrapKey(KEY), List.of(routes -> {
            routes.post(
                    "/admin/v1/ruleset/diff",
                    RequiredRole.VIEWER,
                    context -> Answers.answer(context, 200, Json.write(new RulesetDiffBody(2, null, changes.get()))));
            routes.post("/admin/v1/ruleset/rollback", RequiredRole.VIEWER, context -> {
                boolean isKnown = new String(context.bodyAsBytes(), UTF_8).equals("{\"version\":1}");
                Answers.answer(
                        context,
                        isKnown ? 200 : 404,
                        isKnown
                                ? Json.write(new RulesetAppliedBody(3, true, List.of()))
                                : Json.write(new ErrorBody("Ruleset version 9 not found")));
            });
            routes.get(
                    "/admin/v1/ruleset/history",
                    RequiredRole.VIEWER,
                    context -> Answers.answer(
                            context,
                            200,
                            Json.write(List.of(new RulesetVersionBody(
                                    2,
                                    Instant.parse("2026-03-04T12:00:00Z"),
                                    null,
                                    3,
                                    1,
                                    0,
                                    List.of(
                                            new ChangedObject("changed", "metric 'laps'"),
                                            new ChangedObject("added", "metric 'a'"),
                                            new ChangedObject("added", "metric 'b'"),
                                            new ChangedObject("added", "metric 'c'")))))));
            routes.put("/admin/v1/ruleset", RequiredRole.VIEWER, context -> {
                base.set(context.queryParam("base"));
                held.set(Json.read(context.bodyAsBytes(), RulesetSource.class));
                int status = issues.get().isEmpty() ? 200 : 422;
                Answers.answer(context, status, Json.write(new RulesetAppliedBody(3, true, issues.get())));
            });
            routes.get("/admin/v1/ruleset", RequiredRole.VIEWER, context -> {
                context.header("X-Laurel-Ruleset-Version", "3");
                Answers.answer(context, 200, Json.write(held.get()));
            });
        }));
    }

    @Test
    void shouldApplyFileWithKeyOfDataDir() {
        assertEquals(0, run("apply", file.toString(), "--data-dir", dir.toString()));

        assertEquals("laps", held.get().content().part("metrics").part("laps").get("units"));
        assertEquals("applied " + file + " as version 3", out.strip());
    }

    @Test
    void shouldApplyExactlyTheChangesShown() {
        changes.set(CHANGES);

        assertEquals(0, run("apply", file.toString(), "--delete", "--key", KEY));

        assertEquals("2", base.get());
        assertEquals(
                List.of(
                        "+ /metrics/laps: {\"units\":\"laps\"}",
                        "~ /settings/controlRatio: 5 -> 10",
                        "- /metrics/runs",
                        "applied " + file + " as version 3"),
                out.lines().toList());
    }

    @Test
    void shouldDeleteOnlyWhenTold() {
        changes.set(CHANGES);

        assertEquals(1, run("apply", file.toString(), "--key", KEY));

        assertEquals(null, held.get());
        assertTrue(out.contains("- /metrics/runs"), out);
        assertTrue(err.contains("--delete"), err);
        changes.set(CHANGES.subList(0, 2));
        assertEquals(0, run("apply", file.toString(), "--key", KEY));
    }

    @Test
    void shouldShowDifferencesWithoutApplying() {
        changes.set(CHANGES);

        assertEquals(0, run("diff", file.toString(), "--key", KEY));
        assertEquals("3 changes from version 2 to " + file, out.lines().toList().getLast());
        assertEquals(1, run("diff", "--exit-code", file.toString(), "--key", KEY));

        changes.set(List.of());
        assertEquals(0, run("diff", "--exit-code", file.toString(), "--key", KEY));
        assertEquals("no changes: version 2 equals " + file, out.strip());
        assertEquals(null, held.get());
    }

    @Test
    void shouldListVersions() {
        assertEquals(0, execute("report", "history", "--url", "http://127.0.0.1:" + server.port(), "--key", KEY));

        assertEquals(
                List.of(
                        "VERSION  PUBLISHED             AUTHOR  CHANGES",
                        "2        2026-03-04T12:00:00Z  -       metric 'laps' changed, metric 'a' added, metric 'b'"
                                + " added and 1 more"),
                out.lines().toList());
    }

    @Test
    void shouldRollBackToExistingVersion() {
        assertEquals(0, run("rollback", "1", "--key", KEY));
        assertEquals("restored version 1 as version 3", out.strip());

        assertEquals(1, run("rollback", "9", "--key", KEY));
        assertTrue(err.endsWith("Ruleset version 9 not found\n"), err);
        assertEquals(2, run("rollback", "first", "--key", KEY));
    }

    @Test
    void shouldLocateIssuesOfServer() {
        issues.set(List.of(new Issue("/metrics/laps/units", "is too wet")));

        assertEquals(1, run("apply", file.toString(), "--key", KEY));

        assertEquals(
                List.of(file + ":3:5: /metrics/laps/units: is too wet", "laurel: 1 problem"),
                err.lines().toList());
    }

    @Test
    void shouldExportAppliedRuleset() {
        run("apply", file.toString(), "--key", KEY);
        Path exported = dir.resolve("exported.yaml");

        assertEquals(0, run("export", "--key", KEY, "--output", exported.toString()));

        assertEquals(
                RulesetFile.read(file, new PrintWriter(System.err)).source(),
                RulesetFile.read(exported, new PrintWriter(System.err)).source());
    }

    @Test
    void shouldNotSendBrokenFile() throws IOException {
        Files.writeString(file, "metrics:\n  laps: wet\n");

        assertEquals(1, run("apply", file.toString(), "--key", KEY));

        assertEquals(null, held.get());
    }

    @Test
    void shouldReportWrongKey() {
        assertEquals(1, run("apply", file.toString(), "--key", "stand0in.ffffffffffffffff"));

        assertTrue(err.contains("does not accept the key (401)"), err);
    }

    @Test
    void shouldNameTheRoleThatTheKeyLacks() {
        try (var strict = TestServer.start(
                new HttpSettings.Address("127.0.0.1", 0),
                (key, _) -> Grant.of(
                        new Principal.Admin(Actor.ofKey(new UUID(0, 1), "key", Role.VIEWER, null)), "p", TenantId.NONE),
                List.of(routes -> routes.post(
                                "/admin/v1/ruleset/diff",
                                RequiredRole.VIEWER,
                                context -> Answers.answer(
                                        context, 200, Json.write(new RulesetDiffBody(2, null, changes.get()))))
                        .put(
                                "/admin/v1/ruleset",
                                RequiredRole.EDITOR,
                                _ -> held.set(RulesetFile.read(file, new PrintWriter(System.err))
                                        .source()))))) {
            assertEquals(
                    1,
                    execute(
                            "ruleset",
                            "apply",
                            file.toString(),
                            "--key",
                            KEY,
                            "--url",
                            "http://127.0.0.1:" + strict.port()));
        }

        assertTrue(
                err.contains(" refuses the key (403): This needs the role editor: the key has the role viewer."), err);
    }

    @Test
    void shouldReportMissingKey() {
        assertEquals(1, run("export", "--data-dir", dir.resolve("none").toString()));

        assertTrue(err.startsWith("laurel: no admin key: give --key"), err);
    }

    @Test
    void shouldReportUnreachableServerInOneLine() {
        int freePort = TestServer.unusedPort();

        assertEquals(1, execute("ruleset", "export", "--key", KEY, "--url", "http://127.0.0.1:" + freePort));

        assertTrue(err.startsWith("laurel: cannot reach a Laurel server at http://127.0.0.1:" + freePort), err);
        assertEquals(1, err.lines().count());
    }

    @Test
    void shouldReportWrongPath() {
        assertEquals(
                1,
                execute(
                        "ruleset",
                        "export",
                        "--key",
                        KEY,
                        "--url",
                        "http://127.0.0.1:" + server.port() + "/elsewhere"));

        assertTrue(err.contains("(404)"), err);
    }

    private int run(String command, String... arguments) {
        var all = new ArrayList<>(List.of("ruleset", command, "--url", "http://127.0.0.1:" + server.port()));
        all.addAll(List.of(arguments));
        return execute(all.toArray(String[]::new));
    }

    private int execute(String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        out = run.out();
        err = run.err();
        return run.exitCode();
    }
}
