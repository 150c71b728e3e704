package dev.laurel.examples.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.ShownCommands;
import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.TestServer;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.RulesetBody.RulesetAppliedBody;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Imports the history of a small repository into a real broker, with a stub of the admin API. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class ImportGitIT {

    private static final String KEY = "stand0in.0123456789abcdef";
    private static final RulesetSource NO_RULES = RulesetSource.EMPTY;

    @TempDir
    private Path dir;

    private Path repository;
    private Path progress;
    private EmbeddedBroker broker;
    private HttpServer server;
    private final AtomicReference<RulesetSource> held = new AtomicReference<>(NO_RULES);
    private final AtomicReference<RulesetSource> applied = new AtomicReference<>();

    @BeforeAll
    static void requireGit() throws InterruptedException {
        boolean present;
        try {
            present = new ProcessBuilder("git", "--version").start().waitFor() == 0;
        } catch (IOException _) {
            present = false;
        }
        assumeTrue(present, "no git on the path");
    }

    @BeforeEach
    void start() throws Exception {
        repository = Files.createDirectory(dir.resolve("history"));
        progress = dir.resolve("git.progress");
        git("", "init", "--quiet");
        Files.writeString(repository.resolve("a.txt"), "one\ntwo\n");
        git("", "add", ".");
        commit("ada@example.org", "1700000000 +0200");
        commit("bob@example.org", "1700000100 +0000");
        commit("ada@example.org", "1700000200 +0200");
        broker = EmbeddedBroker.start(BrokerSettings.alone(dir.resolve("broker"), 0, 0));
        CommandRun created =
                CommandRun.of("topics", "create", "--partitions", "1", "--kafka", broker.bootstrapServers());
        assertEquals(0, created.exitCode(), created.err());
        server = TestServer.start(
                new HttpSettings.Address("127.0.0.1", 0),
                (key, _) -> key.equals(KEY) ? Grant.of(Principal.Admin.UNLIMITED, "p", TenantId.NONE) : null,
                List.of(routes -> {
                    routes.put("/admin/v1/ruleset", RequiredRole.VIEWER, context -> {
                        applied.set(Json.read(context.bodyAsBytes(), RulesetSource.class));
                        held.set(applied.get());
                        Answers.answer(context, 200, Json.write(new RulesetAppliedBody(1, true, List.of())));
                    });
                    routes.get(
                            "/admin/v1/ruleset",
                            RequiredRole.VIEWER,
                            context -> Answers.answer(context, 200, Json.write(held.get())));
                }));
    }

    @AfterEach
    void stop() {
        server.close();
        broker.close();
    }

    @Test
    void shouldWriteEventsOfEachCommit() throws Exception {
        CommandRun run = importGit();

        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().contains("3 commits of 2 authors: imported 4 commands"), run.out());
        assertEquals(
                3, run.out().lines().filter(line -> line.startsWith("  curl ")).count());
        assertTrue(run.out().contains("report retention"), run.out());
        assertTrue(run.out().contains("from=2022-12-01 to=2023-11-14"), run.out());
        assertEquals(
                List.of(
                        "commits 1 at 1700000000",
                        "lines-changed 2 at 1700000000",
                        "commits 1 at 1700000100",
                        "commits 1 at 1700000200"),
                events());
    }

    @Test
    void shouldApplyRulesetToServerWithoutRules() {
        importGit();

        assertTrue(applied.get().content().part("metrics").has("commits"));
        assertTrue(applied.get()
                .content()
                .part("points")
                .at(List.of("xp", "triggers"))
                .has("per-commit"));
        assertEquals(
                "month",
                applied.get().content().part("leaderboards").part("monthly").get("runUnit"));
    }

    @Test
    void shouldNotChangeExistingRuleset() throws Exception {
        held.set(RulesetSource.of(Map.of("metrics", Map.of("laps", Map.of()))));

        CommandRun run = importGit();

        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("has a ruleset of its own"), run.err());
        assertNull(applied.get());
        assertEquals(List.of(), events());
    }

    @Test
    void shouldCountNothingTwiceWithoutProgressFile() throws Exception {
        importGit();
        Files.delete(progress);

        CommandRun again = importGit();

        assertTrue(again.out().contains("imported 0 commands"), again.out());
        assertEquals(4, events().size());
    }

    @Test
    void shouldBeShownByDocumentsOnlyAsItIs() {
        ShownCommands shown = ShownCommands.check("import-git"::equals);

        assertEquals(List.of(), shown.problems());
        assertTrue(shown.seen() > 0, "no document shows it");
    }

    private CommandRun importGit() {
        return CommandRun.of(
                "import-git",
                repository.toString(),
                "--kafka",
                broker.bootstrapServers(),
                "--url",
                "http://127.0.0.1:" + server.port(),
                "--key",
                KEY,
                "--progress",
                progress.toString());
    }

    private List<String> events() throws Exception {
        var partition = new TopicPartition("laurel.commands", 0);
        var events = new ArrayList<String>();
        try (var consumer = new KafkaConsumer<>(
                Map.<String, Object>of("bootstrap.servers", broker.bootstrapServers()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    if (CommandJson.read(record.value()) instanceof RecordEvent event) {
                        events.add(event.metric() + " " + event.value() + " at " + record.timestamp() / 1000);
                    }
                }
            }
        }
        return events;
    }

    private void commit(String email, String date) throws Exception {
        git(date, "-c", "user.name=x", "-c", "user.email=" + email, "commit", "--quiet", "--allow-empty", "-m", "x");
    }

    private void git(String date, String... arguments) throws Exception {
        var command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).directory(repository.toFile()).inheritIO();
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        if (!date.isEmpty()) {
            builder.environment().put("GIT_AUTHOR_DATE", date);
            builder.environment().put("GIT_COMMITTER_DATE", date);
        }
        assertEquals(0, builder.start().waitFor());
    }
}
