package dev.laurel.deploy.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.laurel.deploy.e2e.ConsoleBrowser.View;
import dev.laurel.deploy.e2e.ConsoleBrowser.Visit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Looks at all pages of the console with the history of a real git repository, and at the year before its newest commit. Runs only
 * with {@code -Dlaurel.console.repository=DIR}, on a machine that does nothing else: it checks times.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class ConsoleYearIT {

    private static final String REPOSITORY = "laurel.console.repository";
    private static final double MAX_VIEW_MS = 1_000;
    private static final double MAX_CHART_MS = 300;
    private static final Duration IMPORT_MAX = Duration.ofMinutes(15);

    /** Records that may be left when a history counts as read: ticks are written all the time. */
    private static final int MAX_LAG = 50;

    /** The last day that the import names. */
    private static final Pattern NEWEST = Pattern.compile("--to (\\d{4}-\\d{2}-\\d{2})");

    /** Charts of those pages that have some; pages of single objects show them after the rest. */
    private static final Map<String, Integer> CHARTS =
            Map.of("overview", 6, "streaks", 1, "metrics/", 3, "achievements/", 1, "points/", 1, "leaderboards/", 1);

    /** The milliseconds since the begin of the navigation, once all of the page is there. */
    private static final String SHOWN = """
        charts => document.querySelector('main h1') !== null && document.querySelector('main p.waiting') === null
          && document.querySelectorAll('main .plot canvas').length >= charts ? performance.now() : false\
        """;

    /** The milliseconds from the answer of a report until its charts are drawn. */
    private static final String DRAWN = """
        () => {
          const ends = new Map(performance.getEntriesByType('resource').filter(entry => /analytics\\/.*granularity=/.test(entry.name))
            .map(entry => [entry.name.replace(/.*analytics\\/([a-z-]+).*/, '$1'), entry.responseEnd]));
          const reports = {'New users': 'active-users', 'Stickiness': 'active-users'};
          return performance.getEntriesByName('laurel-chart').map(({detail, startTime, duration}) =>
            Math.round(startTime + duration - ends.get(reports[detail] ?? detail.toLowerCase().replace(' ', '-'))));
        }\
        """;

    @TempDir
    private Path dir;

    @Test
    void shouldShowAYearOfAHistoryOnAllPages() throws IOException, InterruptedException {
        String repository = System.getProperty(REPOSITORY);
        Assumptions.assumeTrue(repository != null, "without -D" + REPOSITORY);
        try (var browser = ConsoleBrowser.start();
                var laurel = LaurelInstance.start(dir.resolve("data"))) {
            LocalDate newest = fill(laurel, repository);
            for (View view : List.of(View.DESKTOP, View.PHONE)) {
                try (Visit visit = browser.signedIn(laurel, view, "admin", "#/overview")) {
                    lookAtAllPages(
                            visit,
                            view,
                            "?days=dates&from=" + newest.minusYears(1).plusDays(1) + "&to=" + newest);
                }
            }
        }
    }

    /** @return the date of the newest commit */
    private LocalDate fill(LaurelInstance laurel, String repository) throws IOException, InterruptedException {
        long startedNs = System.nanoTime();
        String imported = importGit(laurel, repository);
        Awaitility.await()
                .atMost(IMPORT_MAX)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    JsonNode system =
                            laurel.client().get("/admin/v1/system").expect(200).json();
                    return Stream.of("applications", "counters")
                            .allMatch(name -> system.get(name)
                                    .valueStream()
                                    .allMatch(one -> one.get("lag").intValue() < MAX_LAG));
                });
        laurel.client().get("/admin/v1/analytics/top-users").expect(200);
        Matcher newest = NEWEST.matcher(imported);
        assertTrue(newest.find(), imported);
        System.out.printf(
                "console, a year: %s; counted after %.0f s; newest %s%n",
                imported.lines()
                        .filter(line -> line.contains(" commits of "))
                        .findFirst()
                        .orElseThrow(),
                (System.nanoTime() - startedNs) / 1e9,
                newest.group(1));
        return LocalDate.parse(newest.group(1));
    }

    /** Runs the command that this checkout has beside the program. Returns what it printed. */
    private String importGit(LaurelInstance laurel, String repository) throws IOException, InterruptedException {
        Process run = new ProcessBuilder(
                        Path.of("laurel").toAbsolutePath().toString(),
                        "import-git",
                        repository,
                        "--kafka",
                        laurel.bootstrapServers(),
                        "--url",
                        laurel.url(),
                        "--key",
                        laurel.adminKey(),
                        "--progress",
                        dir.resolve("progress").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String out = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, run.waitFor(), out);
        return out;
    }

    /** Looks at the pages of the menu, and on each list at the first of what it has. */
    private static void lookAtAllPages(Visit visit, View view, String year) {
        Page page = visit.page();
        // Each view is a first one: the browser has no files of the console.
        var off = new JsonObject();
        off.addProperty("cacheDisabled", true);
        CDPSession devTools = page.context().newCDPSession(page);
        devTools.send("Network.enable");
        devTools.send("Network.setCacheDisabled", off);
        assertThat(page.locator("nav .menu a").first()).isVisible();
        var open = new ArrayList<>(visit.pagesOf("nav .menu a"));
        assertTrue(open.size() > 10, open::toString);
        while (!open.isEmpty()) {
            String link = open.removeFirst();
            String name = link.substring("#/".length());
            boolean isOfMenu = !name.contains("/");
            double shownMs = shown(
                    visit,
                    name.equals("overview") ? link + year : link,
                    CHARTS.getOrDefault(name.replaceFirst("/.*", "/"), 0));
            System.out.printf(
                    "console, a year, %d wide, %s: shown after %.0f ms%n",
                    view.width(), isOfMenu ? name : "one of " + name.replaceFirst("/.*", ""), shownMs);
            assertTrue(shownMs < MAX_VIEW_MS, () -> name + ": " + shownMs + " ms");
            if (name.equals("overview")) {
                expectQuickCharts(page, view);
            }
            assertEquals(
                    true,
                    page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
                    "scrolls sideways: " + name);
            visit.expectAccessible(name + " " + view);
            visit.screenshot("year-" + name.replaceFirst("/.*", "-one") + "-" + view.width());
            if (isOfMenu) {
                visit.pagesOf("main tbody th a[href^='#/" + name + "/']").stream()
                        .limit(1)
                        .forEach(open::add);
            }
        }
    }

    private static void expectQuickCharts(Page page, View view) {
        Locator chart = page.locator("report-chart").first();
        chart.getByText("Table").click();
        int days = chart.locator("tbody tr").count();
        assertTrue(days >= 365, () -> days + " days");
        chart.getByText("Table").click();
        List<?> drawnMs = (List<?>) page.evaluate(DRAWN);
        System.out.printf("console, a year, %d wide: charts drawn in ms after the answer %s%n", view.width(), drawnMs);
        for (Object ms : drawnMs) {
            assertTrue(((Number) ms).doubleValue() < MAX_CHART_MS, drawnMs::toString);
        }
    }

    private static double shown(Visit visit, String link, int charts) {
        visit.page().navigate("about:blank");
        visit.page().navigate("/console/" + link);
        return ((Number) visit.page().waitForFunction(SHOWN, charts).jsonValue()).doubleValue();
    }
}
