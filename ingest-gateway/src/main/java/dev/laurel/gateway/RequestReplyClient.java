package dev.laurel.gateway;

import dev.laurel.gateway.LeaderboardCircuitBreaker.Probe;
import dev.laurel.gateway.RequestCounts.Reason;
import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.gateway.RequestResult.Place;
import dev.laurel.gateway.RequestResult.Replied;
import dev.laurel.gateway.Waiters.Waiter;
import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.command.Command.OwnedCommand;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.ReplyHeaders;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request through the log and waits for its reply, on the calling (virtual) thread.
 *
 * <p>The number of requests in flight is limited; a request above the limit is turned away before anything is stored. A request
 * is in flight until its client has been answered <em>and</em> its record has been acknowledged or given up. While the broker is
 * unavailable, unacknowledged requests therefore keep their slots and cannot accumulate. The waiter is registered before the
 * request is published, because the reply may arrive before the acknowledgement. Thread-safe.
 */
public final class RequestReplyClient {

    private static final String FULL = "Too many requests are in flight. Nothing was stored; try again.";
    private static final String SILENT = "The log does not acknowledge at the moment. Nothing was stored; try again.";
    private static final String FAILED = "The log could not be written. Nothing was stored; try again.";

    /** A batch takes at most one of this many slots. */
    private static final int BATCH_SHARE = 4;

    private static final Duration PLACE_TIMEOUT = Duration.ofSeconds(1);

    private final Publisher publisher;
    private final Waiters waiters;
    private final RequestIds ids = new RequestIds();
    private final Semaphore slots;
    private final int maxInFlight;
    private final long timeoutNs;
    private final LeaderboardCircuitBreaker breaker;
    private final RequestCounts counts = new RequestCounts();
    private volatile @Nullable String closedReason;

    /** An event to store. @param json the event as the log has it @param time when it happened; null: now */
    public record UserEvent(
            UserKey user,
            RecordEvent event,
            byte[] json,
            @Nullable Instant time) {}

    /** The result of a request, and where its command is in the log. @param place null if that is not known */
    public record Placed(RequestResult result, @Nullable Place place) {}

    /** The result of a batch of records. */
    public sealed interface StoreResult {

        /** Nothing was stored; the client may try again later. @param reason a sentence for the client */
        record Unavailable(String reason) implements StoreResult {}

        /** The batch was sent. @param outcomes the outcome of each record, in order */
        record Ended(List<Outcome> outcomes) implements StoreResult {

            public Ended {
                outcomes = List.copyOf(outcomes);
            }
        }
    }

    /**
     * Request ids that are unique among all gateways: 64 random bits for this one, and a counter. Only processes of the
     * deployment see them, so they need not be hard to guess. Thread-safe.
     */
    static final class RequestIds {

        private final long gateway = new SecureRandom().nextLong();
        private final AtomicLong next = new AtomicLong();

        UUID next() {
            return new UUID(gateway, next.getAndIncrement());
        }

        boolean isFromHere(UUID id) {
            return id.getMostSignificantBits() == gateway;
        }
    }

    /** @param breaker decides whether replies to commands wait for leaderboards */
    RequestReplyClient(
            Publisher publisher,
            Waiters waiters,
            int maxInFlight,
            Duration timeout,
            LeaderboardCircuitBreaker breaker) {
        this.breaker = breaker;
        this.publisher = publisher;
        this.waiters = waiters;
        this.slots = new Semaphore(maxInFlight);
        this.maxInFlight = maxInFlight;
        this.timeoutNs = timeout.toNanos();
    }

    public RequestResult ask(UserKey user, UserCommand command) {
        return ask(id -> publisher.publish(user, command, null, id, _ -> {}), true);
    }

    /**
     * Sends a command that happened earlier.
     *
     * @param time when it happened
     */
    public Placed ask(UserKey user, UserCommand command, Instant time) {
        var place = new CompletableFuture<Optional<Place>>();
        RequestResult result = ask(
                id -> publisher.publish(user, command, time, id, stored -> place.complete(Optional.of(stored))), true);
        if (result instanceof Replied) {
            // The reply can arrive before the acknowledgement.
            place.completeOnTimeout(Optional.empty(), PLACE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        }
        return new Placed(result, place.getNow(Optional.empty()).orElse(null));
    }

    /** @param author null: this process */
    public RequestResult ask(TenantId tenant, Edit edit, @Nullable Author author) {
        return ask(id -> publisher.publish(tenant, edit, author, id), false);
    }

    /** Asks for an edit that belongs to no tenant, so that the client need not name one. @param author null: this process */
    public RequestResult ask(AccessEdit.OfInstance edit, @Nullable Author author) {
        return ask(TenantId.NONE, edit, author);
    }

    public RequestResult ask(OwnedCommand command) {
        return ask(id -> publisher.publish(command, id), true);
    }

    /** Asks delivery for one more attempt. */
    public RequestResult ask(Outgoing.HookRetry retry) {
        return ask(id -> publisher.publish(retry, id), false);
    }

    /** Sends a tick of the present time to this partition of the log. */
    public RequestResult tick(int partition) {
        return ask(id -> publisher.publishTick(partition, id), false);
    }

    /** Asks delivery whether this partition of the outbox still has anything to send. */
    public RequestResult question(int partition) {
        return ask(id -> publisher.publishQuestion(partition, id), false);
    }

    /** The number of partitions of the log, which a wider one may replace. */
    public int partitions() {
        return publisher.partitions();
    }

    public int outboxPartitions() {
        return publisher.outboxPartitions();
    }

    /** @param usesBreaker whether the circuit breaker limits the wait for parts; otherwise the request waits for all parts */
    private RequestResult ask(Function<UUID, CompletableFuture<Outcome>> publish, boolean usesBreaker) {
        String reason = takeSlots(1);
        if (reason != null) {
            return new RequestResult.Unavailable(reason);
        }
        long deadlineNs = System.nanoTime() + timeoutNs;
        UUID id = ids.next();
        CompletableFuture<Outcome> publication = null;
        boolean isProbe = false;
        try {
            Waiter waiter = waiters.register(id, new Waiter(usesBreaker ? breaker::isClosed : () -> true, deadlineNs));
            publication = publish.apply(id);
            publication.thenAccept(outcome -> settle(waiter, outcome));
            RequestResult result = await(waiter);
            counts.countEnded(result);
            isProbe = usesBreaker
                    && result instanceof Replied replied
                    && updateBreaker(id, waiter, replied, System.nanoTime() >= deadlineNs);
            return result;
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

    /** Reports this reply to the circuit breaker. @return whether it is a probe, whose waiter stays registered */
    private boolean updateBreaker(UUID id, Waiter waiter, Replied reply, boolean isLate) {
        if (reply.parts().areNone()) {
            return false;
        }
        if (reply.parts().missing().isEmpty()) {
            breaker.succeeded();
            return false;
        }
        if (isLate) {
            if (breaker.timedOut()) {
                waiters.stopWaitingForParts();
            }
            return false;
        }
        Probe before = breaker.probe(id);
        if (before == null) {
            return false;
        }
        if (before.request() instanceof UUID overdue) {
            waiters.remove(overdue);
        }
        waiter.whenComplete(() -> {
            breaker.probeSucceeded(id);
            waiters.remove(id);
        });
        return true;
    }

    /** Takes this many slots. @return null if they were free, otherwise the reason for the client */
    private @Nullable String takeSlots(int number) {
        String reason = closedReason;
        if (reason != null) {
            counts.count(Reason.CLOSED);
            return reason;
        }
        if (publisher.isStalled()) {
            counts.count(Reason.SILENT);
            return SILENT;
        }
        if (!slots.tryAcquire(number)) {
            counts.count(Reason.FULL);
            return FULL;
        }
        return null;
    }

    /**
     * Puts events into the log, those of each user in their order, and waits until the log has acknowledged them, but not until
     * they are processed. A batch takes one slot per event, up to a quarter of all slots; a larger batch waits for its own
     * acknowledgements. After the first failure, no more events are sent.
     */
    public StoreResult store(List<UserEvent> events) {
        return storeAll(events.stream()
                .<Supplier<CompletableFuture<Outcome>>>map(
                        event -> () -> publisher.publish(event.user(), event.json(), event.time()))
                .toList());
    }

    /** Puts a command into the log, and waits for nothing. The command is lost if the log does not take it now. */
    public void offer(UserKey user, UserCommand command) {
        if (takeSlots(1) == null) {
            publisher.publish(user, CommandJson.write(command), null).whenComplete((_, _) -> slots.release());
        }
    }

    /** Puts a test of a webhook into the outbox and waits for the acknowledgement. */
    public StoreResult store(Outgoing.HookTest test) {
        return storeAll(List.of(() -> publisher.publish(test)));
    }

    private StoreResult storeAll(List<Supplier<CompletableFuture<Outcome>>> publications) {
        int number = Math.min(publications.size(), Math.max(1, maxInFlight / BATCH_SHARE));
        String reason = takeSlots(number);
        if (reason != null) {
            return new StoreResult.Unavailable(reason);
        }
        var batch = new PublishBatch(number, System.nanoTime() + timeoutNs);
        try {
            return new StoreResult.Ended(batch.send(publications));
        } finally {
            batch.whenSettled(() -> slots.release(number));
        }
    }

    private static void settle(Waiter waiter, Outcome outcome) {
        switch (outcome) {
            case STORED -> {
                // The reply is on its way.
            }
            case TOO_LARGE -> waiter.end(RequestResult.TOO_LARGE);
            case NOT_STORED -> waiter.end(new RequestResult.Unavailable(FAILED));
            // Never a 5xx: the client would repeat the request, which might then count twice.
            case UNKNOWN -> waiter.end(RequestResult.PENDING);
        }
    }

    private static RequestResult await(Waiter waiter) {
        try {
            return waiter.result().get();
        } catch (InterruptedException _) {
            // The server stops; the request has been sent already.
            Thread.currentThread().interrupt();
            return waiter.resultSoFar();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a waiter never completes exceptionally", e);
        }
    }

    /** Refuses every request from now on, with this reason, unless an earlier call has given one. */
    void refuseAll(String reason) {
        if (closedReason == null) {
            closedReason = reason;
        }
    }

    /** Refuses new requests and ends the waiting ones with what is known, because replies can no longer arrive. */
    void abandon(String reason) {
        refuseAll(reason);
        waiters.abandon();
    }

    /** Waits until no request is in flight. @return false if one still is after {@code timeout} */
    boolean awaitIdle(Duration timeout) throws InterruptedException {
        if (!slots.tryAcquire(maxInFlight, timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        slots.release(maxInFlight);
        return true;
    }

    /**
     * Passes a reply, or a part of one, to its waiter if this client has made the request. Thread-safe; never blocks.
     *
     * @param headers as written by {@link ReplyHeaders}
     * @return false if the request is another client's
     */
    boolean takeReply(Headers headers, byte[] body) {
        UUID requestId = ReplyHeaders.requestId(headers);
        if (!ids.isFromHere(requestId)) {
            return false;
        }
        waiters.deliver(requestId, headers, body);
        return true;
    }

    RequestCounts counts() {
        return counts;
    }

    int maxInFlight() {
        return maxInFlight;
    }

    int inFlight() {
        return maxInFlight - slots.availablePermits();
    }

    /** Publishes records without waiting for replies, a limited number at a time. Used by one thread, except for acknowledgements. */
    private static final class PublishBatch {

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
}
