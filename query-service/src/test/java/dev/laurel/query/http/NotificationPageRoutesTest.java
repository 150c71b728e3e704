package dev.laurel.query.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.TestServer;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.read.InMemoryUsers;
import dev.laurel.schemas.key.UserKey;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page behind the link of an email, as browsers see it (docs/admin-api.md B4). */
class NotificationPageRoutesTest {

    private static final String ANN = "ann";
    private static final String PREFERENCES = "{\"type\":\"preferences\",\"user\":{\"id\":\"ann\"},\"notifications\":";
    private static final Pattern BOX =
            Pattern.compile("<input type=\"checkbox\"([^>]*)> (Email|Push notification)</label>");
    private static final Pattern LEGEND = Pattern.compile("<legend>([^<]*)</legend>");

    private final InMemoryUsers users = new InMemoryUsers();
    private final InMemoryAccess access = new InMemoryAccess();
    private final HttpClient browser = HttpClient.newHttpClient();
    private final List<HttpServer> servers = new ArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        users.rules("2026-01-01T00:00:00Z", """
            {"settings":{"branding":{"appName":"Swim & <Club>","appUrl":"https://swim.test/?a=1&b=2",
              "logoUrl":"https://swim.test/logo.png","brandColor":"#123456","font":"Georgia"}}}\
            """)
                .identify(ANN, ",\"name\":\"<b>Ann</b>\",\"email\":\"ann@example.net\"", "2026-03-01T08:00:00Z")
                .now("2026-03-03T12:00:00Z");
        server = server(new NotificationPageRoutes(users.reads(), Relay.NONE, users, access));
    }

    private HttpServer server(NotificationPageRoutes routes) {
        HttpServer started = TestServer.start(
                new HttpSettings.Address("127.0.0.1", 0),
                new BootstrapKey(BootstrapKey.generate()),
                List.of(routes, new NodeRoutes(() -> true)));
        servers.add(started);
        return started;
    }

    @AfterEach
    void stop() {
        browser.close();
        servers.forEach(HttpServer::close);
    }

    private HttpResponse<String> get(HttpServer from, String target) throws IOException, InterruptedException {
        return browser.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + from.port() + target))
                        .build(),
                BodyHandlers.ofString());
    }

    private String path(String user) {
        return access.linkOf(UserKey.of(user));
    }

    private String page() throws IOException, InterruptedException {
        HttpResponse<String> answer = get(server, path(ANN));
        assertEquals(200, answer.statusCode());
        return answer.body();
    }

    /** Whether each channel of each type is checked, and can be changed. */
    private static Map<String, String> boxes(String page) {
        var boxes = new TreeMap<String, String>();
        for (String part : page.split("<fieldset")) {
            Matcher legend = LEGEND.matcher(part);
            if (legend.find()) {
                BOX.matcher(part)
                        .results()
                        .forEach(box -> boxes.put(
                                legend.group(1) + ": " + box.group(2),
                                (box.group(1).contains(" checked") ? "on" : "off")
                                        + (box.group(1).contains(" disabled") ? ", fixed" : "")));
            }
        }
        return boxes;
    }

    @Test
    void shouldShowAllTypesAndChannelsAsTheyAre() throws Exception {
        users.command(ANN, PREFERENCES + "{\"recap\":[\"push\"],\"streak_reminder\":[]}}", "2026-03-02T08:00:00Z");

        assertEquals(
                Map.of(
                        "Achievements: Email",
                        "on",
                        "Achievements: Push notification",
                        "on",
                        "Recaps: Email",
                        "off",
                        "Recaps: Push notification",
                        "on",
                        "Reminders to come back: Email",
                        "on",
                        "Reminders to come back: Push notification",
                        "on",
                        "Streak reminders: Email",
                        "off",
                        "Streak reminders: Push notification",
                        "off"),
                boxes(page()));
    }

    @Test
    void shouldKeepChoicesOfEmailsOfAnUnsubscribedUser() throws Exception {
        users.command(ANN, PREFERENCES + "{\"recap\":[\"push\"]}}", "2026-03-02T08:00:00Z")
                .identify(ANN, ",\"subscribeToEmails\":false", "2026-03-02T09:00:00Z");

        String page = page();
        Map<String, String> boxes = boxes(page);
        assertEquals("on, fixed", boxes.get("Achievements: Email"));
        assertEquals("off, fixed", boxes.get("Recaps: Email"));
        assertEquals("on", boxes.get("Recaps: Push notification"));
        assertTrue(page.contains("unsubscribed from all emails from Swim &amp; &lt;Club&gt;"), page);
        assertTrue(page.contains("<input type=\"hidden\" name=\"achievement_completed\" value=\"email\">"), page);
        assertFalse(page.contains("<input type=\"hidden\" name=\"recap\""), page);
    }

    @Test
    void shouldShowTheBrandingAndNeitherScriptsNorTheUser() throws Exception {
        HttpResponse<String> answer = get(server, path(ANN) + "?saved=true");
        String page = answer.body();

        for (String part : List.of(
                "Swim &amp; &lt;Club&gt;",
                "src=\"https://swim.test/logo.png\"",
                "solid #123456;",
                "16px/1.55 Georgia, Arial",
                "<form method=\"post\">",
                "name=\"action\" value=\"save\"",
                "name=\"action\" value=\"off\"",
                "role=\"status\">Your change is saved.")) {
            assertTrue(page.contains(part), page);
        }
        assertFalse(page.contains("<script") || page.contains("Ann") || page.contains("ann@"), page);
        assertEquals(
                "text/html;charset=utf-8",
                answer.headers().firstValue("Content-Type").orElseThrow());
        assertEquals(
                "no-referrer", answer.headers().firstValue("Referrer-Policy").orElseThrow());
        assertEquals("no-store", answer.headers().firstValue("Cache-Control").orElseThrow());
        assertEquals("noindex", answer.headers().firstValue("X-Robots-Tag").orElseThrow());
        assertTrue(answer.headers()
                .firstValue("Content-Security-Policy")
                .orElseThrow()
                .startsWith("default-src 'none'; style-src 'unsafe-inline'; img-src http: https:; form-action 'self'"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/unsubscribe/x", "/unsubscribe/%20", "cut", "foreign"})
    void shouldAnswer404ToInvalidTokens(String target) throws Exception {
        HttpResponse<String> answer = get(
                server,
                switch (target) {
                    case "cut" -> path(ANN).substring(0, path(ANN).length() - 1);
                    case "foreign" -> new InMemoryAccess("4567").linkOf(UserKey.of(ANN));
                    default -> target;
                });

        assertEquals(404, answer.statusCode());
        assertTrue(answer.body().contains("This link does not work"), answer.body());
        assertEquals("no-store", answer.headers().firstValue("Cache-Control").orElseThrow());
    }

    @Test
    void shouldConfirmForAnErasedUser() throws Exception {
        HttpResponse<String> answer = get(server, path("nobody"));

        assertEquals(200, answer.statusCode());
        assertTrue(answer.body().contains("You are unsubscribed"), answer.body());
        assertFalse(answer.body().contains("<form"), answer.body());
    }

    /** A recipient can always end the emails. */
    @Test
    void shouldStillTurnEverythingOffWhileChoicesCannotBeRead() throws Exception {
        Relay away = (_, _) -> _ -> {
            throw new NotReadyException("restoring");
        };
        for (HttpServer from : List.of(
                server(new NotificationPageRoutes(null, Relay.NONE, users, access)),
                server(new NotificationPageRoutes(users.reads(), away, users, access)))) {
            HttpResponse<String> answer = get(from, path(ANN));

            assertEquals(200, answer.statusCode());
            assertEquals(Map.of(), boxes(answer.body()));
            assertTrue(
                    answer.body().contains("value=\"off\"") && !answer.body().contains("value=\"save\""),
                    answer.body());
        }
    }

    @Test
    void shouldReadOneUserOnlySoOften() throws Exception {
        int read = 0;
        while (boxes(page()).size() == 8) {
            read++;
            assertTrue(read < 100, "no limit");
        }
        assertTrue(read >= 30, () -> "not even as often as it may");
        assertTrue(page().contains("value=\"off\""));
    }
}
