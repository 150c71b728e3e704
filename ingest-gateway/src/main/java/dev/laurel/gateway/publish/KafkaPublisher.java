package dev.laurel.gateway.publish;

import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.command.OwnedCommand;
import dev.laurel.schemas.command.RecordEvent;
import dev.laurel.schemas.command.Tick;
import dev.laurel.schemas.command.UserCommand;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.DeliveryIds;
import dev.laurel.schemas.topic.OwnedIds;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.topic.TraceHeaders;
import dev.laurel.schemas.trace.Span;
import dev.laurel.schemas.trace.Tracing;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The publisher on one idempotent producer, shared by all request threads. A record's timestamp is the time of receipt, or the
 * time that a client gave an event: it is the command's time everywhere after this.
 *
 * <p>A send that fails on the calling thread, inside {@code send}, failed before the record entered the producer's
 * buffer: nothing is stored. One that fails later, on the producer's own thread, may have been stored; what each of those
 * failures means is in {@link SendFailure}.
 */
public final class KafkaPublisher implements Publisher, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaPublisher.class);

    private static final byte[] TICK = CommandJson.write(new Tick());

    private final Producer<byte[], byte[]> producer;
    private final int replyPartition;
    private final InstantSource clock;
    private final long stallNs;
    private final Tracing tracing;
    private final Consumer<Throwable> onFault;
    private final WrittenLog log;
    private final AtomicLong unacknowledged = new AtomicLong();
    private volatile long lastProgressNs = System.nanoTime();

    /**
     * @param stall how long the log may stay silent before {@link #isStalled} says so
     * @param tracing takes the current request of the calling thread along
     * @param log where commands go
     * @param onFault told when the producer cannot go on; called on the producer's thread
     */
    public KafkaPublisher(Producer<byte[], byte[]> producer, int replyPartition, InstantSource clock, Duration stall,
            Tracing tracing, WrittenLog log, Consumer<Throwable> onFault) {
        this.log = log;
        this.producer = producer;
        this.replyPartition = replyPartition;
        this.clock = clock;
        this.stallNs = stall.toNanos();
        this.tracing = tracing;
        this.onFault = onFault;
    }

    @Override
    public CompletableFuture<Outcome> publish(UserKey user, UserCommand command, UUID requestId) {
        return toLog(user.bytes(), CommandJson.write(command), null, requestId, _ -> null);
    }

    @Override
    public CompletableFuture<Outcome> publish(TenantId tenant, Edit edit, UUID requestId) {
        var topic = Topics.RULESET_EDITS;
        return send(topic.name(), null, topic.key().serializer().serialize(topic.name(), tenant),
                topic.value().serializer().serialize(topic.name(), edit), requestId);
    }

    @Override
    public CompletableFuture<Outcome> publish(OwnedCommand command, UUID requestId) {
        return toLog(null, CommandJson.write(command), null, requestId,
                partitions -> OwnedIds.partitionOf(command.id(), partitions));
    }

    @Override
    public CompletableFuture<Outcome> publish(UserKey user, RecordEvent event, Instant time) {
        return toLog(user.bytes(), CommandJson.write(event), time, null, _ -> null);
    }

    @Override
    public CompletableFuture<Outcome> publish(Outgoing.HookTest test) {
        return send(new ProducerRecord<>(Topics.OUTBOX.name(), null, clock.millis(), test.tenant().bytes(),
                written(test)));
    }

    @Override
    public CompletableFuture<Outcome> publish(Outgoing.HookRetry retry, UUID requestId) {
        int partitions = producer.partitionsFor(Topics.OUTBOX.name()).size();
        return send(Topics.OUTBOX.name(), DeliveryIds.partitionOf(retry.delivery(), partitions), retry.tenant().bytes(),
                written(retry), requestId);
    }

    private static byte[] written(Outgoing outgoing) {
        return Topics.OUTBOX.value().serializer().serialize(Topics.OUTBOX.name(), outgoing);
    }

    @Override
    public CompletableFuture<Outcome> publishTick(int partition, UUID requestId) {
        return toLog(null, TICK, null, requestId, _ -> partition);
    }

    @Override
    public CompletableFuture<Outcome> publishQuestion(int partition, UUID requestId) {
        var question = new Outgoing.Question(requestId, TenantId.NONE, clock.instant(), false);
        return send(Topics.OUTBOX.name(), partition, null, written(question), requestId);
    }

    @Override
    public int partitions() {
        return producer.partitionsFor(log.name()).size();
    }

    @Override
    public int outboxPartitions() {
        return producer.partitionsFor(Topics.OUTBOX.name()).size();
    }

    /**
     * @param time of the command, null: now
     * @param requestId null: nobody waits
     * @param partitionOf given how many there are; null is that of the key
     */
    private CompletableFuture<Outcome> toLog(byte[] key, byte[] value, Instant time, UUID requestId,
            IntFunction<Integer> partitionOf) {
        WrittenLog.Term term = log.enter();
        if (term == null) {
            LOG.warn("not written to {}: it is being replaced by a wider one, which takes too long", log.name());
            return CompletableFuture.completedFuture(Outcome.NOT_STORED);
        }
        Integer partition;
        try {
            partition = partitionOf.apply(producer.partitionsFor(term.name()).size());
        } catch (RuntimeException e) {
            term.left(null);
            return CompletableFuture.completedFuture(notSent(term.name(), e));
        }
        // The time of the command is that of its record: what was held back comes after what was not.
        var record = new ProducerRecord<>(term.name(), partition,
                time == null ? Long.valueOf(clock.millis()) : Long.valueOf(time.toEpochMilli()), key, value);
        if (requestId != null) {
            ReplyHeaders.write(record.headers(), new ReplyTo(replyPartition, requestId));
        }
        return send(record, term::left);
    }

    /** @param partition null: that of the key */
    private CompletableFuture<Outcome> send(String topic, Integer partition, byte[] key, byte[] value,
            UUID requestId) {
        var record = new ProducerRecord<>(topic, partition, clock.millis(), key, value);
        ReplyHeaders.write(record.headers(), new ReplyTo(replyPartition, requestId));
        return send(record);
    }

    private CompletableFuture<Outcome> send(ProducerRecord<byte[], byte[]> record) {
        return send(record, _ -> {
            // it matters to nobody where it is
        });
    }

    /** @param onSettled told where the record is stored, null if it is not or that is not known */
    private CompletableFuture<Outcome> send(ProducerRecord<byte[], byte[]> record,
            Consumer<RecordMetadata> onSettled) {
        String topic = record.topic();
        Span span = tracing.sending(topic);
        TraceHeaders.write(record.headers(), span);
        var outcome = new CompletableFuture<Outcome>();
        Thread caller = Thread.currentThread();
        if (unacknowledged.getAndIncrement() == 0) {
            lastProgressNs = System.nanoTime();
        }
        try {
            producer.send(record, (stored, failure) -> {
                settled();
                onSettled.accept(failure == null ? stored : null);
                end(span, failure);
                outcome.complete(failure == null
                        ? Outcome.STORED
                        : Thread.currentThread() == caller
                                ? notSent(topic, failure)
                                : unacknowledged(topic, failure));
            });
        } catch (RuntimeException e) {
            // Closed, interrupted, or broken: thrown only before the record is in the buffer, so no callback follows.
            if (e instanceof InterruptException) {
                Thread.currentThread().interrupt();
            }
            settled();
            onSettled.accept(null);
            end(span, e);
            outcome.complete(notSent(topic, e));
        }
        return outcome;
    }

    private static void end(Span span, Exception failure) {
        if (failure != null) {
            span.failed(failure);
        }
        span.close();
    }

    private void settled() {
        lastProgressNs = System.nanoTime();
        unacknowledged.decrementAndGet();
    }

    private Outcome notSent(String topic, Exception failure) {
        Outcome outcome = SendFailure.isTooLarge(failure) ? Outcome.TOO_LARGE : Outcome.NOT_STORED;
        LOG.warn("not written to {}: {}", topic, failure.getMessage());
        return outcome;
    }

    private Outcome unacknowledged(String topic, Exception failure) {
        SendFailure kind = SendFailure.of(failure);
        LOG.warn("{} after sending to {}: {}", kind, topic, failure.getMessage());
        if (kind == SendFailure.FAULT) {
            onFault.accept(failure);
        }
        return kind.outcome();
    }

    @Override
    public boolean isStalled() {
        return unacknowledged.get() > 0 && System.nanoTime() - lastProgressNs > stallNs;
    }

    /** Records sent and neither acknowledged nor given up yet. */
    public long unacknowledged() {
        return unacknowledged.get();
    }

    /** Waits up to {@code timeout} for what is on its way, then gives it up. */
    public void close(Duration timeout) {
        producer.close(timeout);
    }

    @Override
    public void close() {
        close(Duration.ZERO);
    }
}
