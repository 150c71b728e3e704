package dev.laurel.processors.core.sending;

import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.command.NotificationType;
import dev.laurel.schemas.key.UnicodeText;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.MessageCopy;
import dev.laurel.schemas.outbox.Outgoing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A message to one user on one channel, from the moment it is due until it went out or will not. Pure: says what is to be
 * done, does nothing. Why nothing goes out twice: {@code DELIVERY.md}.
 *
 * @param id the same whenever the outbox is read
 * @param at when it was due
 * @param rulesVersion which has the template
 * @param facts what the template may show, JSON; null once the delivery has ended
 * @param createdMs when it was taken in, by the instance's clock
 * @param attempts that were made, oldest first
 */
public record Delivery(UUID id, UserKey user, Instant at, long rulesVersion, NotificationType type, MessageCopy copy,
        String facts, long createdMs, State state, List<Attempt> attempts) {

    /** How long the log shows it, by the instance's clock. */
    public static final Duration KEPT = Duration.ofDays(7);

    /**
     * Nothing older than this is sent, whatever is configured: within it, no mark that was set can be gone from
     * {@code laurel.send-marks}, and none is forgotten by the store.
     */
    public static final Duration MAX_AGE = Duration.ofDays(6);

    private static final int MAX_REASON_LENGTH = 500;

    public Delivery {
        attempts = List.copyOf(attempts);
    }

    /** Where a delivery stands. */
    public sealed interface State {}

    /**
     * An attempt is to be made. No attempt before it has gone out, and none will: this is said only when that is certain.
     *
     * @param attempt number of its mark: 1, 2, ...
     * @param dueMs not before, by the instance's clock
     */
    public record Waiting(int attempt, long dueMs) implements State {}

    /** Nothing more is done. @param reason for operators, null if it went out */
    public record Ended(Ending how, String reason, long atMs) implements State {}

    /** How deliveries end. The order is durable data. */
    public enum Ending {
        SENT,
        /** No attempt would do better. */
        REFUSED,
        /** It may have gone out or not; that it does not go out twice counts for more. */
        DOUBTFUL,
        /** The last attempt failed, or it is too late. */
        GIVEN_UP
    }

    /** One that was made. @param problem null if it went well */
    public record Attempt(long atMs, String problem) {}

    /**
     * The first mark of an attempt in the topic: it decides who makes the attempt.
     *
     * @param isWithdrawn whether that life has ended without making it, and said so
     */
    public record FirstMark(UUID life, boolean isWithdrawn) {}

    /** What is to be done about a delivery whose time has come. */
    public sealed interface Step {}

    /** Set a mark. It goes out when that is read, and is the first. */
    public record SetMark(int attempt) implements Step {}

    public record Become(Delivery delivery) implements Step {}

    public static UUID idOf(UUID message, NotificationChannel channel) {
        return UUID.nameUUIDFromBytes(("laurel-message/" + message + "/" + channel).getBytes(UTF_8));
    }

    /** A copy of a message that came out of the outbox. */
    public static Delivery of(Outgoing.Message message, MessageCopy copy, long nowMs) {
        return new Delivery(idOf(message.id(), copy.channel()), new UserKey(message.tenant(), message.user()),
                message.at(), message.rulesVersion(), message.notification(), copy, message.facts(), nowMs,
                new Waiting(1, nowMs), List.of());
    }

    /** From when on the log no longer shows it, and its marks are forgotten. */
    public long expiresMs() {
        return Math.max(createdMs, at.toEpochMilli()) + KEPT.toMillis();
    }

    /** Whether this attempt is the one to be made. */
    public boolean awaits(int attempt) {
        return state instanceof Waiting waiting && waiting.attempt() == attempt;
    }

    /**
     * Its time has come.
     *
     * @param first mark of the attempt that it waits for, as far as the topic was read; null if there is none
     */
    public Step next(FirstMark first, long nowMs) {
        return first == null ? new SetMark(waiting().attempt()) : new Become(overtaken(first, nowMs));
    }

    /**
     * Whether it is too late to send it. Asked when its mark was read as the first: only then is it certain that it has not
     * gone out before, and the log says so.
     *
     * @param staleAfter what is older than this is not sent
     */
    public boolean isTooOld(long nowMs, Duration staleAfter) {
        Duration maxAge = staleAfter.compareTo(MAX_AGE) < 0 ? staleAfter : MAX_AGE;
        return nowMs - at.toEpochMilli() > maxAge.toMillis();
    }

    /** It is too late. */
    public Delivery givenUp(long nowMs) {
        return ended(Ending.GIVEN_UP, "it was due too long ago", nowMs);
    }

    /** Another life has marked the attempt first. */
    public Delivery overtaken(FirstMark first, long nowMs) {
        Waiting waiting = waiting();
        return first.isWithdrawn()
                ? with(new Waiting(waiting.attempt() + 1, waiting.dueMs()), facts, attempts)
                : ended(Ending.DOUBTFUL, "attempt " + waiting.attempt()
                        + " was begun by a process that ended before it said what came of it", nowMs);
    }

    /** The attempt went well. */
    public Delivery sent(long nowMs) {
        return with(new Ended(Ending.SENT, null, nowMs), null, tried(null, nowMs));
    }

    /** The attempt has certainly not gone out. */
    public Delivery notSent(String problem, long nowMs) {
        List<Attempt> tried = tried(problem, nowMs);
        if (tried.size() > RetryPlan.RETRIES) {
            return with(new Ended(Ending.GIVEN_UP, cut(problem), nowMs), null, tried);
        }
        long dueMs = nowMs + RetryPlan.delay(RetryPlan.RETRIES + 1 - tried.size()).toMillis();
        return with(new Waiting(waiting().attempt() + 1, dueMs), facts, tried);
    }

    /** The attempt has not gone out, or may have, and is the last one. */
    public Delivery failed(Ending how, String problem, long nowMs) {
        return with(new Ended(how, cut(problem), nowMs), null, tried(problem, nowMs));
    }

    /** Without an attempt. */
    private Delivery ended(Ending how, String reason, long nowMs) {
        return with(new Ended(how, cut(reason), nowMs), null, attempts);
    }

    private Waiting waiting() {
        if (state instanceof Waiting waiting) {
            return waiting;
        }
        throw new IllegalStateException("delivery " + id + " has ended");
    }

    private List<Attempt> tried(String problem, long nowMs) {
        waiting();
        var tried = new ArrayList<>(attempts);
        tried.add(new Attempt(nowMs, cut(problem)));
        return tried;
    }

    private Delivery with(State next, String nextFacts, List<Attempt> tried) {
        return new Delivery(id, user, at, rulesVersion, type, copy, nextFacts, createdMs, next, tried);
    }

    private static String cut(String reason) {
        return reason == null ? null : UnicodeText.cut(reason, MAX_REASON_LENGTH);
    }
}
