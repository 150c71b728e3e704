package dev.laurel.deploy.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.sun.net.httpserver.HttpServer;
import dev.laurel.deploy.e2e.ConsoleBrowser.View;
import dev.laurel.deploy.e2e.ConsoleBrowser.Visit;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Attacks the session of an operator of the console in a real browser. Is skipped without Chromium. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class ConsoleSecurityIT {

    private static final String HOSTILE = "<img src=x onerror=attacked=1><script>attacked=2</script>";
    private static final String HOSTILE_URL = "https://badges.invalid/a'onerror='attacked=3";
    private static final String RULESET = """
        {"metrics": {"laps": {"name": "HOSTILE", "units": "<script>attacked=4</script>"}},
         "attributes": {"user": {"plan": {"name": "HOSTILE", "analytics": true}}},
         "achievements": {
           "first": {"name": "HOSTILE", "description": "HOSTILE", "badgeUrl": "URL", "trigger": "metric", "metric": "laps", "value": 1}},
         "points": {"gems": {"name": "HOSTILE", "description": "HOSTILE", "badgeUrl": "URL",
           "levels": {"minnow": {"name": "HOSTILE", "description": "HOSTILE", "points": 1}},
           "triggers": {"laps": {"type": "metric", "metric": "laps", "threshold": 1, "points": 2}}}},
         "leaderboards": {"all": {"name": "HOSTILE", "description": "HOSTILE", "status": "active", "rankBy": "points",
           "pointsSystem": "gems", "start": "2024-01-01", "breakdownAttributes": ["plan"]}}}
        """;

    /** What a page of another origin may try. Answers with a line for each success. */
    private static final String ATTACK = """
        async ({target, token, evilKey}) => {
          const evil = '[{"name":"Evil","key":"evil"}]';
          const tries = {
            session: () => fetch(`${target}/admin/v1/session`, {credentials: 'include'}).then(answer => answer.text()),
            users: () => fetch(`${target}/admin/v1/users`, {credentials: 'include'}).then(answer => answer.text()),
            achievements: () => fetch(`${target}/v1/achievements`, {credentials: 'include'}).then(answer => answer.text()),
            change: () => fetch(`${target}/admin/v1/metrics`, {method: 'POST', credentials: 'include', body: evil, headers: {'X-CSRF-Token': token}})
              .then(answer => answer.text()),
            feed: () => new Promise((resolve, reject) => {
              const source = new EventSource(`${target}/admin/v1/analytics/live`, {withCredentials: true});
              source.onopen = resolve;
              source.onerror = reject;
            }),
          };
          const successes = [];
          for (const [name, attempt] of Object.entries(tries)) {
            await attempt().then(() => successes.push(name), () => {});
          }
          // A form and a request without CORS are sent; nobody may act on them.
          await fetch(`${target}/admin/v1/metrics`, {method: 'POST', mode: 'no-cors', credentials: 'include', body: evil});
          for (const [path, name, value] of [
            ['/admin/v1/metrics', '[{"name":"Evil","key":"evil","x":"', '"}]'],
            ['/v1/metrics/laps/event', '{"user":{"id":"evil"},"value":1,"x":"', '"}'],
            ['/admin/v1/session', `{"key":"${evilKey}","x":"`, '"}']]) {
            const frame = document.createElement('iframe');
            frame.name = `frame${path}`;
            document.body.append(frame);
            const form = document.createElement('form');
            Object.assign(form, {method: 'post', action: target + path, target: frame.name, enctype: 'text/plain'});
            const field = document.createElement('input');
            Object.assign(field, {type: 'hidden', name, value});
            form.append(field);
            document.body.append(form);
            const loaded = new Promise(resolve => frame.addEventListener('load', resolve, {once: true}));
            form.submit();
            await loaded;
          }
          const framed = document.createElement('iframe');
          framed.id = 'framed';
          framed.src = `${target}/console/`;
          const loaded = new Promise(resolve => framed.addEventListener('load', resolve, {once: true}));
          document.body.append(framed);
          await loaded;
          return successes;
        }\
        """;

    @AutoClose
    private ConsoleBrowser browser;

    @AutoClose
    private LaurelInstance laurel;

    private HttpServer attacker;

    @BeforeAll
    void start() throws InterruptedException, IOException {
        browser = ConsoleBrowser.start();
        attacker = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        attacker.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, 0);
            try (var out = exchange.getResponseBody()) {
                out.write("<!doctype html><title>Prizes</title><link rel=icon href=data:,>".getBytes(UTF_8));
            }
        });
        attacker.start();
        laurel = LaurelInstance.start();
        LaurelClient client = laurel.client();
        client.put("/admin/v1/ruleset", RULESET.replace("HOSTILE", HOSTILE).replace("URL", HOSTILE_URL))
                .expect(200);
        client.post("/admin/v1/notifications/templates", """
            [{"type": "achievement_completed", "channel": "email", "name": "HOSTILE", "subject": "HOSTILE", "body": "<p>HOSTILE</p>"}]\
            """.replace("HOSTILE", HOSTILE))
                .expect(201);
        client.post("/admin/v1/webhooks", """
            [{"name": "HOSTILE", "url": "https://hooks.invalid/", "events": ["streak.lost"], "status": "inactive", "description": "HOSTILE"}]\
            """.replace("HOSTILE", HOSTILE)).expect(201);
        client.event("laps")
                .of("victim")
                .value("5")
                .with("name", "\"" + HOSTILE + "\"")
                .with("email", "\"<script>attacked=5</script>@example.com\"")
                .with("attributes", "{\"plan\": \"" + HOSTILE + "\"}")
                .send()
                .expect(201);
    }

    @AfterAll
    void stop() {
        if (attacker != null) {
            attacker.stop(0);
        }
    }

    private JsonResponse newKey(String name, String role) {
        return laurel.client()
                .post("/admin/v1/admin-api-keys", "[{\"name\": \"" + name + "\", \"role\": \"" + role + "\"}]")
                .expect(201);
    }

    private Visit signedIn(String key, String fragment) {
        Visit visit = browser.visit(laurel.url(), View.DESKTOP);
        visit.page().navigate("/console/" + fragment);
        visit.page().getByLabel("Admin key").fill(key);
        visit.page().keyboard().press("Enter");
        assertThat(visit.page().locator("nav .menu")).isVisible();
        return visit;
    }

    /** Another port is the same site, so the browser sends the cookie; another name is another site. */
    @Test
    void shouldServeNoPageOfAnotherOrigin() {
        String evilKey = newKey("Attacker", "viewer").string("/created/0/key");
        String victim = newKey("Operator", "admin").string("/created/0/key");
        try (Visit visit = signedIn(victim, "")) {
            Page page = visit.page();
            String token = (String) page.evaluate(
                    "fetch('/admin/v1/session').then(answer => answer.json()).then(session => session.csrfToken)");
            String changes = "/admin/v1/audit?limit=100&outcome=accepted";
            String before = laurel.client().get(changes).expect(200).text();
            for (String host : List.of("127.0.0.1", "localhost")) {
                page.navigate("http://" + host + ":" + attacker.getAddress().getPort() + "/");
                Object successes =
                        page.evaluate(ATTACK, Map.of("target", laurel.url(), "token", token, "evilKey", evilKey));
                assertEquals(List.of(), successes, host);
                assertFalse(
                        page.frames().stream().anyMatch(frame -> frame.url().contains("/console")), "shown in a frame");
            }
            assertTrue(visit.takeProblems().stream().anyMatch(problem -> problem.contains("blocked by CORS policy")));
            assertEquals(before, laurel.client().get(changes).expect(200).text());
            laurel.client().get("/v1/users/evil").expect(404);

            page.navigate("/console/");
            assertThat(page.locator(".person b")).hasText("Operator");
            // The browser may report the refused attempts only now.
            assertEquals(
                    List.of(),
                    visit.takeProblems().stream()
                            .filter(problem -> !problem.matches("(?s).*status of 40[13] .*"))
                            .toList());
        }
    }

    @Test
    void shouldSignOutEveryBrowserWithTheKey() {
        JsonResponse made = newKey("Leaver", "editor");
        try (Visit visit = signedIn(made.string("/created/0/key"), "#/users")) {
            laurel.client()
                    .post("/admin/v1/admin-api-keys/" + made.string("/created/0/id") + "/rotate", "")
                    .expect(200);
            visit.page().reload();
            assertThat(visit.page().getByLabel("Admin key")).isVisible();
            assertTrue(visit.takeProblems().stream().allMatch(problem -> problem.contains("401")));
        }
    }

    /** On all pages of the menu, and on those that they lead to. */
    @Test
    void shouldShowScriptsAsText() {
        String key = newKey(HOSTILE, "admin").string("/created/0/key");
        try (Visit visit = signedIn(key, "#/sign-in?returnTo=//" + "evil.example")) {
            Page page = visit.page();
            assertEquals("/console/", URI.create(page.url()).getPath());
            assertTrue(page.url().startsWith(laurel.url()), page.url());
            var open = new ArrayList<>(visit.pagesOf("nav .menu a"));
            assertTrue(open.size() >= 4, open::toString);
            var seen = new ArrayList<String>();
            int shown = 0;
            while (!open.isEmpty()) {
                String link = open.removeFirst();
                seen.add(link);
                page.navigate("/console/" + link);
                assertThat(page.getByRole(AriaRole.HEADING).first()).isVisible();
                assertThat(page.locator("main p.waiting")).hasCount(0);
                assertEquals(true, page.evaluate("""
                    window.attacked === undefined
                      && document.querySelector('main img, main script, main [onerror], a[href^="javascript:" i]') === null\
                    """), link);
                shown += page.locator("main").innerText().contains(HOSTILE) ? 1 : 0;
                if (seen.size() < 30) {
                    visit.pagesOf("main a").stream()
                            .filter(next -> !seen.contains(next) && !open.contains(next))
                            .limit(3)
                            .forEach(open::add);
                }
            }
            assertTrue(shown > 5, () -> "few pages show the names: " + seen);
            assertThat(page.locator(".person b")).hasText(HOSTILE);
        }
    }

    @Test
    void shouldRefuseScriptsAsAddresses() {
        for (String url :
                List.of("javascript:alert(1)", "data:text/html,x", "//evil.example/a.png", " javascript:alert(1)")) {
            String answer = laurel.client()
                    .post("/admin/v1/achievements", """
                        [{"name": "x", "key": "x", "trigger": "api", "badge": {"url": "%s"}}]\
                        """.formatted(url))
                    .expect(200)
                    .text();
            assertTrue(answer.contains("\"created\":[]") && answer.contains("badge"), answer);
        }
    }
}
