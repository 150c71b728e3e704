package dev.laurel.gateway;

import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.gateway.RequestResult.Place;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.platform.trace.Tracing.Span;
import dev.laurel.platform.trace.Tracing.TraceHeaders;
import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.command.Command.OwnedCommand;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.DeliveryIds;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.RulesetHeader;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.topic.UserResourceIds;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A publisher with one idempotent producer, shared by all request threads. The timestamp of a record is the time of receipt, or the
 * time that the client gave for an event; all later processing uses it as the time of the command.
 *
 * <p>If a send fails on the calling thread, the record has not entered the producer's buffer, and nothing is stored. If it fails
 * later, on the producer's own thread, the record may be stored; {@link SendFailure} defines the meaning of each such failure.
 */
final class KafkaPublisher implements Publisher, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaPublisher.class);

    private static final byte[] TICK = CommandJson.write(new Tick());

    private final Producer<byte[], byte[]> producer;
    private final IntSupplier replyPartition;
    private final InstantSource clock;
    private final long stallNs;
    private final Tracing tracing;
    private final Consumer<Throwable> onFault;
    private final TargetLog log;
    private final ToLongFunction<TenantId> rulesetVersion;
    private final AtomicLong unacknowledged = new AtomicLong();
    private volatile long lastProgressNs = System.nanoTime();

    /**
     * @param replyPartition the partition of {@code laurel.replies} that the next request names; called once its waiter is registered
     * @param stall the time without acknowledgements after which {@link #isStalled} is true
     * @param tracing traces the current request of the calling thread
     * @param log the log that commands go to
     * @param rulesetVersion returns the newest version of a tenant's ruleset, which is not older than the one that admitted the command
     * @param onFault called when the producer has failed, on the producer's thread
     */
    KafkaPublisher(
            Producer<byte[], byte[]> producer,
            IntSupplier replyPartition,
            InstantSource clock,
            Duration stall,
            Tracing tracing,
            TargetLog log,
            ToLongFunction<TenantId> rulesetVersion,
            Consumer<Throwable> onFault) {
        this.log = log;
        this.rulesetVersion = rulesetVersion;
        this.producer = producer;
        this.replyPartition = replyPartition;
        this.clock = clock;
        this.stallNs = stall.toNanos();
        this.tracing = tracing;
        this.onFault = onFault;
    }

    @Override
    public CompletableFuture<Outcome> publish(TenantId tenant, Edit edit, @Nullable Author author, UUID requestId) {
        var topic = Topics.RULESET_EDITS;
        var record = record(
                topic.name(),
                null,
                clock.millis(),
                topic.key().serializer().serialize(topic.name(), tenant),
                topic.value().serializer().serialize(topic.name(), edit),
                requestId);
        ReplyHeaders.writeAuthor(record.headers(), author);
        return send(record, _ -> {});
    }

    @Override
    public CompletableFuture<Outcome> publish(OwnedCommand command, UUID requestId) {
        return toLog(
                command.tenant(),
                null,
                CommandJson.write(command),
                null,
                requestId,
                partitions -> UserResourceIds.partitionOf(command.id(), partitions),
                _ -> {});
    }

    @Override
    public CompletableFuture<Outcome> publish(UserKey user, byte[] command, @Nullable Instant time) {
        return toLog(user.tenant(), user.bytes(), command, time, null, _ -> null, _ -> {});
    }

    @Override
    public CompletableFuture<Outcome> publish(
            UserKey user, UserCommand command, @Nullable Instant time, UUID requestId, Consumer<Place> onStored) {
        return toLog(user.tenant(), user.bytes(), CommandJson.write(command), time, requestId, _ -> null, onStored);
    }

    @Override
    public CompletableFuture<Outcome> publish(Outgoing.HookTest test) {
        return toOutbox(null, test.tenant().bytes(), test, null);
    }

    @Override
    public CompletableFuture<Outcome> publish(Outgoing.HookRetry retry, UUID requestId) {
        return toOutbox(
                DeliveryIds.partitionOf(retry.delivery(), outboxPartitions()),
                retry.tenant().bytes(),
                retry,
                requestId);
    }

    @Override
    public CompletableFuture<Outcome> publishTick(int partition, UUID requestId) {
        return toLog(null, null, TICK, null, requestId, _ -> partition, _ -> {});
    }

    @Override
    public CompletableFuture<Outcome> publishQuestion(int partition, UUID requestId) {
        var question = new Outgoing.Question(requestId, TenantId.NONE, clock.instant());
        return toOutbox(partition, null, question, requestId);
    }

    @Override
    public int partitions() {
        return producer.partitionsFor(log.name()).size();
    }

    @Override
    public int outboxPartitions() {
        return producer.partitionsFor(Topics.OUTBOX.name()).size();
    }

    private CompletableFuture<Outcome> toOutbox(
            @Nullable Integer partition, byte @Nullable [] key, Outgoing outgoing, @Nullable UUID requestId) {
        var topic = Topics.OUTBOX;
        return send(
                record(
                        topic.name(),
                        partition,
                        clock.millis(),
                        key,
                        topic.value().serializer().serialize(topic.name(), outgoing),
                        requestId),
                _ -> {});
    }

    /**
     * @param tenant whose ruleset has admitted the command; null: none has
     * @param time time of the command; null: now
     * @param requestId null: no reply is expected
     * @param partitionOf maps the number of partitions to a partition; null: the partition of the key
     * @param onStored receives the place of the record, once it is acknowledged
     */
    private CompletableFuture<Outcome> toLog(
            @Nullable TenantId tenant,
            byte @Nullable [] key,
            byte[] value,
            @Nullable Instant time,
            @Nullable UUID requestId,
            IntFunction<@Nullable Integer> partitionOf,
            Consumer<Place> onStored) {
        TargetLog.Target target = log.enter();
        if (target == null) {
            LOG.warn("Refused a command: {} is being replaced by a wider log, which takes too long", log.name());
            return CompletableFuture.completedFuture(Outcome.NOT_STORED);
        }
        Integer partition;
        try {
            partition = partitionOf.apply(producer.partitionsFor(target.name()).size());
        } catch (RuntimeException e) {
            target.settled(null);
            return CompletableFuture.completedFuture(notSent(target.name(), e));
        }
        // Read the clock after the wait for a wider log, so that times have the order of the records.
        var record = record(
                target.name(), partition, time == null ? clock.millis() : time.toEpochMilli(), key, value, requestId);
        if (tenant != null) {
            RulesetHeader.write(record.headers(), rulesetVersion.applyAsLong(tenant));
        }
        return send(record, stored -> {
            target.settled(stored);
            if (stored != null && stored.hasOffset()) {
                onStored.accept(new Place(stored.topic(), stored.partition(), stored.offset()));
            }
        });
    }

    /** @param partition null: the partition of the key @param requestId null: no reply is expected */
    private ProducerRecord<byte[], byte[]> record(
            String topic,
            @Nullable Integer partition,
            long timeMs,
            byte @Nullable [] key,
            byte[] value,
            @Nullable UUID requestId) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, partition, timeMs, key, value);
        if (requestId != null) {
            ReplyHeaders.write(record.headers(), new ReplyTo(replyPartition.getAsInt(), requestId));
        }
        return record;
    }

    /** @param onSettled receives the position of the record; null if it is not stored, or if that is not known */
    private CompletableFuture<Outcome> send(
            ProducerRecord<byte[], byte[]> record, Consumer<@Nullable RecordMetadata> onSettled) {
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
                outcome.complete(
                        failure == null
                                ? Outcome.STORED
                                : Thread.currentThread() == caller
                                        ? notSent(topic, failure)
                                        : unacknowledged(topic, failure));
            });
        } catch (RuntimeException e) {
            // Thrown only before the record is in the buffer, so no callback follows.
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
        Outcome outcome = SendFailure.of(failure) == SendFailure.TOO_LARGE ? Outcome.TOO_LARGE : Outcome.NOT_STORED;
        LOG.warn("Refused a request that could not be written to {}: {}", topic, failure.getMessage());
        return outcome;
    }

    private Outcome unacknowledged(String topic, Exception failure) {
        SendFailure kind = SendFailure.of(failure);
        LOG.warn("A send to {} failed ({}): {}", topic, kind, failure.getMessage());
        if (kind == SendFailure.FAULT) {
            onFault.accept(failure);
        }
        return kind.outcome();
    }

    @Override
    public boolean isStalled() {
        return unacknowledged.get() > 0 && System.nanoTime() - lastProgressNs > stallNs;
    }

    /** The number of records that were sent and have neither been acknowledged nor given up. */
    long unacknowledged() {
        return unacknowledged.get();
    }

    /** Waits up to {@code timeout} for unacknowledged records, then gives them up. */
    void close(Duration timeout) {
        producer.close(timeout);
    }

    @Override
    public void close() {
        close(Duration.ZERO);
    }

    /**
     * The meaning of a failure that the producer reports after it has accepted a record: whether the record is stored, and whether
     * the producer can continue. Only records that the broker refuses, for their content or for lack of rights, are surely not
     * stored.
     */
    enum SendFailure {
        TOO_LARGE(Outcome.TOO_LARGE),
        REFUSED(Outcome.NOT_STORED),
        UNACKNOWLEDGED(Outcome.UNKNOWN),
        /** The producer may never be able to send again, so that every later request would fail. */
        FAULT(Outcome.UNKNOWN);

        private final Outcome outcome;

        SendFailure(Outcome outcome) {
            this.outcome = outcome;
        }

        Outcome outcome() {
            return outcome;
        }

        static SendFailure of(Exception failure) {
            return switch (failure) {
                case RecordTooLargeException _, RecordBatchTooLargeException _ -> TOO_LARGE;
                case InvalidRecordException _,
                        InvalidTimestampException _,
                        InvalidTopicException _,
                        AuthorizationException _ -> REFUSED;
                // An earlier batch that timed out leaves a gap; the producer starts a new epoch by itself.
                case OutOfOrderSequenceException _, RetriableException _ -> UNACKNOWLEDGED;
                default -> FAULT;
            };
        }
    }
}
