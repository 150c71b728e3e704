package dev.laurel.deploy.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.SameSiteAttribute;
import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.e2e.ConsoleBrowser.View;
import dev.laurel.deploy.e2e.ConsoleBrowser.Visit;
import dev.laurel.platform.client.OutboundHttp;
import dev.laurel.platform.http.TestServer;
import dev.laurel.platform.session.StubProvider;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the program and the tools with a Kafka that requires TLS and a login, with TLS for HTTP, and with a provider for sign-in. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecuredIT {

    private static final String RULESET = "metrics:\n  laps:\n    name: Laps\n";

    private Path dir;
    private SecuredKafka kafka;
    private StubProvider provider;
    private LaurelProcess laurel;
    private Path key;
    private Path log;
    private List<String> shared;

    @BeforeAll
    void start(@TempDir Path scratch) throws Exception {
        dir = scratch;
        provider = new StubProvider(Instant.now());
        kafka = SecuredKafka.start(dir);
        HeldCertificate shown = SecuredKafka.issue();
        key = kafka.secret("admin-key", LaurelProcess.ADMIN_KEY + "\n");
        log = dir.resolve("log");
        shared = List.of(
                "--verbose",
                "--kafka",
                kafka.bootstrapServers(),
                "--kafka-config",
                kafka.clientConfig().toString(),
                "--admin-key-file",
                key.toString(),
                "--tls-cert",
                Files.writeString(dir.resolve("tls.crt"), shown.certificatePem())
                        .toString(),
                "--tls-key",
                kafka.secret("tls.key", shown.privateKeyPkcs8Pem()).toString());
        var options = new ArrayList<>(shared);
        options.addAll(List.of(
                "--data-dir",
                dir.resolve("data").toString(),
                "--ruleset",
                Files.writeString(dir.resolve("laurel.yaml"), RULESET).toString()));
        int port = TestServer.unusedPort(); // the provider has to know it
        options.addAll(List.of(
                "--port",
                String.valueOf(port),
                "--oidc-issuer",
                provider.issuer().toString(),
                "--oidc-client-id",
                StubProvider.CLIENT,
                "--oidc-client-secret-file",
                kafka.secret("oidc-secret", StubProvider.SECRET).toString(),
                "--oidc-redirect-url",
                "https://127.0.0.1:" + port + "/admin/v1/session/oidc/callback",
                "--oidc-name",
                "Example",
                "--oidc-roles",
                "support=support"));
        laurel = LaurelProcess.logging("standalone", log, options);
    }

    @AfterAll
    void stop() {
        if (laurel != null) {
            laurel.close();
        }
        if (kafka != null) {
            kafka.close();
        }
        if (provider != null) {
            provider.close();
        }
    }

    /** Skipped where there is no Chromium. */
    @Test
    void shouldSignInPeopleOfTheProviderInABrowser() {
        provider.claims
                .expirationTime(Date.from(Instant.now().plusSeconds(60)))
                .claim("groups", List.of("all", "support"));
        String url = laurel.url().toString();
        try (ConsoleBrowser browser = ConsoleBrowser.start();
                Visit visit = browser.visit(url, View.DESKTOP, provider.issuer().toString())) {
            Page page = visit.page();
            Response shown = page.navigate("/console/#/users?search=ida");
            assertTrue(shown.headerValue("Strict-Transport-Security").startsWith("max-age="));
            visit.link("Sign in with Example").click();
            page.waitForURL(shownUrl -> shownUrl.startsWith(provider.issuer() + "/authorize?"));
            assertEquals(
                    List.of("laurel_sign_in"),
                    page.context().cookies().stream().map(cookie -> cookie.name).toList());
            visit.link(StubProvider.CONTINUE).click();
            assertThat(visit.heading("Users")).isVisible();
            assertThat(page).hasURL(url + "/console/#/users?search=ida");
            assertThat(page.locator(".person")).containsText("ida@example.net");
            assertThat(page.locator(".person")).containsText("Support");
            Cookie session = page.context().cookies().stream()
                    .filter(cookie -> cookie.name.equals("laurel_session"))
                    .findFirst()
                    .orElseThrow();
            assertTrue(session.secure && session.httpOnly);
            assertEquals(SameSiteAttribute.STRICT, session.sameSite);

            visit.link("Metrics").click();
            assertThat(visit.link("Laps")).isVisible();
            assertThat(page.locator("a[href$='/new']")).hasCount(0); // only editors create
            visit.button("Sign out").click();
            assertThat(visit.heading("Sign in")).isVisible();
            assertEquals(List.of(), page.context().cookies());

            provider.claims.claim("groups", List.of("all"));
            visit.link("Sign in with Example").click();
            visit.link(StubProvider.CONTINUE).click();
            assertThat(visit.heading("You are not signed in")).isVisible();
            assertThat(page.getByText("None of your groups has a role in Laurel. Ask an administrator for one."))
                    .isVisible();
            visit.expectAccessible("refused");
            visit.screenshot("sign-in-refused");
            visit.link("Back to sign-in").click();
            assertThat(visit.heading("Sign in")).isVisible();
            List<String> problems = visit.takeProblems();
            assertTrue(
                    problems.stream().allMatch(problem -> problem.matches("(?s).*status of 40[13] .*")),
                    problems::toString);
        }
    }

    @Test
    void shouldAcceptAndReadEventsOverTls() throws Exception {
        HttpResponse<String> event =
                send("POST", laurel, "/v1/metrics/laps/event", "{\"user\":{\"id\":\"ida\"},\"value\":4}");
        HttpResponse<String> user = send("GET", laurel, "/v1/users/ida/metrics/laps", "");

        assertEquals(201, event.statusCode(), event.body());
        assertEquals(200, user.statusCode(), user.body());
        assertTrue(user.body().contains("\"current\":4"), user.body());
        assertTrue(event.headers().firstValue("Strict-Transport-Security").isPresent());
    }

    @Test
    void shouldRunARoleWithTheSameFiles() throws Exception {
        try (var gateway = LaurelProcess.logging("gateway", dir.resolve("gateway-log"), shared)) {
            HttpResponse<String> event =
                    send("POST", gateway, "/v1/metrics/laps/event", "{\"user\":{\"id\":\"eve\"},\"value\":5}");

            assertEquals(201, event.statusCode(), event.body());
        }
    }

    @Test
    void shouldRunToolsWithTheSameFiles() throws Exception {
        Path history = Files.writeString(
                dir.resolve("history.ndjson"),
                "{\"time\":\"2026-03-04T09:15:00Z\","
                        + "\"type\":\"event\",\"metric\":\"laps\",\"value\":7,\"user\":{\"id\":\"olga\"}}\n");

        CommandRun topics = kafkaTool(kafka.clientConfig(), "topics", "describe");
        CommandRun imported = kafkaTool(kafka.clientConfig(), "import", history.toString());
        CommandRun exported = CommandRun.of(
                "ruleset",
                "export",
                "--url",
                laurel.url().toString(),
                "--ca",
                kafka.authority().toString(),
                "--key-file",
                key.toString());

        assertEquals(0, topics.exitCode(), topics.err());
        assertTrue(topics.out().contains("laurel.commands"), topics.out());
        assertEquals(0, imported.exitCode(), imported.err());
        assertTrue(imported.out().contains("imported 1 commands"), imported.out());
        assertEquals(0, exported.exitCode(), exported.err());
        assertTrue(exported.out().contains("laps"), exported.out());
    }

    @Test
    void shouldRefuseAWrongPasswordAndAnUnknownAuthority() throws Exception {
        CommandRun login = kafkaTool(kafka.clientConfig("wrong.properties", "wrong-password"), "topics", "describe");
        CommandRun unknown =
                CommandRun.of("ruleset", "export", "--url", laurel.url().toString(), "--key-file", key.toString());

        assertEquals(1, login.exitCode());
        assertTrue(login.err().contains("Authentication failed"), login.err());
        assertFalse(login.err().contains("wrong-password"), login.err());
        assertEquals(1, unknown.exitCode());
        assertTrue(unknown.err().contains("cannot reach"), unknown.err());
    }

    @Test
    void shouldNameTheUnusableFile() throws Exception {
        Path own = kafka.secret("own.properties", "security.protocol=SSL\nacks=1\n");
        Path store = kafka.secret(
                "store.properties",
                "security.protocol=SSL\nssl.truststore.type=PEM\n" + "ssl.truststore.location=/nowhere/ca.crt\n");

        assertTrue(kafkaTool(own, "topics", "describe").err().contains("acks is set by Laurel itself"));
        assertTrue(kafkaTool(store, "topics", "describe").err().contains("/nowhere/ca.crt"));
        assertTrue(CommandRun.of("topics", "describe", "--kafka-config", own.toString(), "--data-dir", dir.toString())
                .err()
                .contains("--kafka"));
    }

    @Test
    void shouldLogNoSecretAndWarnOfAReadableOne() throws Exception {
        Path open = kafka.secret("open-key", LaurelProcess.ADMIN_KEY);
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        Path otherLog = dir.resolve("other-log");
        Process other = LaurelProcess.start(
                otherLog,
                "ruleset",
                "export",
                "--url",
                laurel.url().toString(),
                "--ca",
                kafka.authority().toString(),
                "--key-file",
                open.toString());
        assertTrue(other.waitFor(60, TimeUnit.SECONDS));

        String logged = Files.readString(log) + Files.readString(otherLog);
        assertTrue(logged.contains("open-key contains a secret and is readable by everybody on this machine"), logged);
        assertTrue(logged.contains("Loaded certificate"), logged);
        assertFalse(logged.contains(SecuredKafka.PASSWORD), "the password of Kafka is logged");
        assertFalse(logged.contains(LaurelProcess.ADMIN_KEY.substring(10)), "the admin key is logged");
        assertFalse(logged.contains("PRIVATE KEY"), "the key of the certificate is logged");
    }

    private CommandRun kafkaTool(Path config, String... command) {
        var all = new ArrayList<>(List.of(command));
        all.addAll(List.of("--kafka", kafka.bootstrapServers(), "--kafka-config", config.toString()));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private HttpResponse<String> send(String method, LaurelProcess to, String path, String body) throws Exception {
        try (var client = HttpClient.newBuilder()
                .sslContext(OutboundHttp.trusting(kafka.authority()))
                .build()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(to.url() + path))
                            .header("X-API-KEY", LaurelProcess.ADMIN_KEY)
                            .method(method, HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }
}
