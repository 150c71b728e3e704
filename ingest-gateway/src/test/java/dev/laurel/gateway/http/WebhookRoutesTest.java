package dev.laurel.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.FixedRulesets;
import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.SettingsKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.topic.DeliveryIds;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the routes of webhooks, and the patches of message settings, with a fake log. */
@Timeout(60)
class WebhookRoutesTest {

    private static final String ID = "00000000-0000-4000-8000-000000000001";

    private static final String ACTIVE = "00000000-0000-0008-0000-000000000001";
    private static final String INACTIVE = "00000000-0000-0008-0000-000000000002";
    private static final String TEST = "/admin/v1/webhooks/" + ACTIVE + "/test";
    private static final String RETRY = "/admin/v1/webhooks/" + ACTIVE + "/deliveries/" + ID + "/retry";
    private static final String STREAK_LOST = "{\"event\":\"streak.lost\"}";

    @AutoClose
    private final GatewayHttp gateway = new GatewayHttp(Duration.ofSeconds(20));

    @BeforeEach
    void publishWebhooks() {
        gateway.rulesets.publish(FixedRulesets.WITH_WEBHOOKS);
    }

    @Test
    void shouldRotateTheSecret() {
        gateway.answerWith(200, "{\"secret\":\"whsec_1\"}");

        gateway.client
                .send("POST", "/admin/v1/webhooks/" + ID + "/rotate-secret", "")
                .expect(200, "{\"secret\":\"whsec_1\"}");
        assertEquals(new Edit.RotateSecret(UUID.fromString(ID)), gateway.log.edits.getFirst());
    }

    /** Before the secret arrives, this gateway may still use the old one. */
    @Test
    void shouldAnswerPendingIfTheNewSecretDoesNotArrive() {
        gateway.access.isFollowed = false;

        assertEquals(
                202,
                gateway.client
                        .send("POST", "/admin/v1/webhooks/" + ID + "/rotate-secret", "")
                        .status());
    }

    @ParameterizedTest
    @CsvSource({"/notifications/settings,NOTIFICATIONS", "/notifications/channels,CHANNELS"})
    void shouldPatchSettings(String path, SettingsKind kind) {
        gateway.answerWith(200, "{}");

        assertEquals(
                200,
                gateway.client
                        .send("PATCH", "/admin/v1" + path, "{\"a\":[1,null]}")
                        .status());

        var patch = (Edit.Patch) gateway.log.edits.getFirst();
        assertEquals(kind, patch.kind());
        assertEquals(Map.of("a", java.util.Arrays.asList(1, null)), patch.fields());
    }

    @Test
    void shouldQueueATestAndReturnTheIdOfItsDelivery() {
        var response = gateway.client.post(TEST, STREAK_LOST).expect(202);
        var test = (Outgoing.HookTest) gateway.log.outbox.getFirst();
        assertEquals("{\"deliveryId\":\"" + test.id() + "\"}", response.body());
        assertEquals(
                new Outgoing.HookTest(
                        test.id(), TenantId.NONE, GatewayHttp.NOW, UUID.fromString(ACTIVE), WebhookEvent.STREAK_LOST),
                test);
        assertEquals(
                DeliveryIds.of(TenantId.NONE.bytes(), GatewayHttp.NOW, test.id(), test.webhook())
                        .getMostSignificantBits(),
                test.id().getMostSignificantBits());
    }

    @ParameterizedTest
    @EnumSource(WebhookEvent.class)
    void shouldTestEventsThatTheWebhookDoesNotSubscribeTo(WebhookEvent event) {
        assertEquals(
                202,
                gateway.client
                        .post(TEST, "{\"event\":\"" + event.type() + "\"}")
                        .status());
    }

    @Test
    void shouldListTheEventsIfTheEventIsUnknown() {
        String body = gateway.client.post(TEST, "{\"event\":\"streak.found\"}").body();

        WebhookEvent.types().forEach(type -> assertTrue(body.contains(type), body));
    }

    @Test
    void shouldFindAWebhookThatAnotherGatewayCreated() {
        gateway.rulesets.publish(FixedRulesets.SWIMMING);
        gateway.rulesets.publishElsewhere(FixedRulesets.WITH_WEBHOOKS);

        assertEquals(202, gateway.client.post(TEST, STREAK_LOST).status());
    }

    @Test
    void shouldAnswer503IfTheNewestRulesetIsNotKnown() {
        gateway.rulesets.isFollowed = false;

        assertEquals(503, gateway.client.post(TEST, STREAK_LOST).status());
        assertEquals(503, gateway.client.post(RETRY, "").status());
        assertTrue(gateway.log.outbox.isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"STORED,202", "UNKNOWN,202", "NOT_STORED,503"})
    void shouldAnswer503OnlyIfTheTestIsSurelyNotQueued(Outcome outcome, int status) {
        gateway.log.outcome = CompletableFuture.completedFuture(outcome);

        assertEquals(status, gateway.client.post(TEST, STREAK_LOST).status());
    }

    @Test
    void shouldRefuseTestsWhileTheLogIsStalled() {
        gateway.log.isStalled = true;

        assertEquals(503, gateway.client.post(TEST, STREAK_LOST).status());
        assertTrue(gateway.log.outbox.isEmpty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"202|{}", "404|{\"error\":\"Delivery not found by ID\"}"})
    void shouldAnswerARetryWithTheReplyOfDelivery(int status, String body) {
        gateway.answerWith(status, body);

        gateway.client.post(RETRY, "").expect(status, body);
        var retry = (Outgoing.HookRetry) gateway.log.outbox.getFirst();
        assertEquals(
                new Outgoing.HookRetry(
                        retry.id(), TenantId.NONE, GatewayHttp.NOW, UUID.fromString(ACTIVE), UUID.fromString(ID)),
                retry);
    }

    @Test
    void shouldUseADifferentIdForEachRetry() {
        gateway.answerWith(202, "{}");

        gateway.client.post(RETRY, "");
        gateway.client.post(RETRY, "");

        assertEquals(2, gateway.log.outbox.stream().map(Outgoing::id).distinct().count());
    }

    /** A 5xx would mean that nothing was stored, but the record is in the outbox. */
    @Test
    void shouldAnswerPendingIfDeliveryDoesNotReply() {
        try (var shortTimeout = new GatewayHttp(Duration.ofMillis(50))) {
            shortTimeout.rulesets.publish(FixedRulesets.WITH_WEBHOOKS);
            shortTimeout.answerNothing();

            shortTimeout.client.post(RETRY, "").expect(202, "{\"pending\":true}");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "PATCH|/notifications/channels|[]|400",
                "PATCH|/notifications/channels||400",
                "PATCH|/notifications/settings|{|400",
                "POST|/webhooks|{}|400",
                "POST|/webhooks|[]|422",
                "POST|/webhooks/x/rotate-secret|{}|422",
                "POST|/webhooks/x/test|{\"event\":\"streak.lost\"}|422",
                "POST|/webhooks/" + ACTIVE + "/test||400",
                "POST|/webhooks/" + ACTIVE + "/test|[]|400",
                "POST|/webhooks/" + ACTIVE + "/test|{|400",
                "POST|/webhooks/" + ACTIVE + "/test|{}|422",
                "POST|/webhooks/" + ACTIVE + "/test|{\"event\":null}|422",
                "POST|/webhooks/" + ACTIVE + "/test|{\"event\":5}|422",
                "POST|/webhooks/" + ACTIVE + "/test|{\"event\":\"STREAK_LOST\"}|422",
                "POST|/webhooks/" + ID + "/test|{\"event\":\"streak.lost\"}|404",
                "POST|/webhooks/" + INACTIVE + "/test|{\"event\":\"streak.lost\"}|422",
                "POST|/webhooks/x/deliveries/" + ID + "/retry||422",
                "POST|/webhooks/" + ACTIVE + "/deliveries/x/retry||422",
                "POST|/webhooks/" + ID + "/deliveries/" + ID + "/retry||404",
                "POST|/webhooks/" + INACTIVE + "/deliveries/" + ID + "/retry||422",
                "PATCH|/notifications/templates|{}|400",
                "DELETE|/notifications/templates||422"
            })
    void shouldRefuseOtherBodiesAndSendNothing(String method, String path, String body, int status) {
        var response = gateway.client
                .send(method, "/admin/v1" + path, body == null ? "" : body)
                .expect(status);
        assertTrue(response.body().startsWith("{\"error\":\""), response.body());
        assertTrue(gateway.log.edits.isEmpty());
        assertTrue(gateway.log.outbox.isEmpty());
    }
}
