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

/** Records on their way into Kafka for which nobody awaits an answer, some at a time. One thread, but for acknowledgements. */
final class Batch {

    private final Semaphore places;
    private final long deadlineNs;
    private final List<CompletableFuture<Outcome>> sent = new ArrayList<>();
    private volatile boolean hasFailed;

    /** @param window how many may be unacknowledged */
    Batch(int window, long deadlineNs) {
        this.places = new Semaphore(window);
        this.deadlineNs = deadlineNs;
    }

    /** How each of them ended by the deadline; what was not sent by then is not stored. */
    List<Outcome> send(List<Supplier<CompletableFuture<Outcome>>> publications) {
        try {
            for (Supplier<CompletableFuture<Outcome>> publish : publications) {
                if (!places.tryAcquire(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS) || hasFailed) {
                    break;
                }
                var publication = publish.get();
                sent.add(publication);
                publication.thenAccept(this::settle);
            }
            all().get(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            // What is still on its way may be stored, or not.
        } catch (ExecutionException e) {
            throw new IllegalStateException("a publication never completes exceptionally", e);
        } catch (InterruptedException _) {
            // The server stops; what went out may still be stored.
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
        places.release();
    }

    private CompletableFuture<Void> all() {
        return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new));
    }

    /** Calls back when nothing of it is on its way any more. */
    void whenSettled(Runnable then) {
        all().whenComplete((_, _) -> then.run());
    }
}
