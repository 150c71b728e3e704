package dev.laurel.gateway.reply;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * One request that waits: for its answer, and for the parts of it that come separately. Which these are only the answer says,
 * and they may come before it. The first one of each kind wins; the others are repetitions. Thread-safe.
 */
final class Waiter {

    /** Parts kept before the answer is there; more than any answer names. */
    private static final int MAX_EARLY_PARTS = 1_000;

    private final CompletableFuture<Answer> outcome = new CompletableFuture<>();

    /** Null until it comes. */
    private Answer.Replied answer;

    /** What the answer names, in its order, and what of it has not come yet. */
    private List<String> awaited;
    private Set<String> missing;

    /** Null until one comes. */
    private Map<String, byte[]> parts;

    /** Completes with the whole answer, or with what became of the request instead; never exceptionally. */
    CompletableFuture<Answer> outcome() {
        return outcome;
    }

    /** @param awaits names of the parts that belong to it */
    synchronized void answer(Answer.Replied replied, List<String> awaits) {
        if (answer != null) {
            return;
        }
        answer = replied;
        if (awaits.isEmpty()) {
            outcome.complete(replied);
            return;
        }
        awaited = awaits;
        missing = new LinkedHashSet<>(awaits);
        if (parts != null) {
            missing.removeAll(parts.keySet());
            parts.keySet().retainAll(Set.copyOf(awaits));
        }
        completeIfWhole();
    }

    synchronized void part(String name, byte[] body) {
        if (answer == null) {
            if (parts == null || parts.size() < MAX_EARLY_PARTS) {
                keep(name, body);
            }
        } else if (missing != null && missing.remove(name)) {
            keep(name, body);
            completeIfWhole();
        }
    }

    private void keep(String name, byte[] body) {
        if (parts == null) {
            parts = new HashMap<>();
        }
        parts.putIfAbsent(name, body);
    }

    private void completeIfWhole() {
        if (missing.isEmpty()) {
            outcome.complete(asFarAsKnown());
        }
    }

    /** The request had another end than an answer; where that is there already, it goes on waiting for the parts. */
    synchronized void end(Answer instead) {
        if (answer == null) {
            outcome.complete(instead);
        }
    }

    /** Nothing more will come. */
    void abandon() {
        outcome.complete(asFarAsKnown());
    }

    /** What is known now: pending without the answer, and with it whatever parts there are. */
    synchronized Answer asFarAsKnown() {
        if (answer == null) {
            return Answer.PENDING;
        }
        if (awaited == null) {
            return answer;
        }
        var there = new LinkedHashMap<String, byte[]>();
        for (String name : awaited) {
            if (!missing.contains(name)) {
                there.put(name, parts.get(name));
            }
        }
        return new Answer.Replied(answer.status(), answer.body(), new Parts(there, new ArrayList<>(missing)));
    }
}
