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

/**
 * One request that waits: for its answer, and for the parts of it that come separately. Which these are only the answer says,
 * and they may come before it. The first one of each kind wins; the others are repetitions. Thread-safe.
 */
final class Waiter {

    /** Parts kept before the answer is there; more than any answer names. */
    private static final int MAX_EARLY_PARTS = 1_000;

    private static final BooleanSupplier ALWAYS = () -> true;

    private final CompletableFuture<Answer> outcome = new CompletableFuture<>();
    private final BooleanSupplier isPatient;

    /** Null until it comes. */
    private Answer.Replied answer;

    /** What the answer names, in its order, and what of it has not come yet. */
    private List<String> awaited;
    private Set<String> missing;

    /** Null until one comes. */
    private Map<String, byte[]> parts;

    /** Run when all parts are there; null if nobody is to be told. */
    private Runnable onWhole;

    /** One that waits for whatever belongs to its answer. */
    Waiter() {
        this(ALWAYS);
    }

    /** @param isPatient asked when the answer is there and parts are missing: whether they are waited for */
    Waiter(BooleanSupplier isPatient) {
        this.isPatient = isPatient;
    }

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
        if (!isPatient.getAsBoolean()) {
            outcome.complete(asFarAsKnown());
        }
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
            if (onWhole != null) {
                onWhole.run();
            }
        }
    }

    /** Whoever waits for nothing but parts need not any longer, unless it is to. */
    synchronized void hurry() {
        if (answer != null && !isPatient.getAsBoolean()) {
            outcome.complete(asFarAsKnown());
        }
    }

    /** @param told when all parts are there, be it already; on the thread that brings the last one */
    synchronized void whenWhole(Runnable told) {
        if (missing != null && missing.isEmpty()) {
            told.run();
        } else {
            onWhole = told;
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
