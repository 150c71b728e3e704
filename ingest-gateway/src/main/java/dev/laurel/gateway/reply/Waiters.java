package dev.laurel.gateway.reply;

import dev.laurel.schemas.topic.ReplyHeaders;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * The requests that wait for a reply, by request id. {@link RequestReplyClient} limits their number; the caller that registers a
 * waiter must remove it. A reply without a waiter is dropped: it is late, or it is the second reply of a transaction that was
 * aborted and repeated. Thread-safe.
 */
public final class Waiters {

    /** How late a waiter may end after its deadline. */
    private static final long SWEEP_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Map<UUID, Waiter> waiting = new ConcurrentHashMap<>();
    private final AtomicBoolean isSweeping = new AtomicBoolean();

    Waiter register(UUID requestId, Waiter waiter) {
        if (waiting.putIfAbsent(requestId, waiter) != null) {
            throw new IllegalStateException("request id " + requestId + " is in use");
        }
        startSweeping();
        return waiter;
    }

    /**
     * Ends the waiters that are overdue, on a thread of its own, as long as there are any. A timer for each would cost a request more than
     * its wait.
     */
    private void startSweeping() {
        if (!isSweeping.get() && isSweeping.compareAndSet(false, true)) {
            Thread.ofVirtual().name("overdue-requests").start(this::sweep);
        }
    }

    private void sweep() {
        while (!waiting.isEmpty()) {
            LockSupport.parkNanos(SWEEP_INTERVAL_NS);
            long nowNs = System.nanoTime();
            waiting.values().forEach(waiter -> waiter.endIfOverdue(nowNs));
        }
        isSweeping.set(false);
        if (!waiting.isEmpty()) {
            startSweeping(); // It was registered while this thread still seemed to run.
        }
    }

    void remove(UUID requestId) {
        waiting.remove(requestId);
    }

    /**
     * Passes a reply, or a part of one, to its waiter.
     *
     * @param headers as written by {@link ReplyHeaders}
     */
    void deliver(UUID requestId, Headers headers, byte @Nullable [] body) {
        String part = ReplyHeaders.part(headers);
        if (part != null) {
            part(requestId, part, body == null ? new byte[0] : body);
        } else {
            reply(requestId, new RequestResult.Replied(ReplyHeaders.status(headers),
                    requireNonNull(body, "only a part may have no body"), RequestResult.Parts.NONE,
                    ReplyHeaders.versions(headers)),
                    ReplyHeaders.awaits(headers));
        }
    }

    /**
     * Passes a reply to its waiter.
     *
     * @param awaits names of its parts, which arrive separately, before or after it
     */
    public void reply(UUID requestId, RequestResult.Replied reply, List<String> awaits) {
        Waiter waiter = waiting.get(requestId);
        if (waiter != null) {
            waiter.reply(reply, awaits);
        }
    }

    /** Passes a part of a reply to its waiter. */
    public void part(UUID requestId, String name, byte[] body) {
        Waiter waiter = waiting.get(requestId);
        if (waiter != null) {
            waiter.part(name, body);
        }
    }

    /** Ends the waits of requests that lack only parts, because the circuit breaker has opened. */
    void stopWaitingForParts() {
        waiting.values().forEach(Waiter::stopWaitingForParts);
    }

    /** Ends all waits with what is known, because replies can no longer arrive. */
    void abandon() {
        waiting.values().forEach(Waiter::abandon);
    }

    public int count() {
        return waiting.size();
    }
}
