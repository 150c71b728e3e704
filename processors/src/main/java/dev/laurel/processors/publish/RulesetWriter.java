package dev.laurel.processors.publish;

import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.processors.runtime.FailoverSettings;
import dev.laurel.processors.runtime.NodeId;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.admin.UnsubscribeKey;
import dev.laurel.schemas.command.Command.RulesetPublished;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes ruleset versions, and changes who may call, one edit after the other. The single partition of
 * {@code laurel.ruleset-edits} gives the order, its consumer group gives the one writer among all nodes. Edits end in a Kafka
 * transaction of a few milliseconds, those together that were waiting together: the document of each, a
 * {@link RulesetPublished} marker for the newest into every partition of the log, what they change of keys and secrets, and the
 * offset. So a version is either everywhere or nowhere, whenever the process dies. The answers follow.
 *
 * <p>Runs on one thread of its own. What Kafka cannot do now is tried again with the edit still in its topic; a fault of ours
 * ends it and is told to {@code onFault}.
 */
public final class RulesetWriter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RulesetWriter.class);
    private static final String GROUP = "laurel-ruleset-writer";

    /** Who opens transactions under it ends those of the writer, which goes on by itself when it has something to write. */
    public static final String TRANSACTIONAL_ID = GROUP;
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration TABLE_PATIENCE = Duration.ofSeconds(30);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final long RETRY_AFTER_MS = 1000;
    private static final long TURN_CHECK_MS = 50;

    /** Edits that wait already share a transaction; more than a few dozen at once is an import's business. */
    private static final int MAX_BATCH = 64;

    private static final int ENTROPY_BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final Map<String, Object> clientConfig;
    private final NodeId node;
    private final RulesetTable table;
    private final AccessView access;
    private final GenerationTable generations;
    private final InstantSource clock;
    private final java.util.function.Consumer<Throwable> onFault;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile KafkaConsumer<byte[], byte[]> polling;

    /**
     * @param table the published rulesets; followed, and looked at behind a barrier when this writer takes over
     * @param access who may call, and secrets; looked at behind a barrier at each edit that depends on them
     * @param generations say which log the markers go to; followed
     * @param clock gives the time at which a version comes into force
     */
    public RulesetWriter(Map<String, Object> clientConfig, NodeId node, RulesetTable table, AccessView access,
            GenerationTable generations, InstantSource clock, java.util.function.Consumer<Throwable> onFault) {
        this.clientConfig = Map.copyOf(clientConfig);
        this.node = node;
        this.table = table;
        this.access = access;
        this.generations = generations;
        this.clock = clock;
        this.onFault = onFault;
        this.thread = Thread.ofPlatform().name("ruleset-writer").daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        while (!isClosing()) {
            try (var answering = newProducer(false)) {
                serve(answering);
            } catch (WakeupException _) {
                // Someone closes the writer: the loop looks.
            } catch (KafkaException e) {
                LOG.warn("ruleset edits wait: {}", e.getMessage(), e);
                pause();
            } catch (InterruptedException _) {
                return;
            } catch (RuntimeException | Error e) {
                LOG.error("the ruleset writer stops", e);
                onFault.accept(e);
                return;
            }
        }
    }

    private void serve(KafkaProducer<byte[], byte[]> answering) throws InterruptedException {
        KafkaConsumer<byte[], byte[]> consumer = newConsumer();
        var term = new Term(consumer, answering);
        try {
            polling = consumer;
            term.serve();
        } finally {
            // A static member would stay in the group until it times out, and nobody would write meanwhile.
            consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT)
                    .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
            term.end();
        }
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private void pause() {
        try {
            if (closing.await(RETRY_AFTER_MS, TimeUnit.MILLISECONDS)) {
                LOG.debug("closing instead of trying again");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private KafkaConsumer<byte[], byte[]> newConsumer() {
        var config = new HashMap<>(clientConfig);
        config.put(ConsumerConfig.GROUP_ID_CONFIG, GROUP);
        config.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, node.value());
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MAX_BATCH);
        FailoverSettings.putMember(config);
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private KafkaProducer<byte[], byte[]> newProducer(boolean isTransactional) {
        var config = new HashMap<>(clientConfig);
        if (isTransactional) {
            config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, TRANSACTIONAL_ID);
            config.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 10_000);
        }
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.MAX_RECORD_BYTES);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public void close() {
        closing.countDown();
        KafkaConsumer<byte[], byte[]> consumer = polling;
        if (consumer != null) {
            consumer.wakeup();
        }
        try {
            thread.join(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One stretch of being the writer, with its own clients; ends by an exception or by closing. */
    private final class Term implements ConsumerRebalanceListener {

        private final KafkaConsumer<byte[], byte[]> consumer;
        private final KafkaProducer<byte[], byte[]> answering;

        /** A new one at each taking over: one can fence others only once. Null before the first edit. */
        private KafkaProducer<byte[], byte[]> producer;

        /** The newest versions as this writer knows them: its own last one may not have reached the table yet. */
        private final Map<TenantId, Ruleset> current = new HashMap<>();
        private boolean hasTakenOver;
        private boolean isAssigned;
        private boolean isMended;

        Term(KafkaConsumer<byte[], byte[]> consumer, KafkaProducer<byte[], byte[]> answering) {
            this.consumer = consumer;
            this.answering = answering;
        }

        void serve() throws InterruptedException {
            consumer.subscribe(List.of(Topics.RULESET_EDITS.name()), this);
            while (!isClosing()) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
                if (isAssigned && !isMended) {
                    makeMissingKeys();
                    isMended = true;
                }
                if (!records.isEmpty()) {
                    takeOver();
                    publish(records);
                }
            }
        }

        /** Fences the writer before this one and learns what it has published. */
        private void takeOver() throws InterruptedException {
            if (hasTakenOver) {
                return;
            }
            end();
            producer = newProducer(true);
            producer.initTransactions();
            if (!table.awaitNewest(TABLE_PATIENCE)) {
                throw new TimeoutException("cannot learn the newest rulesets");
            }
            // Who promotes a generation fences this writer: so whatever came before is known from here on.
            if (!generations.awaitNewest(TABLE_PATIENCE)) {
                throw new TimeoutException("cannot learn which generation is in force");
            }
            hasTakenOver = true;
        }

        /** Of tenants whose mail server is older than those keys: once, when this becomes the writer. */
        private void makeMissingKeys() throws InterruptedException {
            if (UnsubscribeKey.missing(access.index(), this::entropy).isEmpty()) {
                return;
            }
            takeOver();
            awaitAccess(); // who wrote before may have made them
            List<Secret> missing = UnsubscribeKey.missing(access.index(), this::entropy);
            if (!missing.isEmpty()) {
                producer.beginTransaction();
                missing.forEach(key -> write(key.recordKey(), key));
                producer.commitTransaction();
                LOG.info("made the keys of links to unsubscribe for {} tenants", missing.size());
            }
        }

        /** What is open is aborted. */
        void end() {
            if (producer != null) {
                producer.close(CLOSE_TIMEOUT);
                producer = null;
            }
        }

        private void publish(ConsumerRecords<byte[], byte[]> records) throws InterruptedException {
            var batch = newBatch();
            for (ConsumerRecord<byte[], byte[]> record : records) {
                TenantId tenant;
                Edit edit;
                try {
                    tenant = read(Topics.RULESET_EDITS.key(), record.key());
                    edit = read(Topics.RULESET_EDITS.value(), record.value());
                } catch (RuntimeException e) {
                    batch.drop(record, e);
                    continue;
                }
                boolean asksForAccess = edit instanceof AccessEdit || edit instanceof Edit.Patch;
                if (batch.isFull() || asksForAccess && !batch.isEmpty()) {
                    publish(batch);
                    batch = newBatch();
                }
                if (asksForAccess) {
                    awaitAccess();
                }
                // Not the record's time: the broker stamps that one.
                batch.add(record, tenant, edit, Instant.ofEpochMilli(clock.millis()));
            }
            publish(batch);
        }

        private EditBatch newBatch() {
            return new EditBatch(tenant -> current.computeIfAbsent(tenant, table::newest), access.index(),
                    this::entropy);
        }

        /** Made here, not sent along: what secrets are made of lies in no topic. */
        private byte[] entropy() {
            byte[] entropy = new byte[ENTROPY_BYTES];
            random.nextBytes(entropy);
            return entropy;
        }

        /** Edits that ask for it are few: each waits until its predecessor has come back, and nothing is kept twice. */
        private void awaitAccess() throws InterruptedException {
            if (!access.awaitNewest(TABLE_PATIENCE)) {
                throw new TimeoutException("cannot learn the newest keys and secrets");
            }
        }

        private void publish(EditBatch batch) throws InterruptedException {
            if (!batch.newest().isEmpty()) {
                awaitLog();
            }
            producer.beginTransaction();
            batch.versions().forEach(this::write);
            batch.newest().values().forEach(this::mark);
            batch.access().forEach(this::write);
            commit(batch.last());
            batch.newest().forEach((tenant, newest) -> {
                current.put(tenant, newest);
                LOG.info("ruleset version {} published", newest.version());
            });
            answer(batch.answers());
        }

        /**
         * A wider log is written to when it has the markers with which its generation comes into force: then it has all
         * that this writer has put into the former one, too.
         */
        private void awaitLog() throws InterruptedException {
            long deadlineNs = System.nanoTime() + TABLE_PATIENCE.toNanos();
            while (generations.hasPendingPromotion()) {
                if (System.nanoTime() - deadlineNs > 0) {
                    throw new TimeoutException("the wider log has not got its markers");
                }
                if (closing.await(TURN_CHECK_MS, TimeUnit.MILLISECONDS)) {
                    throw new WakeupException();
                }
            }
        }

        private void write(EditBatch.Version version) {
            Topic<RulesetKey, Ruleset> rulesets = Topics.RULESETS;
            producer.send(new ProducerRecord<>(rulesets.name(),
                    rulesets.key().serializer().serialize(rulesets.name(), version.key()), version.document()));
        }

        /** @param value null: it is deleted */
        private void write(String key, AccessRecord value) {
            Topic<String, AccessRecord> topic = Topics.ACCESS;
            producer.send(new ProducerRecord<>(topic.name(), topic.key().serializer().serialize(topic.name(), key),
                    topic.value().serializer().serialize(topic.name(), value)));
        }

        /** Tells every partition of the log; users go through the versions between by themselves. */
        private void mark(Ruleset newest) {
            String log = generations.inForce().log();
            byte[] marker = CommandJson.write(new RulesetPublished(newest.tenant(), newest.version()));
            for (var partition : producer.partitionsFor(log)) {
                producer.send(new ProducerRecord<>(log, partition.partition(), newest.published().toEpochMilli(), null,
                        marker));
            }
        }

        /**
         * Says what was done, outside of the transaction: gateways read answers of open ones, and these must not be heard before
         * the versions are certain. Who dies in between leaves the clients with "pending", and so does an answer that is lost.
         */
        private void answer(List<EditBatch.Answer> answers) {
            if (answers.isEmpty()) {
                return;
            }
            String replies = Topics.REPLIES.name();
            int partitions = answering.partitionsFor(replies).size();
            for (EditBatch.Answer answer : answers) {
                ReplyTo replyTo = answer.replyTo();
                var reply = new ProducerRecord<byte[], byte[]>(replies, replyTo.partition() % partitions, null,
                        Json.write(answer.body()));
                ReplyHeaders.writeAnswer(reply.headers(), replyTo.requestId(), answer.status());
                answering.send(reply, (_, e) -> {
                    if (e != null) {
                        LOG.warn("the answer to an edit is lost: {}", e.getMessage(), e);
                    }
                });
            }
        }

        private void commit(ConsumerRecord<byte[], byte[]> last) {
            producer.sendOffsetsToTransaction(Map.of(new TopicPartition(last.topic(), last.partition()),
                    new OffsetAndMetadata(last.offset() + 1)), consumer.groupMetadata());
            producer.commitTransaction();
        }

        private static <T> T read(org.apache.kafka.common.serialization.Serde<T> serde, byte[] bytes) {
            return serde.deserializer().deserialize(Topics.RULESET_EDITS.name(), bytes);
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            if (!partitions.isEmpty()) {
                isAssigned = true;
                LOG.info("this node writes the rulesets");
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            // Another node may write now; what this one knew is old when it comes back.
            hasTakenOver = false;
            isAssigned = false;
            isMended = false;
            current.clear();
        }
    }
}
