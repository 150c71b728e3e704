package dev.laurel.processors.delivery.message;

import dev.laurel.processors.core.sending.Delivery;
import dev.laurel.processors.core.sending.Delivery.Become;
import dev.laurel.processors.core.sending.Delivery.Ended;
import dev.laurel.processors.core.sending.Delivery.Ending;
import dev.laurel.processors.core.sending.Delivery.FirstMark;
import dev.laurel.processors.core.sending.Delivery.SetMark;
import dev.laurel.processors.core.sending.Delivery.Waiting;
import dev.laurel.processors.store.MessageStores;
import dev.laurel.processors.store.MessageStores.Place;
import dev.laurel.schemas.outbox.MessageCopy;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.SendMark;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.RetriableException;

/**
 * One life of the task that sends the messages of a partition: takes them in, sets marks, has those sent whose mark it reads
 * as the first, keeps what came of them. Nothing goes out twice, whatever dies when: {@code DELIVERY.md}.
 *
 * <p>One thread, that of the task, which never waits for anything outside: what blocks has virtual threads of its own, and
 * says what came of it in a queue that this thread empties.
 */
final class MessageDesk {

    /** Of each kind, so that what has piled up does not keep the task from reading. */
    private static final int MAX_STEPS = 256;

    private final MessageStores stores;
    private final Lanes lanes;
    private final EndingLog endings = new EndingLog(System.nanoTime());
    private final Outside outside;
    private final int partition;
    private final UUID life;

    /** Of the look at what was there when this life began: the last one seen, and whether all were. */
    private UUID lookedAt;
    private boolean isLookedThrough;

    /** What is under way, marks that were set and attempts that are made. Bounded by the limits, and so is the news of it. */
    private final Map<UUID, Claim> claims = new HashMap<>();
    private final BlockingQueue<News> news = new LinkedBlockingQueue<>();

    /**
     * What a desk works with, shared by the tasks of the process.
     *
     * @param threads runs what blocks: one thread for each
     * @param patience how long the end of a life waits for what is being sent
     */
    record Outside(MarkLog marks, Courier courier, Executor threads, InstantSource clock, Duration staleAfter,
            Duration patience, SendLimits limits, MessageCounts counts) {}

    /** An attempt of a delivery whose mark was set here. */
    private static final class Claim {

        private final Place place;
        private final int attempt;
        private boolean isBeingSent;

        Claim(Place place, int attempt) {
            this.place = place;
            this.attempt = attempt;
        }
    }

    /** What the virtual threads have to say. */
    private sealed interface News {}

    private record CameOf(UUID delivery, SendResult result) implements News {}

    private record MarkMissing(SendMark mark, byte[] key) implements News {}

    private record Broken(Throwable fault) implements News {}

    /**
     * @param partition of the task
     * @param life of the task; another one each time it is started
     */
    MessageDesk(MessageStores stores, Outside outside, int partition, UUID life) {
        this.stores = stores;
        this.outside = outside;
        this.partition = partition;
        this.life = life;
        this.lanes = new Lanes(stores, outside.limits());
    }

    /** Out of the outbox, which may say the same again. */
    void take(Outgoing.Message message) {
        for (MessageCopy copy : message.copies()) {
            Delivery known = stores.delivery(Delivery.idOf(message.id(), copy.channel()));
            Delivery delivery = known == null ? Delivery.of(message, copy, nowMs()) : known;
            // A known one, too: after a crash it may be on this disk, and not in the changelog.
            stores.add(delivery);
            if (delivery.state() instanceof Waiting waiting) {
                lanes.added(delivery, waiting);
            }
        }
    }

    /**
     * The user is no more: what waits is not sent, and what is known of the user is forgotten. Not of one who came later by
     * the same id, when the outbox says this again.
     */
    void forget(Outgoing.UserErased erased) {
        for (Delivery delivery : stores.deliveriesOf(erased.userKey())) {
            if (delivery.at().isAfter(erased.at())) {
                continue;
            }
            stores.forget(delivery);
            Claim claim = claims.get(delivery.id());
            if (claim != null && !claim.isBeingSent) {
                release(delivery.id());
            }
        }
    }

    /** Out of the topic of marks: the first one of an attempt decides who makes it. */
    void read(SendMark mark) {
        FirstMark known = stores.firstMark(mark.delivery(), mark.attempt());
        UUID first = known == null ? mark.life() : known.life();
        // One that is known, too: after a crash it may be on this disk, and not in the changelog.
        stores.putFirstMark(mark.delivery(), mark.attempt(), first, nowMs() + Delivery.KEPT.toMillis());
        if (known != null) {
            return;
        }
        Delivery delivery = stores.delivery(mark.delivery());
        Claim claim = claims.get(mark.delivery());
        if (delivery == null && claim != null && !claim.isBeingSent) {
            release(mark.delivery()); // it has expired meanwhile
        }
        if (delivery == null || !delivery.awaits(mark.attempt())) {
            return; // the outbox may come to it later, and then finds the mark
        }
        boolean isOurs = mark.life().equals(life) && claim != null && claim.attempt == mark.attempt();
        if (isOurs && delivery.isTooOld(nowMs(), outside.staleAfter())) {
            change(delivery, delivery.givenUp(nowMs()));
        } else if (isOurs) {
            claim.isBeingSent = true;
            send(delivery);
        } else {
            change(delivery, delivery.overtaken(stores.firstMark(mark.delivery(), mark.attempt()), nowMs()));
        }
    }

    /** Does what there is to do now: takes note of what came of attempts, begins those whose time has come, tidies up. */
    void round() {
        for (News next = news.poll(); next != null; next = news.poll()) {
            note(next);
        }
        long nowMs = nowMs();
        for (int step = 0; step < MAX_STEPS && claims.size() < outside.limits().inAll(); step++) {
            Place place = lanes.next(nowMs);
            if (place == null) {
                break;
            }
            begin(place, nowMs);
        }
        stores.sweep(nowMs, MAX_STEPS);
        if (!isLookedThrough) {
            lookedAt = stores.requeue(lookedAt, MAX_STEPS, found -> lanes.added(found, (Waiting) found.state()));
            isLookedThrough = lookedAt == null;
        }
    }

    /** Whether anything is under way, or waits and is due. */
    boolean hasWork() {
        return !claims.isEmpty() || lanes.next(nowMs()) != null;
    }

    private void begin(Place place, long nowMs) {
        Delivery delivery = stores.delivery(place.delivery());
        boolean isHere = delivery != null && delivery.state() instanceof Waiting waiting
                && Place.of(delivery, waiting).equals(place);
        if (!isHere) {
            stores.unqueue(place); // left over by a crash
            return;
        }
        int attempt = ((Waiting) delivery.state()).attempt();
        FirstMark first = stores.firstMark(place.delivery(), attempt);
        switch (delivery.next(first, nowMs)) {
            case Become(Delivery next) -> change(delivery, next);
            case SetMark(int _) -> {
                claims.put(place.delivery(), new Claim(place, attempt));
                outside.counts().countUnderWay(1);
                lanes.take(place);
                mark(new SendMark(place.delivery(), attempt, life), delivery.user().bytes());
            }
        }
    }

    private void mark(SendMark mark, byte[] key) {
        run(() -> outside.marks().append(partition, key, mark).whenComplete((_, failure) -> {
            switch (failure instanceof CompletionException wrapped ? wrapped.getCause() : failure) {
                case null -> {
                    // Its reader acts.
                }
                case RetriableException _ -> news.add(new MarkMissing(mark, key));
                case Throwable fault -> news.add(new Broken(fault));
            }
        }));
    }

    private void send(Delivery delivery) {
        run(() -> news.add(new CameOf(delivery.id(), outside.courier().carry(delivery))));
    }

    /** Blocks. */
    private interface Task {
        void run() throws InterruptedException;
    }

    /** What fails unexpectedly stops the task: what it may have done is doubtful in its next life. */
    private void run(Task task) {
        outside.threads().execute(() -> {
            try {
                task.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                news.add(new Broken(e));
            } catch (RuntimeException | Error e) {
                news.add(new Broken(e));
            }
        });
    }

    private void note(News said) {
        switch (said) {
            case CameOf(UUID id, SendResult result) -> note(id, result);
            case MarkMissing(SendMark mark, byte[] key) -> {
                Claim claim = claims.get(mark.delivery());
                // It may have been stored nevertheless, and been read. If not, it is no harm to set it twice.
                if (claim != null && claim.attempt == mark.attempt() && !claim.isBeingSent) {
                    mark(mark, key);
                }
            }
            case Broken(Throwable fault) ->
                throw new IllegalStateException("sending messages of partition " + partition + " failed", fault);
        }
    }

    private void note(UUID id, SendResult result) {
        Delivery delivery = stores.delivery(id);
        if (delivery == null || !delivery.awaits(claims.get(id).attempt)) {
            release(id); // the user was erased meanwhile
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

    /** Nothing is under way of a delivery that has changed. */
    private void change(Delivery before, Delivery after) {
        stores.change(before, after);
        if (claims.containsKey(after.id())) {
            release(after.id());
        }
        switch (after.state()) {
            case Waiting waiting -> {
                lanes.added(after, waiting);
                if (after.attempts().size() > before.attempts().size()) {
                    outside.counts().countFailedAttempt();
                }
            }
            case Ended ended -> {
                outside.counts().countEnded(ended.how());
                endings.tell(after, ended, System.nanoTime());
            }
        }
    }

    private void release(UUID delivery) {
        lanes.release(claims.remove(delivery).place);
        outside.counts().countUnderWay(-1);
    }

    private long nowMs() {
        return outside.clock().millis();
    }

    /**
     * The life ends in good order: what is being sent has a moment to be done, and of marks that were not read yet it says that
     * nothing follows. What is not done by then is doubtful in the next life.
     */
    void close() {
        long deadlineNs = System.nanoTime() + outside.patience().toNanos();
        try {
            while (claims.values().stream().anyMatch(claim -> claim.isBeingSent)) {
                News next = news.poll(Math.max(0, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS);
                if (next == null) {
                    break;
                }
                if (next instanceof CameOf) {
                    note(next);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        claims.forEach((delivery, claim) -> {
            if (!claim.isBeingSent) {
                stores.putWithdrawn(delivery, claim.attempt, life);
            }
        });
        outside.counts().countUnderWay(-claims.size());
        claims.clear();
    }
}
