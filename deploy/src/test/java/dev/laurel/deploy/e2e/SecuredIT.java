package dev.laurel.deploy.e2e;

import dev.laurel.deploy.CommandRun;
import dev.laurel.platform.http.TrustedCertificates;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the program and the tools with a Kafka that requires TLS and a login, and with TLS for HTTP. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecuredIT {

    private static final String RULESET = "metrics:\n  laps:\n    name: Laps\n";

    private Path dir;
    private SecuredKafka kafka;
    private LaurelProcess laurel;
    private Path key;
    private Path log;
    private List<String> shared;

    @BeforeAll
    void start(@TempDir Path scratch) throws IOException {
        dir = scratch;
        kafka = SecuredKafka.start(dir);
        HeldCertificate shown = SecuredKafka.issue();
        key = kafka.secret("admin-key", LaurelProcess.ADMIN_KEY + "\n");
        log = dir.resolve("log");
        shared = List.of("--verbose", "--kafka", kafka.bootstrapServers(), "--kafka-config",
                kafka.clientConfig().toString(), "--admin-key-file", key.toString(), "--tls-cert",
                Files.writeString(dir.resolve("tls.crt"), shown.certificatePem()).toString(), "--tls-key",
                kafka.secret("tls.key", shown.privateKeyPkcs8Pem()).toString());
        var options = new ArrayList<>(shared);
        options.addAll(List.of("--data-dir", dir.resolve("data").toString(), "--ruleset",
                Files.writeString(dir.resolve("laurel.yaml"), RULESET).toString()));
        laurel = LaurelProcess.logging("standalone", log, options);
    }

    @AfterAll
    void stop() {
        if (laurel != null) {
            laurel.close();
        }
        if (kafka != null) {
            kafka.close();
        }
    }

    @Test
    void shouldAcceptAndReadEventsOverTls() throws Exception {
        HttpResponse<String> event = send("POST", laurel, "/v1/metrics/laps/event",
                "{\"user\":{\"id\":\"ida\"},\"value\":4}");
        HttpResponse<String> user = send("GET", laurel, "/v1/users/ida/metrics/laps", "");

        assertEquals(201, event.statusCode(), event.body());
        assertEquals(200, user.statusCode(), user.body());
        assertTrue(user.body().contains("\"current\":4"), user.body());
        assertTrue(event.headers().firstValue("Strict-Transport-Security").isPresent());
    }

    @Test
    void shouldRunARoleWithTheSameFiles() throws Exception {
        try (var gateway = LaurelProcess.logging("gateway", dir.resolve("gateway-log"), shared)) {
            HttpResponse<String> event = send("POST", gateway, "/v1/metrics/laps/event",
                    "{\"user\":{\"id\":\"eve\"},\"value\":5}");

            assertEquals(201, event.statusCode(), event.body());
        }
    }

    @Test
    void shouldRunToolsWithTheSameFiles() throws Exception {
        Path history = Files.writeString(dir.resolve("history.ndjson"), "{\"time\":\"2026-03-04T09:15:00Z\","
                + "\"type\":\"event\",\"metric\":\"laps\",\"value\":7,\"user\":{\"id\":\"olga\"}}\n");

        CommandRun topics = kafkaTool(kafka.clientConfig(), "topics", "describe");
        CommandRun imported = kafkaTool(kafka.clientConfig(), "import", history.toString());
        CommandRun exported = CommandRun.of("ruleset", "export", "--url", laurel.url().toString(), "--ca",
                kafka.authority().toString(), "--key-file", key.toString());

        assertEquals(0, topics.exitCode(), topics.err());
        assertTrue(topics.out().contains("laurel.commands"), topics.out());
        assertEquals(0, imported.exitCode(), imported.err());
        assertTrue(imported.out().contains("imported 1 commands"), imported.out());
        assertEquals(0, exported.exitCode(), exported.err());
        assertTrue(exported.out().contains("laps"), exported.out());
    }

    @Test
    void shouldRefuseAWrongPasswordAndAnUnknownAuthority() throws Exception {
        CommandRun login = kafkaTool(kafka.clientConfig("wrong.properties", "wrong-password"), "topics", "describe");
        CommandRun unknown = CommandRun.of("ruleset", "export", "--url", laurel.url().toString(), "--key-file",
                key.toString());

        assertEquals(1, login.exitCode());
        assertTrue(login.err().contains("Authentication failed"), login.err());
        assertFalse(login.err().contains("wrong-password"), login.err());
        assertEquals(1, unknown.exitCode());
        assertTrue(unknown.err().contains("cannot reach"), unknown.err());
    }

    @Test
    void shouldNameTheUnusableFile() throws Exception {
        Path own = kafka.secret("own.properties", "security.protocol=SSL\nacks=1\n");
        Path store = kafka.secret("store.properties", "security.protocol=SSL\nssl.truststore.type=PEM\n"
                + "ssl.truststore.location=/nowhere/ca.crt\n");

        assertTrue(kafkaTool(own, "topics", "describe").err().contains("acks is set by Laurel itself"));
        assertTrue(kafkaTool(store, "topics", "describe").err().contains("/nowhere/ca.crt"));
        assertTrue(CommandRun.of("topics", "describe", "--kafka-config", own.toString(), "--data-dir",
                dir.toString()).err().contains("--kafka"));
    }

    @Test
    void shouldLogNoSecretAndWarnOfAReadableOne() throws Exception {
        Path open = kafka.secret("open-key", LaurelProcess.ADMIN_KEY);
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        Path otherLog = dir.resolve("other-log");
        Process other = LaurelProcess.start(otherLog, "ruleset", "export", "--url", laurel.url().toString(), "--ca",
                kafka.authority().toString(), "--key-file", open.toString());
        assertTrue(other.waitFor(60, TimeUnit.SECONDS));

        String logged = Files.readString(log) + Files.readString(otherLog);
        assertTrue(logged.contains("open-key contains a secret and is readable by everybody on this machine"), logged);
        assertTrue(logged.contains("Loaded certificate"), logged);
        assertFalse(logged.contains(SecuredKafka.PASSWORD), "the password of Kafka is logged");
        assertFalse(logged.contains(LaurelProcess.ADMIN_KEY.substring(10)), "the admin key is logged");
        assertFalse(logged.contains("PRIVATE KEY"), "the key of the certificate is logged");
    }

    private CommandRun kafkaTool(Path config, String... command) {
        var all = new ArrayList<>(List.of(command));
        all.addAll(List.of("--kafka", kafka.bootstrapServers(), "--kafka-config", config.toString()));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private HttpResponse<String> send(String method, LaurelProcess to, String path, String body) throws Exception {
        try (var client = HttpClient.newBuilder().sslContext(TrustedCertificates.in(kafka.authority())).build()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(to.url() + path)).header("X-API-KEY", LaurelProcess.ADMIN_KEY)
                            .method(method, HttpRequest.BodyPublishers.ofString(body)).build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }
}
