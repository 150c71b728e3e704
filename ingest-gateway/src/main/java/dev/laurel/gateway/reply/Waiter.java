package dev.laurel.gateway.reply;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits for its reply, and for the parts of the reply that arrive separately. The reply lists its parts; they may
 * arrive before it. Only the first reply and the first part of each name count; later ones are repetitions. Thread-safe.
 */
final class Waiter {

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
        return new RequestResult.Replied(reply.status(), reply.body(),
                new RequestResult.Parts(there, new ArrayList<>(missing)), reply.versions());
    }
}
