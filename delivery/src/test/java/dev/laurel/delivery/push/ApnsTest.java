package dev.laurel.delivery.push;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.eatthepath.pushy.apns.server.RejectionReason;
import dev.laurel.delivery.message.MessageSender.SendResult;
import dev.laurel.platform.http.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ApnsTest {

    private static final String A = "a".repeat(64);
    private static final String B = "b".repeat(64);

    private static ApnsStandIn apns() {
        return new ApnsStandIn(0, PushKeys.APPLE, 1000);
    }

    /** The stand-in refuses provider tokens whose signature does not match the public key. */
    @Test
    void shouldSendTheMessageWithAProviderToken() throws Exception {
        try (var apns = apns();
                var push = new PushFixture(apns.port(), PushFixture.PATIENT)) {
            assertEquals(new SendResult.Sent(List.of()), push.send(A));

            var received = apns.received().getFirst();
            String id = PushFixture.DELIVERY.toString();
            assertEquals(
                    Map.of(
                            "aps",
                            Map.of("alert", Map.of("title", "Keep swimming", "body", "Only <4> hours left")),
                            "type",
                            "streak_reminder",
                            "deliveryId",
                            id),
                    received.payload());
            assertEquals(ApnsStandIn.BUNDLE, received.headers().get("apns-topic"));
            assertEquals("alert", received.headers().get("apns-push-type"));
            assertEquals(id, received.headers().get("apns-collapse-id"));
            assertEquals(
                    Long.toString(push.now().getEpochSecond() + 86400),
                    received.headers().get("apns-expiration"));
        }
    }

    @Test
    void shouldNameTheSameNotificationTheSameAtTheNextAttemptAndEachDevicesOtherwise() throws Exception {
        try (var apns = apns();
                var push = new PushFixture(apns.port(), PushFixture.PATIENT)) {
            push.send(A);
            push.send(A);
            push.send(B);

            List<UUID> ids = apns.received().stream()
                    .map(r -> UUID.fromString(r.headers().get("apns-id")))
                    .toList();
            assertEquals(ids.get(0), ids.get(1));
            assertNotEquals(ids.get(0), ids.get(2));
        }
    }

    @Test
    void shouldRefuseWhenTheKeyIsNotTheTeams() throws Exception {
        try (var apns = apns();
                var push = new PushFixture(apns.port(), PushFixture.PATIENT)) {
            push.apns(PushKeys.pem(PushKeys.pair("EC", 256).getPrivate()));
            assertEquals(new SendResult.Refused("APNs answers 403 InvalidProviderToken", List.of()), push.send(A));

            push.apns(PushKeys.pem(PushKeys.APPLE.getPrivate()));
            assertEquals(new SendResult.Sent(List.of()), push.send(A));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BAD_DEVICE_TOKEN", "UNREGISTERED", "DEVICE_TOKEN_NOT_FOR_TOPIC"})
    void shouldReportDeadTokens(RejectionReason reason) throws Exception {
        try (var apns = apns();
                var push = new PushFixture(apns.port(), PushFixture.PATIENT)) {
            apns.reject(A, reason);

            assertEquals(new SendResult.Refused("all device tokens are gone", List.of(A), true), push.send(A));
            assertEquals(new SendResult.Sent(List.of(A)), push.send(A, B));
        }
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "TOO_MANY_REQUESTS",
                "INTERNAL_SERVER_ERROR",
                "SERVICE_UNAVAILABLE",
                "EXPIRED_PROVIDER_TOKEN",
                "IDLE_TIMEOUT"
            })
    void shouldNotBeSentAtATemporaryError(RejectionReason reason) throws Exception {
        try (var apns = apns();
                var push = new PushFixture(apns.port(), PushFixture.PATIENT)) {
            apns.reject(A, reason);

            assertInstanceOf(SendResult.NotSent.class, push.send(A));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PAYLOAD_TOO_LARGE", "BAD_TOPIC", "TOPIC_DISALLOWED"})
    void shouldRefuseWhatApnsRefusesForGood(RejectionReason reason) throws Exception {
        try (var apns = apns();
                var push = new PushFixture(apns.port(), PushFixture.PATIENT)) {
            apns.reject(A, reason);

            assertEquals(
                    List.of(),
                    assertInstanceOf(SendResult.Refused.class, push.send(A)).deadTokens());
        }
    }

    @Test
    void shouldDoubtARequestWithoutAnswerInTime() throws Exception {
        try (var apns = apns();
                var push = new PushFixture(apns.port(), PushFixture.HASTY)) {
            push.warmUp(B);
            apns.stall(A);

            assertEquals(new SendResult.Doubtful("APNs: no answer in time"), push.send(A));
        }
    }

    /** The connection to APNs allows one request at a time. */
    @Test
    void shouldHoldBackWhatAConnectionHasNoRoomFor() throws Exception {
        try (var apns = new ApnsStandIn(0, PushKeys.APPLE, 1);
                var push = new PushFixture(apns.port(), PushFixture.PATIENT);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<Callable<SendResult>>();
            IntStream.range(0, 100).forEach(i -> calls.add(() -> push.send(String.format("%064x", i))));

            for (var result : threads.invokeAll(calls)) {
                assertEquals(new SendResult.Sent(List.of()), result.get());
            }
            assertEquals(100, apns.received().size());
        }
    }

    /** Pushy waits longer and longer before it connects again: what is given up meanwhile must not go out after all. */
    @Test
    void shouldNeverSendWhatItHasGivenUpWithoutAConnection() throws Exception {
        int port = TestServer.unusedPort();
        try (var push = new PushFixture(port, Duration.ofMillis(300))) {
            for (int i = 0; i < 4; i++) {
                assertInstanceOf(SendResult.NotSent.class, push.send(A));
            }
            try (var apns = new ApnsStandIn(port, PushKeys.APPLE, 1000)) {
                SendResult last = push.send(B);
                for (int i = 0; i < 60 && !(last instanceof SendResult.Sent); i++) {
                    last = push.send(B);
                }

                assertEquals(new SendResult.Sent(List.of()), last);
                assertTrue(apns.received().stream()
                        .allMatch(r -> r.headers().get(":path").endsWith(B)));
            }
        }
    }

    @Test
    void shouldRefuseWithSecretsThatAreNone() throws Exception {
        try (var push = new PushFixture()) {
            var reasons = new ArrayList<String>();
            for (String bad : List.of(
                    "secret",
                    PushKeys.pem(PushKeys.GOOGLE.getPrivate()),
                    PushKeys.pem(PushKeys.pair("EC", 384).getPrivate()))) {
                push.apns(bad);
                reasons.add(
                        assertInstanceOf(SendResult.Refused.class, push.send(A)).reason());
            }
            push.apns(PushKeys.pem(PushKeys.APPLE.getPrivate()));
            push.secret("apns.bundleId", "two\r\nlines");
            reasons.add(assertInstanceOf(SendResult.Refused.class, push.send(A)).reason());
            push.secret("apns.bundleId", null);
            push.secret("apns.teamId", null);
            reasons.add(assertInstanceOf(SendResult.Refused.class, push.send(A)).reason());

            assertEquals(
                    List.of(
                            "apns.signingKey must be a private key that begins with -----BEGIN PRIVATE KEY-----.",
                            "apns.signingKey must be a private EC key.",
                            "apns.signingKey must be a key of the curve P-256.",
                            "apns.bundleId must be a bundle id such as com.example.app.",
                            "a device needs APNS, which is not configured: there is no apns.teamId, apns.bundleId"),
                    reasons);
        }
    }
}
