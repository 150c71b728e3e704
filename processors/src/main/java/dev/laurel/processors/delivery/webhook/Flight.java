package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.store.Endpoint;
import dev.laurel.processors.store.WebhookStore.Retry;
import java.util.List;
import java.util.UUID;

/**
 * What is on its way to one webhook: one or more of one user's deliveries, which are sent one after the other. That there may
 * be more spares the task a turn for each where one user has very many. Made by the task, flown by a virtual thread.
 */
final class Flight {

    /** Why it was sent. */
    sealed interface Reason {}

    /** It was the turn of a lane. */
    record Turn(long number, byte[] lane) implements Reason {}

    /** It was tried before, or an operator has asked for it. */
    record Again(Retry retry) implements Reason {}

    private final Endpoint endpoint;
    private final Reason reason;
    private final List<Post> posts;
    private final long startedNs = System.nanoTime();

    /** Of the task alone. */
    private long movedNs = startedNs;
    private volatile Thread thread;
    private volatile boolean isCancelled;

    Flight(Endpoint endpoint, Reason reason, List<Post> posts) {
        this.endpoint = endpoint;
        this.reason = reason;
        this.posts = List.copyOf(posts);
    }

    Endpoint endpoint() {
        return endpoint;
    }

    Reason reason() {
        return reason;
    }

    List<Post> posts() {
        return posts;
    }

    /** When it was made, as {@link System#nanoTime} has it: what is in it was read before. */
    long startedNs() {
        return startedNs;
    }

    /** One of its deliveries has landed. */
    void moved() {
        movedNs = System.nanoTime();
    }

    /** How long none of its deliveries has landed, in nanoseconds of real time. */
    long stillNs() {
        return System.nanoTime() - movedNs;
    }

    UUID deliveryAt(int index) {
        return posts.get(index).delivery();
    }

    boolean isLast(int index) {
        return index == posts.size() - 1;
    }

    /** Called on its thread. @return false if it was cancelled before */
    boolean begin() {
        thread = Thread.currentThread();
        return !isCancelled;
    }

    boolean isCancelled() {
        return isCancelled;
    }

    /** Nobody waits for what is left of it; what is under way is cut off. */
    void cancel() {
        isCancelled = true;
        Thread flying = thread;
        if (flying != null) {
            flying.interrupt();
        }
    }
}
