package dev.laurel.deploy.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.FrameLocator;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FilePayload;
import com.sun.net.httpserver.HttpServer;
import dev.laurel.deploy.e2e.ConsoleBrowser.View;
import dev.laurel.deploy.e2e.ConsoleBrowser.Visit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Uses the pages of rules, settings, webhooks and messages in a real browser. Skipped where there is no Chromium. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ConsoleRulesIT {

    private static final String SCRIPT_NAME = "<img src=x onerror=alert(1)><script>alert(2)</script>";
    private static final String RULESET = """
        {"metrics": {"laps-swum": {"name": "%s", "units": "laps"}},
         "attributes": {"user": {"plan": {"name": "Plan"}}},
         "achievements": {"forty-laps": {"name": "Forty laps", "trigger": "metric", "metric": "laps-swum", "value": 40}},
         "streak": {"frequency": "daily"}}
        """.formatted(SCRIPT_NAME);
    private static final String SCRIPT_BODY = "<p style=\\\"color: rgb(10, 20, 30)\\\">You swam.</p>"
            + "<script>parent.document.title = 'ran'</script><img src=x onerror=\\\"parent.document.title = 'ran'\\\">";

    @AutoClose
    private ConsoleBrowser browser;

    @AutoClose
    private LaurelInstance laurel;

    @BeforeAll
    void start() throws InterruptedException {
        browser = ConsoleBrowser.start();
        laurel = LaurelInstance.start();
        laurel.client().put("/admin/v1/ruleset", RULESET).expect(200);
        for (String report : List.of("top-users", "webhooks", "messages")) {
            laurel.client().get("/admin/v1/analytics/" + report).expect(200);
        }
    }

    @Test
    void shouldEditApplyCompareAndRollBackRules() throws IOException {
        try (Visit visit = browser.signedIn(laurel, View.DESKTOP, "admin", "#/rules")) {
            Page page = visit.page();
            Locator text = page.getByRole(
                    AriaRole.TEXTBOX,
                    new Page.GetByRoleOptions().setName("Ruleset").setExact(true));
            assertThat(text).containsText("forty-laps");
            assertThat(text).containsText(SCRIPT_NAME);
            visit.expectAccessible("rules");
            visit.screenshot("rules");
            long version = version();

            ConsoleBrowser.replaceInEditor(page, "trigger: metric", "trigger: metri");
            assertThat(page.getByText("1 problem: marked in the text.")).isVisible();
            assertThat(text.locator(".cm-lintRange-error").first()).containsText("trigger: metri");
            page.keyboard().press("End");
            page.keyboard().press("Control+Space");
            assertThat(page.locator(".cm-tooltip-autocomplete li")).hasCount(1);
            visit.screenshot("rules-completion");
            visit.expectAccessible("rules with a problem");
            page.keyboard().press("Enter");
            assertThat(page.getByText("This text is in force.")).isVisible();

            // What only the API knows to be wrong is marked, too.
            ConsoleBrowser.replaceInEditor(page, "metric: laps-swum", "metric: laps-swam");
            assertThat(text.locator(".cm-lintRange-error").first()).containsText("metric: laps-swam");
            assertThat(page.getByText("Go to the next problem")).isVisible();
            text.locator(".cm-lintRange-error").first().hover();
            assertThat(page.locator(".cm-diagnostic")).containsText("unknown metric 'laps-swam'");
            expectRefusals(visit, "422");
            ConsoleBrowser.replaceInEditor(page, "metric: laps-swam", "metric: laps-swum");

            ConsoleBrowser.replaceInEditor(page, "value: 40", "value: 50");
            assertThat(visit.region("What applying changes")).containsText("/achievements/forty-laps/value");
            laurel.client()
                    .patch("/admin/v1/streaks/settings", "{\"maxFreezes\": 5}")
                    .expect(200);
            visit.button("Apply…").click();
            dialog(page)
                    .getByText("Apply", new Locator.GetByTextOptions().setExact(true))
                    .click();
            Locator conflict = visit.region("Another version is in force");
            assertThat(conflict).containsText("Version " + (version + 1) + " was applied by");
            assertThat(conflict).containsText("/streak/maxFreezes");
            expectRefusals(visit, "422");
            visit.expectAccessible("conflict");
            visit.screenshot("rules-conflict");
            conflict.getByText("Keep my text, and compare it").click();
            assertThat(visit.region("What applying changes")).containsText("/streak/maxFreezes");
            visit.button("Apply…").click();
            visit.expectAccessible("apply");
            dialog(page)
                    .getByText("Apply", new Locator.GetByTextOptions().setExact(true))
                    .click();
            assertThat(page.getByText("Version " + (version + 2) + " is in force.")
                            .first())
                    .isVisible();
            assertEquals(
                    50,
                    laurel.client()
                            .get("/admin/v1/ruleset")
                            .json()
                            .at("/achievements/forty-laps/value")
                            .intValue());

            // Before the list of versions has the new one, a choice in it would be for another version a moment later.
            assertThat(visit.region("Versions").locator("tbody tr").first())
                    .containsText(Pattern.compile(version + 2 + "\\s+In force"));
            visit.field("From version").selectOption(String.valueOf(version));
            visit.field("To version").selectOption(String.valueOf(version + 2));
            visit.button("Compare").click();
            assertThat(visit.region("From version " + version + " to " + (version + 2)))
                    .containsText("50");
            visit.expectAccessible("comparison");
            page.getByRole(
                            AriaRole.BUTTON,
                            new Page.GetByRoleOptions()
                                    .setName("Roll back… " + version)
                                    .setExact(true))
                    .click();
            dialog(page)
                    .getByText("Roll back", new Locator.GetByTextOptions().setExact(true))
                    .click();
            assertThat(page.getByText("with the content of version " + version)).isVisible();
            assertThat(text).containsText("value: 40");

            Download download =
                    page.waitForDownload(() -> visit.button("Download").click());
            String saved = Files.readString(download.path());
            assertTrue(saved.contains("value: 40"), saved);
            page.locator("input[type=file]")
                    .setInputFiles(new FilePayload(
                            "other.yaml",
                            "application/yaml",
                            saved.replace("value: 40", "value: 45").getBytes(UTF_8)));
            assertThat(page.getByText("The editor has the content of other.yaml."))
                    .isVisible();
            assertThat(visit.region("What applying changes")).containsText("45");
            visit.button("Discard changes").click();
            dialog(page)
                    .getByText("Discard changes", new Locator.GetByTextOptions().setExact(true))
                    .click();
            assertThat(page.getByText("This text is in force.")).isVisible();

            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
            visit.expectAccessible("dark rules");
            visit.screenshot("rules-dark");
            page.setViewportSize(View.PHONE.width(), View.PHONE.height());
            assertEquals(true, page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
            visit.screenshot("rules-phone");
        }
    }

    @Test
    void shouldMakeKeysAndChangeSettings() throws IOException {
        try (Visit visit = browser.signedIn(laurel, View.DESKTOP, "admin", "#/settings")) {
            Page page = visit.page();
            visit.field("Control group, %").fill("20");
            visit.field("Time zone of messages").fill("Europe/Helsinki");
            visit.expectAccessible("settings");
            visit.screenshot("settings");
            visit.button("Save").click();
            assertThat(page.getByText("Saved.")).isVisible();
            assertEquals(
                    20,
                    laurel.client()
                            .get("/admin/v1/settings")
                            .json()
                            .at("/controlRatio")
                            .intValue());
            visit.field("Time zone of messages").fill("Europe/Atlantis");
            visit.button("Save").click();
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("messageTimeZone");
            assertThat(visit.field("Time zone of messages")).isFocused();
            expectRefusals(visit, "422");

            visit.link("Branding").click();
            visit.field("Colour").fill("#224466");
            visit.button("Save").click();
            assertThat(page.getByText("Saved.")).isVisible();

            visit.link("Admin keys").click();
            visit.field("Name").fill(SCRIPT_NAME);
            visit.field("Role").selectOption("Support");
            visit.button("Create").click();
            String key = page.locator("api-call pre").innerText();
            laurel.client().withKey(key).get("/admin/v1/metrics").expect(200);
            assertThat(page.locator("tbody")).containsText(SCRIPT_NAME);
            visit.expectAccessible("keys");
            visit.screenshot("settings-keys");
            page.reload();
            assertThat(page.locator("tbody")).containsText(SCRIPT_NAME);
            assertFalse(page.content().contains(key), "shown once");
            visit.button("Rotate… " + SCRIPT_NAME).click();
            dialog(page)
                    .getByText("Rotate", new Locator.GetByTextOptions().setExact(true))
                    .click();
            String rotated = page.locator("api-call pre").innerText();
            laurel.client().withKey(key).get("/admin/v1/metrics").expect(401);
            laurel.client().withKey(rotated).get("/admin/v1/metrics").expect(200);
            visit.button("Revoke… " + SCRIPT_NAME).click();
            dialog(page)
                    .getByText("Revoke", new Locator.GetByTextOptions().setExact(true))
                    .click();
            assertThat(page.locator("tbody")).containsText("Revoked");
            laurel.client().withKey(rotated).get("/admin/v1/metrics").expect(401);

            visit.link("Application keys").click();
            page.locator("#new-userId").fill("swimmer-1");
            visit.button("Create").click();
            assertThat(page.locator("api-call pre")).containsText("app_");
            assertThat(page.locator("tbody")).containsText("Viewer");
            assertThat(page.locator("tbody")).containsText("Never");
            laurel.client()
                    .withKey(page.locator("api-call pre").innerText())
                    .post("/v1/metrics/laps-swum/event", "{\"user\":{\"id\":\"swimmer-1\"},\"value\":1}")
                    .expect(403);
            page.locator("#new-userId").fill("swimmer-2");
            visit.field("Role").selectOption("Support");
            visit.field("Ends (empty: never)")
                    .fill(LocalDateTime.now()
                            .plusDays(30)
                            .truncatedTo(ChronoUnit.MINUTES)
                            .toString());
            visit.button("Create").click();
            assertThat(page.locator("tbody tr")).hasCount(2);
            JsonNode made = laurel.client()
                    .get("/admin/v1/application-api-keys?userId=swimmer-2")
                    .expect(200)
                    .json();
            assertEquals("support", made.at("/0/role").asString());
            assertTrue(made.at("/0").has("expires"), made::toString);
            visit.screenshot("settings-application-keys");
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
            visit.screenshot("settings-application-keys-dark");
            page.setViewportSize(View.PHONE.width(), View.PHONE.height());
            assertEquals(true, page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
            visit.screenshot("settings-application-keys-phone");
            page.setViewportSize(View.DESKTOP.width(), View.DESKTOP.height());
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
            visit.expectAccessible("application keys");
            visit.link("Tenants").click();
            assertThat(visit.button("Switch on…")).isVisible();
            visit.link("Sign-in").click();
            assertThat(visit.region("This session")).containsText("Admin");

            visit.link("Audit log").click();
            assertThat(visit.region("Audit log")).containsText("updateSettings");
            visit.field("Operation").fill("createAdminKeys");
            visit.button("Show").click();
            assertThat(page).hasURL(Pattern.compile(".*operation=createAdminKeys.*"));
            assertThat(visit.region("Audit log")).not().containsText("updateSettings");
            visit.expectAccessible("audit log");
            visit.screenshot("settings-audit");
            Download csv = page.waitForDownload(() -> visit.button("CSV").click());
            List<String> lines = Files.readAllLines(csv.path());
            assertTrue(lines.size() >= 2, lines::toString);
            assertTrue(lines.stream().skip(1).allMatch(line -> line.contains("createAdminKeys")), lines::toString);
        }
    }

    @Test
    void shouldFollowDeliveriesOfAWebhook() throws IOException {
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(410, -1);
            exchange.close();
        });
        receiver.start();
        try (Visit visit = browser.signedIn(laurel, View.DESKTOP, "admin", "#/webhooks")) {
            Page page = visit.page();
            visit.button("Add a webhook…").click();
            dialog(page)
                    .getByLabel("Name", new Locator.GetByLabelOptions().setExact(true))
                    .fill("CRM");
            dialog(page)
                    .getByLabel("Address", new Locator.GetByLabelOptions().setExact(true))
                    .fill("http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook");
            dialog(page)
                    .getByLabel("streak.lost", new Locator.GetByLabelOptions().setExact(true))
                    .check();
            visit.expectAccessible("new webhook");
            visit.screenshot("webhook-new");
            dialog(page)
                    .getByText("Save", new Locator.GetByTextOptions().setExact(true))
                    .click();
            assertThat(visit.heading("CRM")).isVisible();
            Locator secret = visit.region("Secret").locator("pre");
            String first = secret.innerText();
            visit.button("Rotate secret…").click();
            dialog(page)
                    .getByText("Rotate secret", new Locator.GetByTextOptions().setExact(true))
                    .click();
            assertThat(secret).not().hasText(first);

            visit.button("Test…").click();
            dialog(page)
                    .getByText("Send", new Locator.GetByTextOptions().setExact(true))
                    .click();
            assertThat(page.getByText("An example is on its way.")).isVisible();
            Locator delivery = page.locator(".deliveries li").first();
            awaitReloaded(visit, delivery, "Answered 410");
            delivery.locator("summary").click();
            assertThat(delivery).containsText("\"type\": \"streak.lost\"");
            assertThat(visit.region("Failures by reason")).containsText("Answered 410");
            visit.expectAccessible("webhook");
            visit.screenshot("webhook");
            delivery.getByText("Retry").click();
            assertThat(page.getByText("1 delivery is attempted again.")).isVisible();
        } finally {
            receiver.stop(0);
        }
    }

    /** The visit would fail if a page asked for something that the API refuses a viewer. */
    @Test
    void shouldShowAViewerEveryPageWithoutARefusal() {
        try (Visit visit = browser.signedIn(laurel, View.DESKTOP, "viewer", "#/rules")) {
            Page page = visit.page();
            for (Locator link : page.locator("nav .menu a").all()) {
                link.click();
                assertThat(page.locator("main h1")).hasText(link.innerText());
                assertThat(page.locator("main p.waiting")).hasCount(0);
                assertThat(page.locator("main .main, main .danger")).hasCount(0);
            }
        }
    }

    @Test
    void shouldShowAMessageWithoutRunningItsScripts() {
        String id = laurel.client()
                .post("/admin/v1/notifications/templates", """
                    [{"name": "%s", "type": "streak_reminder", "channel": "email", "subject": "Swim, {{user.name}}", "body": "%s"}]\
                    """.formatted(SCRIPT_NAME, SCRIPT_BODY))
                .expect(201)
                .string("/created/0/id");
        try (Visit visit = browser.signedIn(laurel, View.DARK, "admin", "#/messages")) {
            Page page = visit.page();
            assertThat(page.locator("tbody")).containsText(SCRIPT_NAME);
            visit.expectAccessible("messages");
            visit.screenshot("messages");
            page.navigate("/console/#/messages/" + id);
            FrameLocator mail = page.frameLocator("iframe");
            assertThat(mail.getByText("You swam.")).hasCSS("color", "rgb(10, 20, 30)");
            assertThat(mail.locator("script")).hasCount(0);
            assertThat(page).hasTitle(Pattern.compile("Messages.*"));
            assertThat(page.locator("iframe")).hasAttribute("sandbox", "allow-same-origin");
            visit.expectAccessible("message");
            visit.screenshot("message");
            visit.field("Subject").fill("Dive, {{user.nmae}}");
            visit.button("Save").click();
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("nearest: user.name;");
            visit.field("Subject").fill("Dive, {{user.name}}");
            visit.button("Save").click();
            assertThat(page.getByText("Saved. The preview shows it.")).isVisible();
            assertThat(visit.region("Preview")).containsText("Dive,");
            visit.field("User id").fill("nobody");
            visit.button("Show").click();
            assertThat(page.getByRole(AriaRole.ALERT)).isVisible();
            expectRefusals(visit, "404");
        }
    }

    /** Loads the deliveries again until the newest has been answered. */
    private static void awaitReloaded(Visit visit, Locator delivery, String text) {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (delivery.filter(new Locator.FilterOptions().setHasText(text)).count() == 0) {
            assertTrue(System.nanoTime() < endNs, "no delivery was answered");
            visit.page()
                    .waitForResponse(
                            response -> response.url().contains("/deliveries"),
                            () -> visit.button("Load again").click());
        }
    }

    /** Browsers report each refusal as an error. */
    private static void expectRefusals(Visit visit, String status) {
        List<String> problems = visit.takeProblems();
        assertTrue(problems.stream().allMatch(problem -> problem.contains(status)), problems::toString);
    }

    private long version() {
        return Long.parseLong(laurel.client().get("/admin/v1/ruleset").header("X-Laurel-Ruleset-Version"));
    }

    private static Locator dialog(Page page) {
        return page.getByRole(AriaRole.DIALOG);
    }
}
