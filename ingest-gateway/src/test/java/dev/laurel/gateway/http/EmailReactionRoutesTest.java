package dev.laurel.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.platform.access.EmailToken;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.command.Command.RecordReaction;
import dev.laurel.schemas.command.Command.RecordReaction.Reaction;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Settings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the image and the links of emails, as mail programs and browsers use them: without a key. */
@Timeout(60)
class EmailReactionRoutesTest {

    private static final UserKey IDA = UserKey.of("ida");
    private static final UUID EMAIL = new UUID(1, 2);
    private static final String TARGET = "https://a.example/?q=1&r=%20";

    private final GatewayHttp gateway = new GatewayHttp(Duration.ofSeconds(20));
    private final HttpClient browser = HttpClient.newHttpClient();

    @BeforeEach
    void configure() {
        Secret key = new Secret(TenantId.NONE, Secret.CHANNELS, Secret.UNSUBSCRIBE, "0123");
        gateway.access.index().put(key.recordKey(), key);
        track(true, true);
    }

    @AfterEach
    void stop() {
        browser.close();
        gateway.close();
    }

    private void track(boolean opens, boolean clicks) {
        Ruleset base = gateway.rulesets.newest(TenantId.NONE);
        Settings usual = base.settings();
        var settings = new Settings(
                usual.controlRatio(),
                usual.defaultTimeZone(),
                usual.weekStartsOn(),
                usual.integerLeaderboardValues(),
                usual.messageTimeZone(),
                true,
                null,
                usual.branding(),
                null,
                null,
                opens,
                clicks);
        gateway.rulesets.publish(new Ruleset(
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
                null));
    }

    private String token(String target) {
        return EmailToken.of(new EmailToken.Content(IDA, EMAIL, target), gateway.access.index());
    }

    private HttpResponse<String> get(String token) throws Exception {
        return browser.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/m/" + token))
                        .build(),
                BodyHandlers.ofString());
    }

    private static RecordReaction reaction(Reaction reaction) {
        return new RecordReaction(UserChange.mention(IDA.user()), EMAIL, reaction);
    }

    @Test
    void shouldCountAnOpenAndAnswerAnImage() throws Exception {
        HttpResponse<String> image = get(token(null));

        assertEquals(200, image.statusCode());
        assertEquals("image/gif", image.headers().firstValue("Content-Type").orElseThrow());
        assertEquals("no-store", image.headers().firstValue("Cache-Control").orElseThrow());
        assertTrue(image.body().startsWith("GIF89a"));
        assertEquals(List.of(reaction(Reaction.OPENED)), gateway.log.commands);
        assertEquals(List.of(IDA), gateway.log.users);
    }

    @Test
    void shouldCountAClickAndRedirectToTheTarget() throws Exception {
        HttpResponse<String> redirect = get(token(TARGET));

        assertEquals(302, redirect.statusCode());
        assertEquals(TARGET, redirect.headers().firstValue("Location").orElseThrow());
        assertEquals(
                "no-referrer", redirect.headers().firstValue("Referrer-Policy").orElseThrow());
        assertEquals(List.of(reaction(Reaction.CLICKED)), gateway.log.commands);
    }

    @Test
    void shouldCountNothingThatIsSwitchedOff() throws Exception {
        track(false, true);
        assertEquals(200, get(token(null)).statusCode());
        assertEquals(List.of(), gateway.log.commands);

        track(true, false);
        assertEquals(302, get(token(TARGET)).statusCode());
        assertEquals(List.of(), gateway.log.commands);
    }

    @Test
    void shouldRedirectNowhereWithoutAnAuthenticToken() throws Exception {
        String token = token(TARGET);
        for (String forged : List.of(
                "x", token.substring(0, token.length() - 4), EmailToken.toUnsubscribe(IDA, gateway.access.index()))) {
            HttpResponse<String> page = get(forged);

            assertEquals(404, page.statusCode());
            assertTrue(page.headers().firstValue("Location").isEmpty());
        }
        assertEquals(List.of(), gateway.log.commands);
    }

    @Test
    void shouldRedirectWithoutWaitingForTheLog() throws Exception {
        gateway.log.outcome = new CompletableFuture<>();
        assertEquals(302, get(token(TARGET)).statusCode());
        gateway.log.outcome = CompletableFuture.completedFuture(Outcome.NOT_STORED);
        assertEquals(302, get(token(TARGET)).statusCode());
        gateway.log.isStalled = true;
        assertEquals(302, get(token(TARGET)).statusCode());

        assertEquals(2, gateway.log.commands.size());
    }

    @Test
    void shouldCountAFewRequestsOfAUserPerMinute() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertEquals(302, get(token(TARGET)).statusCode());
        }

        assertEquals(5, gateway.log.commands.size());
    }
}
