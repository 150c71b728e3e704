package dev.laurel.delivery.message;

import dev.laurel.core.sending.MessageDelivery;
import dev.laurel.core.sending.MessageDelivery.Ended;
import dev.laurel.core.sending.MessageDelivery.Ending;
import dev.laurel.core.sending.MessageDelivery.FirstMark;
import dev.laurel.core.sending.MessageDelivery.Replace;
import dev.laurel.core.sending.MessageDelivery.SetMark;
import dev.laurel.core.sending.MessageDelivery.Waiting;
import dev.laurel.delivery.DeliveryCounters;
import dev.laurel.delivery.DeliveryCounts;
import dev.laurel.delivery.DeliveryCounts.Kind;
import dev.laurel.delivery.message.MessageDispatcher.Claim;
import dev.laurel.delivery.message.MessageSender.SendResult;
import dev.laurel.delivery.queue.CompletionQueue;
import dev.laurel.delivery.queue.DeliveryScheduler;
import dev.laurel.delivery.queue.DeliveryScheduler.InFlightLimits;
import dev.laurel.delivery.queue.DeliveryScheduler.SendPolicy;
import dev.laurel.delivery.queue.DueQueue;
import dev.laurel.delivery.store.DueIndex.Entry;
import dev.laurel.delivery.store.MessageStore;
import dev.laurel.delivery.store.MessageStore.TenantChannel;
import dev.laurel.platform.kafka.AdaptivePollWait;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.outbox.Outgoing.SendMark;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queues messages, sets marks, sends the messages whose mark it reads as the first one, and stores their outcomes. Sends at most once,
 * whenever a process dies (docs/delivery.md). One life of a task.
 *
 * <p>One thread, that of the task, which never waits for another system: blocking calls run on threads of their own, see
 * {@link CompletionQueue}.
 */
public final class MessageDispatcher implements SendPolicy<TenantChannel, DueQueue<Claim>, Claim> {

    /** The limit of each kind of work in one run, so that a backlog does not keep the task from reading. */
    private static final int MAX_STEPS = 256;

    private final MessageStore store;
    private final UnsentMessageLog unsent = new UnsentMessageLog(System.nanoTime());
    private final Environment environment;
    private final DeliveryCounters counters;
    private final int partition;
    private final UUID life;
    private final AdaptivePollWait thread = AdaptivePollWait.ofThisThread();
    private final CompletionQueue completions;
    private final DeliveryScheduler<TenantChannel, DueQueue<Claim>, Claim> scheduler;

    /** The deliveries in flight: a mark was set, or an attempt is being made. */
    private final Map<UUID, Claim> claims = new HashMap<>();

    private boolean isClosing;

    /**
     * The parts that the dispatchers of a process share.
     *
     * @param threads runs each blocking call on a thread of its own
     * @param closeTimeout the longest time for which the end of a life waits for messages that are being sent
     */
    record Environment(
            MarkLog marks,
            AttemptRunner attempts,
            Executor threads,
            InstantSource clock,
            Duration staleAfter,
            Duration closeTimeout,
            InFlightLimits.Shared limits,
            DeliveryCounts counts) {}

    /** Appends marks to {@code laurel.send-marks}. Thread-safe. */
    interface MarkLog {

        /**
         * Appends a mark. May block for a while.
         *
         * @param partition of the task
         * @param key as in {@code laurel.outbox}
         * @return completes when the mark is stored. After a {@code RetriableException} the mark may or may not be stored, and can be
         *         repeated; any other exception is a fault
         */
        CompletionStage<?> append(int partition, byte[] key, SendMark mark);
    }

    /** An attempt of a delivery, from the setting of its mark until its outcome is stored. */
    static final class Claim {

        private final TenantChannel channel;
        private final Entry entry;
        private final byte[] userKey;
        private final SendMark mark;
        private boolean isBeingSent;

        private Claim(MessageDelivery delivery, Entry entry, int attempt, UUID life) {
            this.channel = TenantChannel.of(delivery);
            this.entry = entry;
            this.userKey = delivery.user().bytes();
            this.mark = new SendMark(delivery.id(), attempt, life);
        }
    }

    /**
     * @param partition of the task
     * @param life of the task; a new one at each start
     */
    MessageDispatcher(
            MessageStore store, Environment environment, DeliveryCounters counters, int partition, UUID life) {
        this.store = store;
        this.environment = environment;
        this.counters = counters;
        this.partition = partition;
        this.life = life;
        // A revived task starts another life, and does not know what its former life is still sending.
        environment.limits().taskStarted();
        this.completions =
                new CompletionQueue(environment.threads(), "sending messages of partition " + partition + " failed");
        this.scheduler = new DeliveryScheduler<>(
                this,
                completions,
                store.awaited(),
                MAX_STEPS,
                List.of((after, limit) -> store.requeue(after, limit, this::queued)));
    }

    /** Stores a message of the outbox, which may contain it more than once. */
    public void take(Outgoing.Message message) {
        for (MessageCopy copy : message.copies()) {
            MessageDelivery known = store.delivery(MessageDelivery.idOf(message.id(), copy.channel()));
            MessageDelivery delivery = known == null ? MessageDelivery.of(message, copy, nowMs()) : known;
            // Also a known one: after a crash it may be on this disk but not in the changelog.
            store.add(delivery);
            queued(delivery);
        }
    }

    /** Notes in the scheduler a delivery that was queued, if it waits. */
    private void queued(MessageDelivery delivery) {
        Entry entry = MessageStore.entryOf(delivery);
        if (entry != null) {
            scheduler.queue(TenantChannel.of(delivery)).added(entry);
        }
    }

    /**
     * Deletes the deliveries of an erased user; those that wait are not sent. Messages to a later user of the same id stay if the
     * outbox contains the erasure again.
     */
    public void forget(Outgoing.UserErased erased) {
        for (MessageDelivery delivery : store.deliveriesOf(erased.userKey())) {
            if (delivery.at().isAfter(erased.at())) {
                continue;
            }
            store.forget(delivery);
            Claim claim = claims.get(delivery.id());
            if (claim != null && !claim.isBeingSent) {
                release(claim);
            }
        }
    }

    /** Reads a mark from its topic: the first mark of an attempt decides which life makes the attempt. */
    public void read(SendMark mark) {
        FirstMark known = store.firstMark(mark.delivery(), mark.attempt());
        UUID first = known == null ? mark.life() : known.life();
        // Also a known one: after a crash it may be on this disk but not in the changelog.
        store.putFirstMark(mark.delivery(), mark.attempt(), first, nowMs() + MessageDelivery.KEPT.toMillis());
        if (known != null) {
            return;
        }
        MessageDelivery delivery = store.delivery(mark.delivery());
        Claim claim = claims.get(mark.delivery());
        if (delivery == null && claim != null && !claim.isBeingSent) {
            release(claim); // the delivery has expired since
        }
        if (delivery == null || !delivery.awaits(mark.attempt())) {
            return; // the delivery may still be in the outbox; the mark is stored for it
        }
        if (claim == null || !claim.mark.equals(mark)) {
            boolean isWithdrawn = store.isWithdrawn(mark.delivery(), mark.attempt(), first);
            change(delivery, delivery.markedBefore(new FirstMark(first, isWithdrawn), nowMs()));
        } else if (delivery.isTooOld(nowMs(), environment.staleAfter())) {
            change(delivery, delivery.givenUp(nowMs()));
        } else {
            claim.isBeingSent = true;
            completions.run(() -> {
                SendResult result = environment.attempts().send(delivery);
                completions.add(() -> sent(claim, result));
            });
        }
    }

    /** Stores the outcomes of attempts, starts attempts that are due, and deletes what has expired. */
    public void run() {
        long nowMs = nowMs();
        scheduler.run(nowMs);
        store.sweep(nowMs, MAX_STEPS);
        if (scheduler.repair() || scheduler.isDueBy(nowMs + AdaptivePollWait.AHEAD_MS)) {
            thread.soon();
        }
    }

    /** Whether a message is in flight, or is due. */
    public boolean hasWork() {
        return !claims.isEmpty() || scheduler.hasWork(nowMs());
    }

    // Selection.

    @Override
    public DueQueue<Claim> open(TenantChannel channel) {
        return new DueQueue<>(store.queue(channel), this::select);
    }

    @Override
    public InFlightLimits limits() {
        return environment.limits().ofTask();
    }

    @Override
    public boolean mayStart() {
        return true;
    }

    private @Nullable Claim select(Entry entry) {
        MessageDelivery delivery = store.delivery(entry.delivery());
        // A crash may have left an entry by which the delivery does not wait.
        while (delivery != null
                && delivery.state() instanceof Waiting(int attempt, var _)
                && entry.equals(MessageStore.entryOf(delivery))) {
            switch (delivery.next(store.firstMark(delivery.id(), attempt), nowMs())) {
                case SetMark(int number) -> {
                    return new Claim(delivery, entry, number, life);
                }
                case Replace(MessageDelivery next) -> {
                    change(delivery, next);
                    delivery = next;
                }
            }
        }
        return null;
    }

    /** Writes the intent; the task sends when it reads it. */
    @Override
    public void start(Claim claim) {
        claims.put(claim.mark.delivery(), claim);
        environment.counts().countUnderWay(1);
        setMark(claim);
    }

    private void setMark(Claim claim) {
        completions.run(() -> environment
                .marks()
                .append(partition, claim.userKey, claim.mark)
                .whenComplete((_, failure) -> {
                    switch (failure instanceof CompletionException wrapped ? wrapped.getCause() : failure) {
                        case null -> {
                            // The task acts when it reads the mark.
                        }
                        case RetriableException _ -> completions.add(() -> setAgain(claim));
                        case Throwable fault -> completions.fail(fault);
                    }
                }));
    }

    /** Sets a mark again, unless it was stored nevertheless and has been read. A mark that is set twice does no harm. */
    private void setAgain(Claim claim) {
        if (!isClosing && claims.get(claim.mark.delivery()) == claim && !claim.isBeingSent) {
            setMark(claim);
        }
    }

    // Outcomes.

    private void sent(Claim claim, SendResult result) {
        MessageDelivery delivery = store.delivery(claim.mark.delivery());
        if (delivery == null || !delivery.awaits(claim.mark.attempt())) {
            release(claim); // the user was erased since
            return;
        }
        long nowMs = nowMs();
        change(
                delivery,
                switch (result) {
                    case SendResult.Sent _ -> delivery.sent(nowMs);
                    case SendResult.NotSent(String reason) -> delivery.notSent(reason, nowMs);
                    case SendResult.Refused refused -> delivery.failed(Ending.REFUSED, refused.reason(), nowMs);
                    case SendResult.Doubtful(String reason) -> delivery.failed(Ending.DOUBTFUL, reason, nowMs);
                },
                result instanceof SendResult.Refused refused && refused.isBounced());
    }

    private void change(MessageDelivery before, MessageDelivery after) {
        change(before, after, false);
    }

    /** Stores a changed delivery, of which nothing is in flight any more. @param isBounced whether there is no such address */
    private void change(MessageDelivery before, MessageDelivery after, boolean isBounced) {
        store.change(before, after);
        Claim claim = claims.get(after.id());
        if (claim != null) {
            release(claim);
        }
        switch (after.state()) {
            case Waiting _ -> {
                queued(after);
                if (after.attempts().size() > before.attempts().size()) {
                    environment.counts().count(Kind.FAILED_MESSAGE);
                }
            }
            case Ended ended -> {
                environment.counts().count(ended.how());
                counters.messageEnded(after, ended, isBounced);
                unsent.log(after, ended, System.nanoTime());
            }
        }
    }

    private void release(Claim claim) {
        claims.remove(claim.mark.delivery());
        scheduler.queue(claim.channel).ended(claim.mark.delivery(), claim.entry);
        scheduler.ended(claim.channel);
        environment.counts().countUnderWay(-1);
    }

    private long nowMs() {
        return environment.clock().millis();
    }

    /**
     * Ends the life in an orderly way: messages that are being sent have some time to end, and marks that were not read yet are
     * withdrawn. Messages that have not ended by then are doubtful in the next life.
     */
    public void close() {
        environment.limits().taskStopped();
        isClosing = true;
        long deadlineNs = System.nanoTime() + environment.closeTimeout().toNanos();
        try {
            boolean isInTime = true;
            while (isInTime && claims.values().stream().anyMatch(claim -> claim.isBeingSent)) {
                isInTime = completions.awaitOne(Math.max(0, deadlineNs - System.nanoTime()));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        claims.forEach((delivery, claim) -> {
            if (!claim.isBeingSent) {
                store.putWithdrawn(delivery, claim.mark.attempt(), life);
            }
        });
        environment.counts().countUnderWay(-claims.size());
        claims.clear();
    }

    /**
     * Logs messages that were not sent, without the names of their users. The number of lines per minute is bounded; further messages
     * are counted. One thread.
     */
    static final class UnsentMessageLog {

        static final int MAX_LINES = 20;

        private static final Logger LOG = LoggerFactory.getLogger(UnsentMessageLog.class);
        private static final long WINDOW_NS = Duration.ofMinutes(1).toNanos();

        private long windowNs;
        private int lines;
        private int suppressed;

        /** @param nowNs of {@link System#nanoTime} */
        UnsentMessageLog(long nowNs) {
            this.windowNs = nowNs;
        }

        /** @return whether a line was written */
        boolean log(MessageDelivery delivery, Ended ended, long nowNs) {
            if (ended.how() == Ending.SENT) {
                return false;
            }
            if (nowNs - windowNs >= WINDOW_NS) {
                if (suppressed > 0) {
                    LOG.warn("{} more messages were not sent, or may not have been sent", suppressed);
                }
                windowNs = nowNs;
                lines = 0;
                suppressed = 0;
            }
            if (lines == MAX_LINES) {
                suppressed++;
                return false;
            }
            lines++;
            LOG.warn(
                    "Message {} ({} by {}) is {}: {}",
                    delivery.id(),
                    delivery.type(),
                    delivery.copy().channel(),
                    ended.how(),
                    ended.reason());
            return true;
        }
    }
}
