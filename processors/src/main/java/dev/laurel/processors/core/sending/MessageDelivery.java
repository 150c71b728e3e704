package dev.laurel.processors.core.sending;

import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.NotificationChannel;
import dev.laurel.schemas.ruleset.NotificationType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A message to one user on one channel, from the moment it is due until it was sent or never will be. Pure: decides and does
 * nothing. {@code docs/delivery.md} explains why nothing is sent twice.
 *
 * @param id the same whenever the outbox is read
 * @param at when it was due
 * @param rulesVersion version of the ruleset that has the template
 * @param facts values for the template, JSON; null once the delivery has ended
 * @param createdMs when it was accepted, by the instance's clock
 * @param attempts oldest first
 */
public record MessageDelivery(UUID id, UserKey user, Instant at, long rulesVersion, NotificationType type,
        MessageCopy copy,
        @Nullable String facts, long createdMs, State state, List<Attempt> attempts) {

    /** How long the log shows it, by the instance's clock. */
    public static final Duration KEPT = Duration.ofDays(7);

    /**
     * Nothing older is sent, whatever is configured: until then neither {@code laurel.send-marks} nor the store has lost a mark.
     */
    public static final Duration MAX_AGE = Duration.ofDays(6);

    private static final int MAX_REASON_LENGTH = 500;

    public MessageDelivery {
        attempts = List.copyOf(attempts);
    }

    /** The state of a delivery. */
    public sealed interface State {}

    /**
     * An attempt is to be made. No earlier attempt was sent, and none will be: the state is written only when that is certain.
     *
     * @param attempt number of its mark: 1, 2, ...
     * @param dueMs earliest time, by the instance's clock
     */
    public record Waiting(int attempt, long dueMs) implements State {}

    /** The delivery has ended. @param reason for operators, null if it was sent */
    public record Ended(Ending how, @Nullable String reason, long atMs) implements State {}

    /** The outcomes of deliveries. The order is durable data. */
    public enum Ending {
        SENT,
        /** No attempt would succeed. */
        REFUSED,
        /** It may have been sent or not, and is not sent again. */
        DOUBTFUL,
        /** The last attempt failed, or it is too late. */
        GIVEN_UP
    }

    /** An attempt. @param problem null if it succeeded */
    public record Attempt(long atMs, @Nullable String problem) {}

    /**
     * The first mark of an attempt in the topic, which decides which life makes the attempt.
     *
     * @param isWithdrawn whether that life has ended without making the attempt, and said so
     */
    public record FirstMark(UUID life, boolean isWithdrawn) {}

    /** The next step of a delivery whose time has come. */
    public sealed interface Step {}

    /** Sets a mark. The message is sent when the mark is read and is the first. */
    public record SetMark(int attempt) implements Step {}

    public record Become(MessageDelivery delivery) implements Step {}

    public static UUID idOf(UUID message, NotificationChannel channel) {
        return UUID.nameUUIDFromBytes(("laurel-message/" + message + "/" + channel).getBytes(UTF_8));
    }

    /** The delivery of one copy of a message of the outbox. */
    public static MessageDelivery of(Outgoing.Message message, MessageCopy copy, long nowMs) {
        return new MessageDelivery(idOf(message.id(), copy.channel()), new UserKey(message.tenant(), message.user()),
                message.at(), message.rulesVersion(), message.notification(), copy, message.facts(), nowMs,
                new Waiting(1, nowMs), List.of());
    }

    /** When the log stops showing it, and its marks are deleted. */
    public long expiresMs() {
        return Math.max(createdMs, at.toEpochMilli()) + KEPT.toMillis();
    }

    /** Whether this attempt is to be made next. */
    public boolean awaits(int attempt) {
        return state instanceof Waiting waiting && waiting.attempt() == attempt;
    }

    /**
     * The next step when its time has come.
     *
     * @param first mark of the next attempt, as far as the topic was read; null if there is none
     */
    public Step next(@Nullable FirstMark first, long nowMs) {
        return first == null ? new SetMark(waiting().attempt()) : new Become(overtaken(first, nowMs));
    }

    /**
     * Whether it is too late to send it. To be asked when its mark was read as the first: only then is it certain, and the log can
     * say, that it was not sent before.
     *
     * @param staleAfter the age from which a message is not sent
     */
    public boolean isTooOld(long nowMs, Duration staleAfter) {
        Duration maxAge = staleAfter.compareTo(MAX_AGE) < 0 ? staleAfter : MAX_AGE;
        return nowMs - at.toEpochMilli() > maxAge.toMillis();
    }

    /** It is too late. */
    public MessageDelivery givenUp(long nowMs) {
        return ended(Ending.GIVEN_UP, "it was due too long ago", nowMs);
    }

    /** Another life has marked the attempt first. */
    public MessageDelivery overtaken(FirstMark first, long nowMs) {
        Waiting waiting = waiting();
        return first.isWithdrawn()
                ? with(new Waiting(waiting.attempt() + 1, waiting.dueMs()), facts, attempts)
                : ended(Ending.DOUBTFUL, "attempt " + waiting.attempt()
                        + " was begun by a process that ended before it said what came of it", nowMs);
    }

    /** The attempt succeeded. */
    public MessageDelivery sent(long nowMs) {
        return with(new Ended(Ending.SENT, null, nowMs), null, tried(null, nowMs));
    }

    /** The message was certainly not sent by the attempt. */
    public MessageDelivery notSent(String problem, long nowMs) {
        List<Attempt> tried = tried(problem, nowMs);
        if (tried.size() > RetryPlan.RETRIES) {
            return with(new Ended(Ending.GIVEN_UP, cut(problem), nowMs), null, tried);
        }
        long dueMs = nowMs + RetryPlan.delay(RetryPlan.RETRIES + 1 - tried.size()).toMillis();
        return with(new Waiting(waiting().attempt() + 1, dueMs), facts, tried);
    }

    /** The attempt is the last one, without success. */
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
        return new MessageDelivery(id, user, at, rulesVersion, type, copy, nextFacts, createdMs, next, tried);
    }

    private static @Nullable String cut(@Nullable String reason) {
        return reason == null ? null : UnicodeText.cut(reason, MAX_REASON_LENGTH);
    }
}
