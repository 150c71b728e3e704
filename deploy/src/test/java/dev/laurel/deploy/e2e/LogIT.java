package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests the log of a serving process, as JSON and at the default level. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class LogIT {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PERSON = "ida-laine-1984";
    private static final String NAME = "Ida Aurora Laine";
    private static final String EMAIL = "ida.laine@pool.example";
    private static final String TOKEN = "ExponentPushToken[ida-phone]";
    private static final String CITY = "Uusikaupunki";
    private static final String SMTP_PASSWORD = "hush-smtp-hush";
    private static final String EXPO_TOKEN = "expo-token-of-the-pool";
    private static final String WRONG_KEY = "wrongkey.thisisnotakeythisisnotakey00";

    @TempDir
    private static Path dir;

    private static final List<String> SECRETS = new ArrayList<>();
    private static List<String> lines;

    /** Runs the traffic once and stops the process, so that the lines of a stop are included. */
    @BeforeAll
    static void serve() throws Exception {
        Path log = dir.resolve("log");
        try (var process = LaurelProcess.logging(
                "standalone",
                log,
                List.of(
                        "--data-dir",
                        dir.resolve("data").toString(),
                        "--broker-port",
                        "0",
                        "--admin-key",
                        LaurelProcess.ADMIN_KEY,
                        "--public-url",
                        "http://laurel.invalid",
                        "--log",
                        "json",
                        "--access-log",
                        "--otlp-endpoint",
                        "http://127.0.0.1:1"))) {
            try (LaurelClient laurel = process.client()) {
                configure(laurel);
                useAsPerson(laurel);
                useWrongly(laurel, process);
            }
            process.stop();
        }
        lines = Files.readAllLines(log);
    }

    private static void configure(LaurelClient laurel) {
        SECRETS.add(LaurelProcess.ADMIN_KEY);
        SECRETS.add(SMTP_PASSWORD);
        SECRETS.add(EXPO_TOKEN);
        laurel.put("/admin/v1/ruleset", """
            {"metrics": {"laps": {}}, "attributes": {"user": {"city": {}}},
             "achievements": {"first": {"trigger": "metric", "metric": "laps", "value": 1}},
             "notifications": {"templates": {
               "achieved": {"type": "achievement_completed", "channel": "email", "status": "active",
                 "subject": "Well done", "body": "Dear {{user.name}}"}}}}
            """).expect(200);
        JsonResponse hook = laurel.post("/admin/v1/webhooks", """
            [{"name": "CRM", "url": "http://127.0.0.1:1/in", "events": ["achievement.completed"]}]\
            """).expect(201);
        SECRETS.add(hook.string("/created/0/secret"));
        laurel.patch("/admin/v1/notifications/channels", """
            {"email": {"from": "team@pool.example", "smtpUrl": "smtp://mailer:%s@127.0.0.1:1"},
             "push": {"expo": {"token": "%s"}}}
            """.formatted(SMTP_PASSWORD, EXPO_TOKEN))
                .expect(200);
        JsonResponse key = laurel.post("/admin/v1/admin-api-keys", "[{\"name\": \"nightly\"}]");
        String text = key.at("/created/0/key").asString("");
        assertFalse(text.isEmpty(), key::toString);
        SECRETS.add(text);
    }

    private static void useAsPerson(LaurelClient laurel) {
        laurel.send(
                        "POST",
                        "/v1/metrics/laps/event",
                        """
                        {"user": {"id": "%s", "name": "%s", "email": "%s", "deviceTokens": ["%s"],
                         "attributes": {"city": "%s"}}, "value": 3}
                        """.formatted(PERSON, NAME, EMAIL, TOKEN, CITY),
                        "traceparent",
                        "00-" + TRACE + "-00f067aa0ba902b7-01",
                        "X-Request-Id",
                        "request-of-ida")
                .expect(201);
        laurel.get("/v1/users/" + PERSON).expect(200);
        laurel.get("/v1/users/" + EMAIL).expectError(404);
    }

    private static void useWrongly(LaurelClient laurel, LaurelProcess process) {
        laurel.post(
                        "/v1/metrics/laps/event",
                        "{\"user\": {\"id\": \"" + PERSON + "\", \"tz\": \"" + CITY + "\"}, \"value\": 1}")
                .expectError(422);
        laurel.post("/v1/metrics/laps/event", "{\"user\": \"" + EMAIL).expectError(422);
        try (var stranger = new LaurelClient(laurel.url(), WRONG_KEY)) {
            stranger.get("/v1/users/" + PERSON).expectError(401);
        }
        try (var producer = new DirectProducer(process.bootstrapServers())) {
            producer.send(PERSON, Instant.now(), "{\"type\": \"" + NAME + "\"}");
            producer.send(EMAIL, Instant.now(), DirectProducer.event(PERSON, "laps", "1"));
            producer.send(PERSON, Instant.now(), NAME);
        }
        // These events follow the others in their partitions, so the others were processed before these responses.
        for (int user = 0; user < 20; user++) {
            laurel.post("/v1/metrics/laps/event", "{\"user\": {\"id\": \"u" + user + "\"}, \"value\": 1}")
                    .expect(201);
        }
    }

    @Test
    void shouldWriteOneObjectPerLine() {
        var mapper = new JsonMapper();
        for (String line : lines) {
            JsonNode object = mapper.readTree(line);
            assertTrue(object.isObject(), line);
            Instant.parse(object.get("@timestamp").asString());
            for (String field : List.of("log.level", "log.logger", "message", "process.thread.name")) {
                assertTrue(object.path(field).isString(), () -> field + " is missing: " + line);
            }
        }
        assertTrue(
                lines.stream().anyMatch(line -> line.contains("\"WARN\"") && line.contains("Rejected")),
                () -> String.join("\n", lines));
    }

    @Test
    void shouldContainRequestAndTraceIds() {
        var mapper = new JsonMapper();
        List<JsonNode> ofIda = lines.stream()
                .map(mapper::readTree)
                .filter(line ->
                        "request-of-ida".equals(line.path("http.request.id").asString("")))
                .toList();

        assertEquals(1, ofIda.size(), () -> String.join("\n", lines));
        assertEquals("laurel.access", ofIda.getFirst().get("log.logger").asString());
        assertEquals(TRACE, ofIda.getFirst().get("trace.id").asString());
        assertTrue(lines.stream().anyMatch(line -> !line.contains("http.request.id") && !line.contains("trace.id")));
    }

    @Test
    void shouldNotContainSecretsOrUserData() {
        String log = String.join("\n", lines);
        for (String secret : SECRETS) {
            assertFalse(log.contains(secret.substring(secret.indexOf('.') + 1)), () -> secret + " is in\n" + log);
        }
        for (String personal : List.of(PERSON, NAME, "Aurora", EMAIL, TOKEN, CITY, "notakey")) {
            assertFalse(log.contains(personal), () -> personal + " is in\n" + log);
        }
    }
}
