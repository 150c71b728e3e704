package dev.laurel.processors.intake;

import static dev.laurel.platform.kafka.KafkaClients.CLOSE_TIMEOUT;
import static dev.laurel.platform.kafka.KafkaClients.POLL;
import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;

import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing.TraceHeaders;
import dev.laurel.processors.generation.GenerationProgress;
import dev.laurel.processors.generation.KafkaUnavailableException;
import dev.laurel.processors.intake.IntakeCheck.Verdict;
import dev.laurel.processors.runtime.GroupMember;
import dev.laurel.processors.runtime.NodeId;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.Rejection;
import dev.laurel.schemas.topic.RulesetHeader;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.topic.Topics.DirectTopics;
import io.micrometer.core.instrument.Tags;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the records of {@link DirectTopics} into the log of the generation in force, in their order, each exactly once. The nodes share
 * the partitions by a consumer group. Records that wait together are checked, and then written in one Kafka transaction, with the
 * rejections of those that {@link IntakeCheck} refuses and with the offsets. A transaction blocks the readers of the log's partitions, so
 * it begins when its last record has been checked, and takes milliseconds.
 *
 * <p>Runs on a thread of its own, see {@link GroupMember}. If Kafka fails, the records remain in their topics and are tried again.
 */
public final class DirectIntake implements AutoCloseable {

    /** The consumer group, and the beginning of the transactional ids. */
    public static final String GROUP = "laurel-direct";

    /**
     * The records of a partition that stay in its topic after they have been taken, so that a rejected record can be read. What is
     * before them is deleted. Time cannot decide that, because the timestamps are those of the commands.
     */
    static final long MAX_KEPT = 100_000;

    private static final MeterName RECORDS = MeterName.of(
            "laurel.direct.records", "Records of direct producers, by outcome: taken into the log, or refused.");
    private static final MeterName TRANSACTIONS = MeterName.of(
            "laurel.direct.transactions", "Transactions in which records of direct producers were taken into the log.");
    private static final MeterName LAG = MeterName.of(
            "laurel.direct.lag", "Records of direct producers that wait in the partitions of this process.");

    private static final Logger LOG = LoggerFactory.getLogger(DirectIntake.class);

    /** A transaction adds a marker to each of its partitions of the log for ever, so records are gathered, in their own topic. */
    private static final long MIN_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final int MAX_BATCH = 5_000;
    private static final int MAX_FETCH_BYTES = 16 * 1024 * 1024;
    private static final int FETCH_MAX_WAIT_MS = 2_000;
    private static final int TRANSACTION_TIMEOUT_MS = 5_000;
    private static final int PRODUCER_BATCH_BYTES = 256 * 1024;

    /** How soon a new topic of a tenant is found. */
    private static final int METADATA_MAX_AGE_MS = 10_000;

    private static final long DELETION_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

    private final Map<String, Object> clientConfig;
    private final AccessView access;
    private final Rulesets rulesets;
    private final GenerationTable generations;
    private final InstantSource clock;
    private final IntakeCheck check;
    private final LongAdder taken = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder transactions = new LongAdder();
    private final MeterScope meters;
    private final String transactionalId;
    private final GroupMember member;
    private volatile long lag;

    /**
     * @param node identifies this member of the group
     * @param access tenants, followed by the caller
     * @param rulesets whose versions the records in the log name; followed by the caller
     * @param generations determine the log; followed by the caller
     * @param clock tells which timestamps are in the future
     * @param onFault receives the fault that stopped the intake
     */
    public DirectIntake(
            Map<String, Object> clientConfig,
            NodeId node,
            AccessView access,
            Rulesets rulesets,
            GenerationTable generations,
            InstantSource clock,
            Metrics metrics,
            Consumer<Throwable> onFault) {
        this.clientConfig = Map.copyOf(clientConfig);
        this.access = access;
        this.rulesets = rulesets;
        this.generations = generations;
        this.clock = clock;
        this.check = new IntakeCheck(access.index());
        this.meters = metrics.scope();
        meters.counter(RECORDS, Tags.of("outcome", "taken"), taken::sum);
        meters.counter(RECORDS, Tags.of("outcome", "refused"), refused::sum);
        meters.counter(TRANSACTIONS, Tags.empty(), transactions::sum);
        meters.gauge(LAG, Tags.empty(), () -> lag);
        this.transactionalId = GROUP + "-" + node.value();
        this.member = new GroupMember(
                "direct-intake",
                clientConfig,
                Map.of(
                        ConsumerConfig.GROUP_ID_CONFIG,
                        GROUP,
                        ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
                        node.value() + "-1",
                        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                        CooperativeStickyAssignor.class.getName(),
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        MAX_BATCH,
                        ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                        MAX_FETCH_BYTES,
                        ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                        FETCH_MAX_WAIT_MS,
                        ConsumerConfig.METADATA_MAX_AGE_CONFIG,
                        METADATA_MAX_AGE_MS),
                this::serve,
                onFault);
    }

    public void start() {
        member.start();
    }

    private void serve(KafkaConsumer<byte[], byte[]> consumer) throws InterruptedException {
        Producer<byte[], byte[]> producer = KafkaClients.producer(
                clientConfig,
                Map.of(
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        transactionalId,
                        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                        TRANSACTION_TIMEOUT_MS,
                        ProducerConfig.BATCH_SIZE_CONFIG,
                        PRODUCER_BATCH_BYTES,
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                        Topics.MAX_RECORD_BYTES));
        try (var admin = KafkaClients.admin(clientConfig)) {
            producer.initTransactions(); // Ends the transaction that a killed process of this node has left open.
            new Term(consumer, producer, admin).serve();
        } finally {
            lag = 0;
            producer.close(CLOSE_TIMEOUT); // Aborts its open transaction.
        }
    }

    @Override
    public void close() {
        member.close();
        meters.close();
    }

    /** The time between two failures, with its own clients. */
    private final class Term implements ConsumerRebalanceListener {

        private final KafkaConsumer<byte[], byte[]> consumer;
        private final Producer<byte[], byte[]> producer;
        private final Admin admin;

        /** The first offset that was not deleted, as far as this process knows. */
        private final Map<TopicPartition, Long> deletedBefore = new HashMap<>();

        /** Null: it must be determined before the next record is written. */
        private @Nullable String log;

        private long deletionNs = System.nanoTime();

        Term(KafkaConsumer<byte[], byte[]> consumer, Producer<byte[], byte[]> producer, Admin admin) {
            this.consumer = consumer;
            this.producer = producer;
            this.admin = admin;
        }

        void serve() throws InterruptedException {
            consumer.subscribe(DirectTopics.NAMES, this);
            while (!member.isClosing()) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
                long begunNs = System.nanoTime();
                if (!records.isEmpty()) {
                    take(records);
                }
                lag = consumer.assignment().stream()
                        .mapToLong(part -> consumer.currentLag(part).orElse(0))
                        .sum();
                deleteTaken();
                if (!records.isEmpty() && records.count() < MAX_BATCH) {
                    member.pause(MIN_INTERVAL_NS - (System.nanoTime() - begunNs));
                }
            }
        }

        private void take(ConsumerRecords<byte[], byte[]> records) throws InterruptedException {
            String target = awaitLog();
            long nowMs = clock.millis();
            boolean isNewest = false;
            boolean areRulesNewest = false;
            var refusals = new ArrayList<ConsumerRecord<byte[], byte[]>>();
            var written = new ArrayList<ProducerRecord<byte[], byte[]>>(records.count());
            for (ConsumerRecord<byte[], byte[]> record : records) {
                Verdict verdict = check.check(record, nowMs);
                if (!isNewest && verdict instanceof Verdict.Refused refusal && refusal.lacksTenant()) {
                    // A tenant may have been made a moment ago.
                    GroupMember.expectNewest(access.awaitNewest(TIMEOUT), "tenants");
                    isNewest = true;
                    verdict = check.check(record, nowMs);
                }
                switch (verdict) {
                    case Verdict.Taken right -> {
                        if (!areRulesNewest && isWithoutRules(right.tenant())) {
                            // The first rules of a tenant may have been published a moment ago, and no marker brings
                            // them where it
                            // has no user yet.
                            GroupMember.expectNewest(rulesets.awaitNewest(TIMEOUT), "rulesets");
                            areRulesNewest = true;
                        }
                        written.add(toLog(target, record, right));
                    }
                    case Verdict.Refused refusal -> {
                        refusals.add(record);
                        written.add(rejectionOf(record, refusal));
                    }
                }
            }
            producer.beginTransaction();
            written.forEach(producer::send);
            producer.sendOffsetsToTransaction(records.nextOffsets(), consumer.groupMetadata());
            producer.commitTransaction();
            taken.add(records.count() - refusals.size());
            refused.add(refusals.size());
            transactions.increment();
            if (!refusals.isEmpty()) {
                // A reason may quote a user's input, so it is only in the rejection.
                ConsumerRecord<byte[], byte[]> first = refusals.getFirst();
                LOG.warn(
                        "Refused {} records, first {}-{}@{}; the reasons are in {}",
                        refusals.size(),
                        first.topic(),
                        first.partition(),
                        first.offset(),
                        Topics.REJECTIONS.name());
            }
        }

        private boolean isWithoutRules(TenantId tenant) {
            return !tenant.equals(TenantId.NONE) && rulesets.newestVersion(tenant) == 0;
        }

        /**
         * The record in the log. The readers of the log trust Laurel's headers, so the producer's headers are dropped, except for the
         * trace. Headers of Laurel's own are added here.
         */
        private ProducerRecord<byte[], byte[]> toLog(
                String log, ConsumerRecord<byte[], byte[]> record, Verdict.Taken taken) {
            var copy = new ProducerRecord<>(log, null, record.timestamp(), taken.key(), taken.value());
            TraceHeaders.copy(record.headers(), copy.headers());
            RulesetHeader.write(copy.headers(), rulesets.newestVersion(taken.tenant()));
            return copy;
        }

        private static ProducerRecord<byte[], byte[]> rejectionOf(
                ConsumerRecord<byte[], byte[]> record, Verdict.Refused refusal) {
            var rejection = Rejection.of(
                    new TopicPartition(record.topic(), record.partition()),
                    record.offset(),
                    record.timestamp(),
                    refusal.key(),
                    record.value(),
                    refusal.reason());
            return new ProducerRecord<>(
                    Topics.REJECTIONS.name(), null, record.key(), Topics.REJECTIONS.valueBytes(rejection));
        }

        /**
         * The log of the generation in force. If it is a wider one, into which the former log is still copied, this waits until everything
         * that is in the former log now has been copied: some of it may be from the partitions that were just assigned, or from this
         * process, and the commands of a user must keep their order.
         *
         * @throws KafkaException if Kafka does not answer, or that takes too long
         */
        private String awaitLog() throws InterruptedException {
            String wanted = generations.inForce().log();
            if (wanted.equals(log)) {
                return wanted;
            }
            GenerationRecord wider = generations.find(Generation.numberOf(wanted));
            if (wider != null && wider.copiedFrom() != null) {
                try (var progress =
                        new GenerationProgress(clientConfig, wider.generation(), wider.copiedFrom(), TIMEOUT)) {
                    if (!progress.copier().await(TIMEOUT)) {
                        throw new TimeoutException(wider.copiedFrom() + " is not copied to its end yet");
                    }
                } catch (KafkaUnavailableException e) {
                    throw new KafkaException(e.getMessage(), e);
                }
            }
            log = wanted;
            return wanted;
        }

        /** Deletes what was taken long ago. A failure is repeated a minute later. */
        private void deleteTaken() {
            if (System.nanoTime() - deletionNs < DELETION_INTERVAL_NS) {
                return;
            }
            deletionNs = System.nanoTime();
            var deletions = new HashMap<TopicPartition, RecordsToDelete>();
            for (TopicPartition partition : consumer.assignment()) {
                long before = consumer.position(partition) - MAX_KEPT;
                if (before > deletedBefore.getOrDefault(partition, 0L)) {
                    deletions.put(partition, RecordsToDelete.beforeOffset(before));
                    deletedBefore.put(partition, before);
                }
            }
            admin.deleteRecords(deletions).all().whenComplete((_, failure) -> {
                if (failure != null) {
                    LOG.warn(
                            "Could not delete records of direct producers that are in the log; they take up disk: {}",
                            failure.getMessage());
                }
            });
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            log = null;
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            // No transaction is open here: it begins and ends between two polls.
        }
    }
}
