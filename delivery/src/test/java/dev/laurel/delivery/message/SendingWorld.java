package dev.laurel.delivery.message;

import dev.laurel.core.sending.MessageDelivery;
import dev.laurel.core.sending.MessageDelivery.Ended;
import dev.laurel.core.sending.MessageDelivery.Ending;
import dev.laurel.core.sending.MessageDelivery.Waiting;
import dev.laurel.delivery.DeliveryCounters;
import dev.laurel.delivery.DeliveryCounts;
import dev.laurel.delivery.message.MessageSender.OutgoingMessage;
import dev.laurel.delivery.message.MessageSender.SendResult;
import dev.laurel.delivery.queue.DeliveryScheduler.InFlightLimits;
import dev.laurel.delivery.store.MessageStore;
import dev.laurel.processors.store.counters.CounterStore;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.outbox.Outgoing.SendMark;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.utils.Bytes;

/**
 * The environment of the dispatchers of one partition: outbox, marks, changelog, committed offsets, a service that counts. Lives of
 * the task end in an orderly way or are killed, on the same disk or another; a replaced life may not know it and continue.
 * Concurrent events happen in an order that the seed determines.
 */
final class SendingWorld {

    static final Duration STALE = Duration.ofHours(24);

    private final Random random;
    private final Rulesets rulesets;
    private final boolean isServiceGood;
    private final List<Outgoing> outbox = new ArrayList<>();
    private final List<SendMark> marks = new ArrayList<>();
    private final List<Change> changelog = new ArrayList<>();
    private final Map<UUID, Integer> wentOut = new HashMap<>();
    private int outboxCommitted;
    private int marksCommitted;
    private long nowMs = Instant.parse("2026-03-04T17:00:00Z").toEpochMilli();
    private int lives;
    private boolean isTwice;

    /** The life that owns the partition, for the consumer group. */
    private Life owner;

    /** A replaced life that does not know it; null: there is none. */
    private Life zombie;

    private record Change(Bytes key, byte[] value) {}

    /** @param isServiceGood whether the service sends everything at once */
    SendingWorld(long seed, Rulesets rulesets, boolean isServiceGood) {
        this.random = new Random(seed);
        this.rulesets = rulesets;
        this.isServiceGood = isServiceGood;
        this.owner = new Life(null);
    }

    /** One start of the task. */
    private final class Life {

        private final int number = ++lives;
        private final List<Runnable> threads = new ArrayList<>();
        private final Deque<Change> unflushed = new ArrayDeque<>();
        private final LoggedStore store = new LoggedStore((key, value) -> unflushed.add(new Change(key, value)));
        private final LoggedStore counters = new LoggedStore((_, _) -> {});
        private final MessageDispatcher dispatcher;
        private int outboxRead = outboxCommitted;
        private int marksRead = marksCommitted;

        /** @param disk the killed life whose disk this life finds; null: an empty disk */
        Life(Life disk) {
            changelog.forEach(change -> store.restore(change.key(), change.value()));
            if (disk != null) {
                // RocksDB may have written entries to disk that had not reached the changelog.
                int written = random.nextInt(disk.unflushed.size() + 1);
                disk.unflushed.stream().limit(written).forEach(change -> store.restore(change.key(), change.value()));
            }
            var limits = new InFlightLimits.Shared(8, 4);
            limits.taskStarted();
            var attempts = new AttemptRunner(
                    rulesets,
                    Map.of(
                            NotificationChannel.EMAIL,
                            SendingWorld.this::send,
                            NotificationChannel.PUSH,
                            SendingWorld.this::send),
                    (_, _) -> {});
            var environment = new MessageDispatcher.Environment(
                    SendingWorld.this::append,
                    attempts,
                    threads::add,
                    () -> Instant.ofEpochMilli(nowMs),
                    STALE,
                    Duration.ZERO,
                    limits,
                    new DeliveryCounts());
            dispatcher = new MessageDispatcher(
                    new MessageStore(store),
                    environment,
                    new DeliveryCounters(new CounterStore(counters), rulesets),
                    0,
                    new UUID(9, number));
        }

        /** Reads some records of the two topics. */
        void read() {
            boolean isOutboxNext = outboxRead < outbox.size() && (marksRead == marks.size() || random.nextBoolean());
            if (isOutboxNext) {
                switch (outbox.get(outboxRead++)) {
                    case Outgoing.Message message -> {
                        if (!isStale(message)) { // as the step before sees to it
                            dispatcher.take(message);
                        }
                    }
                    case Outgoing.UserErased erased -> dispatcher.forget(erased);
                    case Outgoing other -> throw new AssertionError(other);
                }
            } else if (marksRead < marks.size()) {
                dispatcher.read(marks.get(marksRead++));
            }
        }

        void runThread() {
            if (!threads.isEmpty()) {
                threads.remove(random.nextInt(threads.size())).run();
            }
        }

        void flush(int count) {
            for (int i = 0; i < count && !unflushed.isEmpty(); i++) {
                changelog.add(unflushed.poll());
            }
        }

        void commit() {
            flush(Integer.MAX_VALUE);
            outboxCommitted = outboxRead;
            marksCommitted = marksRead;
        }

        /** Ends in an orderly way; messages that are being sent finish in time. */
        void close() {
            for (int i = threads.size(); i > 0; i--) {
                runThread();
            }
            dispatcher.close();
            commit();
        }

        boolean isQuiet() {
            return threads.isEmpty() && outboxRead == outbox.size() && marksRead == marks.size();
        }
    }

    // Other systems.

    private CompletionStage<?> append(int partition, byte[] key, SendMark mark) {
        int fate = isServiceGood ? 99 : random.nextInt(20);
        if (fate != 0) {
            marks.add(mark);
        }
        return fate > 1
                ? CompletableFuture.completedStage(null)
                : CompletableFuture.failedStage(new TimeoutException("no answer"));
    }

    private SendResult send(OutgoingMessage message) {
        int fate = isServiceGood ? 99 : random.nextInt(20);
        switch (fate) {
            case 0, 1, 2, 3 -> {
                return new SendResult.NotSent("busy");
            }
            case 4 -> {
                return new SendResult.Refused("no such user", List.of());
            }
            case 5 -> {
                return new SendResult.Doubtful("no answer");
            }
            default -> {
                int count = wentOut.merge(message.id(), 1, Integer::sum);
                isTwice |= count > 1;
                return fate == 6 ? new SendResult.Doubtful("no answer") : new SendResult.Sent(List.of());
            }
        }
    }

    // Events.

    /** Writes a message; some messages are older than a day. */
    void message() {
        message(random.nextInt(10) == 0 ? STALE.plusHours(1) : Duration.ZERO);
    }

    /** @return the number of copies of the message */
    int message(Duration age) {
        nowMs++;
        Instant at = Instant.ofEpochMilli(nowMs).minus(age);
        var copies = new ArrayList<MessageCopy>();
        copies.add(new MessageCopy(NotificationChannel.EMAIL, SendingTemplates.TEMPLATE, 0));
        if (random.nextBoolean()) {
            copies.add(new MessageCopy(NotificationChannel.PUSH, SendingTemplates.TEMPLATE, 1));
        }
        outbox.add(new Outgoing.Message(
                new UUID(5, outbox.size()),
                TenantId.NONE,
                at,
                SendingTemplates.VERSION,
                new UserId("user-" + random.nextInt(10)),
                NotificationType.RECAP,
                copies,
                "{}"));
        return copies.size();
    }

    void erase() {
        nowMs++;
        outbox.add(new Outgoing.UserErased(
                new UUID(6, outbox.size()),
                TenantId.NONE,
                Instant.ofEpochMilli(nowMs),
                new UserId("user-" + random.nextInt(10))));
    }

    void work() {
        Life life = zombie != null && random.nextBoolean() ? zombie : owner;
        switch (random.nextInt(5)) {
            case 0, 1 -> life.read();
            case 2, 3 -> life.runThread();
            default -> life.dispatcher.run();
        }
        life.flush(random.nextInt(3));
    }

    /** Reads the outbox alone: no mark is set. */
    void readOutbox() {
        while (owner.outboxRead < outbox.size()) {
            owner.read();
        }
    }

    void pass(Duration time) {
        nowMs += time.toMillis();
    }

    void commit() {
        owner.commit();
    }

    /** Kills the owner, as SIGKILL does. The next life may find its disk. */
    void kill() {
        owner = new Life(random.nextBoolean() ? owner : null);
    }

    void closeInGoodOrder() {
        owner.close();
        owner = new Life(null);
    }

    /** Replaces the owner, which continues as a zombie; an earlier zombie ends. */
    void replace() {
        zombie = owner;
        owner = new Life(null);
    }

    /** The zombie notices that it was replaced. */
    void endZombie() {
        if (zombie != null) {
            zombie.flush(random.nextInt(100));
            zombie = null;
        }
    }

    /** Runs without disturbance until nothing is left to do. */
    void settle() {
        endZombie();
        for (int round = 0; round < 20; round++) {
            do {
                owner.read();
                owner.runThread();
                owner.dispatcher.run();
            } while (!owner.isQuiet());
            pass(Duration.ofMinutes(1));
        }
        owner.commit();
    }

    /** Checks that every delivery has ended with the true outcome, and none was sent twice. */
    void check() {
        if (isTwice) {
            throw new AssertionError("went out twice: " + wentOut);
        }
        var stores = new MessageStore(owner.store);
        for (Outgoing outgoing : outbox) {
            if (outgoing instanceof Outgoing.Message message) {
                for (MessageCopy copy : message.copies()) {
                    UUID id = MessageDelivery.idOf(message.id(), copy.channel());
                    MessageDelivery delivery = stores.delivery(id);
                    if (delivery != null) {
                        check(delivery, wentOut.getOrDefault(id, 0));
                    } else if (!isStale(message) && !isErased(message)) {
                        throw new AssertionError(message + " was never taken in");
                    }
                }
            }
        }
    }

    private boolean isStale(Outgoing.Message message) {
        return nowMs - message.at().toEpochMilli() > STALE.toMillis();
    }

    private boolean isErased(Outgoing.Message message) {
        return outbox.subList(outbox.indexOf(message), outbox.size()).stream()
                .anyMatch(later -> later instanceof Outgoing.UserErased erased
                        && erased.user().equals(message.user()));
    }

    private static void check(MessageDelivery delivery, int count) {
        switch (delivery.state()) {
            case Waiting waiting -> throw new AssertionError(delivery.id() + " waits: " + waiting);
            case Ended ended -> {
                boolean isTrue = switch (ended.how()) {
                    case SENT -> count == 1;
                    case REFUSED, GIVEN_UP -> count == 0;
                    case DOUBTFUL -> true;
                };
                if (!isTrue) {
                    throw new AssertionError(delivery.id() + " went out " + count + " times, said: " + ended);
                }
            }
        }
    }

    long ended(Ending how) {
        var stores = new MessageStore(owner.store);
        return outbox.stream()
                .filter(Outgoing.Message.class::isInstance)
                .map(Outgoing.Message.class::cast)
                .flatMap(message -> message.copies().stream()
                        .map(copy -> stores.delivery(MessageDelivery.idOf(message.id(), copy.channel()))))
                .filter(delivery -> delivery != null && delivery.state() instanceof Ended ended && ended.how() == how)
                .count();
    }

    int sent() {
        return wentOut.size();
    }

    int marks() {
        return marks.size();
    }
}
