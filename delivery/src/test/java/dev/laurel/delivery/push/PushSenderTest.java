package dev.laurel.delivery.push;

import static dev.laurel.delivery.push.WebStandIn.EXPO;
import static dev.laurel.delivery.push.WebStandIn.FCM;
import static dev.laurel.delivery.push.WebStandIn.deviceToken;
import static dev.laurel.delivery.push.WebStandIn.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.eatthepath.pushy.apns.server.RejectionReason;
import dev.laurel.delivery.message.MessageSender.OutgoingMessage;
import dev.laurel.delivery.message.MessageSender.SendResult;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.Template;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PushSenderTest {

    private static final String APPLE = "a".repeat(64);
    private static final String GOOGLE = "g:oogle";
    private static final String EXPONENT = "ExponentPushToken[e]";

    @Test
    void shouldSendToDevicesOfThreeServices() throws Exception {
        try (var apns = new ApnsStandIn(0, PushKeys.APPLE, 1000);
                var push = new PushFixture(apns.port(), PushFixture.PATIENT)) {
            apns.reject(APPLE, RejectionReason.UNREGISTERED);

            assertEquals(
                    new SendResult.Sent(List.of(APPLE)),
                    push.send(EXPONENT, GOOGLE, APPLE, "g:oogle-2", EXPONENT, GOOGLE));

            assertEquals(1, apns.received().size());
            assertEquals(
                    List.of(GOOGLE, "g:oogle-2"),
                    push.web.requestsTo(FCM).stream()
                            .map(WebStandIn::deviceToken)
                            .sorted()
                            .toList());
            assertEquals(
                    1, WebStandIn.bodies(push.web.requestsTo(EXPO).getFirst()).size());
        }
    }

    /** The answers of FCM and Expo, and the outcome. */
    @ParameterizedTest
    @CsvSource({
        "taken, taken, Sent",
        "taken, failed, Sent",
        "failed, taken, Sent",
        "taken, lost, Sent",
        "taken, refused, Sent",
        "dead, taken, Sent",
        "lost, failed, Doubtful",
        "failed, lost, Doubtful",
        "lost, dead, Doubtful",
        "refused, lost, Doubtful",
        "failed, refused, NotSent",
        "dead, failed, NotSent",
        "refused, dead, Refused",
        "dead, refused, Refused",
        "dead, dead, Refused"
    })
    void shouldNotAskForAnotherAttemptIfADeviceMayHaveTheMessage(String fcm, String expo, String result)
            throws Exception {
        try (var push = new PushFixture()) {
            push.web.answer(
                    FCM,
                    _ -> fcm.equals("dead")
                            ? response(
                                    404,
                                    Map.of(
                                            "error",
                                            Map.of(
                                                    "status",
                                                    "NOT_FOUND",
                                                    "details",
                                                    List.of(Map.of("errorCode", "UNREGISTERED")))))
                            : answer(fcm, Map.of()));
            push.web.answer(
                    EXPO,
                    _ -> expo.equals("dead")
                            ? response(
                                    200,
                                    Map.of(
                                            "data",
                                            List.of(Map.of(
                                                    "status",
                                                    "error",
                                                    "details",
                                                    Map.of("error", "DeviceNotRegistered")))))
                            : answer(expo, Map.of("data", List.of(Map.of("status", "ok")))));

            assertEquals(result, push.send(GOOGLE, EXPONENT).getClass().getSimpleName());
        }
    }

    private static MockResponse answer(String kind, Object taken) {
        return switch (kind) {
            case "taken" -> response(200, taken);
            case "failed" -> response(503, Map.of());
            case "refused" -> response(403, Map.of());
            case "lost" ->
                new MockResponse.Builder()
                        .body("x".repeat(10_000))
                        .onResponseBody(new SocketEffect.CloseStream())
                        .build();
            default -> throw new IllegalArgumentException(kind);
        };
    }

    @Test
    void shouldNameTheReasonsOfAllServices() throws Exception {
        try (var push = new PushFixture()) {
            push.secret("expo.token", null);
            push.web.answer(
                    FCM,
                    request -> deviceToken(request).equals(GOOGLE)
                            ? response(403, Map.of())
                            : response(
                                    404,
                                    Map.of("error", Map.of("details", List.of(Map.of("errorCode", "UNREGISTERED"))))));

            assertEquals(
                    new SendResult.Refused(
                            "FCM answers 403; a device needs EXPO, which is not configured: there is no expo.token",
                            List.of("g:one")),
                    push.send(EXPONENT, GOOGLE, "g:one"));
        }
    }

    @Test
    void shouldRefuseAMessageToAUserWithoutDevices() throws Exception {
        try (var push = new PushFixture()) {
            assertEquals(new SendResult.Refused("the user has no device token", List.of()), push.send());
        }
    }

    @Test
    void shouldNotBeSentAfterTheClose() throws Exception {
        try (var push = new PushFixture()) {
            push.send(GOOGLE);
            push.closeSender();

            assertEquals(new SendResult.NotSent("this process is stopping"), push.send(GOOGLE, APPLE, EXPONENT));
            assertEquals(1, push.web.requestsTo(FCM).size());
        }
    }

    @Test
    void shouldStopWaitingWhenInterrupted() throws Exception {
        try (var push = new PushFixture()) {
            push.web.stall(FCM);
            var sending = new FutureTask<>(() -> push.send(GOOGLE));
            Thread thread = Thread.ofVirtual().start(sending);
            while (push.web.requestsTo(FCM).isEmpty()) {
                Thread.onSpinWait();
            }

            thread.interrupt();

            assertTrue(thread.join(Duration.ofSeconds(10)), "it goes on waiting");
            assertInstanceOf(InterruptedException.class, sending.exceptionNow());
        }
    }

    @Test
    void shouldSendNothingIfTheTemplateCannotBeRendered() throws Exception {
        var access = new AccessView() {
            @Override
            public AccessIndex index() {
                throw new AssertionError("no service is needed");
            }

            @Override
            public boolean awaitNewest(Duration timeout) {
                return false;
            }
        };
        try (var sender = new PushSender(access)) {
            var message = new OutgoingMessage(
                    PushFixture.DELIVERY,
                    new UserKey(TenantId.NONE, new UserId("ida")),
                    NotificationChannel.PUSH,
                    NotificationType.RECAP,
                    new Template.Text("Recap", "{{#a}}"),
                    Map.of("user", Map.of("deviceTokens", List.of(GOOGLE))),
                    null,
                    null,
                    false,
                    false);

            assertEquals(
                    new SendResult.Refused("The template must end the section {{#a}} by {{/a}}.", List.of()),
                    sender.send(message));
        }
    }

    @Test
    void shouldKeepSecretsOutOfReasonsAndLogs() throws Exception {
        try (var push = new PushFixture()) {
            push.apns("-----BEGIN PRIVATE KEY-----\nc2VjcmV0LWtleQ==\n-----END PRIVATE KEY-----");
            push.secret("fcm.serviceAccount", "{\"private_key\":\"c2VjcmV0LWtleQ==\"}");
            push.secret("expo.token", "c2VjcmV0 LWtleQ==");

            String said = push.send(APPLE, GOOGLE, EXPONENT).toString();

            assertTrue(said.startsWith("Refused"), said);
            assertFalse(said.contains("c2VjcmV0"), said);
        }
    }
}
