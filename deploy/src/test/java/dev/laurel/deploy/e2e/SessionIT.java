package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.laurel.schemas.access.Role;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The story of sessions on a standalone: sign-in with a key and with a link, changes, a restart, and the end of the key. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class SessionIT {

    private static final String KEYS = "/admin/v1/admin-api-keys";
    private static final String SESSION = "/admin/v1/session";

    /** A page in a browser. */
    private record Browser(LaurelClient client, String cookie, String csrfToken) {

        static Browser signIn(LaurelInstance instance, String body) {
            LaurelClient client = instance.client().withKey(null);
            JsonResponse answer = client.post(SESSION, body).expect(200);
            return new Browser(
                    client, answer.header("Set-Cookie").replaceFirst(";.*", ""), answer.string("/csrfToken"));
        }

        /** The same cookie at another server, on which the page asks for its token again. */
        Browser at(LaurelInstance instance) {
            LaurelClient other = instance.client().withKey(null);
            return new Browser(
                    other,
                    cookie,
                    other.send("GET", SESSION, null, "Cookie", cookie)
                            .expect(200)
                            .string("/csrfToken"));
        }

        JsonResponse send(String method, String path, String body) {
            var headers = new ArrayList<>(List.of("Cookie", cookie, "Sec-Fetch-Site", "same-origin"));
            if (!method.equals("GET")) {
                headers.addAll(List.of("X-CSRF-Token", csrfToken));
            }
            return client.send(method, path, body, headers.toArray(String[]::new));
        }
    }

    @Test
    void shouldActForTheKeyAsLongAsItLasts() throws Exception {
        try (var instance = LaurelInstance.start()) {
            LaurelClient admin = instance.client();
            JsonResponse made = admin.post(KEYS, "[{\"name\": \"Console\", \"role\": \"editor\"}]")
                    .expect(201);
            String id = made.string("/created/0/id");
            Browser browser = Browser.signIn(instance, "{\"key\": \"" + made.string("/created/0/key") + "\"}");

            browser.send("PUT", "/admin/v1/ruleset", "{\"metrics\": {\"laps\": {}}}")
                    .expect(200);
            browser.send("POST", "/v1/metrics/laps/event", "{\"user\": {\"id\": \"ida\"}, \"value\": 2}")
                    .expect(201);
            assertEquals(
                    2,
                    browser.send("GET", "/v1/users/ida/metrics/laps", null)
                            .expect(200)
                            .json()
                            .get("current")
                            .intValue());
            browser.send("PATCH", "/admin/v1/settings", "{}").expectError(403);
            String link = instance.newSignInUrl().replaceFirst(".*link=", "");
            Browser linked = Browser.signIn(instance, "{\"link\": \"" + link + "\"}");
            linked.send("PATCH", "/admin/v1/settings", "{}").expect(200);
            instance.client()
                    .withKey(null)
                    .post(SESSION, "{\"link\": \"" + link + "\"}")
                    .expectError(401);
            String lost = instance.newSignInUrl().replaceFirst(".*link=", "");

            instance.restart();
            browser = browser.at(instance);
            browser.send("POST", "/v1/metrics/laps/event", "{\"user\": {\"id\": \"ida\"}, \"value\": 1}")
                    .expect(201);
            linked.at(instance).send("PATCH", "/admin/v1/settings", "{}").expect(200);
            instance.client()
                    .withKey(null)
                    .post(SESSION, "{\"link\": \"" + lost + "\"}")
                    .expectError(401);

            instance.client()
                    .patch(KEYS, "[{\"id\": \"" + id + "\", \"role\": \"viewer\"}]")
                    .expect(200);
            browser.send("PUT", "/admin/v1/ruleset", "{}").expectError(403);
            assertEquals(
                    Role.VIEWER.word(),
                    browser.send("GET", SESSION, null).expect(200).string("/role"));
            instance.client().delete(KEYS + "?ids=" + id).expect(200);
            browser.send("GET", SESSION, null).expectError(401);
            expectSignOut(instance, linked.at(instance));
        }
    }

    private static void expectSignOut(LaurelInstance instance, Browser browser) throws Exception {
        assertNotEquals("", browser.csrfToken);
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(URI.create(instance.url() + SESSION))
                            .DELETE()
                            .header("Cookie", browser.cookie)
                            .header("X-CSRF-Token", browser.csrfToken)
                            .build(),
                    BodyHandlers.ofString());
            assertEquals(204, answer.statusCode(), answer.body());
            assertFalse(answer.headers().firstValue("Set-Cookie").orElseThrow().startsWith(browser.cookie));
        }
    }
}
