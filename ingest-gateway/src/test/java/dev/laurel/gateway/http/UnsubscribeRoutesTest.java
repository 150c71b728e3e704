package dev.laurel.gateway.http;

import dev.laurel.gateway.FixedRulesets;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.UnsubscribeToken;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests unsubscribe links without a key, as browsers and mail programs use them. */
@Timeout(60)
class UnsubscribeRoutesTest {

    private static final UserKey IDA = UserKey.of("ida");

    private final GatewayHttp gateway = new GatewayHttp(Duration.ofSeconds(20));
    private final HttpClient browser = HttpClient.newHttpClient();
    private String path;

    @BeforeEach
    void configureEmails() {
        Secret key = new Secret(TenantId.NONE, Secret.CHANNELS, Secret.UNSUBSCRIBE, "0123");
        gateway.access.index().put(key.recordKey(), key);
        path = "/unsubscribe/" + UnsubscribeToken.of(IDA, gateway.access.index());
        gateway.answerWith(200, "{}");
    }

    @AfterEach
    void stop() {
        browser.close();
        gateway.close();
    }

    @Test
    void shouldOnlyAskForConfirmationOnGet() throws Exception {
        HttpResponse<String> page = send("GET", path, "");

        assertEquals(200, page.statusCode());
        assertTrue(page.body().contains("<form method=\"post\"><button"), page.body());
        assertFalse(page.body().contains("ida"), page.body());
        assertTrue(gateway.log.commands.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "List-Unsubscribe=One-Click", "{]"})
    void shouldUnsubscribeOnPostWithAnyBody(String body) throws Exception {
        HttpResponse<String> page = send("POST", path, body);

        assertEquals(200, page.statusCode());
        assertTrue(page.body().contains("You are unsubscribed"), page.body());
        assertFalse(page.body().contains("<form"), page.body());
        var identify = (IdentifyUser) gateway.log.commands.getFirst();
        assertEquals(1, gateway.log.commands.size());
        assertEquals(IDA.user(), identify.user().id());
        assertEquals(Change.set(false), identify.user().subscribeToEmails());
        assertFalse(identify.user().email().isGiven());
        assertTrue(identify.mustExist(), "the command must not create erased users again");
    }

    @Test
    void shouldConfirmForAnErasedUser() throws Exception {
        String done = send("POST", path, "").body();
        gateway.answerWith(404, "{\"error\":\"Unknown user: ida.\"}");

        HttpResponse<String> page = send("POST", path, "");

        assertEquals(200, page.statusCode());
        assertEquals(done, page.body());
    }

    @Test
    void shouldAskToTryAgainIfNothingCanBeStored() throws Exception {
        gateway.log.isStalled = true;

        HttpResponse<String> page = send("POST", path, "");

        assertEquals(503, page.statusCode());
        assertEquals(List.of("1"), page.headers().allValues("Retry-After"));
        assertTrue(page.body().contains("nothing has changed") && page.body().contains("<form"), page.body());
    }

    @Test
    void shouldLimitRequestsOfOneUser() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertEquals(200, send("POST", path, "").statusCode());
        }

        HttpResponse<String> page = send("POST", path, "");

        assertEquals(429, page.statusCode());
        assertTrue(page.headers().firstValueAsLong("Retry-After").orElseThrow() <= 12);
        assertTrue(page.body().contains("nothing has changed"), page.body());
        assertEquals(5, gateway.log.commands.size());
    }

    @ParameterizedTest
    @CsvSource({"GET,/unsubscribe/x", "POST,/unsubscribe/x", "POST,/unsubscribe/%20", "GET,cut", "POST,cut"})
    void shouldAnswer404ToInvalidTokens(String method, String target) throws Exception {
        HttpResponse<String> page = send(method, target.equals("cut") ? path.substring(0, path.length() - 1) : target,
                "");

        assertEquals(404, page.statusCode());
        assertTrue(page.body().contains("This link does not work"), page.body());
        assertTrue(gateway.log.commands.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void shouldSendNoReferrerAndAllowNoScripts(String method) throws Exception {
        for (String target : List.of(path, "/unsubscribe/x")) {
            var headers = send(method, target, "").headers();

            assertEquals("text/html;charset=utf-8", headers.firstValue("Content-Type").orElseThrow());
            assertEquals("no-referrer", headers.firstValue("Referrer-Policy").orElseThrow());
            assertEquals("no-store", headers.firstValue("Cache-Control").orElseThrow());
            assertTrue(headers.firstValue("Content-Security-Policy").orElseThrow().startsWith("default-src 'none'"));
        }
    }

    @Test
    void shouldShowTheBrandingOfTheOperator() throws Exception {
        gateway.rulesets.publish(branded(new Settings.Branding("Swim & <Club>", "https://swim.test/?a=1&b=2",
                "https://swim.test/logo.png", "#123456", "Georgia", null)));

        String page = send("GET", path, "").body();

        for (String part : List.of("no more emails from Swim &amp; &lt;Club&gt;.", "src=\"https://swim.test/logo.png\"",
                "solid #123456}", "16px/1.55 Georgia, Arial")) {
            assertTrue(page.contains(part), page);
        }
        assertTrue(send("POST", path, "").body().contains("href=\"https://swim.test/?a=1&amp;b=2\""));
    }

    private static Ruleset branded(Settings.Branding branding) {
        Ruleset base = FixedRulesets.SWIMMING;
        Settings usual = base.settings();
        var settings = new Settings(usual.controlRatio(), usual.defaultTimeZone(), usual.weekStartsOn(),
                usual.integerLeaderboardValues(), usual.messageTimeZone(), true, null, branding, null, null, null,
                null);
        return new Ruleset(base.tenant(), base.version(), base.published(), base.nextNumber(), base.metrics(),
                base.attributes(), base.achievements(), base.streak(), base.pointsSystems(), base.leaderboards(),
                settings, base.webhooks(), base.notifications(), base.retired());
    }

    private HttpResponse<String> send(String method, String target, String body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + target))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .header("Content-Type", "application/x-www-form-urlencoded").build();
        return browser.send(request, BodyHandlers.ofString());
    }
}
