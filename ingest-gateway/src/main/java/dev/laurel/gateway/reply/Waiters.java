package dev.laurel.gateway.reply;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The requests that wait for an answer, by request id. There are never more than the {@link Exchange} lets in. Who
 * registers also removes; an answer for which nobody waits falls away, be it late, or the second one of a transaction
 * that was aborted and repeated. Thread-safe.
 */
public final class Waiters {

    private final Map<UUID, Waiter> waiting = new ConcurrentHashMap<>();

    Waiter register(UUID requestId) {
        return register(requestId, new Waiter());
    }

    Waiter register(UUID requestId, Waiter waiter) {
        if (waiting.putIfAbsent(requestId, waiter) != null) {
            throw new IllegalStateException("request id " + requestId + " is in use");
        }
        return waiter;
    }

    void remove(UUID requestId) {
        waiting.remove(requestId);
    }

    /**
     * Hands over the answer; the first one for a request wins.
     *
     * @param awaits names of the parts of it that come separately, before or after; empty if it is whole
     */
    public void answer(UUID requestId, Answer.Replied answer, List<String> awaits) {
        Waiter waiter = waiting.get(requestId);
        if (waiter != null) {
            waiter.answer(answer, awaits);
        }
    }

    /** Hands over a part of an answer; the first one of its name wins. */
    public void part(UUID requestId, String name, byte[] body) {
        Waiter waiter = waiting.get(requestId);
        if (waiter != null) {
            waiter.part(name, body);
        }
    }

    /** Patience has ended: those who have it no more, and wait for parts only, do not any longer. */
    void hurry() {
        waiting.values().forEach(Waiter::hurry);
    }

    /** No answer will come any more: everyone who waits now learns as much as is known. */
    void abandon() {
        waiting.values().forEach(Waiter::abandon);
    }

    public int count() {
        return waiting.size();
    }
}
