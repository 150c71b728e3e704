package dev.laurel.processors.generation;

import static java.util.Objects.requireNonNull;

import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.RangeReader;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/** The progress of a generation in its log and on its leaderboards. Thread-safe. */
public final class GenerationProgress implements AutoCloseable {

    private final BrokerAdmin admin;
    private final GroupProgress ledger;
    private final GroupProgress boards;

    /** Null: no log is copied. */
    private final @Nullable GroupProgress copier;

    /**
     * @param copiedFrom the topic that is copied into the log of the generation; null: none is
     * @param timeout of each request to the brokers
     */
    public GenerationProgress(
            Map<String, Object> clientConfig, Generation generation, @Nullable String copiedFrom, Duration timeout)
            throws InterruptedException {
        this.admin = new BrokerAdmin(KafkaClients.admin(clientConfig), timeout);
        try {
            this.ledger = ofCommitted(clientConfig, generation.ledgerApplication(), generation.log());
            // The leaderboards also read what the ledger may still abort.
            this.boards = new GroupProgress(
                    clientConfig,
                    admin,
                    generation.boardsApplication(),
                    generation.scores(),
                    admin.partitions(Topics.SCORES.name()),
                    IsolationLevel.READ_UNCOMMITTED);
            this.copier = copiedFrom == null ? null : ofCommitted(clientConfig, generation.copier(), copiedFrom);
        } catch (InterruptedException | RuntimeException e) {
            admin.close();
            throw e;
        }
    }

    private GroupProgress ofCommitted(Map<String, Object> clientConfig, String group, String topic)
            throws InterruptedException {
        return new GroupProgress(
                clientConfig, admin, group, topic, admin.partitions(topic), IsolationLevel.READ_COMMITTED);
    }

    BrokerAdmin admin() {
        return admin;
    }

    /** The progress of the ledger in the log. Its changelogs contain everything up to the committed offsets, and perhaps more. */
    public GroupProgress ledger() {
        return ledger;
    }

    /** The progress of the copier in the log that it copies, if one is copied. */
    public GroupProgress copier() {
        return requireNonNull(copier, "no log is copied");
    }

    /** The progress of the leaderboards in the scores. */
    public GroupProgress boards() {
        return boards;
    }

    /**
     * Waits until everything that is in the log now is copied and processed, and the resulting scores are ranked.
     *
     * @return false if that took too long
     */
    public boolean await(Duration timeout) throws InterruptedException {
        return await(timeout, _ -> {});
    }

    boolean await(Duration timeout, Consumer<List<Long>> observer) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        return (copier == null || copier.await(deadlineNs, observer))
                && ledger.await(deadlineNs, observer)
                && boards.await(deadlineNs, observer);
    }

    @Override
    public void close() {
        ledger.close();
        boards.close();
        if (copier != null) {
            copier.close();
        }
        admin.close();
    }

    /**
     * The progress of a group in a topic, and the records between two offsets of the topic. Offsets alone do not show that a group has
     * processed everything: markers of transactions and aborted records occupy offsets, too, and a group that starts before them never
     * commits offsets beyond them. So where a group does not advance although it is not at the end, the remaining records are read.
     * Thread-safe.
     */
    public static final class GroupProgress implements AutoCloseable {

        /** A range with more records is not examined: the caller waits until the other side has caught up. */
        static final int MAX_RECORDS = 100_000;

        private static final long CHECK_MS = 100;

        /** The duration of a check, which is repeated: an open transaction may block reads for longer. */
        private static final Duration PROBE = Duration.ofSeconds(2);

        /**
         * The keys of the records in a range of offsets.
         *
         * @param keys of the records
         * @param hasOthers whether a record without key is among them: a tick or a marker, which may concern any user
         * @param isTooLong whether there are more records than are examined, so that any key may be among them
         */
        public record RecordKeys(Set<Bytes> keys, boolean hasOthers, boolean isTooLong) {

            public static final RecordKeys EMPTY = new RecordKeys(Set.of(), false, false);

            public boolean isEmpty() {
                return keys.isEmpty() && !hasOthers && !isTooLong;
            }
        }

        private final BrokerAdmin admin;
        private final String group;
        private final String topic;
        private final int partitions;
        private final Map<String, Object> clientConfig;
        private final IsolationLevel isolation;

        /** Created when records are read for the first time. Guarded by this. */
        private @Nullable RangeReader reader;

        /**
         * @param admin closed by its owner; its timeout is also that of reads
         * @param isolation of the group's reads
         */
        GroupProgress(
                Map<String, Object> clientConfig,
                BrokerAdmin admin,
                String group,
                String topic,
                int partitions,
                IsolationLevel isolation) {
            this.admin = admin;
            this.group = group;
            this.topic = topic;
            this.partitions = partitions;
            this.clientConfig = clientConfig;
            this.isolation = isolation;
        }

        public int partitions() {
            return partitions;
        }

        /** The committed offsets, 0 where the group has not begun. In the order of partitions. */
        public List<Long> committed() throws InterruptedException {
            return admin.committed(group, topic, partitions);
        }

        /** The offset of the first record of each partition that still exists. In the order of partitions. */
        public List<Long> beginnings() throws InterruptedException {
            return admin.offsets(topic, partitions, OffsetSpec.earliest());
        }

        /** The offsets after the last record of each partition, open transactions included. In the order of partitions. */
        public List<Long> ends() throws InterruptedException {
            return admin.offsets(topic, partitions, OffsetSpec.latest());
        }

        /** Whether the group has processed everything before these offsets. Asks once. @param ends by partition */
        public boolean isDone(List<Long> ends) throws InterruptedException {
            return isDone(committed(), ends);
        }

        /** Whether the group has processed everything up to and including the records at these offsets. Asks once. */
        public boolean isBehind(List<Long> records) throws InterruptedException {
            return hasReached(
                    committed(), records.stream().map(record -> record + 1).toList());
        }

        private boolean isDone(List<Long> committed, List<Long> ends) {
            return IntStream.range(0, partitions)
                    .allMatch(partition -> isNothingBetween(partition, committed.get(partition), ends.get(partition)));
        }

        /** Waits until the group has processed everything that is in the topic now. @return false if the timeout expired */
        public boolean await(Duration timeout) throws InterruptedException {
            return await(System.nanoTime() + timeout.toNanos(), _ -> {});
        }

        boolean await(long deadlineNs, Consumer<List<Long>> observer) throws InterruptedException {
            return await(ends(), deadlineNs, observer);
        }

        /** Waits until the group has processed everything before these offsets. @param ends by partition */
        public void await(List<Long> ends, Consumer<List<Long>> observer) throws InterruptedException {
            await(ends, System.nanoTime() + Long.MAX_VALUE, observer);
        }

        private boolean await(List<Long> ends, long deadlineNs, Consumer<List<Long>> observer)
                throws InterruptedException {
            var before = new AtomicReference<List<Long>>(List.of());
            return ((Condition) () -> {
                        List<Long> committed = committed();
                        observer.accept(committed);
                        // While the group advances, the remaining records need not be read.
                        boolean isStill = committed.equals(before.getAndSet(committed));
                        return (hasReached(committed, ends) || isStill) && isDone(committed, ends);
                    })
                    .await(deadlineNs, CHECK_MS);
        }

        private static boolean hasReached(List<Long> offsets, List<Long> ends) {
            return IntStream.range(0, ends.size()).allMatch(partition -> offsets.get(partition) >= ends.get(partition));
        }

        /** Whether no record is between two offsets; false also while that is unknown because a transaction is open. */
        public synchronized boolean isNothingBetween(int partition, long from, long to) {
            if (from >= to) {
                return true;
            }
            try {
                return reader(partition, from, to).read(PROBE, _ -> false, () -> {});
            } catch (TimeoutException _) {
                return false;
            }
        }

        /** The records between two offsets, in either order; the lower offset is included, the higher one is not. */
        public synchronized RecordKeys between(int partition, long one, long other) {
            long from = Math.min(one, other);
            long to = Math.max(one, other);
            if (from == to) {
                return RecordKeys.EMPTY;
            }
            var keys = new HashSet<Bytes>();
            var hasOthers = new AtomicBoolean();
            var records = new AtomicInteger();
            try {
                boolean isComplete = reader(partition, from, to)
                        .read(
                                admin.timeout(),
                                record -> {
                                    if (record.key() == null) {
                                        hasOthers.set(true);
                                    } else {
                                        keys.add(Bytes.wrap(record.key()));
                                    }
                                    return records.incrementAndGet() <= MAX_RECORDS;
                                },
                                () -> {});
                if (!isComplete) {
                    return new RecordKeys(Set.of(), true, true);
                }
            } catch (TimeoutException e) {
                throw new IllegalStateException("could not read " + topic + "-" + partition + " up to offset " + to, e);
            }
            return new RecordKeys(keys, hasOthers.get(), false);
        }

        private RangeReader reader(int partition, long from, long to) {
            RangeReader own = reader;
            if (own == null) {
                own = new RangeReader(
                        clientConfig,
                        Map.of(
                                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                                "earliest",
                                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                                isolation.toString()));
                reader = own;
            }
            own.seek(new TopicPartition(topic, partition), from, to);
            return own;
        }

        @Override
        public synchronized void close() {
            if (reader != null) {
                reader.close();
            }
        }
    }
}
