package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.delivery.webhook.WebhookClient.WebhookRequest;
import dev.laurel.processors.store.DueIndex;
import dev.laurel.processors.store.WebhookStore.Endpoint;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One or more deliveries of one user to one webhook, which are sent one after the other. Several at a time spare the task a turn
 * for each where one user has very many. Made by the task, sent on a virtual thread.
 */
final class DeliveryBatch {

    /** Why it is sent. */
    sealed interface Origin {}

    /** A lane had its turn. */
    record Turn(long number, byte[] lane) implements Origin {}

    /** An attempt was due: a retry, or one that an operator asked for. */
    record Retry(DueIndex.Entry entry) implements Origin {}

    private final Endpoint endpoint;
    private final Origin origin;
    private final List<WebhookRequest> requests;
    private final long createdNs = System.nanoTime();

    /** Of the task alone. */
    private long progressNs = createdNs;
    private volatile @Nullable Thread thread;
    private volatile boolean isCancelled;

    DeliveryBatch(Endpoint endpoint, Origin origin, List<WebhookRequest> requests) {
        this.endpoint = endpoint;
        this.origin = origin;
        this.requests = List.copyOf(requests);
    }

    Endpoint endpoint() {
        return endpoint;
    }

    Origin origin() {
        return origin;
    }

    List<WebhookRequest> requests() {
        return requests;
    }

    /** When it was made, as {@link System#nanoTime} has it: its deliveries were read before. */
    long createdNs() {
        return createdNs;
    }

    /** One of its deliveries has ended. */
    void progressed() {
        progressNs = System.nanoTime();
    }

    /** For how long none of its deliveries has ended, in nanoseconds of real time. */
    long stalledNs() {
        return System.nanoTime() - progressNs;
    }

    UUID deliveryAt(int index) {
        return requests.get(index).delivery();
    }

    boolean isLast(int index) {
        return index == requests.size() - 1;
    }

    /** Called on the thread that sends it. @return false if it was cancelled before */
    boolean begin() {
        thread = Thread.currentThread();
        return !isCancelled;
    }

    boolean isCancelled() {
        return isCancelled;
    }

    /** Interrupts what is under way, and sends nothing more of it: its task is closed. */
    void cancel() {
        isCancelled = true;
        Thread sending = thread;
        if (sending != null) {
            sending.interrupt();
        }
    }
}
