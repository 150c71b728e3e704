package dev.laurel.processors.delivery;

import dev.laurel.processors.delivery.DeliveryCounts.Kind;
import dev.laurel.processors.topology.DeliveryTopology;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class OutgoingRouterTest {

    private static final TenantId TENANT = TenantId.NONE;
    private static final UUID ID = new UUID(1, 2);
    private static final Instant NOW = Instant.parse("2026-03-04T09:00:00Z");
    private static final Instant DAY_AGO = NOW.minus(Duration.ofHours(24));
    private static final Instant TOO_OLD = DAY_AGO.minusMillis(1);

    private final DeliveryCounts counts = new DeliveryCounts();
    private final MockProcessorContext<byte[], Outgoing> context = new MockProcessorContext<>();
    private final OutgoingRouter route = new OutgoingRouter(() -> NOW, Duration.ofHours(24), counts);

    /** @return the steps to which the record is forwarded, in order */
    private List<String> stepsFor(Outgoing outgoing) {
        context.resetForwards();
        route.init(context);
        // The time of the log does not matter: a replay writes the record now.
        route.process(new Record<>(new byte[]{1}, outgoing, NOW.toEpochMilli()));
        return context.forwarded().stream().map(forward -> forward.childName().orElseThrow()).toList();
    }

    private static Outgoing event(WebhookEvent event, Instant at) {
        return new Outgoing.HookEvent(ID, TENANT, at, event, List.of(ID), null, "{}");
    }

    private static Outgoing message(Instant at) {
        return new Outgoing.Message(ID, TENANT, at, 1, new UserId("ida"), NotificationType.RECAP, List.of(), "{}");
    }

    private static Outgoing news(Instant at) {
        var start = LocalDate.of(2026, 3, 1);
        return new Outgoing.LeaderboardEvent(ID, TENANT, at, 1,
                new Effect.LeaderboardStarted(at, ID, "laps", start, null));
    }

    @Test
    void shouldForwardEachRecordToItsStep() {
        for (WebhookEvent event : WebhookEvent.values()) {
            assertEquals(List.of(DeliveryTopology.DELIVER_WEBHOOKS), stepsFor(event(event, NOW)), event.type());
        }
        assertEquals(List.of(DeliveryTopology.DELIVER_WEBHOOKS), stepsFor(news(NOW)));
        assertEquals(List.of(DeliveryTopology.SEND_MESSAGES), stepsFor(message(NOW)));
    }

    @Test
    void shouldDropStaleRecordsByTheInstancesClock() {
        assertEquals(1, stepsFor(event(WebhookEvent.STREAK_LOST, DAY_AGO)).size());
        assertEquals(1, stepsFor(message(DAY_AGO)).size());
        assertEquals(1, stepsFor(news(DAY_AGO)).size());
        assertEquals(0, counts.number(Kind.STALE));

        assertEquals(List.of(), stepsFor(event(WebhookEvent.STREAK_LOST, TOO_OLD)));
        assertEquals(List.of(), stepsFor(event(WebhookEvent.POINTS_CHANGED, TOO_OLD)));
        assertEquals(List.of(), stepsFor(message(TOO_OLD)));
        assertEquals(List.of(), stepsFor(news(TOO_OLD)));
        assertEquals(4, counts.number(Kind.STALE));
    }

    @Test
    void shouldForwardEventsOfTheFuture() {
        Instant future = NOW.plus(Duration.ofDays(400));

        assertEquals(1, stepsFor(event(WebhookEvent.STREAK_LOST, future)).size());
        assertEquals(1, stepsFor(message(future)).size());
        assertEquals(1, stepsFor(news(future)).size());
        assertEquals(0, counts.number(Kind.STALE));
    }

    /** An operator waits for an answer, even if the clocks of writer and reader differ. */
    @Test
    void shouldNeverDropRequestsOfOperators() {
        Instant longAgo = NOW.minus(Duration.ofDays(3));

        assertEquals(List.of(DeliveryTopology.DELIVER_WEBHOOKS),
                stepsFor(new Outgoing.HookTest(ID, TENANT, longAgo, ID, WebhookEvent.STREAK_LOST)));
        assertEquals(List.of(DeliveryTopology.DELIVER_WEBHOOKS),
                stepsFor(new Outgoing.HookRetry(ID, TENANT, longAgo, ID, ID)));
        assertEquals(0, counts.number(Kind.STALE));
    }

    @Test
    void shouldForwardQuestionsOfAnyAge() {
        assertEquals(List.of(DeliveryTopology.DELIVER_WEBHOOKS, DeliveryTopology.SEND_MESSAGES),
                stepsFor(new Outgoing.Question(ID, TENANT, TOO_OLD, false)));
    }

    /** Erasures of any age are forwarded, because an import of erased users must delete them. */
    @Test
    void shouldForwardAnErasureToEachStep() {
        assertEquals(
                List.of(DeliveryTopology.DELIVER_WEBHOOKS, DeliveryTopology.SEND_MESSAGES),
                stepsFor(new Outgoing.UserErased(ID, TENANT, NOW.minus(Duration.ofDays(3)), new UserId("ida"))));
        assertEquals(0, counts.number(Kind.STALE));
    }
}
