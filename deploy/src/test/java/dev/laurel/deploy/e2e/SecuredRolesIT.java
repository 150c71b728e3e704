package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.cli.CloseStack;
import dev.laurel.platform.client.OutboundHttp;
import dev.laurel.producer.LaurelProducer;
import dev.laurel.producer.User;
import dev.laurel.producer.UserCommand;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import okhttp3.tls.HeldCertificate;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Tests roles as processes with TLS among themselves and a Kafka with TLS, logins and access control: two nodes, two
 * deliveries, a gateway. Runs with {@code -Dlaurel.slow=true}.
 */
@EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class SecuredRolesIT {

    private static final int USERS = 24;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String RULESET = """
        {"metrics": {"laps": {}},
         "achievements": {"first": {"trigger": "metric", "metric": "laps", "value": 1}}}
        """;

    @TempDir
    private Path dir;

    @AutoClose
    private final CloseStack started = new CloseStack();

    private SecuredKafka kafka;
    private List<String> shared;
    private HttpClient http;

    private LaurelProcess role(String name, String folder, String... more) throws IOException {
        var options = new ArrayList<>(shared);
        if (!name.equals("gateway")) {
            options.addAll(List.of(
                    "--data-dir",
                    dir.resolve(folder).toString(),
                    "--ca",
                    kafka.authority().toString()));
        }
        options.addAll(List.of(more));
        Path log = dir.resolve(folder + ".log");
        try {
            return started.add(LaurelProcess.logging(name, log, options));
        } catch (IllegalStateException e) {
            throw new IllegalStateException(folder + ": " + Files.readString(log), e);
        }
    }

    @Test
    void shouldServeTogetherByTlsOnly() throws Exception {
        kafka = started.add(SecuredKafka.startWithAccessControl(dir));
        HeldCertificate shown = SecuredKafka.issue();
        Path key = kafka.secret("admin-key", LaurelProcess.ADMIN_KEY + "\n");
        shared = List.of(
                "--kafka",
                kafka.bootstrapServers(),
                "--kafka-config",
                kafka.clientConfig().toString(),
                "--admin-key-file",
                key.toString(),
                "--tls-cert",
                Files.writeString(dir.resolve("tls.crt"), shown.certificatePem())
                        .toString(),
                "--tls-key",
                kafka.secret("tls.key", shown.privateKeyPkcs8Pem()).toString());
        http = started.add(HttpClient.newBuilder()
                .sslContext(OutboundHttp.trusting(kafka.authority()))
                .build());
        CommandRun created = CommandRun.of(
                "topics",
                "create",
                "--kafka",
                kafka.bootstrapServers(),
                "--kafka-config",
                kafka.clientConfig().toString(),
                "--partitions",
                "4",
                "--board-partitions",
                "1",
                "--direct",
                "acme");
        assertEquals(0, created.exitCode(), created.err());

        LaurelProcess first = role("node", "node-1", "--threads", "1");
        LaurelProcess second = role("node", "node-2", "--threads", "1");
        LaurelProcess gateway = role("gateway", "gateway");
        String nodes = first.url() + "," + second.url();
        var deliveries = List.of(
                role("delivery", "delivery-1", "--nodes", nodes, "--allow-private-webhooks"),
                role("delivery", "delivery-2", "--nodes", nodes, "--allow-private-webhooks"));
        var receiver = started.add(new WebhookReceiver());
        send("PUT", gateway, "/admin/v1/ruleset", RULESET, 200);
        String webhook = json(send(
                        "POST",
                        gateway,
                        "/admin/v1/webhooks",
                        "[{\"name\": \"CRM\", \"url\": \"" + receiver.url()
                                + "\", \"events\": [\"achievement.completed\"]}]",
                        201))
                .at("/created/0/id")
                .asString();
        for (int i = 0; i < USERS; i++) {
            send("POST", gateway, "/v1/metrics/laps/event", "{\"user\":{\"id\":\"u" + i + "\"},\"value\":4}", 201);
        }

        // Both nodes show the user, independent of the owner, and both merge reads about all users.
        for (LaurelProcess node : List.of(first, second)) {
            for (int i = 0; i < USERS; i++) {
                String path = "/v1/users/u" + i + "/metrics/laps";
                Awaitility.await()
                        .atMost(PATIENCE)
                        .ignoreExceptions()
                        .untilAsserted(() -> assertEquals(
                                4,
                                json(send("GET", node, path, "", 200))
                                        .at("/current")
                                        .asInt()));
            }
            assertEquals(
                    USERS,
                    json(send("GET", node, "/admin/v1/users?limit=100", "", 200))
                            .size());
        }
        // Deliveries are merged, too, because each process has some.
        for (LaurelProcess delivery : deliveries) {
            String path = "/admin/v1/webhooks/" + webhook + "/deliveries?limit=100&status=succeeded";
            Awaitility.await()
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertEquals(
                            USERS, json(send("GET", delivery, path, "", 200)).size()));
            assertTrue(calls(delivery, "answered") > 0, "a part of it is the other's");
        }
        assertTrue(calls(first, "answered") + calls(second, "answered") > 0, "a part of it is the other's");
        for (LaurelProcess role : List.of(first, second, deliveries.getFirst(), deliveries.getLast())) {
            assertEquals(0, calls(role, "refused"));
        }

        shouldBindDirectProducersByTheirRights(first);
        String log = Files.readString(dir.resolve("gateway.log"));
        assertFalse(log.contains("The group of gateways cannot be reached"), log);
        doctor(key, List.of(first, second, gateway, deliveries.getFirst()));
    }

    /** The rights of docs/operations/security.md, "What a right to write allows". */
    private void shouldBindDirectProducersByTheirRights(LaurelProcess node) throws Exception {
        UserCommand event =
                UserCommand.event(User.of("direct"), "laps", BigDecimal.TEN).build();
        try (var acme = LaurelProducer.connect(kafka.client("acme"), "acme");
                var acmeForAll = LaurelProducer.connect(kafka.client("acme"));
                var jobs = LaurelProducer.connect(kafka.client("jobs"));
                var jobsOfAcme = LaurelProducer.connect(kafka.client("jobs"), "acme")) {
            acme.send(event).get(60, TimeUnit.SECONDS); // rejected later: this instance has no tenants
            jobs.send(event).get(60, TimeUnit.SECONDS);
            for (LaurelProducer other : List.of(acmeForAll, jobsOfAcme)) {
                Throwable refused = assertThrows(
                                Exception.class, () -> other.send(event).get(60, TimeUnit.SECONDS))
                        .getCause();
                assertInstanceOf(TopicAuthorizationException.class, refused);
            }
        }
        Awaitility.await()
                .atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> assertEquals(
                        10,
                        json(send("GET", node, "/v1/users/direct/metrics/laps", "", 200))
                                .at("/current")
                                .asInt()));
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> json(send("GET", node, "/admin/v1/rejections", "", 200))
                        .at("/0/source/topic")
                        .asString()
                        .equals("laurel.direct.acme"));
    }

    private void doctor(Path key, List<LaurelProcess> servers) throws IOException {
        String urls = String.join(
                ",", servers.stream().map(server -> server.url().toString()).toList());
        var arguments = List.of(
                "doctor",
                "--read-only",
                "--kafka",
                kafka.bootstrapServers(),
                "--kafka-config",
                kafka.clientConfig().toString(),
                "--key-file",
                key.toString(),
                "--url",
                urls,
                "--ca",
                kafka.authority().toString());

        CommandRun trusting = CommandRun.of(arguments.toArray(String[]::new));
        CommandRun wary =
                CommandRun.of(arguments.subList(0, arguments.size() - 2).toArray(String[]::new));

        assertFalse(trusting.out().contains("fail  servers"), trusting.out());
        assertTrue(trusting.out().contains("servers"), trusting.out());
        assertTrue(wary.out().contains("fail  servers"), wary.out());
    }

    private double calls(LaurelProcess of, String outcome) throws Exception {
        return send("GET", of, "/metrics", "", 200)
                .lines()
                .filter(line -> line.startsWith("laurel_peer_calls_total{outcome=\"" + outcome + "\"}"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    private static JsonNode json(String text) {
        return Json.mapperForTools().readTree(text);
    }

    private String send(String method, LaurelProcess to, String path, String body, int expected) throws Exception {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create(to.url() + path))
                        .header("X-API-KEY", LaurelProcess.ADMIN_KEY)
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        assertEquals(expected, answer.statusCode(), answer.body());
        return answer.body();
    }
}
