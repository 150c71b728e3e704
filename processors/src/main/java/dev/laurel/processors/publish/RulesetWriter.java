package dev.laurel.processors.publish;

import static dev.laurel.platform.kafka.KafkaClients.CLOSE_TIMEOUT;
import static dev.laurel.platform.kafka.KafkaClients.POLL;
import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;

import dev.laurel.platform.access.SessionKey;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.processors.runtime.GroupMember;
import dev.laurel.processors.runtime.NodeId;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.command.Command.RulesetPublished;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.wire.EditBody.UpdatedBody;
import dev.laurel.schemas.wire.ObjectBody;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies edits to rulesets, keys and secrets, one after the other. The single partition of {@code laurel.ruleset-edits} determines
 * their order, and its consumer group the one writer among all nodes. Edits that wait together are published in one Kafka transaction
 * of a few milliseconds. It contains the document of each version, a {@link RulesetPublished} marker of the newest version in those
 * partitions of the log that need it ({@link EditBatch#marked}), the changes of keys and secrets, and the offset. So a version is visible
 * either everywhere or nowhere, even if the process dies. The answers follow the transaction.
 *
 * <p>Runs on a thread of its own, see {@link GroupMember}. If Kafka fails, the edit remains in its topic and is tried again.
 */
public final class RulesetWriter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RulesetWriter.class);
    private static final String GROUP = "laurel-ruleset-writer";

    /** A producer that uses this id fences the writer, which begins again by itself at its next edit. */
    public static final String TRANSACTIONAL_ID = GROUP;

    private static final long MARKER_CHECK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The maximum number of waiting edits that share a transaction; only imports send more than a few dozen at once. */
    private static final int MAX_BATCH = 64;

    private static final int ENTROPY_BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final Map<String, Object> clientConfig;
    private final RulesetTable table;
    private final AccessView access;
    private final GenerationTable generations;
    private final CompletionCounts counts;
    private final UserPartitions users;
    private final InstantSource clock;
    private final GroupMember member;

    /**
     * @param node identifies this member of the group
     * @param table the published rulesets, followed by the caller
     * @param access keys and secrets, followed by the caller
     * @param generations determine the log for the markers; followed by the caller
     * @param counts completes the answers to changes of achievements
     * @param users finds the partitions with users of a tenant
     * @param clock gives the time at which a version comes into force
     * @param onFault receives the fault that stopped the writer
     */
    public RulesetWriter(
            Map<String, Object> clientConfig,
            NodeId node,
            RulesetTable table,
            AccessView access,
            GenerationTable generations,
            CompletionCounts counts,
            UserPartitions users,
            InstantSource clock,
            Consumer<Throwable> onFault) {
        this.clientConfig = Map.copyOf(clientConfig);
        this.table = table;
        this.access = access;
        this.generations = generations;
        this.counts = counts;
        this.users = users;
        this.clock = clock;
        this.member = new GroupMember(
                "ruleset-writer",
                clientConfig,
                Map.of(
                        ConsumerConfig.GROUP_ID_CONFIG,
                        GROUP,
                        ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
                        node.value(),
                        ConsumerConfig.CLIENT_ID_CONFIG,
                        GROUP + "-" + node.value(),
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        MAX_BATCH),
                this::serve,
                onFault);
    }

    public void start() {
        member.start();
    }

    /** Counts how many users have completed achievements. */
    @FunctionalInterface
    public interface CompletionCounts {

        /**
         * Returns the achievements with their {@code completions}. Called on a thread that may wait for seconds.
         *
         * @throws RuntimeException if the completions cannot be counted now
         */
        List<ObjectBody> counted(TenantId tenant, List<ObjectBody> achievements) throws InterruptedException;
    }

    /** Finds the partitions of the log that have users of a tenant. */
    @FunctionalInterface
    public interface UserPartitions {

        /**
         * Returns the partitions with users of the tenant, as far as this node knows; null if it does not know, or if the log that it knows
         * does not have this number of partitions.
         */
        @Nullable
        BitSet withUsersOf(TenantId tenant, int partitions);
    }

    private void serve(KafkaConsumer<byte[], byte[]> consumer) throws InterruptedException {
        Producer<byte[], byte[]> answering = newProducer(Map.of());
        var term = new Term(consumer, answering);
        try {
            term.serve();
        } finally {
            term.end();
            answering.close(CLOSE_TIMEOUT);
        }
    }

    private Producer<byte[], byte[]> newProducer(Map<String, Object> more) {
        var own = new HashMap<>(more);
        own.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        own.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.MAX_RECORD_BYTES);
        return KafkaClients.producer(clientConfig, own);
    }

    @Override
    public void close() {
        member.close();
    }

    /** A term as the writer, with its own clients. Ends with an exception or by closing. */
    private final class Term implements ConsumerRebalanceListener {

        private final KafkaConsumer<byte[], byte[]> consumer;
        private final Producer<byte[], byte[]> answering;

        /** Created again at each takeover, since a producer fences others only once. Null before the first edit. */
        private @Nullable Producer<byte[], byte[]> producer;

        /** The newest versions of a batch, and those that this writer has published and the table has not read yet. */
        private final Map<TenantId, Ruleset> current = new HashMap<>();

        private boolean hasTakenOver;
        private boolean isAssigned;
        private boolean hasCheckedKeys;

        Term(KafkaConsumer<byte[], byte[]> consumer, Producer<byte[], byte[]> answering) {
            this.consumer = consumer;
            this.answering = answering;
        }

        void serve() throws InterruptedException {
            consumer.subscribe(List.of(Topics.RULESET_EDITS.name()), this);
            while (!member.isClosing()) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
                if (isAssigned && !hasCheckedKeys) {
                    makeMissingKeys();
                    hasCheckedKeys = true;
                }
                if (!records.isEmpty()) {
                    publish(takeOver(), records);
                }
            }
        }

        /** Fences the former writer, and waits until everything that it has published is known. */
        private Producer<byte[], byte[]> takeOver() throws InterruptedException {
            if (producer != null && hasTakenOver) {
                return producer;
            }
            end();
            // All versions are kept, each with the whole ruleset.
            Producer<byte[], byte[]> fencing = newProducer(Map.of(
                    ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                    TRANSACTIONAL_ID,
                    ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                    10_000,
                    ProducerConfig.COMPRESSION_TYPE_CONFIG,
                    "zstd"));
            producer = fencing;
            fencing.initTransactions();
            GroupMember.expectNewest(table.awaitNewest(TIMEOUT), "rulesets");
            // A promotion of a generation fences this writer, so earlier promotions are known from here on.
            GroupMember.expectNewest(generations.awaitNewest(TIMEOUT), "generations");
            hasTakenOver = true;
            return fencing;
        }

        /** Makes the keys that sign sessions and application keys. Called once, when this becomes the writer. */
        private void makeMissingKeys() throws InterruptedException {
            if (missingKeys().isEmpty()) {
                return;
            }
            Producer<byte[], byte[]> own = takeOver();
            awaitAccess(); // The former writer may have made them.
            List<Secret> missing = missingKeys();
            if (!missing.isEmpty()) {
                own.beginTransaction();
                missing.forEach(key -> writeAccess(own, key.recordKey(), key));
                own.commitTransaction();
                LOG.info("Made {} keys that sign sessions or application keys", missing.size());
            }
        }

        private List<Secret> missingKeys() {
            var missing = new ArrayList<>(SessionKey.missing(access.index(), this::entropy));
            missing.addAll(access.index().missingSigner(this::entropy));
            return missing;
        }

        /** Closes the producer, which aborts its open transaction. */
        void end() {
            if (producer != null) {
                producer.close(CLOSE_TIMEOUT);
                producer = null;
            }
        }

        private void publish(Producer<byte[], byte[]> own, ConsumerRecords<byte[], byte[]> records)
                throws InterruptedException {
            var batch = newBatch();
            for (ConsumerRecord<byte[], byte[]> record : records) {
                TenantId tenant;
                Edit edit;
                try {
                    tenant = Topics.RULESET_EDITS.readKey(record.key());
                    edit = Topics.RULESET_EDITS.readValue(record.value());
                } catch (RuntimeException e) {
                    batch.drop(record, e);
                    continue;
                }
                boolean needsAccess = edit instanceof AccessEdit || edit instanceof Edit.Patch;
                if (batch.isFull() || needsAccess && !batch.isEmpty()) {
                    publish(own, batch);
                    batch = newBatch();
                }
                if (needsAccess) {
                    awaitAccess();
                }
                // The time of the edit, not that of the record, which the broker sets.
                batch.add(record, tenant, edit, Instant.ofEpochMilli(clock.millis()));
            }
            publish(own, batch);
        }

        private EditBatch newBatch() {
            current.values().removeIf(newest -> table.newestVersion(newest.tenant()) >= newest.version());
            return new EditBatch(
                    tenant -> current.computeIfAbsent(tenant, table::newest), access.index(), this::entropy);
        }

        /** Generated here, since the entropy of secrets must not be in a topic. */
        private byte[] entropy() {
            byte[] entropy = new byte[ENTROPY_BYTES];
            random.nextBytes(entropy);
            return entropy;
        }

        /** Waits until the keys and secrets are current. Edits that need them are few, so this writer keeps no copy of its own changes. */
        private void awaitAccess() throws InterruptedException {
            GroupMember.expectNewest(access.awaitNewest(TIMEOUT), "keys and secrets");
        }

        private void publish(Producer<byte[], byte[]> own, EditBatch batch) throws InterruptedException {
            if (!batch.newest().isEmpty()) {
                awaitLog();
            }
            // Before the transaction, which should be short.
            String log = generations.inForce().log();
            List<Marking> markings = markings(own, log, batch.newest().values());
            own.beginTransaction();
            batch.versions().forEach(version -> writeVersion(own, version));
            markings.forEach(marking -> writeMarkers(own, log, marking));
            batch.access().forEach((key, record) -> writeAccess(own, key, record));
            commit(own, batch.last());
            batch.newest().forEach((tenant, newest) -> {
                current.put(tenant, newest);
                LOG.info("Published ruleset version {}", newest.version());
            });
            answer(batch.answers());
        }

        /**
         * Waits while a wider log lacks the markers with which its generation comes into force. Once it has them, it contains everything
         * that this writer has written to the former log.
         */
        private void awaitLog() throws InterruptedException {
            long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
            while (generations.hasPendingPromotion()) {
                if (System.nanoTime() - deadlineNs > 0) {
                    throw new TimeoutException("the markers were not copied into the wider log");
                }
                if (member.pause(MARKER_CHECK_NS)) {
                    throw new WakeupException();
                }
            }
        }

        private static void writeVersion(Producer<byte[], byte[]> own, EditBatch.Version version) {
            own.send(new ProducerRecord<>(
                    Topics.RULESETS.name(), Topics.RULESETS.keyBytes(version.key()), version.document()));
        }

        /** @param value null: deletes the record */
        private static void writeAccess(Producer<byte[], byte[]> own, String key, @Nullable AccessRecord value) {
            own.send(new ProducerRecord<>(
                    Topics.ACCESS.name(),
                    Topics.ACCESS.keyBytes(key),
                    value == null ? null : Topics.ACCESS.valueBytes(value)));
        }

        /** A version and the partitions of the log that get its marker. */
        private record Marking(Ruleset newest, BitSet partitions) {}

        private List<Marking> markings(Producer<byte[], byte[]> own, String log, Collection<Ruleset> newest) {
            return newest.stream()
                    .map(next -> {
                        TenantId tenant = next.tenant();
                        int partitions = own.partitionsFor(log).size();
                        return new Marking(
                                next,
                                EditBatch.marked(
                                        current.getOrDefault(tenant, Ruleset.empty(tenant)),
                                        next,
                                        users.withUsersOf(tenant, partitions),
                                        partitions));
                    })
                    .toList();
        }

        /** Writes the markers of a version, which settles users without those before it. */
        private static void writeMarkers(Producer<byte[], byte[]> own, String log, Marking marking) {
            Ruleset newest = marking.newest();
            byte[] marker = CommandJson.write(new RulesetPublished(newest.tenant(), newest.version()));
            marking.partitions().stream()
                    .forEach(partition -> own.send(new ProducerRecord<>(
                            log, partition, newest.published().toEpochMilli(), null, marker)));
        }

        /**
         * Sends the answers, after the transaction, since gateways read uncommitted records. If the process dies in between, or an answer
         * is lost, the client gets "pending".
         */
        private void answer(List<EditBatch.Answer> answers) {
            for (EditBatch.Answer answer : answers) {
                if (answer.counted() instanceof TenantId tenant && answer.body() instanceof UpdatedBody updated) {
                    // Counting asks all nodes. Edits do not wait for it; the gateways limit how many clients do.
                    Thread.ofVirtual().name("completion-counts").start(() -> send(answer, counted(tenant, updated)));
                } else {
                    send(answer, answer.body());
                }
            }
        }

        /** Adds the completions. If they cannot be counted, the body goes without them, since the change has been made. */
        private UpdatedBody counted(TenantId tenant, UpdatedBody body) {
            try {
                return new UpdatedBody(
                        counts.counted(
                                tenant,
                                body.updated().stream()
                                        .map(ObjectBody.class::cast)
                                        .toList()),
                        body.issues());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return body;
            } catch (RuntimeException e) {
                LOG.warn(
                        "Could not count completions; the answer to a change of achievements lacks them: {}",
                        e.getMessage(),
                        e);
                return body;
            }
        }

        private void send(EditBatch.Answer answer, Object body) {
            String replies = Topics.REPLIES.name();
            int partitions = answering.partitionsFor(replies).size();
            ReplyTo replyTo = answer.replyTo();
            var reply = new ProducerRecord<byte[], byte[]>(
                    replies, replyTo.partition() % partitions, null, Json.write(body));
            ReplyHeaders.writeAnswer(reply.headers(), replyTo.requestId(), answer.status());
            if (answer.versions() != null) {
                ReplyHeaders.writeVersions(reply.headers(), answer.versions());
            }
            answering.send(reply, (_, e) -> {
                if (e != null) {
                    LOG.warn("Could not send the answer to an edit, which stays pending: {}", e.getMessage(), e);
                }
            });
        }

        private void commit(Producer<byte[], byte[]> own, ConsumerRecord<byte[], byte[]> last) {
            own.sendOffsetsToTransaction(
                    Map.of(
                            new TopicPartition(last.topic(), last.partition()),
                            new OffsetAndMetadata(last.offset() + 1)),
                    consumer.groupMetadata());
            own.commitTransaction();
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            if (!partitions.isEmpty()) {
                isAssigned = true;
                LOG.info("This node writes the rulesets from now on");
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            // Another node may write from now on, so this writer forgets what it knows.
            hasTakenOver = false;
            isAssigned = false;
            hasCheckedKeys = false;
            current.clear();
        }
    }
}
