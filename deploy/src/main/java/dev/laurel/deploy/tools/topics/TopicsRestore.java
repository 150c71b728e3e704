package dev.laurel.deploy.tools.topics;

import dev.laurel.deploy.cli.ProgressReporter;
import dev.laurel.deploy.cli.ReplicationOptions;
import dev.laurel.deploy.tools.topics.BackupFolder.Records;
import dev.laurel.deploy.tools.topics.Manifest.Copied;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.TopicCreation;
import dev.laurel.platform.kafka.TopicCreation.Sizes;
import dev.laurel.processors.generation.Condition;
import dev.laurel.schemas.command.Command.GenerationPromoted;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Writes a backup to a cluster without an instance. Reads the whole backup before it writes anything. Records that
 * already exist must equal the beginning of the backup, so an interrupted run can be continued, and an instance is
 * never overwritten. No process of Laurel can start before the restore is complete, because one topic that all of
 * them require is created last. Used by one thread.
 */
final class TopicsRestore {

    private static final Duration SHOWN_TIMEOUT = Duration.ofSeconds(5);
    private static final long POLL_INTERVAL_MS = 100;

    /** The topic that is created last. The backup has none of its records, and a restore does not need it. */
    private static final Topic<?, ?> LAST_CREATED = Topics.REJECTIONS;

    private final BackupFolder folder;
    private final Manifest manifest;
    private final ProgressReporter progress;
    private final RecordFilter filter;
    private long written;
    private long leftOut;

    TopicsRestore(BackupFolder folder, ProgressReporter progress, RecordFilter filter) {
        this.folder = folder;
        this.manifest = folder.manifest();
        this.progress = progress;
        this.filter = filter;
    }

    Manifest manifest() {
        return manifest;
    }

    /** Returns the number of records written by this run. */
    long written() {
        return written;
    }

    /** Returns the number of records replaced by blank ones. */
    long leftOut() {
        return leftOut;
    }

    /**
     * Reads the whole backup and returns the number of its records.
     *
     * @throws CommandFailed if anything is missing or damaged
     */
    long check() {
        long records = 0;
        for (var topic : new TreeMap<>(manifest.topics()).entrySet()) {
            Copied copied = topic.getValue();
            int partitions = copied.partitions().size();
            progress.begin("check " + topic.getKey(), "partitions", partitions);
            for (int partition = 0; partition < partitions; partition++) {
                records += check(new TopicPartition(topic.getKey(), partition), copied);
                progress.stepTo(partition + 1L);
            }
            progress.end();
        }
        filter.expectAllSeen();
        return records;
    }

    private long check(TopicPartition partition, Copied copied) {
        long next = 0;
        for (Segment segment : copied.partitions().get(partition.partition())) {
            if (segment.first() != next) {
                throw new CommandFailed(folder + " is incomplete: " + partition + " has no records from offset " + next
                        + " to " + segment.first());
            }
            next = segment.next();
        }
        return count(partition, copied, record -> {
            if (SourceCluster.isLog(partition.topic())) {
                filter.scan(partition, copied.partitions().size(), record);
            }
        });
    }

    private long count(TopicPartition partition, Copied copied, Consumer<BackupRecord> visitor) {
        var count = new AtomicLong();
        try (Records records = records(partition, copied)) {
            records.forEach(record -> {
                count.incrementAndGet();
                visitor.accept(record);
            });
        }
        return count.get();
    }

    private Records records(TopicPartition partition, Copied copied) {
        return folder.records(
                partition.topic(), partition.partition(), copied.partitions().get(partition.partition()));
    }

    /** Restores the backup after {@link #check}. Returns the number of the generation in force. */
    int run(KafkaAccess kafka, ReplicationOptions copies) throws InterruptedException {
        try (var source = new SourceCluster(kafka);
                var target = new TargetCluster(kafka)) {
            expectNoGroups(source);
            Sizes sizes = copies.sizes(manifest.users(), manifest.boards(), manifest.gateways(), source.admin());
            create(source, sizes, false);
            for (String name : logsFirst()) {
                if (!name.equals(Topics.GENERATIONS.name())) {
                    restore(name, source, target);
                }
            }
            // Unless they are complete; records of the activation may follow them.
            var generations = new TopicPartition(Topics.GENERATIONS.name(), 0);
            if (source.end(generations) < count(generations, manifest.copied(generations.topic()), _ -> {})) {
                restore(generations.topic(), source, target);
            }
            int newest = KnownGenerations.of(
                            folder,
                            manifest.copied(Topics.GENERATIONS.name())
                                    .partitions()
                                    .getFirst())
                    .newest();
            int inForce = RestoreActivation.putInForce(kafka.clientProperties(), newest);
            create(source, sizes, true);
            return inForce;
        }
    }

    /** Rejects a cluster with groups of Laurel, whose offsets would belong to another log. */
    private static void expectNoGroups(SourceCluster source) {
        String groups = KafkaClients.get(source.admin().listGroups().all()).stream()
                .map(GroupListing::groupId)
                .filter(group -> group.startsWith("laurel-"))
                .sorted()
                .collect(Collectors.joining(", "));
        if (!groups.isEmpty()) {
            throw new CommandFailed("there is an instance in this Kafka already: it has the groups " + groups
                    + ". A backup is restored to a cluster without one");
        }
    }

    private List<String> logsFirst() {
        var names = new ArrayList<>(new TreeSet<>(manifest.topics().keySet()));
        names.sort(Comparator.comparing(name -> !SourceCluster.isLog(name)));
        return names;
    }

    /** @param last whether to create the topic that comes last */
    private void create(SourceCluster source, Sizes sizes, boolean last) throws InterruptedException {
        List<Topic<?, ?>> wanted = Topics.all().stream()
                .filter(topic -> topic.equals(LAST_CREATED) == last)
                .toList();
        if (!last) {
            // Logs first, with the partitions that they had; a later log may be wider than the first.
            manifest.topics().forEach((name, copied) -> {
                if (SourceCluster.isLog(name)) {
                    TopicCreation.createMissing(
                            source.admin(),
                            new Sizes(
                                    copied.partitions().size(),
                                    sizes.boards(),
                                    sizes.gateways(),
                                    sizes.replication(),
                                    sizes.minInSync()),
                            List.of(Topics.COMMANDS.named(name)));
                }
            });
        }
        TopicCreation.createMissing(source.admin(), sizes, wanted);
        awaitTopics(source, wanted);
    }

    /** Waits until the brokers know the topics that were just created. */
    private void awaitTopics(SourceCluster source, List<Topic<?, ?>> wanted) throws InterruptedException {
        var found = new HashMap<String, TopicDescription>();
        boolean areShown = Condition.await(SHOWN_TIMEOUT, POLL_INTERVAL_MS, () -> {
            found.putAll(TopicCreation.describe(source.admin()));
            return wanted.stream().allMatch(topic -> found.containsKey(topic.name()));
        });
        if (!areShown) {
            throw new CommandFailed("Kafka does not show the topics that were created; run the same command again");
        }
        expectPartitions(found);
    }

    private void expectPartitions(Map<String, TopicDescription> found) {
        manifest.topics().forEach((name, copied) -> {
            TopicDescription topic = found.get(name);
            if (topic != null
                    && topic.partitions().size() != copied.partitions().size()) {
                throw new CommandFailed(name + " has " + topic.partitions().size() + " partitions here and "
                        + copied.partitions().size() + " in the backup: delete the topics of this cluster first");
            }
        });
    }

    private void restore(String name, SourceCluster source, TargetCluster target) {
        Copied copied = manifest.copied(name);
        List<TopicPartition> partitions =
                KafkaClients.partitions(name, copied.partitions().size());
        long total = partitions.stream()
                .mapToLong(partition -> copied.end(partition.partition()))
                .sum();
        progress.begin("restore " + name, "records", total);
        long done = 0;
        for (TopicPartition partition : partitions) {
            restore(partition, copied, source, target, done);
            done += copied.end(partition.partition());
        }
        target.flush();
        progress.end();
    }

    private void restore(
            TopicPartition partition, Copied copied, SourceCluster source, TargetCluster target, long doneBefore) {
        long existing = source.end(partition);
        try (Records records = records(partition, copied);
                var log = new RestoredLog(
                        records, copied.end(partition.partition()), record -> filter.isLeftOut(partition, record))) {
            Supplier<@Nullable BackupRecord> wanted =
                    SourceCluster.hasOffsets(partition.topic()) ? log::next : records::next;
            source.read(partition, 0, existing, actual -> expectSame(partition, wanted.get(), actual), _ -> {});
            long offset = existing;
            for (BackupRecord record = wanted.get(); record != null; record = wanted.get()) {
                target.send(partition, record, offset++);
                written++;
                progress.stepTo(doneBefore + offset);
            }
            leftOut += log.leftOut();
        }
    }

    /** @param wanted null: the backup ends before */
    private static void expectSame(TopicPartition partition, @Nullable BackupRecord wanted, BackupRecord actual) {
        if (wanted == null ? !isPromotion(partition, actual) : !wanted.hasSameContentAs(actual)) {
            throw new CommandFailed("this Kafka is not empty: " + partition + "@" + actual.offset()
                    + " differs from the record of the backup. A backup is restored to a cluster without an instance");
        }
    }

    /** Returns whether the record was written by an earlier {@link RestoreActivation}. */
    private static boolean isPromotion(TopicPartition partition, BackupRecord actual) {
        try {
            return SourceCluster.isLog(partition.topic())
                    && actual.value() != null
                    && CommandJson.read(actual.value()) instanceof GenerationPromoted;
        } catch (BadInputException _) {
            return false;
        }
    }

    /** Writes records in order and checks that each gets its offset. Used by one thread. */
    private static final class TargetCluster implements AutoCloseable {

        private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
        private static final int REQUEST_BYTES = 5 * 1024 * 1024;

        private final Producer<byte[], byte[]> producer;

        /** The first failure, set by the producer's thread. */
        private final AtomicReference<@Nullable CommandFailed> failure = new AtomicReference<>();

        TargetCluster(KafkaAccess kafka) {
            this.producer = KafkaClients.producer(
                    kafka.clientProperties(),
                    Map.of(
                            ProducerConfig.CLIENT_ID_CONFIG,
                            "laurel-restore",
                            ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                            REQUEST_BYTES,
                            ProducerConfig.BATCH_SIZE_CONFIG,
                            256 * 1024,
                            ProducerConfig.LINGER_MS_CONFIG,
                            20,
                            ProducerConfig.COMPRESSION_TYPE_CONFIG,
                            "lz4"));
        }

        /**
         * Returns when the record is in the buffer.
         *
         * @param offset offset that the record must get
         */
        void send(TopicPartition partition, BackupRecord record, long offset) {
            expectNoFailure();
            try {
                producer.send(
                        new ProducerRecord<>(
                                partition.topic(),
                                partition.partition(),
                                record.timestampMs(),
                                record.key(),
                                record.value(),
                                record.headers()),
                        (written, refusal) -> {
                            if (refusal != null) {
                                failure.compareAndSet(
                                        null,
                                        new CommandFailed(
                                                "Kafka refused " + partition + "@" + offset + ": "
                                                        + refusal.getMessage(),
                                                refusal));
                            } else if (written.offset() != offset) {
                                failure.compareAndSet(
                                        null,
                                        new CommandFailed("a record of " + partition
                                                + " got offset "
                                                + written.offset() + " instead of " + offset
                                                + ": another client writes to this cluster. Stop it, and begin"
                                                + " again with an empty cluster"));
                            }
                        });
            } catch (KafkaException e) {
                throw new CommandFailed("cannot write to " + partition + ": " + e.getMessage(), e);
            }
        }

        /** Waits until all records are written at their offsets. */
        void flush() {
            producer.flush();
            expectNoFailure();
        }

        private void expectNoFailure() {
            CommandFailed failed = failure.get();
            if (failed != null) {
                throw failed;
            }
        }

        @Override
        public void close() {
            producer.close(CLOSE_TIMEOUT);
        }
    }
}
