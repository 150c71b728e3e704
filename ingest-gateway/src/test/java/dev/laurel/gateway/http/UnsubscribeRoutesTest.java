package dev.laurel.gateway.http;

import static dev.laurel.schemas.ruleset.Notifications.NotificationChannel.EMAIL;
import static dev.laurel.schemas.ruleset.Notifications.NotificationChannel.PUSH;
import static dev.laurel.schemas.ruleset.Notifications.NotificationType.ACHIEVEMENT_COMPLETED;
import static dev.laurel.schemas.ruleset.Notifications.NotificationType.REACTIVATION;
import static dev.laurel.schemas.ruleset.Notifications.NotificationType.RECAP;
import static dev.laurel.schemas.ruleset.Notifications.NotificationType.STREAK_REMINDER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.FixedRulesets;
import dev.laurel.platform.access.EmailToken;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what browsers and mail programs send to the link of an email, without a key. */
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
        path = "/unsubscribe/" + EmailToken.toUnsubscribe(IDA, gateway.access.index());
        gateway.answerWith(200, "{}");
    }

    @AfterEach
    void stop() {
        browser.close();
        gateway.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "List-Unsubscribe=One-Click", "{]", "recap=email", "xaction=save", "%zz"})
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
    void shouldUnsubscribeByTheOneClickPostInEveryForm() throws Exception {
        String multipart =
                "--b\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--b--\r\n";
        for (String type : List.of(
                "multipart/form-data; boundary=b", "application/x-www-form-urlencoded; charset=none", "text/plain")) {
            assertEquals(200, send("POST", path, multipart, type).statusCode(), type);
        }
        assertEquals(
                200, send("POST", path, "action=save&" + "x".repeat(1_000_000)).statusCode());
        assertEquals(
                4,
                gateway.log.commands.stream()
                        .filter(IdentifyUser.class::isInstance)
                        .count());
    }

    @Test
    void shouldSaveTheChoicesOfTheForm() throws Exception {
        HttpResponse<String> answer = send(
                "POST", path, "achievement_completed=push&recap=email&recap=push&recap=fax&dives=email&action=save");

        assertEquals(303, answer.statusCode());
        assertEquals("?saved=true", answer.headers().firstValue("Location").orElseThrow());
        assertEquals("no-store", answer.headers().firstValue("Cache-Control").orElseThrow());
        assertEquals("", answer.body());
        var command = (SetPreferences) gateway.log.commands.getFirst();
        assertEquals(IDA.user(), command.user().id());
        assertEquals(
                Map.of(
                        ACHIEVEMENT_COMPLETED,
                        Change.set(Set.of(PUSH)),
                        RECAP,
                        Change.set(Set.of(EMAIL, PUSH)),
                        REACTIVATION,
                        Change.set(Set.of()),
                        STREAK_REMINDER,
                        Change.set(Set.of())),
                command.notifications());
        assertFalse(command.streak().enabled().isGiven()
                || command.streak().metrics().isGiven());
    }

    @Test
    void shouldTurnEverythingOff() throws Exception {
        assertEquals(303, send("POST", path, "recap=email&action=off").statusCode());

        var command = (SetPreferences) gateway.log.commands.getFirst();
        assertEquals(
                Set.of(Change.set(Set.of())), Set.copyOf(command.notifications().values()));
        assertEquals(4, command.notifications().size());
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
        assertTrue(page.body().contains("nothing has changed") && page.body().contains("<a href=\"?\">"), page.body());
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
    @CsvSource({"/unsubscribe/x", "/unsubscribe/%20", "cut"})
    void shouldAnswer404ToInvalidTokens(String target) throws Exception {
        HttpResponse<String> page =
                send("POST", target.equals("cut") ? path.substring(0, path.length() - 1) : target, "action=save");

        assertEquals(404, page.statusCode());
        assertTrue(page.body().contains("This link does not work"), page.body());
        assertTrue(gateway.log.commands.isEmpty());
    }

    @Test
    void shouldSendNoReferrerAndAllowNoScripts() throws Exception {
        for (String target : List.of(path, "/unsubscribe/x")) {
            var headers = send("POST", target, "").headers();

            assertEquals(
                    "text/html;charset=utf-8",
                    headers.firstValue("Content-Type").orElseThrow());
            assertEquals("no-referrer", headers.firstValue("Referrer-Policy").orElseThrow());
            assertEquals("no-store", headers.firstValue("Cache-Control").orElseThrow());
            assertTrue(
                    headers.firstValue("Content-Security-Policy").orElseThrow().startsWith("default-src 'none'"));
        }
    }

    @Test
    void shouldShowTheBrandingOfTheOperator() throws Exception {
        gateway.rulesets.publish(branded(new Settings.Branding(
                "Swim & <Club>",
                "https://swim.test/?a=1&b=2",
                "https://swim.test/logo.png",
                "#123456",
                "Georgia",
                null)));

        String page = send("POST", path, "").body();

        for (String part : List.of(
                "no more emails from Swim &amp; &lt;Club&gt;.",
                "src=\"https://swim.test/logo.png\"",
                "solid #123456;",
                "16px/1.55 Georgia, Arial",
                "href=\"https://swim.test/?a=1&amp;b=2\"")) {
            assertTrue(page.contains(part), page);
        }
    }

    private static Ruleset branded(Settings.Branding branding) {
        Ruleset base = FixedRulesets.SWIMMING;
        Settings usual = base.settings();
        var settings = new Settings(
                usual.controlRatio(),
                usual.defaultTimeZone(),
                usual.weekStartsOn(),
                usual.integerLeaderboardValues(),
                usual.messageTimeZone(),
                true,
                null,
                branding,
                null,
                null,
                null,
                null);
        return new Ruleset(
                base.tenant(),
                base.version(),
                base.published(),
                base.nextNumber(),
                base.metrics(),
                base.attributes(),
                base.achievements(),
                base.streak(),
                base.pointsSystems(),
                base.leaderboards(),
                settings,
                base.webhooks(),
                base.notifications(),
                base.retired(),
                null,
                null);
    }

    private HttpResponse<String> send(String method, String target, String body)
            throws IOException, InterruptedException {
        return send(method, target, body, "application/x-www-form-urlencoded");
    }

    private HttpResponse<String> send(String method, String target, String body, String type)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + target))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .header("Content-Type", type)
                .build();
        return browser.send(request, BodyHandlers.ofString());
    }
}
