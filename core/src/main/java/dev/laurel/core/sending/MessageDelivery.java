package dev.laurel.core.sending;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of a message to one user on one channel, from its due time to its end. Pure: methods return the next state.
 * {@code docs/delivery.md} explains why nothing is sent twice.
 *
 * @param id the same whenever the outbox is read
 * @param at when the message was due
 * @param rulesVersion version of the ruleset that has the template
 * @param facts the values for the template as JSON; null: the delivery has ended
 * @param createdMs when delivery accepted the message, by the instance's clock
 * @param attempts oldest first
 */
public record MessageDelivery(
        UUID id,
        UserKey user,
        Instant at,
        long rulesVersion,
        NotificationType type,
        MessageCopy copy,
        @Nullable String facts,
        long createdMs,
        State state,
        List<Attempt> attempts) {

    /** The time for which the log of deliveries shows a delivery, by the instance's clock. */
    public static final Duration KEPT = Duration.ofDays(7);

    /**
     * The age from which no message is sent, in any configuration. Up to this age {@code laurel.send-marks} and the store keep
     * all marks.
     */
    public static final Duration MAX_AGE = Duration.ofDays(6);

    private static final int MAX_REASON_LENGTH = 500;

    public MessageDelivery {
        attempts = List.copyOf(attempts);
    }

    /** The state of a delivery. */
    public sealed interface State {}

    /**
     * The next attempt is due at {@code dueMs}. This state is written only when it is certain that no earlier attempt sent the
     * message, or will send it.
     *
     * @param attempt number of the mark: 1, 2, ...
     * @param dueMs by the instance's clock
     */
    public record Waiting(int attempt, long dueMs) implements State {}

    /** The delivery has ended. @param reason for operators; null: the message was sent */
    public record Ended(Ending how, @Nullable String reason, long atMs) implements State {}

    /** The outcomes of deliveries. The order is durable data. */
    public enum Ending {
        SENT,
        /** No attempt can succeed. */
        REFUSED,
        /** The message may have been sent and is not sent again. */
        DOUBTFUL,
        /** The last attempt failed, or the message is too old. */
        GIVEN_UP
    }

    /** An attempt. @param problem null: success */
    public record Attempt(long atMs, @Nullable String problem) {}

    /**
     * The first mark of an attempt in the topic. It decides which life of the task makes the attempt.
     *
     * @param isWithdrawn whether that life has declared that it never makes the attempt
     */
    public record FirstMark(UUID life, boolean isWithdrawn) {}

    /** The next step of a due delivery. */
    public sealed interface Step {}

    /** Writes a mark. The message is sent when this mark is read as the first one. */
    public record SetMark(int attempt) implements Step {}

    /** Replaces the delivery, without an attempt. */
    public record Replace(MessageDelivery delivery) implements Step {}

    public static UUID idOf(UUID message, NotificationChannel channel) {
        return UUID.nameUUIDFromBytes(("laurel-message/" + message + "/" + channel).getBytes(UTF_8));
    }

    /** The delivery of one copy of a message of the outbox. */
    public static MessageDelivery of(Outgoing.Message message, MessageCopy copy, long nowMs) {
        return new MessageDelivery(
                idOf(message.id(), copy.channel()),
                new UserKey(message.tenant(), message.user()),
                message.at(),
                message.rulesVersion(),
                message.notification(),
                copy,
                message.facts(),
                nowMs,
                new Waiting(1, nowMs),
                List.of());
    }

    /** When the delivery and its marks are deleted. */
    public long expiresMs() {
        return Math.max(createdMs, at.toEpochMilli()) + KEPT.toMillis();
    }

    /** Whether this is the next attempt. */
    public boolean awaits(int attempt) {
        return state instanceof Waiting waiting && waiting.attempt() == attempt;
    }

    /**
     * The next step of a due delivery.
     *
     * @param first the first mark of the next attempt; null: none was read so far
     */
    public Step next(@Nullable FirstMark first, long nowMs) {
        return first == null ? new SetMark(waiting().attempt()) : new Replace(markedBefore(first, nowMs));
    }

    /**
     * Whether the message is too old to be sent. The caller must have read its mark as the first one: only then is it certain
     * that the message was not sent before.
     *
     * @param staleAfter the configured age from which a message is not sent
     */
    public boolean isTooOld(long nowMs, Duration staleAfter) {
        Duration maxAge = staleAfter.compareTo(MAX_AGE) < 0 ? staleAfter : MAX_AGE;
        return nowMs - at.toEpochMilli() > maxAge.toMillis();
    }

    /** Ends the delivery of a message that is too old. */
    public MessageDelivery givenUp(long nowMs) {
        return ended(Ending.GIVEN_UP, "it was due too long ago", nowMs);
    }

    /** The delivery after another life of a task has marked the attempt first. */
    public MessageDelivery markedBefore(FirstMark first, long nowMs) {
        Waiting waiting = waiting();
        return first.isWithdrawn()
                ? with(new Waiting(waiting.attempt() + 1, waiting.dueMs()), facts, attempts)
                : ended(
                        Ending.DOUBTFUL,
                        "attempt " + waiting.attempt()
                                + " was begun by a process that ended before it said what came of it",
                        nowMs);
    }

    /** The delivery after a successful attempt. */
    public MessageDelivery sent(long nowMs) {
        return with(new Ended(Ending.SENT, null, nowMs), null, tried(null, nowMs));
    }

    /** The delivery after an attempt that certainly did not send the message. */
    public MessageDelivery notSent(String problem, long nowMs) {
        List<Attempt> tried = tried(problem, nowMs);
        if (tried.size() > RetryPlan.RETRIES) {
            return with(new Ended(Ending.GIVEN_UP, cut(problem), nowMs), null, tried);
        }
        long dueMs =
                nowMs + RetryPlan.delay(RetryPlan.RETRIES + 1 - tried.size()).toMillis();
        return with(new Waiting(waiting().attempt() + 1, dueMs), facts, tried);
    }

    /** The delivery after a failed attempt that is the last one. */
    public MessageDelivery failed(Ending how, String problem, long nowMs) {
        return with(new Ended(how, cut(problem), nowMs), null, tried(problem, nowMs));
    }

    /** Ends the delivery without an attempt. */
    private MessageDelivery ended(Ending how, String reason, long nowMs) {
        return with(new Ended(how, cut(reason), nowMs), null, attempts);
    }

    private Waiting waiting() {
        if (state instanceof Waiting waiting) {
            return waiting;
        }
        throw new IllegalStateException("delivery " + id + " has ended");
    }

    private List<Attempt> tried(@Nullable String problem, long nowMs) {
        waiting();
        var tried = new ArrayList<>(attempts);
        tried.add(new Attempt(nowMs, cut(problem)));
        return tried;
    }

    private MessageDelivery with(State next, @Nullable String nextFacts, List<Attempt> tried) {
        return Records.with(this, "facts", nextFacts, "state", next, "attempts", tried);
    }

    private static @Nullable String cut(@Nullable String reason) {
        return reason == null ? null : UnicodeText.cut(reason, MAX_REASON_LENGTH);
    }

    /** The delays of retries of webhooks and messages: 1, 2 and 4 minutes (docs/webhooks.md §1). Pure. */
    public static final class RetryPlan {

        private static final List<Duration> DELAYS =
                List.of(Duration.ofMinutes(1), Duration.ofMinutes(2), Duration.ofMinutes(4));

        public static final int RETRIES = DELAYS.size();

        private RetryPlan() {}

        /** The delay of the next retry. @param retriesLeft including this one, 1 to {@link #RETRIES} */
        public static Duration delay(int retriesLeft) {
            return DELAYS.get(RETRIES - retriesLeft);
        }
    }
}
