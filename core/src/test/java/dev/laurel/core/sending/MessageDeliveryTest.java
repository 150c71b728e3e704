package dev.laurel.core.sending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.sending.MessageDelivery.Ended;
import dev.laurel.core.sending.MessageDelivery.Ending;
import dev.laurel.core.sending.MessageDelivery.FirstMark;
import dev.laurel.core.sending.MessageDelivery.Replace;
import dev.laurel.core.sending.MessageDelivery.SetMark;
import dev.laurel.core.sending.MessageDelivery.Waiting;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The steps of the delivery of a message. */
class MessageDeliveryTest {

    private static final Instant DUE = Instant.parse("2026-03-04T17:00:00Z");
    private static final long NOW_MS = DUE.toEpochMilli() + 100;
    private static final Duration STALE = Duration.ofHours(24);
    private static final UUID MESSAGE = new UUID(1, 1);
    private static final UUID OTHER_LIFE = new UUID(2, 2);

    private final MessageDelivery delivery = delivery(NotificationChannel.EMAIL);

    private static MessageDelivery delivery(NotificationChannel channel) {
        var copy = new MessageCopy(channel, new UUID(3, 3), 0);
        var message = new Outgoing.Message(
                MESSAGE, TenantId.NONE, DUE, 4, new UserId("ann"), NotificationType.RECAP, List.of(copy), "{}");
        return MessageDelivery.of(message, copy, NOW_MS);
    }

    private static MessageDelivery.Step next(MessageDelivery delivery, FirstMark first, long nowMs) {
        return delivery.next(first, nowMs);
    }

    private static Ending ending(MessageDelivery delivery) {
        return ((Ended) delivery.state()).how();
    }

    @Test
    void shouldBeTheSameDeliveryWheneverTheOutboxIsRead() {
        assertEquals(delivery, delivery(NotificationChannel.EMAIL));
        assertNotEquals(delivery.id(), delivery(NotificationChannel.PUSH).id());
    }

    @Test
    void shouldSetAMarkBeforeSending() {
        assertEquals(new SetMark(1), next(delivery, null, NOW_MS));
    }

    @Test
    void shouldEndWhenTheMessageWasSent() {
        MessageDelivery sent = delivery.sent(NOW_MS + 5);
        assertEquals(new Ended(Ending.SENT, null, NOW_MS + 5), sent.state());
        assertEquals(List.of(new MessageDelivery.Attempt(NOW_MS + 5, null)), sent.attempts());
        assertNull(sent.facts(), "the values are no longer needed");
        assertFalse(sent.awaits(1));
        assertThrows(IllegalStateException.class, () -> sent.sent(NOW_MS));
    }

    @Test
    void shouldRetryThreeTimesAfterOneTwoAndFourMinutes() {
        MessageDelivery tried = delivery;
        long nowMs = NOW_MS;
        for (int minutes : List.of(1, 2, 4)) {
            tried = tried.notSent("the server is busy", nowMs);
            nowMs += Duration.ofMinutes(minutes).toMillis();
            int attempt = tried.attempts().size() + 1;
            assertEquals(new Waiting(attempt, nowMs), tried.state());
            assertEquals(new SetMark(attempt), next(tried, null, nowMs));
        }
        MessageDelivery givenUp = tried.notSent("the server is busy", nowMs);
        assertEquals(new Ended(Ending.GIVEN_UP, "the server is busy", nowMs), givenUp.state());
        assertEquals(4, givenUp.attempts().size());
    }

    @Test
    void shouldBeDoubtfulIfAnotherLifeHasMarkedTheAttempt() {
        var step = (Replace) next(delivery, new FirstMark(OTHER_LIFE, false), NOW_MS);
        assertEquals(Ending.DOUBTFUL, ending(step.delivery()));
        assertEquals(List.of(), step.delivery().attempts());
    }

    @Test
    void shouldContinueWithTheNextAttemptAfterAWithdrawal() {
        MessageDelivery tried = delivery.notSent("busy", NOW_MS);
        long dueMs = ((Waiting) tried.state()).dueMs();
        var step = (Replace) next(tried, new FirstMark(OTHER_LIFE, true), dueMs);
        assertEquals(new Waiting(3, dueMs), step.delivery().state());
        assertEquals(1, step.delivery().attempts().size(), "none was made");
        assertEquals(tried.facts(), step.delivery().facts());
    }

    @Test
    void shouldGiveUpMessagesThatAreTooOld() {
        long limitMs = DUE.plus(STALE).toEpochMilli();
        assertFalse(delivery.isTooOld(limitMs, STALE));
        assertTrue(delivery.isTooOld(limitMs + 1, STALE));
        assertEquals(Ending.GIVEN_UP, ending(delivery.givenUp(limitMs + 1)));
        assertEquals(
                new SetMark(1),
                next(delivery, null, limitMs + 1),
                "that nobody has sent it before is known when the mark is read");
    }

    @Test
    void shouldNotSendMessagesWhoseMarksMayHaveExpired() {
        Duration unlimited = Duration.ofDays(1000);
        long limitMs = DUE.plus(MessageDelivery.MAX_AGE).toEpochMilli();
        assertFalse(delivery.isTooOld(limitMs, unlimited));
        assertTrue(delivery.isTooOld(limitMs + 1, unlimited));
        assertTrue(delivery.expiresMs() > limitMs, "the marks are kept until then");
    }

    @Test
    void shouldKeepADeliveryUntilAWeekAfterItsDueTime() {
        var late = new MessageDelivery(
                delivery.id(),
                delivery.user(),
                DUE.plus(Duration.ofDays(30)),
                4,
                delivery.type(),
                delivery.copy(),
                "{}",
                NOW_MS,
                delivery.state(),
                List.of());
        assertEquals(DUE.plus(Duration.ofDays(37)).toEpochMilli(), late.expiresMs());
    }

    @Test
    void shouldNotRetryRefusedOrDoubtfulMessages() {
        assertEquals(
                new Ended(Ending.REFUSED, "no such mailbox", NOW_MS),
                delivery.failed(Ending.REFUSED, "no such mailbox", NOW_MS).state());
        assertEquals(Ending.DOUBTFUL, ending(delivery.failed(Ending.DOUBTFUL, "no answer", NOW_MS)));
    }

    @Test
    void shouldCutReasonsThatAreTooLong() {
        var ended = (Ended)
                delivery.failed(Ending.REFUSED, "x".repeat(10_000), NOW_MS).state();
        assertEquals(500, ended.reason().length());
    }
}
