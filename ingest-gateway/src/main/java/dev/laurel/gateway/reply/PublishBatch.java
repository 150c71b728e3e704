package dev.laurel.gateway.reply;

import dev.laurel.gateway.publish.Publisher.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Publishes records without waiting for replies, a limited number at a time. Used by one thread, except for acknowledgements. */
final class PublishBatch {

    private final Semaphore permits;
    private final long deadlineNs;
    private final List<CompletableFuture<Outcome>> sent = new ArrayList<>();
    private volatile boolean hasFailed;

    /** @param window maximum number of unacknowledged records */
    PublishBatch(int window, long deadlineNs) {
        this.permits = new Semaphore(window);
        this.deadlineNs = deadlineNs;
    }

    /** Returns the outcome of each publication by the deadline. Publications not sent by then are not stored. */
    List<Outcome> send(List<Supplier<CompletableFuture<Outcome>>> publications) {
        try {
            for (Supplier<CompletableFuture<Outcome>> publish : publications) {
                if (!permits.tryAcquire(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS) || hasFailed) {
                    break;
                }
                var publication = publish.get();
                sent.add(publication);
                publication.thenAccept(this::settle);
            }
            all().get(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            // Records without an acknowledgement may be stored.
        } catch (ExecutionException e) {
            throw new IllegalStateException("a publication never completes exceptionally", e);
        } catch (InterruptedException _) {
            // The server stops; records that were sent may still be stored.
            Thread.currentThread().interrupt();
        }
        var outcomes = new ArrayList<Outcome>(publications.size());
        for (int i = 0; i < publications.size(); i++) {
            outcomes.add(i < sent.size() ? sent.get(i).getNow(Outcome.UNKNOWN) : Outcome.NOT_STORED);
        }
        return outcomes;
    }

    private void settle(Outcome outcome) {
        if (outcome != Outcome.STORED) {
            hasFailed = true;
        }
        permits.release();
    }

    private CompletableFuture<Void> all() {
        return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new));
    }

    /** Runs the action when all records that were sent are acknowledged or have failed. */
    void whenSettled(Runnable action) {
        all().whenComplete((_, _) -> action.run());
    }
}
