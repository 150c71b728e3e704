package dev.laurel.processors.delivery.message;

import dev.laurel.processors.core.sending.MessageDelivery;
import dev.laurel.processors.core.sending.MessageDelivery.Become;
import dev.laurel.processors.core.sending.MessageDelivery.Ended;
import dev.laurel.processors.core.sending.MessageDelivery.Ending;
import dev.laurel.processors.core.sending.MessageDelivery.FirstMark;
import dev.laurel.processors.core.sending.MessageDelivery.SetMark;
import dev.laurel.processors.core.sending.MessageDelivery.Waiting;
import dev.laurel.processors.delivery.MessageCounts;
import dev.laurel.processors.delivery.message.MessageDispatcher.Claim;
import dev.laurel.processors.delivery.message.MessageSender.SendResult;
import dev.laurel.processors.delivery.queue.CompletionQueue;
import dev.laurel.processors.delivery.queue.DeliveryScheduler;
import dev.laurel.processors.delivery.queue.DueQueue;
import dev.laurel.processors.delivery.queue.InFlightLimits;
import dev.laurel.processors.delivery.queue.QueueRecovery;
import dev.laurel.processors.delivery.queue.SendPolicy;
import dev.laurel.processors.store.DueIndex.Entry;
import dev.laurel.processors.store.MessageStore;
import dev.laurel.processors.store.MessageStore.TenantChannel;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.outbox.SendMark;
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

/**
 * Queues messages, sets marks, has those sent whose mark it reads as the first, and stores what came of them: at most once,
 * whenever a process dies ({@code docs/delivery.md}). One life of a task.
 *
 * <p>One thread, that of the task, which never waits for anything outside: what blocks runs on threads of its own, see
 * {@link CompletionQueue}.
 */
final class MessageDispatcher implements SendPolicy<TenantChannel, DueQueue<Claim>, Claim> {

    /** Of each kind in one run, so that a backlog does not keep the task from reading. */
    private static final int MAX_STEPS = 256;

    private final MessageStore store;
    private final UnsentMessageLog unsent = new UnsentMessageLog(System.nanoTime());
    private final Environment environment;
    private final int partition;
    private final UUID life;
    private final CompletionQueue completions;
    private final DeliveryScheduler<TenantChannel, DueQueue<Claim>, Claim> scheduler;
    private final QueueRecovery recovery;

    /** What is in flight: marks that were set, and attempts that are made. */
    private final Map<UUID, Claim> claims = new HashMap<>();
    private boolean isClosing;

    /**
     * What the dispatchers of the tasks of a process share.
     *
     * @param threads runs what blocks: one thread for each
     * @param patience how long the end of a life waits for what is being sent
     */
    record Environment(MarkLog marks, AttemptRunner attempts, Executor threads, InstantSource clock,
            Duration staleAfter, Duration patience, InFlightLimits.Shared limits, MessageCounts counts) {}

    /** Appends marks to {@code laurel.send-marks}. Thread-safe. */
    interface MarkLog {

        /**
         * Appends a mark. May block for a while.
         *
         * @param partition that of the task
         * @param key as in {@code laurel.outbox}
         * @return completes when it is stored; if it fails by a {@code RetriableException}, it may be stored or not, and can be
         *         repeated; by anything else, that is a fault
         */
        CompletionStage<?> append(int partition, byte[] key, SendMark mark);
    }

    /** An attempt of a delivery, from when its mark is set until its outcome is stored. */
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
     * @param life of the task; another one each time it is started
     */
    MessageDispatcher(MessageStore store, Environment environment, int partition, UUID life) {
        this.store = store;
        this.environment = environment;
        this.partition = partition;
        this.life = life;
        this.completions = new CompletionQueue(environment.threads(),
                "sending messages of partition " + partition + " failed");
        this.scheduler = new DeliveryScheduler<>(this, completions, store.awaited(), MAX_STEPS);
        this.recovery = new QueueRecovery(List.of(
                (after, limit) -> store.requeue(after, limit, this::queued)));
    }

    /** Takes in a message of the outbox, which may contain it more than once. */
    void take(Outgoing.Message message) {
        for (MessageCopy copy : message.copies()) {
            MessageDelivery known = store.delivery(MessageDelivery.idOf(message.id(), copy.channel()));
            MessageDelivery delivery = known == null ? MessageDelivery.of(message, copy, nowMs()) : known;
            // A known one, too: after a crash it may be on this disk, and not in the changelog.
            store.add(delivery);
            queued(delivery);
        }
    }

    /** Has the scheduler come to a delivery, if it waits. */
    private void queued(MessageDelivery delivery) {
        Entry entry = MessageStore.entryOf(delivery);
        if (entry != null) {
            TenantChannel channel = TenantChannel.of(delivery);
            scheduler.queue(channel).added(entry);
            scheduler.wake(channel);
        }
    }

    /**
     * Deletes what is known of an erased user; what waits is not sent. Messages to a later user of the same id stay, when the
     * outbox contains the erasure once more.
     */
    void forget(Outgoing.UserErased erased) {
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

    /** Takes in a mark from its topic: the first one of an attempt decides who makes it. */
    void read(SendMark mark) {
        FirstMark known = store.firstMark(mark.delivery(), mark.attempt());
        UUID first = known == null ? mark.life() : known.life();
        // A known one, too: after a crash it may be on this disk, and not in the changelog.
        store.putFirstMark(mark.delivery(), mark.attempt(), first, nowMs() + MessageDelivery.KEPT.toMillis());
        if (known != null) {
            return;
        }
        MessageDelivery delivery = store.delivery(mark.delivery());
        Claim claim = claims.get(mark.delivery());
        if (delivery == null && claim != null && !claim.isBeingSent) {
            release(claim); // the delivery has expired meanwhile
        }
        if (delivery == null || !delivery.awaits(mark.attempt())) {
            return; // the outbox may come to it later, and then finds the mark
        }
        boolean isOurs = claim != null && claim.mark.equals(mark);
        if (isOurs && delivery.isTooOld(nowMs(), environment.staleAfter())) {
            change(delivery, delivery.givenUp(nowMs()));
        } else if (isOurs) {
            claim.isBeingSent = true;
            completions.run(() -> {
                SendResult result = environment.attempts().send(delivery);
                completions.add(() -> sent(claim, result));
            });
        } else {
            change(delivery, delivery.overtaken(store.firstMark(mark.delivery(), mark.attempt()), nowMs()));
        }
    }

    /** Stores what came of attempts, begins those whose time has come, and deletes what has expired. */
    void run() {
        long nowMs = nowMs();
        scheduler.run(nowMs);
        store.sweep(nowMs, MAX_STEPS);
        recovery.step();
    }

    /** Whether anything is in flight, or waits and is due. */
    boolean hasWork() {
        return !claims.isEmpty() || scheduler.hasWork(nowMs());
    }

    // What is sent.

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
        // The entry may have been left by a crash.
        while (delivery != null && entry.equals(MessageStore.entryOf(delivery))) {
            int attempt = ((Waiting) delivery.state()).attempt();
            switch (delivery.next(store.firstMark(delivery.id(), attempt), nowMs())) {
                case SetMark(int number) -> {
                    return new Claim(delivery, entry, number, life);
                }
                case Become(MessageDelivery next) -> {
                    change(delivery, next);
                    delivery = next;
                }
            }
        }
        return null;
    }

    /** Writes down the intent; its reader sends. */
    @Override
    public void start(Claim claim) {
        claims.put(claim.mark.delivery(), claim);
        environment.counts().countUnderWay(1);
        setMark(claim);
    }

    private void setMark(Claim claim) {
        completions.run(() -> environment.marks().append(partition, claim.userKey, claim.mark)
                .whenComplete((_, failure) -> {
                    switch (failure instanceof CompletionException wrapped ? wrapped.getCause() : failure) {
                        case null -> {
                            // Its reader acts.
                        }
                        case RetriableException _ -> completions.add(() -> setAgain(claim));
                        case Throwable fault -> completions.fail(fault);
                    }
                }));
    }

    /** The mark may have been stored nevertheless, and been read. If not, it is no harm to set it twice. */
    private void setAgain(Claim claim) {
        if (!isClosing && claims.get(claim.mark.delivery()) == claim && !claim.isBeingSent) {
            setMark(claim);
        }
    }

    // What came of it.

    private void sent(Claim claim, SendResult result) {
        MessageDelivery delivery = store.delivery(claim.mark.delivery());
        if (delivery == null || !delivery.awaits(claim.mark.attempt())) {
            release(claim); // the user was erased meanwhile
            return;
        }
        long nowMs = nowMs();
        change(delivery, switch (result) {
            case SendResult.Sent _ -> delivery.sent(nowMs);
            case SendResult.NotSent(String reason) -> delivery.notSent(reason, nowMs);
            case SendResult.Refused refused -> delivery.failed(Ending.REFUSED, refused.reason(), nowMs);
            case SendResult.Doubtful(String reason) -> delivery.failed(Ending.DOUBTFUL, reason, nowMs);
        });
    }

    /** Nothing is in flight of a delivery that has changed. */
    private void change(MessageDelivery before, MessageDelivery after) {
        store.change(before, after);
        Claim claim = claims.get(after.id());
        if (claim != null) {
            release(claim);
        }
        switch (after.state()) {
            case Waiting _ -> {
                queued(after);
                if (after.attempts().size() > before.attempts().size()) {
                    environment.counts().countFailedAttempt();
                }
            }
            case Ended ended -> {
                environment.counts().countEnded(ended.how());
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
     * Ends the life in good order: what is being sent has a moment to end, and marks that were not read yet are withdrawn. What
     * has not ended by then is doubtful in the next life.
     */
    void close() {
        isClosing = true;
        long deadlineNs = System.nanoTime() + environment.patience().toNanos();
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
}
