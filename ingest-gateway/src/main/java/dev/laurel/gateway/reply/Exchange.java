package dev.laurel.gateway.reply;

import dev.laurel.gateway.publish.Publisher;
import dev.laurel.gateway.publish.Publisher.Outcome;
import dev.laurel.gateway.reply.Answer.Replied;
import dev.laurel.gateway.reply.ExchangeCounts.Reason;
import dev.laurel.gateway.reply.PartsPatience.Probe;
import dev.laurel.schemas.admin.AccessEdit;
import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.command.OwnedCommand;
import dev.laurel.schemas.command.UserCommand;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sends a request through the log and waits for its answer, on the calling (virtual) thread.
 *
 * <p>The number of requests in flight is bounded, and one more is turned away before anything is stored. A request is in
 * flight until its client is answered <em>and</em> the log has acknowledged it or it was given up: while the broker is
 * away, unacknowledged requests hold their places, so they cannot pile up. The waiter is registered before the request is
 * published, since the answer may overtake the acknowledgement. Thread-safe.
 */
public final class Exchange {

    private static final String FULL = "Too many requests are in flight. Nothing was stored; try again.";
    private static final String SILENT = "The log does not acknowledge at the moment. Nothing was stored; try again.";
    private static final String FAILED = "The log could not be written. Nothing was stored; try again.";

    /** One batch takes this part of the places at most. */
    private static final int BATCH_SHARE = 4;

    private final Publisher publisher;
    private final Waiters waiters;
    private final RequestIds ids = new RequestIds();
    private final Semaphore slots;
    private final int maxInFlight;
    private final long timeoutNs;
    private final PartsPatience patience;
    private final BooleanSupplier isPatient;
    private final ExchangeCounts counts = new ExchangeCounts();
    private volatile String closedReason;

    /** @param patience of clients whose events leaderboards have to add something to */
    public Exchange(Publisher publisher, Waiters waiters, int maxInFlight, Duration timeout,
            PartsPatience patience) {
        this.patience = patience;
        this.isPatient = patience::isThere;
        this.publisher = publisher;
        this.waiters = waiters;
        this.slots = new Semaphore(maxInFlight);
        this.maxInFlight = maxInFlight;
        this.timeoutNs = timeout.toNanos();
    }

    public Answer ask(UserKey user, UserCommand command) {
        return ask(id -> publisher.publish(user, command, id), true);
    }

    public Answer ask(TenantId tenant, Edit edit) {
        return ask(id -> publisher.publish(tenant, edit, id));
    }

    public Answer ask(AccessEdit.OfInstance edit) {
        return ask(TenantId.NONE, edit);
    }

    public Answer ask(OwnedCommand command) {
        return ask(id -> publisher.publish(command, id), true);
    }

    /** Answered by delivery. */
    public Answer ask(Outgoing.HookRetry retry) {
        return ask(id -> publisher.publish(retry, id));
    }

    /** Sends a tick of the present time to this partition of the log. */
    public Answer tick(int partition) {
        return ask(id -> publisher.publishTick(partition, id));
    }

    /** Asks delivery whether anything is left to be told of this partition of the outbox. */
    public Answer question(int partition) {
        return ask(id -> publisher.publishQuestion(partition, id));
    }

    /** Of the log, which may be replaced by a wider one. */
    public int partitions() {
        return publisher.partitions();
    }

    public int outboxPartitions() {
        return publisher.outboxPartitions();
    }

    /** One that waits for all that belongs to the answer. */
    private Answer ask(Function<UUID, CompletableFuture<Outcome>> publish) {
        return ask(publish, false);
    }

    /** @param isHurried whether parts are waited for only as long as there is patience */
    private Answer ask(Function<UUID, CompletableFuture<Outcome>> publish, boolean isHurried) {
        String reason = turnedAway(1);
        if (reason != null) {
            return new Answer.Unavailable(reason);
        }
        long deadlineNs = System.nanoTime() + timeoutNs;
        UUID id = ids.next();
        CompletableFuture<Outcome> publication = null;
        boolean isProbe = false;
        try {
            Waiter waiter = waiters.register(id, isHurried ? new Waiter(isPatient) : new Waiter());
            publication = publish.apply(id);
            publication.thenAccept(outcome -> settle(waiter, outcome));
            Answer answer = await(waiter, deadlineNs);
            counts.countEnded(answer);
            isProbe = isHurried && answer instanceof Replied replied
                    && learn(id, waiter, replied, System.nanoTime() >= deadlineNs);
            return answer;
        } finally {
            if (!isProbe) {
                waiters.remove(id);
            }
            if (publication == null) {
                slots.release();
            } else {
                publication.whenComplete((_, _) -> slots.release());
            }
        }
    }

    /** What this answer says of those to come. @return whether its parts are looked out for after it has gone out */
    private boolean learn(UUID id, Waiter waiter, Replied answer, boolean isLate) {
        if (answer.parts().areNone()) {
            return false;
        }
        if (answer.parts().missing().isEmpty()) {
            patience.fulfilled();
            return false;
        }
        if (isLate) {
            if (patience.waitedInVain()) {
                waiters.hurry();
            }
            return false;
        }
        Probe before = patience.probe(id);
        if (before == null) {
            return false;
        }
        if (before.request() instanceof UUID overdue) {
            waiters.remove(overdue);
        }
        waiter.whenWhole(() -> {
            patience.arrived(id);
            waiters.remove(id);
        });
        return true;
    }

    /** Takes that many places. @return why it cannot be, null if it is done */
    private String turnedAway(int places) {
        String reason = closedReason;
        if (reason != null) {
            counts.countTurnedAway(Reason.CLOSED);
            return reason;
        }
        if (publisher.isStalled()) {
            counts.countTurnedAway(Reason.SILENT);
            return SILENT;
        }
        if (!slots.tryAcquire(places)) {
            counts.countTurnedAway(Reason.FULL);
            return FULL;
        }
        return null;
    }

    /**
     * Puts events into the log, each user's in their order, and waits until the log has acknowledged them; nobody is told what
     * they come to. A batch takes places like as many requests, up to a quarter of all; with more events than that it waits
     * for its own. Once one has failed no more are sent.
     */
    public Stored store(List<Occurrence> events) {
        return storeAll(events.stream()
                .<Supplier<CompletableFuture<Outcome>>>map(
                        event -> () -> publisher.publish(event.user(), event.event(), event.time()))
                .toList());
    }

    /** Puts a test of a webhook into the outbox and waits until that is acknowledged. */
    public Stored store(Outgoing.HookTest test) {
        return storeAll(List.of(() -> publisher.publish(test)));
    }

    private Stored storeAll(List<Supplier<CompletableFuture<Outcome>>> publications) {
        int places = Math.min(publications.size(), Math.max(1, maxInFlight / BATCH_SHARE));
        String reason = turnedAway(places);
        if (reason != null) {
            return new Stored.Unavailable(reason);
        }
        var batch = new Batch(places, System.nanoTime() + timeoutNs);
        try {
            return new Stored.Ended(batch.send(publications));
        } finally {
            batch.whenSettled(() -> slots.release(places));
        }
    }

    private static void settle(Waiter waiter, Outcome outcome) {
        switch (outcome) {
            case STORED -> {
                // The answer is on its way.
            }
            case TOO_LARGE -> waiter.end(Answer.TOO_LARGE);
            case NOT_STORED -> waiter.end(new Answer.Unavailable(FAILED));
            // Never a 5xx: a client would send it again, and it might count twice.
            case UNKNOWN -> waiter.end(Answer.PENDING);
        }
    }

    private static Answer await(Waiter waiter, long deadlineNs) {
        try {
            return waiter.outcome().get(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            return waiter.asFarAsKnown();
        } catch (InterruptedException _) {
            // The server stops; the request went out already.
            Thread.currentThread().interrupt();
            return waiter.asFarAsKnown();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a waiter never completes exceptionally", e);
        }
    }

    /** From now on every request is turned away for this reason; the first reason stays. */
    public void refuseAll(String reason) {
        if (closedReason == null) {
            closedReason = reason;
        }
    }

    /** Answers can no longer come: turns new requests away and tells those that wait that theirs are pending. */
    public void abandon(String reason) {
        refuseAll(reason);
        waiters.abandon();
    }

    /** Waits until nothing is in flight. @return false if it still is after {@code timeout} */
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        if (!slots.tryAcquire(maxInFlight, timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        slots.release(maxInFlight);
        return true;
    }

    /** What became of the requests so far. */
    public ExchangeCounts counts() {
        return counts;
    }

    public int maxInFlight() {
        return maxInFlight;
    }

    public int inFlight() {
        return maxInFlight - slots.availablePermits();
    }
}
