package dev.laurel.gateway.reply;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The requests that wait for an answer, by request id. There are never more than the {@link Exchange} lets in. Who
 * registers also removes; an answer for which nobody waits falls away, be it late, or the second one of a transaction
 * that was aborted and repeated. Thread-safe.
 */
public final class Waiters {

    private final Map<UUID, CompletableFuture<Answer>> waiting = new ConcurrentHashMap<>();

    CompletableFuture<Answer> register(UUID requestId) {
        var waiter = new CompletableFuture<Answer>();
        if (waiting.putIfAbsent(requestId, waiter) != null) {
            throw new IllegalStateException("request id " + requestId + " is in use");
        }
        return waiter;
    }

    void remove(UUID requestId) {
        waiting.remove(requestId);
    }

    /** Hands over the answer; the first one for a request wins. */
    public void answer(UUID requestId, Answer answer) {
        CompletableFuture<Answer> waiter = waiting.get(requestId);
        if (waiter != null) {
            waiter.complete(answer);
        }
    }

    /** No answer will come any more: everyone who waits now learns that it is pending. */
    void abandon() {
        waiting.values().forEach(waiter -> waiter.complete(Answer.PENDING));
    }

    public int count() {
        return waiting.size();
    }
}
