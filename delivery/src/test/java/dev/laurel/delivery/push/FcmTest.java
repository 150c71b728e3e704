package dev.laurel.delivery.push;

import static dev.laurel.delivery.push.WebStandIn.FCM;
import static dev.laurel.delivery.push.WebStandIn.TOKENS;
import static dev.laurel.delivery.push.WebStandIn.body;
import static dev.laurel.delivery.push.WebStandIn.response;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.laurel.delivery.message.MessageSender.SendResult;
import dev.laurel.schemas.key.TenantId;
import java.net.URLDecoder;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FcmTest {

    private static final String TOKEN = "dX3:APA91b-phone";

    @AutoClose
    private final PushFixture push = new PushFixture();

    private static MockResponse error(int status, String name, Object... details) {
        return response(
                status,
                Map.of(
                        "error",
                        Map.of("code", status, "message", "said", "status", name, "details", List.of(details))));
    }

    private static Map<String, Object> fcmError(String code) {
        return Map.of("@type", "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode", code);
    }

    @Test
    void shouldSendTheMessageWithAnAccessTokenOverHttp2() throws Exception {
        assertEquals(new SendResult.Sent(List.of()), push.send(TOKEN));

        var request = push.web.requestsTo(FCM).getFirst();
        String id = PushFixture.DELIVERY.toString();
        assertEquals("HTTP/2", request.getVersion());
        assertEquals("Bearer ya29.1", request.getHeaders().get("Authorization"));
        assertEquals(
                Map.of(
                        "message",
                        Map.of(
                                "token",
                                TOKEN,
                                "notification",
                                Map.of("title", "Keep swimming", "body", "Only <4> hours left"),
                                "data",
                                Map.of("type", "streak_reminder", "deliveryId", id),
                                "android",
                                Map.of("collapse_key", id, "ttl", "86400s", "notification", Map.of("tag", id)),
                                "apns",
                                Map.of(
                                        "headers",
                                        Map.of(
                                                "apns-collapse-id",
                                                id,
                                                "apns-expiration",
                                                Long.toString(push.now().getEpochSecond() + 86400))),
                                "webpush",
                                Map.of("headers", Map.of("TTL", "86400")))),
                body(request));
    }

    @Test
    void shouldSignTheRequestForAnAccessToken() throws Exception {
        push.send(TOKEN);

        String form = push.web.requestsTo(TOKENS).getFirst().getBody().utf8();
        String[] fields = URLDecoder.decode(form, UTF_8).split("[&=]");
        assertEquals(
                List.of("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion"),
                List.of(fields).subList(0, 3));
        SignedJWT assertion = SignedJWT.parse(fields[3]);
        assertEquals(JWSAlgorithm.RS256, assertion.getHeader().getAlgorithm());
        assertTrue(assertion.verify(new RSASSAVerifier((RSAPublicKey) PushKeys.GOOGLE.getPublic())));
        JWTClaimsSet claims = assertion.getJWTClaimsSet();
        assertEquals(List.of(push.web.at(TOKENS).toString()), claims.getAudience());
        assertEquals("push@swim-club.example", claims.getIssuer());
        assertEquals("https://www.googleapis.com/auth/firebase.messaging", claims.getClaim("scope"));
        assertEquals(
                push.now().truncatedTo(ChronoUnit.SECONDS),
                claims.getIssueTime().toInstant());
        assertEquals(
                claims.getIssueTime().toInstant().plusSeconds(3600),
                claims.getExpirationTime().toInstant());
    }

    @Test
    void shouldCacheAnAccessTokenUntilShortlyBeforeItExpires() throws Exception {
        push.send(TOKEN);
        push.pass(Duration.ofMinutes(54));
        push.send(TOKEN);
        assertEquals(1, push.web.requestsTo(TOKENS).size());

        push.pass(Duration.ofMinutes(2));
        push.send(TOKEN);
        assertEquals(2, push.web.requestsTo(TOKENS).size());
        assertEquals(
                "Bearer ya29.2", push.web.requestsTo(FCM).getLast().getHeaders().get("Authorization"));
    }

    @Test
    void shouldFetchOneAccessTokenForManyMessagesAtOnce() throws Exception {
        push.web.answer(
                TOKENS,
                _ -> new MockResponse.Builder()
                        .body("{\"access_token\":\"ya29.slow\",\"expires_in\":3600}")
                        .headersDelay(200, TimeUnit.MILLISECONDS)
                        .build());
        var calls = new ArrayList<Callable<SendResult>>();
        for (int i = 0; i < 150; i++) {
            calls.add(() -> push.send(TOKEN));
        }

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var result : threads.invokeAll(calls)) {
                assertEquals(new SendResult.Sent(List.of()), result.get());
            }
        }

        assertEquals(1, push.web.requestsTo(TOKENS).size());
        assertEquals(150, push.web.requestsTo(FCM).size());
    }

    @Test
    void shouldFetchANewAccessTokenIfTheFormerOneIsNotAccepted() throws Exception {
        push.web.answer(
                FCM,
                request -> "Bearer ya29.1".equals(request.getHeaders().get("Authorization"))
                        ? error(401, "UNAUTHENTICATED")
                        : response(200, Map.of()));

        assertInstanceOf(SendResult.NotSent.class, push.send(TOKEN));
        assertEquals(new SendResult.Sent(List.of()), push.send(TOKEN));
    }

    @Test
    void shouldReportAnUnregisteredTokenAsDead() throws Exception {
        push.web.answer(FCM, _ -> error(404, "NOT_FOUND", fcmError("UNREGISTERED")));

        assertEquals(new SendResult.Refused("all device tokens are gone", List.of(TOKEN), true), push.send(TOKEN));
    }

    @Test
    void shouldReportAnInvalidTokenAsDead() throws Exception {
        push.web.answer(
                FCM,
                _ -> error(
                        400,
                        "INVALID_ARGUMENT",
                        fcmError("INVALID_ARGUMENT"),
                        Map.of(
                                "fieldViolations",
                                List.of(Map.of("field", "message.token", "description", "no token")))));
        assertEquals(
                List.of(TOKEN),
                assertInstanceOf(SendResult.Refused.class, push.send(TOKEN)).deadTokens());

        push.web.answer(
                FCM,
                _ -> response(
                        400,
                        Map.of(
                                "error",
                                Map.of(
                                        "status",
                                        "INVALID_ARGUMENT",
                                        "message",
                                        "The registration token is not a valid FCM registration token"))));
        assertEquals(
                List.of(TOKEN),
                assertInstanceOf(SendResult.Refused.class, push.send(TOKEN)).deadTokens());
    }

    @ParameterizedTest
    @CsvSource({"400, INVALID_ARGUMENT", "403, SENDER_ID_MISMATCH", "401, THIRD_PARTY_AUTH_ERROR", "404, NOT_FOUND"})
    void shouldNotReportATokenAsDeadForOtherErrors(int status, String code) throws Exception {
        push.web.answer(FCM, _ -> error(status, code, fcmError(code)));

        assertEquals(new SendResult.Refused("FCM answers " + status + " " + code, List.of()), push.send(TOKEN));
    }

    @ParameterizedTest
    @CsvSource({"429, QUOTA_EXCEEDED", "500, INTERNAL", "503, UNAVAILABLE"})
    void shouldNotBeSentAtATemporaryError(int status, String code) throws Exception {
        push.web.answer(FCM, _ -> error(status, code, fcmError(code)));

        assertEquals(new SendResult.NotSent("FCM answers " + status + " " + code), push.send(TOKEN));
    }

    @ParameterizedTest
    @ValueSource(ints = {502, 504})
    void shouldDoubtAnswersOfProxies(int status) throws Exception {
        push.web.answer(
                FCM, _ -> new MockResponse.Builder().code(status).body("<html>").build());

        assertEquals(new SendResult.Doubtful("FCM answers " + status), push.send(TOKEN));
    }

    @Test
    void shouldDoubtALostConnectionAndNotRepeatTheRequest() throws Exception {
        push.web.hangUp(FCM);

        assertInstanceOf(SendResult.Doubtful.class, push.send(TOKEN));
        assertEquals(1, push.web.requestsTo(FCM).size());
    }

    @Test
    void shouldDoubtARequestWithoutAnswerInTime() throws Exception {
        try (var hasty = new PushFixture(1, PushFixture.HASTY)) {
            hasty.warmUp(TOKEN);
            hasty.web.stall(FCM);

            assertInstanceOf(SendResult.Doubtful.class, hasty.send(TOKEN));
        }
    }

    @Test
    void shouldDoubtAnAnswerThatIsTooLong() throws Exception {
        push.web.answer(
                FCM, _ -> new MockResponse.Builder().body("x".repeat(300_000)).build());

        assertInstanceOf(SendResult.Doubtful.class, push.send(TOKEN));
    }

    @Test
    void shouldNotBeSentIfTheServiceCannotBeReached() throws Exception {
        push.web.close();

        assertInstanceOf(SendResult.NotSent.class, push.send(TOKEN));
    }

    @Test
    void shouldNotBeSentWithoutAccessTokenAndCacheTheFailure() throws Exception {
        push.web.hangUp(TOKENS);

        assertInstanceOf(SendResult.NotSent.class, push.send(TOKEN));
        assertInstanceOf(SendResult.NotSent.class, push.send(TOKEN));
        assertEquals(1, push.web.requestsTo(TOKENS).size());

        push.pass(Duration.ofSeconds(11));
        push.send(TOKEN);
        assertEquals(2, push.web.requestsTo(TOKENS).size());
        assertTrue(push.web.requestsTo(FCM).isEmpty());
    }

    @Test
    void shouldRefuseWhenGoogleRefusesTheServiceAccount() throws Exception {
        push.web.answer(TOKENS, _ -> response(400, Map.of("error", "invalid_grant")));

        assertEquals(
                new SendResult.Refused("Google's answer to the service account is 400 invalid_grant", List.of()),
                push.send(TOKEN));
    }

    @Test
    void shouldRefuseAnInvalidKey() throws Exception {
        String good = PushKeys.serviceAccount(PushKeys.GOOGLE.getPrivate());
        var reasons = new ArrayList<String>();
        for (String bad : List.of(
                "{",
                "[]",
                good.replace("swim-club\"", "../x\""),
                good.replace("client_email", "mail"),
                good.replace("BEGIN", "START"),
                good.replaceFirst("KEY-----\\\\n.{20}", "KEY-----\\\\n"),
                PushKeys.serviceAccount(PushKeys.APPLE.getPrivate()),
                PushKeys.serviceAccount(PushKeys.pair("RSA", 1024).getPrivate()))) {
            push.secret("fcm.serviceAccount", bad);
            reasons.add(
                    assertInstanceOf(SendResult.Refused.class, push.send(TOKEN)).reason());
        }

        assertEquals(
                List.of(
                        "fcm.serviceAccount must be the JSON key file of a service account.",
                        "fcm.serviceAccount must be the JSON key file of a service account.",
                        "fcm.serviceAccount must have a project_id of 1 to 100 lower-case letters, digits, '.', ':'"
                                + " and '-'.",
                        "fcm.serviceAccount must have a client_email.",
                        "fcm.serviceAccount: private_key must be a private key that begins with -----BEGIN PRIVATE"
                                + " KEY-----.",
                        "fcm.serviceAccount: private_key must be a private RSA key.",
                        "fcm.serviceAccount: private_key must be a private RSA key.",
                        "fcm.serviceAccount has a private_key that cannot sign, it must have 2048 bits or more."),
                reasons);
        assertTrue(push.web.requestsTo(TOKENS).isEmpty());
    }

    @Test
    void shouldUseNewSecretsFromTheNextMessageOn() throws Exception {
        push.secret("fcm.serviceAccount", "{}");
        assertInstanceOf(SendResult.Refused.class, push.send(TOKEN));

        push.secret("fcm.serviceAccount", PushKeys.serviceAccount(PushKeys.GOOGLE.getPrivate()));
        assertEquals(new SendResult.Sent(List.of()), push.send(TOKEN));

        push.secret("fcm.serviceAccount", null);
        assertEquals(
                new SendResult.Refused(
                        "a device needs FCM, which is not configured: there is no fcm.serviceAccount", List.of()),
                push.send(TOKEN));
    }

    @Test
    void shouldKeepTheAccessTokensOfTenantsApart() throws Exception {
        var acme = new TenantId("acme");
        push.secret(acme, "fcm.serviceAccount", PushKeys.serviceAccount(PushKeys.GOOGLE.getPrivate()));
        push.send(TOKEN);
        push.send(acme, TOKEN);

        assertEquals(
                List.of("Bearer ya29.1", "Bearer ya29.2"),
                push.web.requestsTo(FCM).stream()
                        .map(request -> request.getHeaders().get("Authorization"))
                        .toList());
    }

    @Test
    void shouldNotUseTheServiceAccountOfAnotherTenant() throws Exception {
        assertInstanceOf(SendResult.Refused.class, push.send(new TenantId("acme"), TOKEN));
        assertTrue(push.web.requestsTo(TOKENS).isEmpty());
    }
}
