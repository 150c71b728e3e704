package dev.laurel.deploy.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import dev.laurel.deploy.e2e.ConsoleBrowser.View;
import dev.laurel.deploy.e2e.ConsoleBrowser.Visit;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Uses the elements for the pages of products in a real browser, on a page of another origin with a strict policy. Skipped where
 * there is no Chromium.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class ElementsIT {

    private static final Path DOCUMENT = Path.of("..", "docs", "elements.md");
    private static final Pattern PAGE = Pattern.compile("```html\n(.*?)```", Pattern.DOTALL);
    private static final String HOSTILE = "<img src=x onerror=attacked=1><script>attacked=2</script>";
    private static final String RULESET = """
        {"metrics": {"laps": {"name": "Laps"}}, "attributes": {"user": {"club": {"name": "Club"}}},
         "achievements": {
           "forty": {"name": "Forty laps", "trigger": "metric", "metric": "laps", "value": 40},
           "hostile": {"name": "HOSTILE", "description": "HOSTILE", "badgeUrl": "https://badges.invalid/a.png",
             "trigger": "metric", "metric": "laps", "value": 1},
           "week": {"name": "A week", "trigger": "streak", "streakLength": 7}},
         "points": {"gems": {"name": "Gems", "levels": {"minnow": {"name": "Minnow", "points": 5},
           "otter": {"name": "Otter", "points": 50}}, "triggers": {"laps": {"type": "metric", "metric": "laps", "threshold": 1, "points": 2}}}},
         "leaderboards": {"gem-club": {"name": "Gem club", "status": "active", "rankBy": "points", "pointsSystem": "gems",
           "start": "2024-01-01"},
           "clubs": {"name": "Clubs", "status": "active", "rankBy": "points", "pointsSystem": "gems", "start": "2024-01-01",
             "teams": {"attribute": "club", "score": "sum"}}},
         "streak": {"freezesEnabled": true, "initialFreezes": 1, "maxFreezes": 2}}
        """;

    /** The page tries to break what is in it; only what the elements offer may have an effect. */
    private static final String STYLE = """
        body { font-family: serif; margin: 1rem; background: light-dark(#fff, #111); color: light-dark(#111, #eee); }
        main { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); }
        h1 { grid-column: 1 / -1; }
        p, section, li, table { display: none !important; text-transform: uppercase !important; }
        laurel-progress { --laurel-accent: rgb(122, 46, 142); }
        """;

    @AutoClose
    private ConsoleBrowser browser;

    @AutoClose
    private LaurelInstance laurel;

    private HttpServer product;
    private volatile String body = "";

    @BeforeAll
    void start() throws InterruptedException, IOException {
        browser = ConsoleBrowser.start();
        laurel = LaurelInstance.start();
        LaurelClient client = laurel.client();
        client.put("/admin/v1/ruleset", RULESET.replace("HOSTILE", HOSTILE)).expect(200);
        swim("swimmer-77", "Ida Laine", "Otters", "4");
        swim("hostile", HOSTILE, HOSTILE, "9");
        swim("veiled", "Vera Koski", "Otters", "6");
        client.patch("/v1/users/veiled/preferences", "{\"leaderboards\": {\"visibility\": \"anonymous\"}}")
                .expect(200);
        swim("concealed", "Otso Lehto", "Otters", "30");
        client.patch("/v1/users/concealed/preferences", "{\"leaderboards\": {\"visibility\": \"hidden\"}}")
                .expect(200);
        client.record("nameless", "laps", "7");
        String policy = "default-src 'none'; script-src 'self' %1$s; connect-src %1$s; style-src 'self'; img-src 'self'"
                .formatted(laurel.url());
        product = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        product.createContext("/", exchange -> {
            boolean isStyle = exchange.getRequestURI().getPath().endsWith(".css");
            exchange.getResponseHeaders().add("Content-Type", isStyle ? "text/css" : "text/html; charset=utf-8");
            exchange.getResponseHeaders().add("Content-Security-Policy", policy);
            boolean isIcon = exchange.getRequestURI().getPath().equals("/favicon.ico");
            exchange.sendResponseHeaders(isIcon ? 204 : 200, isIcon ? -1 : 0);
            try (var out = exchange.getResponseBody()) {
                out.write((isIcon ? "" : isStyle ? STYLE : body).getBytes(UTF_8));
            }
        });
        product.start();
    }

    @AfterAll
    void stop() {
        if (product != null) {
            product.stop(0);
        }
    }

    private void swim(String user, String name, String club, String laps) {
        laurel.client()
                .event("laps")
                .of(user)
                .value(laps)
                .with("name", "\"" + name + "\"")
                .with("attributes", "{\"club\": \"" + club + "\"}")
                .send()
                .expect(201);
    }

    private String key(String user) {
        return laurel.client()
                .post("/admin/v1/application-api-keys", "[{\"userId\": \"" + user + "\", \"role\": \"viewer\"}]")
                .expect(201)
                .string("/created/0/key");
    }

    /** A visit of the product's page. */
    private Visit visit(View view) {
        return browser.visit("http://127.0.0.1:" + product.getAddress().getPort(), view, laurel.url());
    }

    private String page(String elements) {
        return """
            <!doctype html><html lang="en"><head><title>Product</title><meta name="color-scheme" content="light dark">
            <script type="module" src="%s/elements/laurel.js"></script></head><body><main><h1>Product</h1>%s</main></body></html>\
            """.formatted(laurel.url(), elements);
    }

    private static Locator element(Page page, String name) {
        return page.locator("laurel-" + name);
    }

    /** The page of the document, as it is there. */
    @Test
    void shouldShowWhatTheKeyReadsOnAPageOfAnotherOrigin() throws IOException {
        Matcher example = PAGE.matcher(Files.readString(DOCUMENT));
        assertTrue(example.find());
        body = example.group(1)
                .replace("https://play.example.org", laurel.url())
                .replace("app_…", key("swimmer-77"));
        for (View view : List.of(View.DESKTOP, View.DARK, View.PHONE)) {
            try (Visit visit = visit(view)) {
                Page page = visit.page();
                page.navigate("/");
                assertThat(element(page, "streak")).containsText("1 day");
                assertThat(element(page, "streak")).containsText("Done for now.");
                assertThat(element(page, "streak")).containsText("Freezes: 1 of 2");
                assertThat(element(page, "streak").locator(".periods li")).hasCount(14);
                assertThat(element(page, "points")).containsText("Gems");
                assertThat(element(page, "points")).containsText("Level: Minnow");
                assertThat(element(page, "progress")).containsText("8 of 50");
                assertThat(element(page, "progress")).containsText("42 to Otter");
                assertThat(element(page, "progress").locator("[role=progressbar]"))
                        .hasAttribute("aria-valuenow", "16");
                assertThat(element(page, "achievements").locator("li")).hasCount(3);
                assertThat(element(page, "achievements")).containsText("1 of 3");
                assertThat(element(page, "achievements")).containsText(HOSTILE);
                assertThat(element(page, "leaderboard").locator("tbody tr").first())
                        .containsText(HOSTILE);
                assertThat(element(page, "leaderboard").locator("tbody tr").nth(1))
                        .containsText("Somebody");
                assertThat(element(page, "leaderboard").locator(".own")).containsText("Ida Laine");
                assertEquals(true, page.evaluate("window.attacked === undefined"));
                assertEquals(
                        "rgb(122, 46, 142)",
                        page.evaluate(
                                "getComputedStyle(document.querySelector('laurel-progress').shadowRoot.querySelector('rect')).fill"));
                assertEquals("none grid", page.evaluate("""
                    () => { const card = document.querySelector('laurel-points').shadowRoot.querySelector('.card');
                      return getComputedStyle(card).textTransform + ' ' + getComputedStyle(card).display; }\
                    """));
                assertEquals(
                        view.equals(View.DARK) ? "rgb(24, 28, 27)" : "rgb(255, 255, 255)",
                        page.evaluate("getComputedStyle(document.querySelector('laurel-points').shadowRoot"
                                + ".querySelector('.card')).backgroundColor"));
                assertEquals(true, page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
                visit.expectAccessible("elements " + view);
                visit.screenshot("elements-" + view.width() + "-" + view.scheme());
            }
        }
    }

    @Test
    void shouldShowDataOfThePageAndAskForNothing() {
        body = page("<laurel-progress></laurel-progress><laurel-points"
                + " awards=1></laurel-points><laurel-achievements></laurel-achievements><laurel-leaderboard"
                + " user=me></laurel-leaderboard><laurel-streak></laurel-streak>");
        try (Visit visit = visit(View.DESKTOP)) {
            Page page = visit.page();
            page.navigate("/");
            assertThat(element(page, "points")).containsText("Not available at the moment.");
            visit.expectAccessible("without data");
            var asked = new CopyOnWriteArrayList<String>();
            page.onRequest(request -> asked.add(request.url()));
            page.evaluate("""
                () => {
                  const set = (name, data) => document.querySelector(`laurel-${name}`).data = data;
                  set('progress', {name: 'Profile', value: 3, target: 5});
                  set('points', {name: 'Gems', total: 0, level: null, awards: []});
                  set('achievements', []);
                  set('leaderboard', {board: {name: 'Week', rankings: [{rank: 1, userId: 'a', userName: '<b>A</b>', value: 5}]}, own: {rank: 9, value: 1.5}});
                  set('streak', {length: 0, frequency: 'weekly', expires: null, streakHistory: []});
                }\
                """);
            assertThat(element(page, "progress")).containsText("2 to Profile");
            assertThat(element(page, "points")).containsText("No points yet.");
            assertThat(element(page, "achievements")).containsText("Nothing achieved yet.");
            assertThat(element(page, "leaderboard")).containsText("<b>A</b>");
            assertThat(element(page, "leaderboard").locator(".own")).containsText("1.5");
            assertThat(element(page, "streak")).containsText("0 weeks");
            page.evaluate("document.querySelector('laurel-progress').data = {name: 'Profile', value: 5, target: 5}");
            assertThat(element(page, "progress")).containsText("Reached");
            page.evaluate("document.querySelector('laurel-points').data = 5;"
                    + " document.querySelector('laurel-achievements').data = {}");
            assertThat(element(page, "achievements")).containsText("Not available at the moment.");
            visit.expectAccessible("with data");
            assertEquals(List.of(), asked);
        }
    }

    @Test
    void shouldRankTeamsTheirMembersAndFriends() {
        body = page("""
            <laurel-leaderboard id=teams board=clubs %1$s></laurel-leaderboard>
            <laurel-leaderboard id=members board=clubs team=Otters %1$s></laurel-leaderboard>
            <laurel-leaderboard id=friends board=gem-club user-ids="swimmer-77, hostile,veiled,concealed" %1$s></laurel-leaderboard>\
            """.formatted("user=swimmer-77 api-key=" + key("swimmer-77")));
        try (Visit visit = visit(View.DESKTOP)) {
            Page page = visit.page();
            page.navigate("/");
            assertThat(page.locator("#teams tbody tr"))
                    .hasText(new String[] {"1Otters (your place)20", "2" + HOSTILE + "18"});
            assertThat(page.locator("#teams thead")).containsText("Team");
            assertThat(page.locator("#members tbody tr"))
                    .hasText(new String[] {"1Somebody12", "2Ida Laine (your place)8"});
            assertThat(page.locator("#friends tbody tr"))
                    .hasText(new String[] {"1" + HOSTILE + "18", "2Ida Laine (your place)8"});
            visit.expectAccessible("teams and friends");
            visit.screenshot("elements-teams");
        }
    }

    @Test
    void shouldStayCalmAndRefreshWithinBounds() {
        String key = key("newcomer");
        body = page("""
            <laurel-streak user=newcomer api-key=%1$s refresh=1></laurel-streak><laurel-points system=gems user=newcomer api-key=%1$s></laurel-points>
            <laurel-achievements incomplete user=newcomer api-key=%1$s></laurel-achievements><laurel-progress achievement=forty user=newcomer api-key=%1$s></laurel-progress>
            <laurel-leaderboard board=gem-club user=newcomer api-key=%1$s></laurel-leaderboard>
            <laurel-points id=foreign system=gems user=swimmer-77 api-key=%1$s></laurel-points>
            <laurel-points id=admin system=gems user=newcomer api-key=%2$s></laurel-points>\
            """.formatted(key, laurel.adminKey()));
        try (Visit visit = visit(View.DESKTOP)) {
            Page page = visit.page();
            var keys = new CopyOnWriteArrayList<String>();
            page.onRequest(request -> keys.add(request.headers().getOrDefault("x-api-key", "none")));
            page.addInitScript(
                    "addEventListener('laurel-error', event => (window.errors ??= []).push(event.detail.status + ' ' +"
                            + " event.detail.message))");
            page.clock().install();
            page.navigate("/");
            assertThat(element(page, "streak")).containsText("No streak yet.");
            assertThat(element(page, "achievements")).containsText("0 of 3");
            assertThat(element(page, "progress")).containsText("0 of 40");
            assertThat(element(page, "leaderboard").locator("tbody tr").first()).isVisible();
            assertThat(page.locator("#foreign")).containsText("Not available at the moment.");
            assertThat(page.locator("#admin")).containsText("Not available at the moment.");
            assertTrue(!keys.contains(laurel.adminKey()), "an admin key was sent");
            String errors = String.valueOf(page.evaluate("errors.sort()"));
            assertTrue(errors.contains("403 This application key belongs to another user."), errors);
            assertTrue(errors.contains("0 api-key must be an application key"), errors);
            assertTrue(visit.takeProblems().stream().allMatch(problem -> problem.matches("(?s).*status of 40[34].*")));

            laurel.client()
                    .withKey(key)
                    .event("laps")
                    .of("newcomer")
                    .value("3")
                    .send()
                    .expectError(403);
            laurel.client().record("newcomer", "laps", "3");
            page.clock().fastForward(5_500);
            assertThat(element(page, "streak")).containsText("1 day");
            page.evaluate("document.querySelector('laurel-points').reload()");
            assertThat(element(page, "points").first()).containsText("6");
            page.evaluate("document.querySelector('laurel-streak').remove()");
            int after = keys.size();
            page.clock().fastForward(60_000);
            assertEquals(after, keys.size(), "an element that was removed asks on");
        }
    }

    @Test
    void shouldDocumentEachElementLive() {
        for (View view : List.of(View.DESKTOP, View.PHONE)) {
            try (Visit visit = browser.visit(laurel.url(), view)) {
                Page page = visit.page();
                page.navigate("/elements/");
                for (String name : List.of("streak", "achievements", "points", "leaderboard", "progress")) {
                    assertThat(element(page, name).locator(".card")).isVisible();
                }
                assertThat(element(page, "streak")).containsText("11 days");
                assertEquals(true, page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
                visit.expectAccessible("page of the elements " + view);
                visit.screenshot("elements-page-" + view.width() + "-" + view.scheme());
                page.getByLabel("Application key").fill(key("swimmer-77"));
                page.getByLabel("User", new Page.GetByLabelOptions().setExact(true))
                        .fill("swimmer-77");
                page.getByLabel("Points system").fill("gems");
                page.getByLabel("Leaderboard", new Page.GetByLabelOptions().setExact(true))
                        .fill("gem-club");
                page.getByText("Show what it reads").click();
                assertThat(element(page, "points")).containsText("Level: Minnow");
                assertThat(element(page, "leaderboard").locator(".own")).containsText("Ida Laine");
                page.getByLabel("Scheme").selectOption("Dark");
                visit.expectAccessible("page of the elements with a key, dark");
            }
        }
    }
}
