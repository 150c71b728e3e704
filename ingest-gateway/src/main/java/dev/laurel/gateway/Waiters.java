package dev.laurel.gateway;

import static java.util.Objects.requireNonNull;

import dev.laurel.schemas.topic.ReplyHeaders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for a reply, by request id. {@link RequestReplyClient} limits their number; the caller that registers a
 * waiter must remove it. A reply without a waiter is dropped: it is late, or it is the second reply of a transaction that was
 * aborted and repeated. Thread-safe.
 */
final class Waiters {

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
            reply(
                    requestId,
                    new RequestResult.Replied(
                            ReplyHeaders.status(headers),
                            requireNonNull(body, "only a part may have no body"),
                            RequestResult.Parts.NONE,
                            ReplyHeaders.versions(headers)),
                    ReplyHeaders.awaits(headers));
        }
    }

    /**
     * Passes a reply to its waiter.
     *
     * @param awaits names of its parts, which arrive separately, before or after it
     */
    void reply(UUID requestId, RequestResult.Replied reply, List<String> awaits) {
        Waiter waiter = waiting.get(requestId);
        if (waiter != null) {
            waiter.reply(reply, awaits);
        }
    }

    /** Passes a part of a reply to its waiter. */
    void part(UUID requestId, String name, byte[] body) {
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

    int count() {
        return waiting.size();
    }

    /**
     * A request that waits for its reply, and for the parts of the reply that arrive separately. The reply lists its parts; they may
     * arrive before it. Only the first reply and the first part of each name count; later ones are repetitions. Thread-safe.
     */
    static final class Waiter {

        /** The number of parts kept before the reply arrives; more than any reply lists. */
        private static final int MAX_EARLY_PARTS = 1_000;

        private final CompletableFuture<RequestResult> result = new CompletableFuture<>();
        private final BooleanSupplier waitsForParts;
        private final long deadlineNs;

        private RequestResult.@Nullable Replied reply;

        /** The parts that the reply lists, in its order, and those of them that have not arrived; null if it lists none. */
        private @Nullable List<String> awaited;

        private @Nullable Set<String> missing;

        /** The parts that have arrived, by name; null before the first. */
        private @Nullable Map<String, byte[]> parts;

        /** Runs when all parts have arrived. */
        private @Nullable Runnable onComplete;

        /**
         * @param waitsForParts decides, when a reply arrives and parts are missing, whether to wait for them
         * @param deadlineNs as {@link System#nanoTime}
         */
        Waiter(BooleanSupplier waitsForParts, long deadlineNs) {
            this.waitsForParts = waitsForParts;
            this.deadlineNs = deadlineNs;
        }

        /** Completes with the reply and its parts, or with another result of the request; never exceptionally. */
        CompletableFuture<RequestResult> result() {
            return result;
        }

        /** @param awaits names of the parts of this reply */
        synchronized void reply(RequestResult.Replied replied, List<String> awaits) {
            if (reply != null) {
                return;
            }
            reply = replied;
            if (awaits.isEmpty()) {
                result.complete(replied);
                return;
            }
            awaited = awaits;
            var expected = new LinkedHashSet<>(awaits);
            missing = expected;
            if (parts != null) {
                expected.removeAll(parts.keySet());
                parts.keySet().retainAll(Set.copyOf(awaits));
            }
            completeIfEmpty(expected);
            if (!waitsForParts.getAsBoolean()) {
                result.complete(resultSoFar());
            }
        }

        synchronized void part(String name, byte[] body) {
            Set<String> expected = missing;
            if (reply == null) {
                if (parts == null || parts.size() < MAX_EARLY_PARTS) {
                    keep(name, body);
                }
            } else if (expected != null && expected.remove(name)) {
                keep(name, body);
                completeIfEmpty(expected);
            }
        }

        private void keep(String name, byte[] body) {
            if (parts == null) {
                parts = new HashMap<>();
            }
            parts.putIfAbsent(name, body);
        }

        /** @param expected the parts that have not arrived */
        private void completeIfEmpty(Set<String> expected) {
            if (expected.isEmpty()) {
                result.complete(resultSoFar());
                if (onComplete != null) {
                    onComplete.run();
                }
            }
        }

        /** Completes the result if only parts are missing and this waiter no longer waits for them. */
        synchronized void stopWaitingForParts() {
            if (reply != null && !waitsForParts.getAsBoolean()) {
                result.complete(resultSoFar());
            }
        }

        /** @param action runs when all parts have arrived: now, or on the thread that adds the last one */
        synchronized void whenComplete(Runnable action) {
            if (missing != null && missing.isEmpty()) {
                action.run();
            } else {
                onComplete = action;
            }
        }

        /** Ends the request without a reply. Has no effect after the reply, whose parts may still arrive. */
        synchronized void end(RequestResult instead) {
            if (reply == null) {
                result.complete(instead);
            }
        }

        /** Completes the result with what is known, because nothing more will arrive. */
        void abandon() {
            result.complete(resultSoFar());
        }

        /** Completes the result with what is known if the deadline has passed. */
        void endIfOverdue(long nowNs) {
            if (nowNs - deadlineNs >= 0) {
                abandon();
            }
        }

        /** The result as known now: pending without a reply, otherwise the reply with the parts that have arrived. */
        synchronized RequestResult resultSoFar() {
            if (reply == null) {
                return RequestResult.PENDING;
            }
            if (awaited == null || missing == null) {
                return reply;
            }
            Map<String, byte[]> arrived = parts == null ? Map.of() : parts;
            var there = new LinkedHashMap<String, byte[]>();
            for (String name : awaited) {
                byte[] body = arrived.get(name);
                if (body != null) {
                    there.put(name, body);
                }
            }
            return new RequestResult.Replied(
                    reply.status(),
                    reply.body(),
                    new RequestResult.Parts(there, new ArrayList<>(missing)),
                    reply.versions());
        }
    }
}
