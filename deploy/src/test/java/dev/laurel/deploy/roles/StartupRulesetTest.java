package dev.laurel.deploy.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.cli.AdminApiClient;
import dev.laurel.deploy.cli.DataDir;
import dev.laurel.deploy.tools.ruleset.RulesetClient;
import dev.laurel.deploy.tools.ruleset.RulesetFile;
import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.TestServer;
import dev.laurel.schemas.admin.RulesetDiff;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.RulesetBody.RulesetAppliedBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetDiffBody;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs starts with a ruleset file against a server that has only a ruleset. */
final class StartupRulesetTest {

    private static final String KEY = "stand0in.0123456789abcdef";
    private static final Instant NOW = Instant.parse("2026-03-04T12:00:00Z");
    private static final String LAPS = "metrics: {laps: {}}";
    private static final String LAPS_AND_RUNS = "metrics: {laps: {}, runs: {}}";
    private static final String LAPS_AND_DIVES = "metrics: {laps: {}, dives: {}}";

    @TempDir
    private Path dir;

    private HttpServer server;
    private RulesetClient client;
    private volatile Ruleset newest = Ruleset.empty(TenantId.NONE);
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void start() {
        server = TestServer.start(new HttpSettings.Address("127.0.0.1", 0), new BootstrapKey(KEY), List.of(routes -> {
            routes.post("/admin/v1/ruleset/diff", RequiredRole.VIEWER, context -> {
                Ruleset next = edited(read(context));
                Answers.answer(
                        context,
                        200,
                        Json.write(
                                new RulesetDiffBody(newest.version(), null, RulesetDiff.between(newest, next, NOW))));
            });
            routes.put("/admin/v1/ruleset", RequiredRole.VIEWER, context -> {
                Ruleset next = edited(read(context));
                boolean isChanged = next.version() != newest.version();
                newest = next;
                Answers.answer(context, 200, Json.write(new RulesetAppliedBody(next.version(), isChanged, List.of())));
            });
        }));
        client = new RulesetClient(new AdminApiClient(URI.create("http://127.0.0.1:" + server.port()), KEY, null));
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void shouldApplyFirstFile() throws IOException {
        startWith(LAPS);

        assertEquals("laurel.yaml is now version 1.", out.toString().strip());
    }

    @Test
    void shouldStaySilentWhileNothingChanges() throws IOException {
        startWith(LAPS);
        startWith(LAPS);

        assertEquals(1, newest.version());
        assertEquals("", err.toString());
    }

    @Test
    void shouldApplyChangedFileWhileNothingElseChangesTheRuleset() throws IOException {
        startWith(LAPS);
        startWith(LAPS_AND_RUNS);

        assertEquals(List.of("laps", "runs"), metrics());
    }

    @Test
    void shouldRefuseToRevertTheChangesOfOthers() throws IOException {
        startWith(LAPS);
        changeByHttp(LAPS_AND_DIVES);

        var refused = assertThrows(CommandFailed.class, () -> startWith(LAPS));
        assertTrue(refused.getMessage().contains("--force-ruleset"), refused.getMessage());
        assertTrue(err.toString().contains("- /metrics/dives"), err.toString());
        assertEquals(List.of("laps", "dives"), metrics());
        assertThrows(CommandFailed.class, () -> startWith(LAPS_AND_RUNS));
    }

    @Test
    void shouldRevertTheChangesOfOthersIfForced() throws IOException {
        startWith(LAPS);
        changeByHttp(LAPS_AND_DIVES);

        start(LAPS, true);
        assertEquals(List.of("laps"), metrics());
        startWith(LAPS_AND_RUNS);
        assertEquals(List.of("laps", "runs"), metrics());
    }

    @Test
    void shouldTakeFileThatHasTheChangesOfOthers() throws IOException {
        startWith(LAPS);
        changeByHttp(LAPS_AND_DIVES);

        startWith(LAPS_AND_DIVES);
        startWith(LAPS_AND_DIVES + "\nattributes: {user: {city: {}}}");
        assertEquals(List.of("laps", "dives"), metrics());
    }

    @Test
    void shouldDeleteOnlyIfForced() throws IOException {
        startWith(LAPS_AND_DIVES);

        var refused = assertThrows(CommandFailed.class, () -> startWith(LAPS));
        assertTrue(refused.getMessage().contains("--force-ruleset"), refused.getMessage());
        assertTrue(err.toString().contains("- /metrics/dives"), err.toString());
        assertThrows(CommandFailed.class, () -> startWith("metrics: {}"));
        assertEquals(List.of("laps", "dives"), metrics());
        start(LAPS, true);
        assertEquals(List.of("laps"), metrics());
    }

    @Test
    void shouldLeaveSectionsAloneThatTheFileDoesNotHave() throws IOException {
        startWith(LAPS);
        startWith("attributes: {user: {city: {}}}");

        assertEquals(List.of("laps"), metrics());
        assertEquals(1, newest.attributes().size());
    }

    @Test
    void shouldRefuseFirstFileOfAnInstanceThatWasConfiguredByHttp() {
        changeByHttp(LAPS_AND_DIVES);

        assertThrows(CommandFailed.class, () -> startWith(LAPS));
    }

    private RulesetSource read(Context context) {
        assertEquals("keep", context.queryParam("missing"));
        return Json.read(context.bodyAsBytes(), RulesetSource.class).over(RulesetSource.of(newest, NOW));
    }

    private void startWith(String yaml) throws IOException {
        start(yaml, false);
    }

    private void start(String yaml, boolean isForced) throws IOException {
        Path file = Files.writeString(dir.resolve("laurel.yaml"), yaml);
        new StandaloneCommand.StartupRuleset(
                        RulesetFile.read(file, new PrintWriter(System.err)), new DataDir(dir), isForced)
                .apply(client, "laurel.yaml", new PrintWriter(out, true), new PrintWriter(err, true));
    }

    private void changeByHttp(String yaml) {
        newest = edited(RulesetFile.parse("laurel.yaml", yaml).source());
    }

    private Ruleset edited(RulesetSource source) {
        return switch (RulesetEditor.apply(newest, source, NOW)) {
            case RulesetEditor.Result.Changed(Ruleset next) -> next;
            case RulesetEditor.Result.Unchanged _ -> newest;
            case RulesetEditor.Result.Invalid(var issues) -> throw new AssertionError(issues);
        };
    }

    private List<String> metrics() {
        return newest.metrics().stream().map(metric -> metric.key()).toList();
    }
}
