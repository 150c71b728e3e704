package dev.laurel.deploy.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import dev.laurel.deploy.e2e.ConsoleBrowser.View;
import dev.laurel.deploy.e2e.ConsoleBrowser.Visit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Tries a draft of rules over the admin API and in the console: eight swimmers, of whom each has ten laps more than the one before. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class ConsoleWhatIfIT {

    private static final String PATH = "/admin/v1/replays";
    private static final int USERS = 8;
    private static final int LAPS = USERS * (USERS + 1) / 2 * 10;
    private static final String RULESET = """
        {"metrics": {"laps-swum": {"name": "Laps swum", "units": "laps"}},
         "achievements": {
           "forty-laps": {"name": "Forty laps", "trigger": "metric", "metric": "laps-swum", "value": 40, "backdate": false}},
         "points": {"gems": {"name": "Gems",
           "triggers": {"ten-laps": {"type": "metric", "metric": "laps-swum", "threshold": 10, "points": 20}}}}}
        """;
    private static final String DRAFT =
            RULESET.replace("\"value\": 40", "\"value\": 30").replace("\"points\": 20", "\"points\": 30");

    @AutoClose
    private ConsoleBrowser browser;

    @AutoClose
    private LaurelInstance laurel;

    @BeforeAll
    void start() throws InterruptedException {
        laurel = LaurelInstance.start();
        laurel.client().put("/admin/v1/ruleset", RULESET).expect(200);
        for (int i = 1; i <= USERS; i++) {
            laurel.client()
                    .record("swimmer-" + i, "laps-swum", Integer.toString(10 * i))
                    .expect(201);
        }
    }

    @Test
    void shouldReportCancelAndOutliveTheProcess() throws Exception {
        assertTrue(laurel.client()
                .post(PATH, "{\"ruleset\": {\"metrics\": {\"bad key\": {}}}}")
                .expect(422)
                .text()
                .contains("/metrics/bad key"));
        String id = started("Thirty laps", DRAFT);
        String cancelled = started("Cancelled", RULESET);
        assertEquals("queued", state(cancelled));
        laurel.client().delete(PATH + "/" + cancelled).expect(200);
        await(id, "finished");

        expectFigures(id);
        assertEquals(
                laurel.client().get("/admin/v1/ruleset").header("X-Laurel-Ruleset-Version"),
                laurel.client().get(PATH + "/" + id).number("/baseVersion").toString());
        assertEquals(
                60,
                laurel.client()
                        .get("/v1/users/swimmer-3/points/gems")
                        .number("/total")
                        .intValue());

        String stopped = started("Stopped", RULESET);
        await(stopped, "running");
        JsonResponse answer = laurel.client().delete(PATH + "/" + stopped).expect(200);
        assertEquals("cancelled", answer.string("/state"));

        String interrupted = started("Interrupted", RULESET);
        await(interrupted, "running"); // once the stopped one has ended
        expectNothingLeft();
        long startedNs = System.nanoTime();
        laurel.restart();
        System.out.printf("what if: restart with a running replay in %.1f s%n", (System.nanoTime() - startedNs) / 1e9);

        JsonNode list = laurel.client().get(PATH).expect(200).json();
        assertEquals(
                List.of("Interrupted failed", "Stopped cancelled", "Cancelled cancelled", "Thirty laps finished"),
                list.valueStream()
                        .map(one -> one.get("name").asString() + " "
                                + one.get("state").asString())
                        .toList());
        assertEquals(
                "The process ended while the replay ran.",
                laurel.client().get(PATH + "/" + interrupted).string("/error"));
        expectFigures(id);
        useTheConsole(id);
    }

    private String started(String name, String ruleset) {
        return laurel.client()
                .post(PATH, "{\"name\": \"" + name + "\", \"ruleset\": " + ruleset + "}")
                .expect(201)
                .string("/id");
    }

    private String state(String id) {
        return laurel.client().get(PATH + "/" + id).expect(200).string("/state");
    }

    private void await(String id, String state) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> state(id), state::equals);
    }

    /** Half as many gems again for all, and the badge for the swimmer of thirty laps. */
    private void expectFigures(String id) {
        JsonResponse replay = laurel.client().get(PATH + "/" + id).expect(200);
        assertEquals(USERS, replay.number("/result/users").intValue());
        assertEquals(USERS, replay.number("/result/different").intValue());
        JsonResponse report =
                laurel.client().get(PATH + "/" + id + "/report?users=largest").expect(200);
        assertEquals("Thirty laps", report.string("/rules"));
        assertEquals(2 * LAPS, report.number("/totals/points/gems/before").intValue());
        assertEquals(3 * LAPS, report.number("/totals/points/gems/after").intValue());
        assertEquals(1, report.number("/totals/achievements/forty-laps/gained").intValue());
        assertEquals(0, report.number("/totals/achievements/forty-laps/lost").intValue());
        assertEquals(USERS, report.at("/users").size());
        assertEquals(
                report.json().get("users").valueStream().map(JsonNode::toString).collect(Collectors.toSet()),
                laurel.client()
                        .get(PATH + "/" + id + "/report")
                        .expect(200)
                        .at("/users")
                        .valueStream()
                        .map(JsonNode::toString)
                        .collect(Collectors.toSet()));
        assertEquals(
                30,
                laurel.client()
                        .get(PATH + "/" + id + "/ruleset")
                        .expect(200)
                        .number("/achievements/forty-laps/value")
                        .intValue());
    }

    /** The topics and the state of replays that have ended are deleted; one runs, and has a folder of state and one of tables. */
    private void expectNothingLeft() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", laurel.bootstrapServers()))) {
            Set<String> scores = admin.listTopics().names().get(20, TimeUnit.SECONDS).stream()
                    .filter(name -> name.startsWith("laurel.scores-g"))
                    .collect(Collectors.toSet());
            assertTrue(scores.size() <= 1, scores::toString);
        }
        try (var folders = Files.list(laurel.dataDir().resolve("replays/work"))) {
            List<Path> left = folders.toList();
            assertTrue(
                    Stream.of("replay-", "laurel-tables-")
                            .allMatch(kind -> left.stream()
                                            .filter(folder -> folder.getFileName()
                                                    .toString()
                                                    .startsWith(kind))
                                            .count()
                                    <= 1),
                    left::toString);
            assertTrue(left.size() <= 2, left::toString);
        }
    }

    private void useTheConsole(String finished) throws IOException {
        browser = ConsoleBrowser.start();
        for (View view : List.of(View.DARK, View.PHONE)) {
            try (Visit visit = browser.signedIn(laurel, view, "viewer", "#/what-if/" + finished)) {
                Page page = visit.page();
                assertThat(visit.heading("Thirty laps")).isVisible();
                assertThat(page.locator(".plot canvas")).hasCount(4);
                assertThat(page.getByText("Promote")).hasCount(0);
                assertEquals(
                        true, page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "scrolls sideways");
                visit.expectAccessible("what if " + view);
                visit.screenshot("what-if-" + view.width() + "-" + view.scheme());
            }
        }
        try (Visit visit = browser.signedIn(laurel, View.DESKTOP, "editor", "#/what-if")) {
            Page page = visit.page();
            Locator rules = page.getByRole(
                    AriaRole.TEXTBOX,
                    new Page.GetByRoleOptions().setName("Rules of the draft").setExact(true));
            var inTime =
                    new LocatorAssertions.HasTextOptions().setUseInnerText(true).setTimeout(90_000);
            assertThat(rules).containsText("value: 40");
            assertThat(page.getByText("The text means the same rules as those in force."))
                    .isVisible();
            assertThat(visit.region("Replays").locator("tbody tr")).hasCount(4);
            visit.expectAccessible("what if, list");
            visit.screenshot("what-if-list");
            ConsoleBrowser.replaceInEditor(page, "value: 40", "value: forty");
            assertThat(page.getByText("1 problem: marked in the text.")).isVisible();
            assertThat(visit.button("Try it")).isDisabled();
            visit.expectAccessible("what if, with a problem");
            ConsoleBrowser.replaceInEditor(page, "value: forty", "value: 30");
            ConsoleBrowser.replaceInEditor(page, "points: 20", "points: 30");
            assertThat(page.getByText("The text differs from the rules in force in 2 places."))
                    .isVisible();

            visit.field("Name").fill("Thirty again");
            visit.button("Try it").click();
            assertThat(visit.heading("Thirty again")).isFocused();
            assertThat(visit.region("Progress")).isVisible();
            visit.expectAccessible("what if, running");
            visit.screenshot("what-if-running");
            assertThat(visit.region("Totals").locator("tbody tr")).hasText("Gems Points 720 1,080 +360 8", inTime);
            assertThat(visit.region("Who gains and who loses").locator("tbody tr"))
                    .hasText("Forty laps Achievement 1 0", inTime);
            assertThat(visit.region("Largest gains").locator("tbody tr")).hasCount(USERS + 1);
            assertThat(visit.region("Largest losses")).containsText("Nobody.");
            expectDistributions(visit);
            visit.expectAccessible("what if, report");
            visit.screenshot("what-if-report");
            Download csv = page.waitForDownload(() -> visit.button("CSV").click());
            assertTrue(Files.readString(csv.path()).startsWith("user,tenant,kind,key,before,after,"));

            page.getByText("Promote…").click();
            Locator dialog = page.getByRole(AriaRole.DIALOG);
            assertThat(dialog.locator("tbody tr")).hasCount(2);
            assertThat(dialog).containsText("/achievements/forty-laps/value");
            visit.expectAccessible("what if, promotion");
            visit.screenshot("what-if-promote");
            dialog.getByText("Promote", new Locator.GetByTextOptions().setExact(true))
                    .click();
            assertThat(page.getByText("Version 2 of the rules is in force.")).isVisible();
        }
        JsonResponse now = laurel.client().get("/admin/v1/ruleset").expect(200);
        assertEquals("2", now.header("X-Laurel-Ruleset-Version"));
        assertEquals(
                60,
                laurel.client()
                        .get("/v1/users/swimmer-3/points/gems")
                        .number("/total")
                        .intValue());
        laurel.client()
                .post(PATH + "/" + finished + "/promote", "{\"baseVersion\": 1}")
                .expect(422);
    }

    /** The swimmers gain 10 to 80 gems, and one more has the badge. */
    private static void expectDistributions(Visit visit) {
        assertThat(visit.page().locator(".plot canvas")).hasCount(4);
        Locator changes = visit.region("Gems: change by user");
        changes.getByText("Table").click();
        assertThat(changes.locator("tbody tr"))
                .hasText(
                        new String[] {"+10 to +19 1", "+20 to +49 3", "+50 to +99 4"},
                        new LocatorAssertions.HasTextOptions().setUseInnerText(true));
        Locator highest = visit.region("Laps swum: highest achievement");
        highest.getByText("Table").click();
        assertThat(highest.locator("tbody tr"))
                .hasText(
                        new String[] {"None 3 2", "Forty laps 5 6"},
                        new LocatorAssertions.HasTextOptions().setUseInnerText(true));
    }
}
