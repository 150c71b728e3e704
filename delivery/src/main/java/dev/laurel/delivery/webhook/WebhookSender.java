package dev.laurel.delivery.webhook;

import dev.laurel.delivery.queue.CompletionQueue;
import dev.laurel.delivery.store.DueIndex;
import dev.laurel.delivery.store.WebhookDelivery.Endpoint;
import dev.laurel.delivery.webhook.WebhookClient.Outcome;
import dev.laurel.delivery.webhook.WebhookClient.WebhookRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends the batches of all tasks of the process; the tasks bound their number. Thread-safe. */
final class WebhookSender implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final WebhookTargets targets;
    private final WebhookClient client;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition allEnded = lock.newCondition();
    private int inFlight;
    private volatile boolean isClosing;

    /**
     * The end of one delivery of a batch.
     *
     * @param index of the delivery in its batch
     * @param at by the instance's clock
     */
    record Completion(DeliveryBatch batch, int index, Outcome outcome, Instant at) {}

    /** @param client closed with this */
    WebhookSender(WebhookTargets targets, WebhookClient client, InstantSource clock) {
        this.targets = targets;
        this.client = client;
        this.clock = clock;
    }

    /** Whether a batch may start. */
    boolean isOpen() {
        return !isClosing;
    }

    /** @param completed called on the task's thread for each delivery of the batch, in order */
    void start(DeliveryBatch batch, CompletionQueue completions, Consumer<Completion> completed) {
        count(1);
        completions.run(() -> {
            try {
                send(batch, completion -> completions.add(() -> completed.accept(completion)));
            } catch (InterruptedException _) {
                // Cancelled: the task is closed, and sends the rest where it starts next.
            }
        });
    }

    private void send(DeliveryBatch batch, Consumer<Completion> completed) throws InterruptedException {
        if (!batch.begin()) {
            return;
        }
        for (int i = 0; i < batch.requests().size() && !batch.isCancelled(); i++) {
            Outcome outcome = attempt(batch, batch.requests().get(i));
            completed.accept(new Completion(batch, i, outcome, clock.instant()));
        }
    }

    private Outcome attempt(DeliveryBatch batch, WebhookRequest request) throws InterruptedException {
        return switch (targets.find(batch.endpoint(), batch.createdNs())) {
            case WebhookTargets.Target target -> client.post(target, request);
            case WebhookTargets.Gone(String reason) -> new Outcome.Dropped(reason);
            case WebhookTargets.Unclear(String reason) -> new Outcome.NoAnswer(reason, 0);
        };
    }

    int inFlight() {
        lock.lock();
        try {
            return inFlight;
        } finally {
            lock.unlock();
        }
    }

    /** Notes that a task has stored all outcomes of a batch, or is closed. */
    void ended() {
        count(-1);
    }

    private void count(int more) {
        lock.lock();
        try {
            inFlight += more;
            if (inFlight == 0) {
                allEnded.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Prevents the start of batches, and waits up to 5 s for those in flight while their tasks still run: batches that end now are not
     * sent again after the next start. The tasks are closed after this.
     */
    void settle() throws InterruptedException {
        isClosing = true;
        lock.lock();
        try {
            long leftNs = GRACE.toNanos();
            while (inFlight > 0 && leftNs > 0) {
                leftNs = allEnded.awaitNanos(leftNs);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes the client. Called when no task is left. */
    @Override
    public void close() {
        client.close();
    }

    /**
     * One or more deliveries of one user to one webhook, which are sent one after the other. Batches of several deliveries save turns if
     * a user has many. Created by the task, sent on a virtual thread.
     */
    static final class DeliveryBatch {

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
}
