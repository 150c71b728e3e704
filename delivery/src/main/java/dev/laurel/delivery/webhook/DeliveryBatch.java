package dev.laurel.delivery.webhook;

import dev.laurel.delivery.store.DueIndex;
import dev.laurel.delivery.store.WebhookStore.Endpoint;
import dev.laurel.delivery.webhook.WebhookClient.WebhookRequest;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One or more deliveries of one user to one webhook, which are sent one after the other. Batches of several deliveries save turns if
 * a user has many. Created by the task, sent on a virtual thread.
 */
final class DeliveryBatch {

    /** The reason why a batch is sent. */
    sealed interface Origin {}

    /** The turn of a lane. */
    record Turn(long number, byte[] lane) implements Origin {}

    /** An attempt that is due: a retry, or one that an operator asked for. */
    record Retry(DueIndex.Entry entry) implements Origin {}

    private final Endpoint endpoint;
    private final Origin origin;
    private final List<WebhookRequest> requests;
    private final long createdNs = System.nanoTime();

    /** Accessed by the task alone. */
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

    /** The {@link System#nanoTime} of the creation; the deliveries were read before. */
    long createdNs() {
        return createdNs;
    }

    /** Notes that one of the deliveries has ended. */
    void progressed() {
        progressNs = System.nanoTime();
    }

    /** The real time since a delivery of the batch has ended, or since its creation. */
    long stalledNs() {
        return System.nanoTime() - progressNs;
    }

    UUID deliveryAt(int index) {
        return requests.get(index).delivery();
    }

    boolean isLast(int index) {
        return index == requests.size() - 1;
    }

    /** Called on the sending thread. @return false if the batch was cancelled before */
    boolean begin() {
        thread = Thread.currentThread();
        return !isCancelled;
    }

    boolean isCancelled() {
        return isCancelled;
    }

    /** Interrupts the present attempt and prevents further ones, when the task is closed. */
    void cancel() {
        isCancelled = true;
        Thread sending = thread;
        if (sending != null) {
            sending.interrupt();
        }
    }
}
