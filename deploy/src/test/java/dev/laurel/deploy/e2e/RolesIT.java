package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.cli.CloseStack;
import dev.laurel.deploy.e2e.WebhookReceiver.Received;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests every role in a process of its own, as operators start them. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
final class RolesIT {

    private static final String RULESET = """
        {"metrics": {"laps": {}},
         "achievements": {"first": {"trigger": "metric", "metric": "laps", "value": 1}},
         "leaderboards": {"lanes": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2024-01-01"}}}
        """;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Exit code of a JVM after SIGTERM. */
    private static final int TERMINATED = 143;

    @TempDir
    private Path dir;

    @AutoClose
    private final CloseStack started = new CloseStack();

    private String kafka;

    private void startKafka() throws IOException {
        kafka = launch(
                        "broker",
                        "--port",
                        "0",
                        "--data-dir",
                        dir.resolve("broker").toString())
                .awaitReady()
                .bootstrapServers();
    }

    @Test
    void shouldServeTogether() throws Exception {
        startKafka();
        expectNameOfTheCommandThatCreatesTopics();
        createTopics();
        LaurelProcess first =
                launchRole("node", "--data-dir", dir.resolve("first").toString(), "--threads", "1");
        LaurelProcess second =
                launchRole("node", "--data-dir", dir.resolve("second").toString(), "--threads", "1");
        LaurelProcess gateway = launchRole("gateway");
        LaurelClient firstNode = client(first);
        LaurelProcess delivery = launchRole(
                "delivery",
                "--data-dir",
                dir.resolve("delivery").toString(),
                "--nodes",
                firstNode.url(),
                "--allow-private-webhooks");
        LaurelClient writes = client(gateway);
        LaurelClient sent = client(delivery);
        LaurelClient secondNode = client(second);
        var receiver = started.add(new WebhookReceiver());
        writes.put("/admin/v1/ruleset", RULESET).expect(200);
        String webhook = writes.post(
                        "/admin/v1/webhooks",
                        "[{\"name\": \"CRM\", \"url\": \"" + receiver.url()
                                + "\", \"events\": [\"achievement.completed\", \"leaderboard.rank_changed\"]}]")
                .expect(201)
                .string("/created/0/id");

        writes.record("ann", "laps", "2");

        // Both nodes show the user, independent of the owner.
        for (LaurelClient node : Set.of(firstNode, secondNode)) {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() ->
                            assertEquals(new BigDecimal("2"), node.user("ann").total("laps")));
        }
        Set<String> types = new TreeSet<>();
        for (int i = 0; i < 2; i++) {
            Received told = receiver.next();
            types.add(told.type());
        }
        assertEquals(Set.of("achievement.completed", "leaderboard.rank_changed"), types);
        String deliveries = "/admin/v1/webhooks/" + webhook + "/deliveries";
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertEquals(
                        2,
                        sent.get(deliveries + "?status=succeeded")
                                .expect(200)
                                .json()
                                .size()));
        firstNode.get(deliveries).expect(404);
        expectRulesetTools(writes.url());
        expectOneSession(writes, List.of(writes, sent, firstNode, secondNode));
        for (LaurelClient process : List.of(writes, secondNode)) {
            assertEquals(
                    List.of("delivery", "gateway", "node", "node"),
                    process.get("/admin/v1/system")
                            .expect(200)
                            .at("/processes")
                            .valueStream()
                            .map(one -> one.at("/roles/0").asString())
                            .sorted()
                            .toList());
        }

        // A stopped node hands over at once, long before its session timeout.
        assertEquals(TERMINATED, first.stop());
        writes.record("ann", "laps", "3");
        assertEquals(new BigDecimal("5"), secondNode.user("ann").total("laps"));
        secondNode.get("/readyz").expect(200);
    }

    /**
     * Answers come before their transaction is committed: those of the node's own users from memory, the others by way of Kafka. After a
     * kill, the other node repeats what was answered but not committed, and answers the requests that wait.
     */
    @Test
    void shouldAnswerThroughEachNodeThatIsAGateway() throws Exception {
        startKafka();
        createTopics();
        LaurelProcess survivor = launchNodeWithGateway("first");
        LaurelProcess victim = launchNodeWithGateway("second");
        LaurelClient first = client(survivor);
        LaurelClient second = client(victim);
        first.put("/admin/v1/ruleset", RULESET).expect(200);
        recordForAll(first, 1);
        expectPartitions(List.of(0, 1), first, second);
        expectLimitPerSecond(5, first);
        recordForAll(second, 2);

        victim.kill();

        recordForAll(first, 3);
        expectPartitions(List.of(meter(first, "reply_partition")), first);
        recordForAll(client(launchNodeWithGateway("second")), 4);
        assertEquals(TERMINATED, survivor.stop());
    }

    /** Each gateway has a reply partition of its own, and knows the number of gateways. */
    private static void expectPartitions(List<Integer> expected, LaurelClient... gateways) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            var partitions = new ArrayList<Integer>();
            for (LaurelClient gateway : gateways) {
                assertEquals(gateways.length, meter(gateway, "members"));
                partitions.add(meter(gateway, "reply_partition"));
            }
            assertEquals(expected, partitions.stream().sorted().toList());
        });
    }

    private static int meter(LaurelClient gateway, String name) throws IOException {
        try (var text = URI.create(gateway.url() + "/metrics").toURL().openStream()) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith("laurel_gateway_" + name + " "))
                    .mapToInt(line -> (int) Double.parseDouble(line.substring(line.indexOf(' '))))
                    .sum();
        }
    }

    /** Of a limit of ten a second, this many are the gateway's: so long it takes to make up for a hundred events at once. */
    private static void expectLimitPerSecond(int share, LaurelClient gateway) {
        gateway.patch("/admin/v1/settings", "{\"rateLimits\": {\"tier1\": 10, \"tier2\": null}}")
                .expect(200);
        String event = "{\"key\": \"laps\", \"user\": {\"id\": \"hasty\"}, \"value\": 1}";
        gateway.post("/admin/v1/metrics/events", "[" + String.join(",", Collections.nCopies(100, event)) + "]")
                .expect(202);

        JsonResponse refused = gateway.event("laps").of("hasty").value("1").send();

        refused.expectError(429);
        int waitS = Integer.parseInt(refused.header("Retry-After"));
        assertTrue(Math.abs(100 / share - waitS) <= 5, "after " + waitS);
        gateway.patch("/admin/v1/settings", "{\"rateLimits\": null}").expect(200);
    }

    private LaurelProcess launchNodeWithGateway(String name) throws IOException {
        return launchRole(
                "node",
                "--gateway",
                "--reply-timeout",
                "PT80S",
                "--threads",
                "1",
                "--data-dir",
                dir.resolve(name).toString());
    }

    /** Records a lap for each of twenty users at the same time. @param total of each user after it */
    private static void recordForAll(LaurelClient gateway, int total) throws InterruptedException {
        Concurrently.run(IntStream.range(0, 20)
                .<Callable<Void>>mapToObj(number -> () -> {
                    JsonResponse answer = gateway.record("user-" + number, "laps", "1");
                    assertEquals(new BigDecimal(total), answer.number("/total"), "user-" + number);
                    assertTrue(answer.json().at("/leaderboards/lanes/rank").isInt(), answer.text());
                    return null;
                })
                .toList());
    }

    @Test
    void shouldRefuseOptionsOfAGatewayWithoutOne() {
        CommandRun run =
                CommandRun.of("node", "--kafka", "localhost:1", "--admin-key", LaurelProcess.ADMIN_KEY, "--strict");

        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("--strict needs --gateway"), run.err());
    }

    private void expectNameOfTheCommandThatCreatesTopics() {
        CommandRun run = CommandRun.of("gateway", "--kafka", kafka, "--admin-key", LaurelProcess.ADMIN_KEY);

        assertEquals(1, run.exitCode());
        assertTrue(
                run.err().contains("has no laurel.commands, ")
                        && run.err().stripTrailing().endsWith("; run: laurel topics create --kafka " + kafka),
                run.err());
    }

    /** Every process accepts the session that one of them has started. */
    private static void expectOneSession(LaurelClient first, List<LaurelClient> all) {
        String cookie = first.withKey(null)
                .post("/admin/v1/session", "{\"key\": \"" + LaurelProcess.ADMIN_KEY + "\"}")
                .expect(200)
                .header("Set-Cookie")
                .replaceFirst(";.*", "");
        for (LaurelClient process : all) {
            process.withKey(null)
                    .send("GET", "/admin/v1/session", null, "Cookie", cookie)
                    .expect(200);
        }
    }

    /** The tools for rulesets and for the audit log need only the address of a gateway. */
    private void expectRulesetTools(String gateway) throws IOException {
        Path exported = dir.resolve("exported.yaml");
        for (String[] tool : new String[][] {
            {"export", "--output", exported.toString()}, {"diff", exported.toString()}, {"rollback", "1"}
        }) {
            var arguments = new ArrayList<>(List.of("ruleset"));
            arguments.addAll(List.of(tool));
            arguments.addAll(List.of("--url", gateway, "--key", LaurelProcess.ADMIN_KEY));
            CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
            assertEquals(0, run.exitCode(), run.err());
        }
        assertTrue(Files.readString(exported).contains("laps:"), Files.readString(exported));
        CommandRun audit = CommandRun.of("report", "audit", "--url", gateway, "--key", LaurelProcess.ADMIN_KEY);
        assertTrue(audit.out().contains("Replace the ruleset by a document"), audit.out() + audit.err());
    }

    private void createTopics() {
        CommandRun created = CommandRun.of(
                "topics",
                "create",
                "--kafka",
                kafka,
                "--partitions",
                "2",
                "--board-partitions",
                "1",
                "--gateway-partitions",
                "2");
        assertEquals(0, created.exitCode(), created.err());
    }

    private LaurelProcess launchRole(String role, String... options) throws IOException {
        var arguments = new ArrayList<>(List.of(
                role, "--kafka", kafka, "--admin-key", LaurelProcess.ADMIN_KEY, "--host", "127.0.0.1", "--port", "0"));
        arguments.addAll(List.of(options));
        return launch(arguments.toArray(String[]::new));
    }

    private LaurelProcess launch(String... arguments) throws IOException {
        return started.add(LaurelProcess.launch(arguments));
    }

    private LaurelClient client(LaurelProcess process) {
        return started.add(process.awaitReady().client());
    }
}
