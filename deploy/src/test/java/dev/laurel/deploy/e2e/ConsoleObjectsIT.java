package dev.laurel.deploy.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.laurel.deploy.e2e.ConsoleBrowser.View;
import dev.laurel.deploy.e2e.ConsoleBrowser.Visit;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * Creates, changes and deletes an object of each kind in the console, by forms that are derived from the OpenAPI document. The
 * tests follow each other: later kinds refer to the objects of earlier ones. Skipped where there is no Chromium.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class ConsoleObjectsIT {

    private static final LocalDate TODAY = LocalDate.now(ZoneOffset.UTC);

    @AutoClose
    private ConsoleBrowser browser;

    @AutoClose
    private LaurelInstance laurel;

    private Visit visit;
    private Page page;

    @BeforeAll
    void start() throws InterruptedException {
        browser = ConsoleBrowser.start();
        laurel = LaurelInstance.start();
        laurel.client().get("/admin/v1/analytics/top-users").expect(200);
        visit = browser.signedIn(laurel, View.DESKTOP, "editor", "#/overview");
        page = visit.page();
    }

    @AfterAll
    void stop() {
        if (visit != null) {
            visit.close();
        }
    }

    @Test
    @Order(1)
    void shouldCreateAMetricAndShowWhatIsWrongAtTheField() {
        open("metrics");
        assertThat(page.getByText("There are no metrics yet.")).isVisible();
        visit.link("Create a metric").click();
        assertThat(visit.heading("Create a metric")).isFocused();
        assertThat(visit.field("Kind of values")).hasValue("number");
        visit.expectAccessible("form of a metric");
        visit.screenshot("form-metric");

        save();
        expectProblem("Name", "Is required.");
        assertThat(page.getByRole(AriaRole.ALERT)).hasText("Nothing is saved yet: 2 fields need a change.");
        page.keyboard().type("Läps swum!");
        assertThat(visit.field("Key")).hasValue("laps-swum");
        visit.field("Kind of values").selectOption("currency");
        save();
        expectProblem("Units", "Must be an upper-case ISO 4217 code, such as EUR, for unitType currency");
        assertThat(visit.field("Name")).hasValue("Läps swum!");
        visit.expectAccessible("form with a problem");
        visit.screenshot("form-problem");
        page.keyboard().type("EUR");
        save();
        expectSaved("Läps swum!");
        assertThat(page.locator(".plot canvas")).hasCount(3);
        assertThat(visit.region("Settings")).containsText("EUR");
        visit.expectAccessible("metric");
        visit.screenshot("metric");
    }

    @Test
    @Order(2)
    void shouldChangeAMetricAndAskBeforeInputIsLost() {
        visit.link("Change").click();
        assertThat(visit.heading("Change Läps swum!")).isFocused();
        visit.field("Name").fill("Laps swum");
        visit.link("Achievements").click();
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        assertThat(dialog).containsText("Leave without saving?");
        visit.expectAccessible("question before leaving");
        visit.button("Stay here").click();
        assertThat(visit.field("Name")).hasValue("Laps swum");
        page.goBack();
        assertThat(dialog).isVisible();
        page.keyboard().press("Escape");
        assertThat(visit.field("Name")).hasValue("Laps swum");
        visit.field("Kind of values").selectOption("number");
        visit.field("Units").fill("laps");
        save();
        expectSaved("Laps swum");

        visit.link("Change").click();
        visit.field("Name").fill("Something else");
        visit.link("Back without saving").click();
        visit.button("Leave").click();
        assertThat(visit.heading("Laps swum")).isVisible();
        open("metrics");
        assertThat(page.locator("tbody tr")).hasCount(1);
        assertThat(page.locator("tbody tr")).containsText("laps-swum");
        visit.expectAccessible("metrics");
    }

    @Test
    @Order(3)
    void shouldManageAttributes() {
        open("attributes");
        visit.link("Create an attribute").click();
        visit.field("Name").fill("Plan");
        visit.field("Kind").selectOption("user");
        visit.field("Divide reports by it").check();
        save();
        expectSaved("Plan");
        open("attributes/new");
        visit.field("Name").fill("City");
        visit.field("Kind").selectOption("user");
        visit.field("Key").fill("plan");
        save();
        expectProblem("Key", "Key already in use by another user attribute");
        visit.field("Key").fill("city");
        save();
        expectSaved("City");
        delete("City");
        assertThat(page.locator("tbody tr")).hasCount(1);
        assertThat(page.locator("tbody tr")).containsText("Yes");
    }

    @Test
    @Order(4)
    void shouldManageAchievements() {
        open("achievements");
        visit.link("Create an achievement").click();
        visit.field("Name").fill("Forty laps");
        assertThat(visit.field("Metric")).hasCount(0);
        visit.field("Completed by").selectOption("metric");
        visit.field("Metric").selectOption("Laps swum");
        visit.field("Total to reach").fill("many");
        save();
        expectProblem("Total to reach", "Must be a number.");
        visit.field("Total to reach").fill("0.12345678901");
        visit.button("Add Only users with").click();
        assertThat(visit.field("Attribute")).isFocused();
        save();
        expectProblem("Attribute", "Is required.");
        visit.field("Attribute").selectOption("Plan");
        visit.field("Value").fill("pro");
        save();
        expectProblem(
                "Total to reach", "Must be a number above 0, at most 1000000000000, with at most 9 fractional digits");
        assertThat(visit.field("Value")).hasValue("pro");
        visit.field("Total to reach").fill("40");
        visit.expectAccessible("form of an achievement");
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(Path.of("target", "console", "form-achievement.png"))
                .setFullPage(true));
        save();
        expectSaved("Forty laps");
        assertThat(visit.region("Settings")).containsText("Plan: pro");
        assertThat(page.locator(".tag")).hasText("Inactive");
        visit.button("Activate…").click();
        page.getByRole(AriaRole.DIALOG).getByText("Activate", exact()).click();
        assertThat(page.locator(".tag")).hasText("Active");
        assertThat(page.locator(".plot canvas")).isVisible();
        visit.screenshot("achievement-active");

        visit.link("Change").click();
        visit.button("Remove Only users with 1").click();
        visit.field("Completed by").selectOption("streak");
        visit.field("Length of the streak").fill("7");
        save();
        expectSaved("Forty laps");
        assertThat(visit.region("Settings")).containsText("7");
        open("achievements");
        assertThat(page.locator("tbody tr")).containsText("A streak of 7");
    }

    @Test
    @Order(5)
    void shouldChangeTheSettingsOfStreaks() {
        open("streaks");
        assertThat(visit.region("Settings")).containsText("Daily");
        visit.expectAccessible("streaks");
        visit.link("Change").click();
        visit.field("Monday").check();
        visit.button("Add What counts").click();
        visit.field("Metric").selectOption("Laps swum");
        visit.field("Threshold").fill("5");
        visit.field("Freezes are on").check();
        visit.field("Freezes of a new user").fill("5");
        save();
        expectProblem("Freezes of a new user", "Is 5, must not be above maxFreezes, which is 3");
        assertTrue(visit.takeProblems().stream().allMatch(problem -> problem.contains("422")));
        visit.field("Freezes of a new user").fill("2");
        visit.expectAccessible("form of streaks");
        save();
        expectSaved("Streaks");
        assertThat(visit.region("Settings")).containsText("Laps swum: 5");
        assertThat(visit.region("Settings")).containsText("Monday");
        visit.screenshot("streaks");
    }

    @Test
    @Order(6)
    void shouldManagePointsWithTheirTriggersLevelsAndBoosts() {
        open("points");
        visit.link("Create a points system").click();
        visit.field("Name").fill("Gems");
        visit.field("Address").fill("ftp://gems");
        save();
        expectProblem("Address", "Must be an absolute http or https address");
        visit.field("Address").fill("https://example.org/gem.png");
        save();
        expectSaved("Gems");

        visit.link("Add a level").click();
        assertThat(visit.heading("Add a level")).isFocused();
        visit.field("Name").fill("Minnow");
        visit.field("Points").fill("50");
        save();
        expectSaved("Gems");
        visit.link("Add a level").click();
        visit.field("Name").fill("Pike");
        visit.field("Points").fill("50");
        save();
        expectProblem("Points", "Is also that of the level 'minnow'; each level of a points system needs its own");
        visit.field("Points").fill("500");
        save();
        assertThat(visit.region("Levels").locator("tbody tr")).hasCount(2);

        visit.link("Add a trigger").click();
        visit.field("Kind").selectOption("metric");
        visit.field("Metric").selectOption("Laps swum");
        visit.field("Every").fill("10");
        visit.field("Points").fill("0");
        save();
        expectProblem("Points", "Must not be 0.");
        visit.field("Points").fill("20");
        save();
        assertThat(visit.region("Triggers").locator("tbody tr")).containsText("Every 10 of Laps swum");
        visit.region("Triggers").getByText("Activate").click();
        assertThat(visit.region("Triggers").locator("tbody tr")).containsText("Active");
        visit.link("Every 10 of Laps swum").click();
        visit.field("Every").fill("5");
        save();
        assertThat(visit.region("Triggers").locator("tbody tr")).containsText("Every 5 of Laps swum");

        visit.link("Add a boost").click();
        visit.field("Name").fill("Weekend");
        visit.field("Multiplier").fill("2");
        visit.field("First day").fill(TODAY.plusDays(9).toString());
        visit.field("Last day").fill(TODAY.plusDays(3).toString());
        save();
        expectProblem("Last day", "Must not be before start, " + TODAY.plusDays(9));
        visit.field("Last day").fill(TODAY.plusDays(10).toString());
        save();
        assertThat(visit.region("Boosts").locator("tbody tr")).containsText("Scheduled");
        visit.expectAccessible("points system");
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(Path.of("target", "console", "points.png"))
                .setFullPage(true));

        visit.region("Boosts").getByText("Delete…").click();
        confirm();
        assertThat(page.getByText("Weekend is deleted.")).isVisible();
        assertThat(visit.region("Boosts").locator("tbody tr")).hasCount(0);
    }

    @Test
    @Order(7)
    void shouldManageLeaderboards() {
        open("leaderboards");
        visit.link("Create a leaderboard").click();
        visit.field("Name").fill("Gem club");
        visit.field("Rank by").selectOption("points");
        save();
        expectProblem("Points system", "Is required.");
        visit.field("Points system").selectOption("Gems");
        visit.field("First day").fill(TODAY.toString());
        visit.field("Last day").fill(TODAY.minusDays(2).toString());
        save();
        expectProblem("Last day", "Must not be before start, " + TODAY);
        visit.field("Last day").fill("");
        visit.field("Attribute").selectOption("Plan");
        save();
        expectProblem("Score of a team", "Is required.");
        visit.field("Score of a team").selectOption("top");
        visit.field("How many values count").fill("3");
        save();
        expectSaved("Gem club");
        assertThat(visit.region("Settings")).containsText("Score of a team: Sum of the greatest values");
        visit.button("Activate").click();
        assertThat(page.locator(".tag")).hasText("Active");
        assertThat(visit.region("Ranking")).containsText("Nothing yet.");
        visit.link("Change").click();
        visit.field("Places").fill("50");
        save();
        expectSaved("Gem club");
        assertThat(visit.region("Settings")).containsText("50");
        visit.expectAccessible("leaderboard");
        open("leaderboards");
        assertThat(page.locator("tbody tr")).containsText("Active");
        rewardRanks();
    }

    /** By an achievement and by points. */
    private void rewardRanks() {
        open("achievements/new");
        visit.field("Name").fill("On the podium");
        visit.field("Completed by").selectOption("leaderboard");
        visit.field("Last rank").fill("3");
        save();
        expectProblem("Leaderboard", "Is required.");
        visit.field("Leaderboard").selectOption("Gem club");
        visit.field("Best rank").fill("5");
        save();
        expectProblem("Last rank", "Must not be before rankFrom, 5");
        visit.field("Best rank").fill("2");
        visit.expectAccessible("form of a reward");
        save();
        expectSaved("On the podium");
        assertThat(visit.region("Settings")).containsText("Gem club");
        delete("On the podium");

        openOne("points", "Gems");
        visit.link("Add a trigger").click();
        visit.field("Kind").selectOption("leaderboard");
        visit.field("Leaderboard").selectOption("Gem club");
        visit.field("Last rank").fill("3");
        visit.field("Points").fill("5");
        save();
        Locator trigger = visit.region("Triggers")
                .locator("tbody tr")
                .filter(new Locator.FilterOptions().setHasText("Ranks 1 to 3 in a run of Gem club"));
        trigger.getByText("Delete…").click();
        confirm();
        assertThat(trigger).hasCount(0);
    }

    @Test
    @Order(8)
    void shouldLetAViewerOnlyRead() {
        try (Visit viewer = browser.signedIn(laurel, View.DARK, "viewer", "#/overview")) {
            Page read = viewer.page();
            for (String kind : new String[] {"metrics", "achievements", "points", "leaderboards", "attributes"}) {
                read.navigate("/console/#/" + kind);
                read.locator("tbody th a").first().click();
                assertThat(viewer.region("Settings")).isVisible();
                assertThat(read.locator("main button:not(.plain, leaderboard-ranking *), main .button"))
                        .hasCount(0);
            }
            read.navigate("/console/#/metrics/new");
            assertThat(read.locator("tbody tr")).hasCount(1);
            assertThat(read.locator("schema-form")).hasCount(0);
            viewer.screenshot("metrics-viewer");
        }
    }

    @Test
    @Order(9)
    void shouldShowFormsInTheDarkAndOnAPhone() {
        for (View view : new View[] {View.DARK, View.PHONE}) {
            try (Visit other = browser.signedIn(laurel, view, "editor", "#/points/new")) {
                assertThat(other.field("Name")).isVisible();
                assertEquals(true, other.page().evaluate("document.documentElement.scrollWidth <= innerWidth"));
                other.expectAccessible("form " + view);
                other.page()
                        .screenshot(new Page.ScreenshotOptions()
                                .setFullPage(true)
                                .setPath(Path.of(
                                        "target", "console", "form-" + view.width() + "-" + view.scheme() + ".png")));
            }
        }
    }

    @Test
    @Order(10)
    void shouldDeleteInTheOrderOfUse() {
        openOne("metrics", "Laps swum");
        visit.button("Delete…").click();
        confirm();
        assertThat(page.getByRole(AriaRole.DIALOG).getByRole(AriaRole.ALERT))
                .containsText("Metric is still used by the");
        page.keyboard().press("Escape");
        for (String[] object :
                new String[][] {{"leaderboards", "Gem club"}, {"points", "Gems"}, {"achievements", "Forty laps"}}) {
            openOne(object[0], object[1]);
            delete(object[1]);
            assertThat(page.locator("tbody tr")).hasCount(0);
        }
        open("streaks?edit");
        visit.button("Remove What counts 1").click();
        save();
        expectSaved("Streaks");
        openOne("metrics", "Laps swum");
        delete("Laps swum");
        assertThat(page.getByText("There are no metrics yet.")).isVisible();
    }

    private void open(String fragment) {
        page.navigate("/console/#/" + fragment);
    }

    private void openOne(String kind, String name) {
        open(kind);
        visit.link(name).click();
        assertThat(visit.heading(name)).isVisible();
        assertThat(visit.region("Settings")).isVisible();
    }

    private void save() {
        visit.button("Save").click();
    }

    private void delete(String name) {
        visit.button("Delete…").click();
        confirm();
        assertThat(page.getByText(name + " is deleted.")).isVisible();
    }

    private void confirm() {
        page.getByRole(AriaRole.DIALOG).getByText("Delete", exact()).click();
    }

    private void expectProblem(String label, String message) {
        Locator field = visit.field(label);
        assertThat(field).hasAttribute("aria-invalid", "true");
        assertThat(field).hasAccessibleDescription(Pattern.compile(message.replaceAll("[.()']", ".") + "$"));
        assertThat(field).isFocused();
    }

    private void expectSaved(String heading) {
        assertThat(page.getByText("Saved.")).isVisible();
        assertThat(visit.heading(heading)).isVisible();
    }

    private static Locator.GetByTextOptions exact() {
        return new Locator.GetByTextOptions().setExact(true);
    }
}
