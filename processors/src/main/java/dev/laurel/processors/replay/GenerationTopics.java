package dev.laurel.processors.replay;

import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** A generation's topics and groups, as the broker knows them. Thread-safe. */
public final class GenerationTopics implements AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final long CHECK_MS = 100;

    private final Map<String, Object> clientConfig;
    private final Admin admin;
    private final Generation generation;
    private final Duration patience;

    /** @param patience of each question to the broker */
    public GenerationTopics(Map<String, Object> clientConfig, Generation generation, Duration patience) {
        this.clientConfig = Map.copyOf(clientConfig);
        this.admin = Admin.create(clientConfig);
        this.generation = generation;
        this.patience = patience;
    }

    /** Creates the topics that are missing, with as many partitions and copies as those of the first generation have. */
    public void create() throws InterruptedException {
        for (Topic<?, ?> topic : generation.topics()) {
            Topic<?, ?> like = topic.name().equals(generation.scores()) ? Topics.SCORES : Topics.BOARD_FLOORS;
            TopicDescription model = describe(like.name());
            var missing = new NewTopic(topic.name(), model.partitions().size(),
                    (short) model.partitions().getFirst().replicas().size()).configs(topic.config());
            get(admin.createTopics(List.of(missing)).all(), TopicExistsException.class);
        }
    }

    /** Deletes {@link #left}. What is not there is no fault. */
    public void delete() throws InterruptedException {
        delete(left());
    }

    /** What there is of a generation, and of nothing else. @param topics its changelogs among them */
    public record Left(List<String> groups, List<String> topics) {

        public Left {
            groups = List.copyOf(groups);
            topics = List.copyOf(topics);
        }

        public boolean isEmpty() {
            return groups.isEmpty() && topics.isEmpty();
        }
    }

    /**
     * Its groups, its topics and its changelogs that are there, by name. The log is its own only where it has brought it; scores
     * and floors of the first generation are nobody's own, since those of all others are made after them.
     */
    Left left() throws InterruptedException {
        var groups = new TreeSet<String>();
        for (GroupListing group : get(admin.listGroups().all())) {
            if (generation.groups().contains(group.groupId())) {
                groups.add(group.groupId());
            }
        }
        var topics = new TreeSet<String>();
        for (String name : get(admin.listTopics().names())) {
            boolean isOwn = generation.number() != Generation.FIRST.number()
                    && (name.equals(generation.scores()) || name.equals(generation.floors()));
            boolean isOwnLog = generation.bringsLog() && name.equals(generation.log());
            if (isOwn || isOwnLog || generation.hasChangelog(name)) {
                topics.add(name);
            }
        }
        return new Left(List.copyOf(groups), List.copyOf(topics));
    }

    private void delete(Left left) throws InterruptedException {
        for (String group : left.groups()) {
            get(admin.deleteConsumerGroups(List.of(group)).all(), GroupIdNotFoundException.class);
        }
        for (String name : left.topics()) {
            get(admin.deleteTopics(List.of(name)).all(), UnknownTopicOrPartitionException.class);
        }
    }

    /** The numbers of all generations of which something is there, but for the first. */
    Set<Integer> numbers() throws InterruptedException {
        var numbers = new TreeSet<Integer>();
        get(admin.listTopics().names()).forEach(name -> numbers.add(Generation.numberIn(name)));
        get(admin.listGroups().all()).forEach(group -> numbers.add(Generation.numberIn(group.groupId())));
        numbers.remove(0);
        return numbers;
    }

    /** Whether anybody is in one of its groups. */
    boolean isUsed() {
        return generation.groups().stream().anyMatch(this::isUsed);
    }

    /** Waits until nobody is in its groups any more: topics that are in use are not deleted. */
    void awaitUnused(Duration timeout) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        while (isUsed()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IllegalStateException(
                        "generation " + generation.number() + " is still used after " + timeout);
            }
            TimeUnit.MILLISECONDS.sleep(CHECK_MS);
        }
    }

    private boolean isUsed(String group) {
        try {
            var known = get(admin.describeConsumerGroups(List.of(group)).all(), GroupIdNotFoundException.class);
            return known != null && !known.get(group).members().isEmpty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    int logPartitions() throws InterruptedException {
        return describe(generation.log()).partitions().size();
    }

    int scoresPartitions() throws InterruptedException {
        return describe(Topics.SCORES.name()).partitions().size();
    }

    /** The ledger's, which reads what is committed. */
    GroupPlace ledgerPlace() throws InterruptedException {
        return new GroupPlace(clientConfig, this, generation.ledgerApplication(), generation.log(), logPartitions(),
                IsolationLevel.READ_COMMITTED, patience);
    }

    /** The leaderboards', which read what the ledger may yet take back. */
    GroupPlace boardsPlace() throws InterruptedException {
        return new GroupPlace(clientConfig, this, generation.boardsApplication(), generation.scores(),
                scoresPartitions(), IsolationLevel.READ_UNCOMMITTED, patience);
    }

    /** What copies a log into the one that the generation brings, in that log. */
    GroupPlace copierPlace(String source) throws InterruptedException {
        return new GroupPlace(clientConfig, this, generation.copier(), source, describe(source).partitions().size(),
                IsolationLevel.READ_COMMITTED, patience);
    }

    private TopicDescription describe(String topic) throws InterruptedException {
        return get(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic);
    }

    /** The offset of the first record of the log that is still there, by partition. */
    List<Long> beginnings() throws InterruptedException {
        return offsets(generation.log(), logPartitions(), OffsetSpec.earliest());
    }

    /** Offsets behind the last record of each partition, open transactions included. In the order of partitions. */
    List<Long> ends(String topic, int partitions) throws InterruptedException {
        return offsets(topic, partitions, OffsetSpec.latest());
    }

    private List<Long> offsets(String topic, int partitions, OffsetSpec which) throws InterruptedException {
        var asked = new HashMap<TopicPartition, OffsetSpec>();
        for (int partition = 0; partition < partitions; partition++) {
            asked.put(new TopicPartition(topic, partition), which);
        }
        var ends = get(admin.listOffsets(asked).all());
        var ordered = new ArrayList<Long>();
        for (int partition = 0; partition < partitions; partition++) {
            ordered.add(ends.get(new TopicPartition(topic, partition)).offset());
        }
        return ordered;
    }

    /** What a group has committed, 0 where it has nothing. In the order of partitions. */
    List<Long> committed(String group, String topic, int partitions) throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed = get(
                admin.listConsumerGroupOffsets(Map.of(group, new ListConsumerGroupOffsetsSpec()))
                        .partitionsToOffsetAndMetadata(group));
        var ordered = new ArrayList<Long>();
        for (int partition = 0; partition < partitions; partition++) {
            OffsetAndMetadata offset = committed.get(new TopicPartition(topic, partition));
            ordered.add(offset == null ? 0 : offset.offset());
        }
        return ordered;
    }

    private <T> T get(KafkaFuture<T> answer) throws InterruptedException {
        return get(answer, null);
    }

    /** @param expected a refusal that is none: it is so already; then null is returned */
    private <T> T get(KafkaFuture<T> answer, Class<? extends Exception> expected) throws InterruptedException {
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (expected != null && expected.isInstance(e.getCause())) {
                return null;
            }
            throw new Unanswered("Kafka refused: " + e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new Unanswered("Kafka did not answer within " + patience.toSeconds() + " s", e);
        }
    }

    @Override
    public void close() {
        admin.close(CLOSE_TIMEOUT);
    }
}
