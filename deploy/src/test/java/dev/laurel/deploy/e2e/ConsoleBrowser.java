package dev.laurel.deploy.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A Chromium of the system, without a window. Each visit has cookies and storage of its own, and fails at its end if a script
 * failed, if the browser refused something by the Content-Security-Policy or reported an error, or if anything was asked of
 * another server.
 */
final class ConsoleBrowser implements AutoCloseable {

    private static final Path SCREENSHOTS = Path.of("target", "console");
    private static final int TIMEOUT_MS = 20_000;

    private final Playwright playwright;
    private final Browser browser;
    private final String axe;
    private int visits;

    private ConsoleBrowser(Path chromium) {
        PlaywrightAssertions.setDefaultAssertionTimeout(TIMEOUT_MS);
        // The browser of the system is used, so none is downloaded.
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright.chromium().launch(new BrowserType.LaunchOptions().setExecutablePath(chromium));
        try (InputStream in = Objects.requireNonNull(ConsoleBrowser.class.getResourceAsStream("/axe.min.js"))) {
            axe = new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("there is no axe", e);
        }
    }

    /** Skips the test, with a line on stderr, if the system has no Chromium. */
    static ConsoleBrowser start() {
        Path chromium = Stream.of(
                        System.getenv().getOrDefault("LAUREL_CHROMIUM", ""),
                        "/usr/bin/chromium",
                        "/usr/bin/chromium-browser",
                        "/usr/bin/google-chrome",
                        "/snap/bin/chromium",
                        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
                .filter(path -> !path.isEmpty())
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        if (chromium == null) {
            System.err.println("TESTS OF THE CONSOLE SKIPPED: no Chromium found; install the package chromium, or set "
                    + "LAUREL_CHROMIUM to the program");
            Assumptions.abort("no Chromium");
        }
        return new ConsoleBrowser(chromium);
    }

    /** How a visitor looks at the pages. */
    record View(int width, int height, ColorScheme scheme) {

        static final View DESKTOP = new View(1280, 860, ColorScheme.LIGHT);
        static final View DARK = new View(1280, 860, ColorScheme.DARK);
        static final View PHONE = new View(390, 844, ColorScheme.LIGHT);
    }

    /** @param others servers of which pages may ask something, too */
    Visit visit(String url, View view, String... others) {
        return new Visit(url, view, List.of(others));
    }

    /**
     * A visit to a page after signing in with a key of the role: {@code admin} has the key of the instance, another role a new
     * one.
     *
     * @param fragment the page, such as {@code #/users}
     */
    Visit signedIn(LaurelInstance laurel, View view, String role, String fragment) {
        String key = role.equals("admin")
                ? laurel.adminKey()
                : laurel.client()
                        .post("/admin/v1/admin-api-keys", "[{\"name\": \"k\", \"role\": \"" + role + "\"}]")
                        .expect(201)
                        .string("/created/0/key");
        Visit visit = visit(laurel.url(), view);
        visit.page().navigate("/console/" + fragment);
        visit.field("Admin key").fill(key);
        visit.page().keyboard().press("Enter");
        assertThat(visit.heading("Sign in")).isHidden();
        return visit;
    }

    /** Replaces a part of the first line of the editor that has it, by typing. */
    static void replaceInEditor(Page page, String old, String text) {
        Locator line = page.locator(".cm-line")
                .filter(new Locator.FilterOptions().setHasText(old))
                .first();
        String whole = line.innerText();
        line.click();
        page.keyboard().press("End");
        page.keyboard().press("Shift+Home");
        page.keyboard().press("Shift+Home");
        page.keyboard().insertText(whole.replace(old, text));
        page.keyboard().press("Escape");
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }

    /** One visitor with one page. */
    final class Visit implements AutoCloseable {

        private final BrowserContext context;
        private final Page page;
        private final List<String> problems = new ArrayList<>();

        private Visit(String url, View view, List<String> others) {
            context = browser.newContext(new Browser.NewContextOptions()
                    .setBaseURL(url)
                    .setLocale("en-US")
                    .setViewportSize(view.width(), view.height())
                    .setColorScheme(view.scheme())
                    .setTimezoneId("Europe/Helsinki")
                    .setReducedMotion(ReducedMotion.REDUCE)
                    .setIgnoreHTTPSErrors(url.startsWith("https:"))); // certificates of tests are self-signed
            context.setDefaultTimeout(TIMEOUT_MS);
            page = context.newPage();
            page.onConsoleMessage(message -> {
                if (message.type().equals("error") || message.type().equals("warning")) {
                    problems.add(message.type() + ": " + message.text() + " " + message.location());
                }
            });
            page.onPageError(error -> problems.add("script: " + error));
            page.onRequest(request -> {
                if (!request.url().startsWith(url)
                        && others.stream().noneMatch(request.url()::startsWith)
                        && !request.url().matches("(blob|data):.*")) {
                    problems.add("asked another server: " + request.url());
                }
            });
            page.addInitScript("addEventListener('securitypolicyviolation', event => console.error('policy', "
                    + "event.violatedDirective, event.blockedURI, event.sourceFile, event.lineNumber))");
        }

        Page page() {
            return page;
        }

        Locator heading(String name) {
            return page.getByRole(AriaRole.HEADING, named(name));
        }

        Locator region(String name) {
            return page.getByRole(AriaRole.REGION, named(name)).first();
        }

        Locator link(String name) {
            return page.getByRole(AriaRole.LINK, named(name));
        }

        Locator button(String name) {
            return page.getByRole(AriaRole.BUTTON, named(name));
        }

        Locator field(String label) {
            return page.getByLabel(label, new Page.GetByLabelOptions().setExact(true));
        }

        /**
         * The pages that these links lead to, such as {@code #/users}. Read in one step, because pages may replace their links meanwhile.
         */
        List<String> pagesOf(String links) {
            var found = (List<?>) page.locator(links).evaluateAll("all => all.map(link => link.getAttribute('href'))");
            return found.stream()
                    .map(String::valueOf)
                    .filter(link -> link.startsWith("#/"))
                    .toList();
        }

        private static Page.GetByRoleOptions named(String name) {
            return new Page.GetByRoleOptions().setName(name).setExact(true);
        }

        /** What went wrong until now; the visit no longer fails because of it. */
        List<String> takeProblems() {
            List<String> taken = List.copyOf(problems);
            problems.clear();
            return taken;
        }

        /** Fails if axe finds something serious or critical on the page as it is. */
        void expectAccessible(String where) {
            if (page.evaluate("typeof axe").equals("undefined")) {
                page.evaluate(axe);
            }
            Object found = page.evaluate("""
                async () => (await axe.run(document, {resultTypes: ['violations']})).violations
                  .filter(rule => ['serious', 'critical'].includes(rule.impact))
                  .map(rule => rule.id + ': ' + rule.nodes.map(node => node.target + ' ' + node.failureSummary).join('; '))\
                """);
            assertEquals(List.of(), found, where);
        }

        /** Saves what is seen, below target/. */
        byte[] screenshot(String name) {
            return page.screenshot(new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")));
        }

        /** Saves what was seen last, which tells most about a failure. */
        @Override
        public void close() {
            screenshot("last-" + ++visits);
            context.close();
            assertEquals(List.of(), problems);
        }
    }
}
