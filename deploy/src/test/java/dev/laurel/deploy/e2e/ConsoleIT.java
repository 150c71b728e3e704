package dev.laurel.deploy.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.laurel.deploy.e2e.ConsoleBrowser.View;
import dev.laurel.deploy.e2e.ConsoleBrowser.Visit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * Uses the console in a real browser, against a standalone that is fresh at first and then has a hundred users and more. Skipped where
 * there is no Chromium ({@link ConsoleBrowser#start}). Screenshots are in {@code target/console}; with
 * {@code -Dlaurel.regenerate=true} that of the README is written again.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ConsoleIT {

    /** More than two pages of a list; as many as the picture of the README shows if that is taken. */
    private static final int USERS =
            Boolean.getBoolean("laurel.full") || Boolean.getBoolean("laurel.regenerate") ? 400 : 150;

    private static final int DAYS = 75;
    private static final long SEED = 20261127;
    private static final int BATCH = 1_000;
    private static final Path README_IMAGE = Path.of("..", "docs", "images", "console.png");
    private static final int MAX_IMAGE_BYTES = 200_000;

    /** The bars for a machine that does nothing else: without {@code laurel.full}, several classes of tests run at a time. */
    private static final boolean IS_FULL = Boolean.getBoolean("laurel.full");

    private static final double MAX_VIEW_MS = IS_FULL ? 1_000 : Double.MAX_VALUE;
    private static final double MAX_CHART_MS = IS_FULL ? 300 : Double.MAX_VALUE;

    private static final String SCRIPT_NAME = "<img src=x onerror=alert(1)><script>alert(2)</script>";
    private static final List<String> NAMES = List.of(
            "Ida Laine",
            "Eino Virtanen",
            "Aino Mäkelä",
            "Noa Salmi",
            "Vera Koski",
            "Otso Lehto",
            "Elsa Niemi",
            "Leo Saari",
            "Kerttu Aalto",
            "Onni Harju");
    private static final String RULESET = """
        {"metrics": {"laps-swum": {"name": "Laps swum", "units": "laps"}, "dives": {"name": "Dives"}},
         "attributes": {"user": {"plan": {"name": "Plan", "analytics": true}, "city": {"name": "City"}}},
         "achievements": {
           "forty-laps": {"name": "Forty laps", "trigger": "metric", "metric": "laps-swum", "value": 40},
           "faithful": {"name": "A week without a dry day", "trigger": "streak", "streakLength": 7},
           "channel": {"name": "Across the channel", "trigger": "metric", "metric": "laps-swum", "value": 100000},
           "lifeguard": {"name": "Lifeguard", "trigger": "api"}},
         "points": {"gems": {"name": "Gems", "levels": {"minnow": {"name": "Minnow", "points": 50}},
           "triggers": {"ten-laps": {"type": "metric", "metric": "laps-swum", "threshold": 10, "points": 20}}}},
         "leaderboards": {
           "gem-club": {"name": "Gem club", "status": "active", "rankBy": "points", "pointsSystem": "gems", "start": "2024-01-01"},
           "city-laps": {"name": "Laps by city", "status": "active", "rankBy": "metric", "metric": "laps-swum",
             "start": "2024-01-01", "runUnit": "month", "runInterval": 1, "breakdownAttributes": ["city"]},
           "plan-laps": {"name": "Laps by plan", "status": "active", "rankBy": "metric", "metric": "laps-swum", "start": "2024-01-01",
             "teams": {"attribute": "plan", "score": "average", "minMembers": 2}}},
         "streak": {"freezesEnabled": true, "initialFreezes": 1, "maxFreezes": 3},
         "settings": {"controlRatio": 50}}
        """;

    @AutoClose
    private ConsoleBrowser browser;

    @AutoClose
    private LaurelInstance laurel;

    private boolean isFilled;

    @BeforeAll
    void start() throws InterruptedException {
        browser = ConsoleBrowser.start();
        laurel = LaurelInstance.start();
    }

    @Test
    @Order(1)
    void shouldSignInByKeyboardAndTeachAFreshInstance() {
        laurel.client().get("/admin/v1/analytics/top-users").expect(200);
        try (Visit visit = visit(View.DESKTOP)) {
            Page page = visit.page();
            page.navigate("/console/");
            assertThat(visit.heading("Sign in")).isVisible();
            System.out.println("console: files prepared for the first request and sent in ms "
                    + page.evaluate("performance.getEntriesByType('navigation')[0].responseStart"));
            assertThat(page).hasTitle("Sign in · Laurel");
            visit.expectAccessible("sign-in");
            visit.screenshot("sign-in");

            page.keyboard().press("Tab");
            page.keyboard().type("wrong.key");
            page.keyboard().press("Enter");
            assertThat(page.getByRole(AriaRole.ALERT)).hasText("This key is not valid.");
            assertThat(visit.field("Admin key")).isFocused();
            assertThat(visit.field("Admin key")).isEmpty();
            assertTrue(visit.takeProblems().stream().allMatch(problem -> problem.contains("401")));

            page.keyboard().type(laurel.adminKey());
            page.keyboard().press("Enter");
            assertThat(visit.heading("Make it live")).isVisible();
            assertThat(page.locator("api-call pre")).hasCount(4);
            assertThat(page.locator("api-call pre").nth(1)).containsText(laurel.url() + "/v1/metrics/laps-swum/event");
            assertFalse(page.content().contains(laurel.adminKey()));
            assertFalse(String.valueOf(page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])"))
                    .contains(laurel.adminKey()));
            visit.expectAccessible("fresh instance");
            visit.screenshot("fresh");

            fill();
            // Without a reload: the page follows what happens.
            assertThat(page.locator(".figures")).containsText("Active today");
            assertThat(visit.heading("Make it live")).isHidden();
        }
    }

    @Test
    @Order(2)
    void shouldShowTheOverviewInBothSchemesAndOnAPhone() throws IOException {
        for (View view : List.of(View.DESKTOP, View.DARK, View.PHONE)) {
            try (Visit visit = signedIn(view, "admin", "#/overview")) {
                Page page = visit.page();
                page.navigate("about:blank"); // The next load does not show the sign-in page.
                page.navigate("/console/#/overview");
                assertThat(page.locator(".plot canvas")).hasCount(6);
                assertThat(page.locator(".figures div").first()).containsText(String.valueOf(USERS));
                double viewMs = ((Number) page.evaluate("""
                    Math.max(...performance.getEntriesByName('laurel-chart')
                      .map(entry => entry.startTime + entry.duration))\
                    """)).doubleValue();
                assertThat(visit.heading("Impact of the rules")).isVisible();
                assertThat(visit.region("Top users").locator("tbody tr")).hasCount(10);
                assertThat(visit.region("Right now")).containsText("Live");
                Object shift = page.evaluate("""
                    () => new Promise(resolve => {
                      let sum = 0;
                      new PerformanceObserver(list => list.getEntries().forEach(entry => sum += entry.value))
                        .observe({type: 'layout-shift', buffered: true});
                      setTimeout(() => resolve(sum), 200);
                    })\
                    """);
                System.out.printf(
                        "console %s: first view with all charts %.0f ms, layout shift %s%n", view, viewMs, shift);
                assertTrue(viewMs < MAX_VIEW_MS, () -> viewMs + " ms");
                assertTrue(((Number) shift).doubleValue() < 0.1, () -> "layout shift " + shift);
                assertEquals(
                        true, page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "scrolls sideways");
                visit.expectAccessible("overview " + view);
                byte[] image = visit.screenshot("overview-" + view.width() + "-" + view.scheme());
                if (view == View.DESKTOP && Boolean.getBoolean("laurel.regenerate")) {
                    assertTrue(image.length < MAX_IMAGE_BYTES, () -> image.length + " bytes");
                    Files.createDirectories(README_IMAGE.getParent());
                    Files.write(README_IMAGE, image);
                }
            }
        }
    }

    @Test
    @Order(3)
    void shouldDivideChartsAndShowThemAsTableAndCsv() throws IOException {
        try (Visit visit = signedIn(View.DESKTOP, "viewer", "#/overview")) {
            Page page = visit.page();
            visit.field("Users").selectOption("Control group");
            assertThat(page).hasURL(Pattern.compile(".*segment=control.*"));
            Locator chart = page.locator("report-chart").filter(new Locator.FilterOptions().setHasText("Stickiness"));
            chart.getByText("Table").click();
            assertThat(chart.getByRole(AriaRole.COLUMNHEADER))
                    .hasText(new String[] {"Period", "Others", "Control group"});
            assertThat(chart.locator("tbody tr")).hasCount(30);
            Download download =
                    page.waitForDownload(() -> chart.getByText("CSV").click());
            List<String> csv = Files.readAllLines(download.path());
            assertEquals("stickiness.csv", download.suggestedFilename());
            assertEquals("period,control,dau,wau,mau,stickiness,newUsers,totalUsers", csv.getFirst());
            assertEquals(61, csv.size());

            visit.field("Time").selectOption("Last 365 days");
            assertThat(chart.locator("tbody tr")).hasCount(365);
            Object charts = page.evaluate(
                    "performance.getEntriesByName('laurel-chart').slice(-6).map(entry => Math.round(entry.duration))");
            System.out.println("console: charts of a year drawn in ms " + charts);
            for (Object ms : (List<?>) charts) {
                assertTrue(((Number) ms).doubleValue() < MAX_CHART_MS, charts::toString);
            }
            visit.expectAccessible("overview by segment");

            visit.field("Time").selectOption("From … to …");
            visit.field("From").fill(LocalDate.now(ZoneOffset.UTC).minusDays(4).toString());
            visit.field("To").fill(LocalDate.now(ZoneOffset.UTC).minusDays(2).toString());
            assertThat(chart.locator("tbody tr")).hasCount(3);
            assertThat(page.locator(".figures")).containsText("Active on the last day");
            visit.field("Colours").selectOption("Dark");
            assertEquals("dark", page.evaluate("getComputedStyle(document.documentElement).colorScheme"));
            visit.expectAccessible("overview by segment, dark");
            visit.screenshot("overview-year");
        }
    }

    @Test
    @Order(4)
    void shouldShowWhatHappensNow() {
        try (Visit visit = signedIn(View.DESKTOP, "viewer", "#/overview")) {
            Page page = visit.page();
            assertThat(visit.region("Right now")).containsText("Live");
            laurel.client().record("right-now", "laps-swum", "3");
            assertThat(visit.region("Right now")).containsText("right-now is new");
            visit.region("Right now").getByText("right-now").first().click();
            assertThat(visit.heading("right-now")).isFocused();
            assertThat(visit.region("Timeline")).containsText("Created");
            assertThat(visit.region("Streak")).containsText("1 day since");
            assertThat(page.locator(".cards button")).hasCount(0); // a viewer only reads
        }
    }

    @Test
    @Order(5)
    void shouldFindAUserAndHelp() throws IOException {
        try (Visit visit = signedIn(View.DARK, "support", "#/users")) {
            Page page = visit.page();
            assertThat(page.locator("tbody tr")).hasCount(50);
            visit.expectAccessible("users");
            visit.screenshot("users");
            List<String> firstPage = page.locator("tbody th").allInnerTexts();
            page.getByText("Next page").click();
            assertThat(page).hasURL(Pattern.compile(".*cursor=.*"));
            assertThat(page.locator("tbody th").first()).not().hasText(firstPage.getFirst());
            assertThat(page.locator("tbody tr")).hasCount(50);
            assertTrue(Collections.disjoint(firstPage, page.locator("tbody th").allInnerTexts()));

            visit.field("Id, name or email").fill("script-name");
            assertThat(page.locator("tbody tr")).hasCount(1);
            assertThat(page.locator("tbody tr")).containsText(SCRIPT_NAME);
            page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("script-name"))
                    .click();
            assertThat(visit.heading(SCRIPT_NAME)).isVisible();
            assertThat(visit.region("Streak").locator(".calendar li.met").first())
                    .isVisible();
            assertThat(visit.region("Points")).containsText("Every 10 of Laps swum");
            assertThat(visit.region("Ranks")).containsText("Gem club");
            assertThat(visit.region("Achievements")).containsText("Forty laps");
            assertThat(visit.region("Achievements")).containsText(Pattern.compile("[\\d,]+ of 100,000"));
            assertThat(visit.region("Profile")).containsText("Oulu");
            assertThat(visit.region("Messages")).containsText("None in the last 7 days.");
            assertThat(visit.region("Timeline")).containsText("Streak of " + (DAYS + 1));
            visit.expectAccessible("user");
            visit.screenshot("user");

            visit.field("Freezes").selectOption("2");
            page.getByText("Grant", new Page.GetByTextOptions().setExact(true)).click();
            assertThat(page.getByText("2 freezes granted.")).isVisible();
            assertThat(visit.region("Streak")).containsText("3 of 3 freezes");
            assertThat(visit.button("Grant")).hasCount(0); // more would be refused
            page.getByText("Restore streak").click();
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("No streak to restore");

            pauseAndComplete(visit);
            boostAnEvent(visit);
            changePreferences(visit);
            makeAKeyAndExport(visit);
            visit.screenshot("user-account");
            page.setViewportSize(View.PHONE.width(), View.PHONE.height());
            assertEquals(true, page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "scrolls sideways");
            visit.field("Colours").selectOption("Light");
            visit.expectAccessible("user on a phone, after all actions");

            visit.button("Erase user…").click();
            Locator dialog = dialog(visit);
            Locator erase = dialog.getByText("Erase user", new Locator.GetByTextOptions().setExact(true));
            assertThat(erase).isDisabled();
            visit.expectAccessible("dialog");
            page.keyboard().press("Escape");
            assertThat(dialog).isHidden();
            visit.button("Erase user…").click();
            dialog.getByLabel("Type script-name to confirm").fill("script-name");
            erase.click();
            assertThat(visit.heading("script-name is erased")).isFocused();
        }
        laurel.client().get("/v1/users/script-name").expect(404);
    }

    private void pauseAndComplete(Visit visit) {
        String first = LocalDate.now(ZoneOffset.UTC).plusDays(2).toString();
        String last = LocalDate.now(ZoneOffset.UTC).plusDays(4).toString();
        visit.button("Pause…").click();
        dialog(visit).getByLabel("First day").fill(first);
        dialog(visit).getByLabel("Last day").fill(last);
        visit.expectAccessible("dialog of a pause");
        visit.page().keyboard().press("Enter");
        assertThat(visit.region("Streak")).containsText("A pause from " + first + " to " + last + " is planned.");
        String pauses = "/admin/v1/streaks/pauses?userIds=script-name";
        assertEquals(first, laurel.client().get(pauses).string("/0/start"));
        visit.button("Delete… " + first + " to " + last).click();
        answer(visit, "Delete");
        assertThat(visit.region("Streak")).containsText("The pause is deleted.");
        assertEquals("archived", laurel.client().get(pauses).string("/0/status"));

        visit.button("Complete… Lifeguard").click();
        answer(visit, "Complete");
        assertThat(visit.region("Achievements")).containsText("Lifeguard is completed.");
        assertTrue(
                laurel.client().get("/v1/users/script-name/achievements").text().contains("\"lifeguard\""));
    }

    private void boostAnEvent(Visit visit) {
        visit.button("Give a boost…").click();
        dialog(visit).getByLabel("Name").fill("Sorry");
        dialog(visit).getByLabel("Multiplier").fill("2.5");
        answer(visit, "Give");
        assertThat(visit.region("Points")).containsText("The boost Sorry is given.");

        String metric = "/v1/users/script-name/metrics/laps-swum";
        int before = laurel.client().get(metric).number("/current").intValueExact();
        visit.button("Send a test event…").click();
        dialog(visit).getByLabel("Metric").selectOption("Laps swum");
        dialog(visit).getByLabel("Value").fill("10");
        answer(visit, "Send");
        assertThat(visit.region("Metrics")).containsText(Pattern.compile("The total of Laps swum was .* now\\."));
        assertEquals(before + 10, laurel.client().get(metric).number("/current").intValueExact());
        assertThat(visit.region("Points")).containsText("boosted: Sorry ×2.5");

        String boosts =
                "/admin/v1/points/" + laurel.client().get("/admin/v1/points").string("/0/id") + "/boosts";
        assertEquals("script-name", laurel.client().get(boosts).string("/0/userId"));
        visit.button("Revoke… Sorry").click();
        answer(visit, "Revoke");
        assertThat(visit.region("Points")).containsText("The boost Sorry is revoked.");
        assertEquals(0, laurel.client().get(boosts).json().size());
    }

    private void changePreferences(Visit visit) {
        visit.button("Change preferences…").click();
        dialog(visit)
                .getByRole(AriaRole.GROUP, new Locator.GetByRoleOptions().setName("Recap"))
                .getByLabel("Email")
                .uncheck();
        dialog(visit).getByLabel("On leaderboards").selectOption("hidden");
        visit.expectAccessible("dialog of preferences");
        answer(visit, "Save");
        assertThat(visit.region("Profile")).containsText("The preferences are saved.");
        assertThat(visit.region("Profile")).containsText("Not ranked");
        Awaitility.await()
                .untilAsserted(() -> assertFalse(laurel.client()
                        .get("/v1/leaderboards/gem-club?limit=1000")
                        .text()
                        .contains("script-name")));
        visit.page().reload();
        assertThat(visit.region("Ranks")).containsText(Pattern.compile("Gem clubabout [\\d,]+"));
        assertEquals(
                "{\"recap\":[\"push\"]}",
                laurel.client()
                        .get("/v1/users/script-name/preferences")
                        .at("/notifications")
                        .toString());
    }

    private void makeAKeyAndExport(Visit visit) throws IOException {
        visit.button("Make a key…").click();
        answer(visit, "Create");
        Locator key = visit.region("Key of script-name").locator("pre");
        assertThat(key).hasText(Pattern.compile("app_.*"));
        LaurelClient app = laurel.client().withKey(key.innerText());
        app.get("/v1/users/script-name").expect(200);
        app.patch("/v1/users/script-name", "{}").expect(403); // it only reads
        assertThat(visit.link("Revoke keys in the settings"))
                .hasAttribute("href", Pattern.compile(".*user=script-name"));

        Download download =
                visit.page().waitForDownload(() -> visit.button("Export").click());
        assertEquals("user-script-name.json", download.suggestedFilename());
        assertEquals(
                "script-name",
                JsonResponse.parse(Files.readString(download.path()))
                        .at("/user/id")
                        .stringValue());
    }

    private static Locator dialog(Visit visit) {
        return visit.page().getByRole(AriaRole.DIALOG);
    }

    /** Presses a button of the open dialog. */
    private static void answer(Visit visit, String button) {
        dialog(visit)
                .getByRole(
                        AriaRole.BUTTON,
                        new Locator.GetByRoleOptions().setName(button).setExact(true))
                .click();
    }

    @Test
    @Order(6)
    void shouldShowAchievementsAndLeaderboards() {
        try (Visit visit = signedIn(View.DESKTOP, "viewer", "#/achievements")) {
            Page page = visit.page();
            assertThat(page.locator("tbody tr")).hasCount(4);
            visit.expectAccessible("achievements");
            page.getByText("Forty laps").click();
            assertThat(visit.heading("Forty laps")).isVisible();
            assertThat(page.locator(".plot canvas")).isVisible();
            visit.expectAccessible("achievement");
            visit.screenshot("achievement");

            page.getByText("Leaderboards").click();
            assertThat(page.locator("tbody tr")).hasCount(3);
            visit.expectAccessible("leaderboards");
            page.getByText("Gem club").click();
            assertThat(visit.region("Ranking").locator("tbody tr")).hasCount(50);
            assertThat(page.locator(".plot canvas")).isVisible();
            visit.expectAccessible("leaderboard");
            visit.screenshot("leaderboard");
            page.goBack();
            page.getByText("Laps by city").click();
            visit.field("City").fill("Turku");
            page.getByText("Show", new Page.GetByTextOptions().setExact(true)).click();
            assertThat(visit.region("Ranking").locator("tbody tr").first()).isVisible();
            // Events of a former run may have come when it was final.
            visit.field("A day of the run").fill(LocalDate.now(ZoneOffset.UTC).toString());
            page.getByText("Show", new Page.GetByTextOptions().setExact(true)).click();
            assertThat(page).hasURL(Pattern.compile(".*run=20.*"));
            assertThat(visit.field("City")).hasValue("Turku");
            assertThat(visit.region("Ranking").locator("tbody tr").first()).isVisible();
        }
    }

    @Test
    @Order(6)
    void shouldShowTeamsAndTheirMembers() {
        try (Visit visit = signedIn(View.PHONE, "viewer", "#/leaderboards")) {
            Page page = visit.page();
            laurel.client()
                    .patch("/v1/users/swimmer-3/preferences", "{\"leaderboards\": {\"visibility\": \"anonymous\"}}")
                    .expect(200);
            Awaitility.await()
                    .untilAsserted(() -> assertTrue(laurel.client()
                            .get("/v1/leaderboards/plan-laps?team=pro&limit=50")
                            .text()
                            .contains("\"anonymous-")));
            assertThat(page.locator("tbody tr").filter(new Locator.FilterOptions().setHasText("Laps by plan")))
                    .containsText("Total of a metric, of teams");
            page.getByText("Laps by plan").click();
            Locator ranked = visit.region("Ranking").locator("tbody tr");
            assertThat(ranked).hasCount(2);
            assertThat(visit.region("Ranking").locator("thead")).containsText("Members");
            assertThat(visit.region("Settings")).containsText("Score of a team: Average");
            assertThat(visit.region("Settings")).containsText("Fewest members to be ranked: 2");
            assertEquals(true, page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "scrolls sideways");
            visit.expectAccessible("leaderboard of teams");
            visit.screenshot("leaderboard-teams");
            visit.link("pro").click();
            assertThat(visit.field("Team")).hasValue("pro");
            assertThat(ranked.getByText("Anonymous")).hasCount(1);
            assertThat(visit.region("Ranking")).not().containsText("anonymous-");
            visit.link("All teams").click();
            assertThat(ranked).hasCount(2);
        }
    }

    @Test
    @Order(8)
    void shouldSignInOnceWithALink() {
        String link = laurel.newSignInUrl();
        try (Visit visit = visit(View.DESKTOP)) {
            visit.page().navigate(link);
            assertThat(visit.heading("Overview")).isVisible();
            assertThat(visit.page()).hasURL(Pattern.compile(".*#/overview"));
        }
        try (Visit visit = visit(View.DESKTOP)) {
            visit.page().navigate(link);
            assertThat(visit.page().getByRole(AriaRole.ALERT)).containsText("This link has been used");
            assertTrue(visit.takeProblems().stream().allMatch(problem -> problem.contains("401")));
        }
    }

    /** The last one: afterwards, other requests have to name a tenant. */
    @Test
    @Order(9)
    void shouldShowOneTenantAtATime() {
        try (Visit visit = signedIn(View.DESKTOP, "admin", "#/settings/tenants")) {
            Page page = visit.page();
            nameTenant(visit, "Zürich", "Pool");
            visit.button("Switch on…").click();
            page.getByRole(AriaRole.DIALOG)
                    .getByText("Switch on", new Locator.GetByTextOptions().setExact(true))
                    .click();
            assertThat(visit.field("Tenant")).hasValue("Zürich");
            for (String[] tenant : new String[][] {{"東京", "Acme"}, {"former", "Former"}}) {
                nameTenant(visit, tenant[0], tenant[1]);
                visit.button("Create").click();
                assertThat(page.getByText(tenant[1] + " is created.")).isVisible();
            }
            visit.button("Archive… Former").click();
            page.getByRole(AriaRole.DIALOG)
                    .getByText("Archive", new Locator.GetByTextOptions().setExact(true))
                    .click();
            assertThat(visit.region("Tenants").locator("tbody")).containsText("Archived");
            visit.expectAccessible("settings of tenants");

            page.navigate("/console/#/overview");
            page.reload();
            visit.field("Tenant").selectOption("Pool");
            assertThat(visit.region("Top users").locator("tbody tr")).hasCount(10);
            visit.field("Tenant").selectOption("Acme");
            assertThat(visit.heading("Make it live")).isVisible();
            assertThat(page.locator("api-call pre").first()).containsText("Tenant-ID: UTF-8''%E6%9D%B1%E4%BA%AC\"");
            visit.expectAccessible("tenants");
            page.reload();
            assertThat(visit.field("Tenant")).hasValue("東京");
        }
    }

    private static void nameTenant(Visit visit, String customerId, String name) {
        visit.field("Customer id").fill(customerId);
        visit.field("Name").fill(name);
    }

    @Test
    @Order(7)
    void shouldSignOut() {
        try (Visit visit = signedIn(View.PHONE, "admin", "#/overview")) {
            visit.page().getByText("Sign out").click();
            assertThat(visit.heading("Sign in")).isVisible();
            visit.page().reload();
            assertThat(visit.heading("Sign in")).isVisible();
        }
    }

    private Visit signedIn(View view, String role, String fragment) {
        fill();
        return browser.signedIn(laurel, view, role, fragment);
    }

    private Visit visit(View view) {
        return browser.visit(laurel.url(), view);
    }

    /** Users come over the time, and come back the less the longer they are there. */
    private void fill() {
        if (isFilled) {
            return;
        }
        isFilled = true;
        LaurelClient client = laurel.client();
        client.put("/admin/v1/ruleset", RULESET).expect(200);
        var random = new Random(SEED);
        Instant now = Instant.now();
        Instant today = now.truncatedTo(ChronoUnit.DAYS);
        var events = new ArrayList<Map.Entry<Instant, String>>();
        for (int i = 0; i < USERS; i++) {
            boolean isScript = i == USERS - 1;
            String id = isScript ? "script-name" : "swimmer-" + i;
            String name = isScript ? SCRIPT_NAME : NAMES.get(i % NAMES.size());
            int first = isScript ? 0 : (int) (DAYS * Math.sqrt((double) i / USERS));
            for (int day = first; day <= DAYS; day++) {
                double chance = day == first ? 1 : Math.max(0.12, 0.7 - 0.02 * (day - first)) * (day % 7 < 2 ? 0.6 : 1);
                if (isScript || random.nextDouble() < chance) {
                    Instant midnight = today.minus(Duration.ofDays(DAYS - day));
                    Duration time = day == DAYS ? Duration.between(today, now) : Duration.ofDays(1);
                    Instant at = midnight.plusMillis((long) (random.nextDouble() * time.toMillis()));
                    events.add(Map.entry(at, """
                        {"key": "%s", "value": %d, "time": "%s", "user": {"id": "%s", "name": "%s", "attributes":
                         {"plan": "%s", "city": "%s"}}}\
                        """.formatted(
                                    random.nextInt(5) == 0 ? "dives" : "laps-swum",
                                    1 + random.nextInt(30),
                                    at,
                                    id,
                                    name,
                                    i % 3 == 0 ? "pro" : "free",
                                    i % 2 == 0 ? "Turku" : "Oulu")));
                }
            }
        }
        events.sort(Map.Entry.comparingByKey());
        for (int i = 0; i < events.size(); i += BATCH) {
            client.post(
                            "/admin/v1/metrics/events",
                            events.subList(i, Math.min(i + BATCH, events.size())).stream()
                                    .map(Map.Entry::getValue)
                                    .toList()
                                    .toString())
                    .expect(202);
        }
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> assertEquals(
                        events.size(),
                        client.get("/admin/v1/analytics/events?granularity=month&from="
                                        + now.minus(Duration.ofDays(DAYS + 5))
                                                .toString()
                                                .substring(0, 10))
                                .json()
                                .at("/series/0/events")
                                .valueStream()
                                .mapToInt(count -> count.intValue())
                                .sum()));
        client.get("/admin/v1/analytics/top-users").expect(200);
    }
}
