package dev.laurel.processors.generation;

import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;

import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** The topics and groups of a generation in Kafka. Thread-safe. */
public final class GenerationResources implements AutoCloseable {

    private static final long CHECK_MS = 100;

    private final BrokerAdmin admin;
    private final Generation generation;

    /** @param timeout of each request to the brokers */
    public GenerationResources(Map<String, Object> clientConfig, Generation generation, Duration timeout) {
        this.admin = new BrokerAdmin(KafkaClients.admin(clientConfig), timeout);
        this.generation = generation;
    }

    /** Creates the topics that are missing, with as many partitions and replicas as those of the first generation have. */
    void create() throws InterruptedException {
        create(generation.scores(), admin.partitions(Topics.SCORES.name()), Topics.SCORES, Topics.SCORES.config());
    }

    /** Creates a topic, unless it exists. @param like has as many replicas */
    private void create(String topic, int partitions, Topic<?, ?> like, Map<String, String> config)
            throws InterruptedException {
        var replicas = (short)
                admin.describe(like.name()).partitions().getFirst().replicas().size();
        var missing = new NewTopic(topic, partitions, replicas).configs(config);
        admin.getUnless(
                TopicExistsException.class,
                admin.client().createTopics(List.of(missing)).all());
    }

    /** Creates the topic of the processes of a replay, unless it exists. The records are kept as long as scores. */
    public void createReplayTopic() throws InterruptedException {
        create(generation.replayTopic(), 1, Topics.SCORES, Topics.SCORES.config());
    }

    /** The groups of the generation that exist, by name. */
    List<String> groups() throws InterruptedException {
        return admin.get(admin.client().listGroups().all()).stream()
                .map(GroupListing::groupId)
                .filter(generation.groups()::contains)
                .sorted()
                .toList();
    }

    /**
     * The topics and changelogs of the generation that exist, by name. The log belongs to the generation only if the generation has
     * brought it. The scores of the first generation belong to none, since they are the model for those of all others.
     */
    List<String> topics() throws InterruptedException {
        return admin.topics().stream().filter(this::isOwn).sorted().toList();
    }

    private boolean isOwn(String topic) {
        return generation.number() != Generation.FIRST.number()
                        && (topic.equals(generation.scores()) || topic.equals(generation.replayTopic()))
                || generation.bringsLog() && topic.equals(generation.log())
                || generation.hasChangelog(topic);
    }

    /** Deletes {@link #groups} and {@link #topics}. */
    public void delete() throws InterruptedException {
        delete(groups(), topics());
    }

    /** Deletes all but the end of the topic of a replay. @param from offset of the first record that stays */
    public void deleteAllButReplayTopic(long from) throws InterruptedException {
        delete(
                groups(),
                topics().stream()
                        .filter(topic -> !topic.equals(generation.replayTopic()))
                        .toList());
        admin.get(admin.client()
                .deleteRecords(
                        Map.of(new TopicPartition(generation.replayTopic(), 0), RecordsToDelete.beforeOffset(from)))
                .all());
    }

    private void delete(List<String> groups, List<String> topics) throws InterruptedException {
        for (String group : groups) {
            admin.getUnless(
                    GroupIdNotFoundException.class,
                    admin.client().deleteConsumerGroups(List.of(group)).all());
        }
        for (String topic : topics) {
            admin.getUnless(
                    UnknownTopicOrPartitionException.class,
                    admin.client().deleteTopics(List.of(topic)).all());
        }
    }

    /** The numbers of all generations, except the first, that have topics or groups. */
    Set<Integer> numbers() throws InterruptedException {
        var numbers = new TreeSet<Integer>();
        admin.topics().forEach(name -> numbers.add(Generation.numberIn(name)));
        admin.get(admin.client().listGroups().all())
                .forEach(group -> numbers.add(Generation.numberIn(group.groupId())));
        numbers.remove(0);
        return numbers;
    }

    /** Whether a group of the generation has members. */
    public boolean isUsed() throws InterruptedException {
        return haveMembers(generation.groups());
    }

    boolean haveMembers(List<String> groups) throws InterruptedException {
        for (String group : groups) {
            var known = admin.getUnless(
                    GroupIdNotFoundException.class,
                    admin.client().describeConsumerGroups(List.of(group)).all());
            if (known != null
                    && known.values().stream()
                            .anyMatch(found -> !found.members().isEmpty())) {
                return true;
            }
        }
        return false;
    }

    /** Whether the applications of the generation have stores, since they have changelogs. */
    boolean hasStores() throws InterruptedException {
        return admin.topics().stream().anyMatch(generation::hasChangelog);
    }

    /**
     * The offsets in the log up to which the generation has published its output, while no process folds it. Waits until the
     * transactions of processes that were killed have ended.
     */
    List<Long> published() throws InterruptedException {
        return admin.committed(
                generation.ledgerApplication(), generation.log(), admin.partitions(generation.log()), true);
    }

    /** Waits until groups of the generation have no members. */
    void awaitNoMembers(List<String> groups, Duration timeout) throws InterruptedException {
        if (!((Condition) () -> !haveMembers(groups)).await(System.nanoTime() + timeout.toNanos(), CHECK_MS)) {
            throw new IllegalStateException("generation " + generation.number() + " is still used after " + timeout);
        }
    }

    @Override
    public void close() {
        admin.close();
    }

    /**
     * Groups and topics in Kafka of a generation that is over: it was in force, was abandoned, or was a report whose process was killed.
     * They never include a log in use, nor anything of a generation that is in force, may come into force, or is unknown.
     *
     * @param topics with the changelogs
     * @param isUsed whether a group has members: a node has not closed the generation yet, or a report is in progress
     */
    public record Obsolete(Generation generation, List<String> groups, List<String> topics, boolean isUsed) {

        public Obsolete {
            groups = List.copyOf(groups);
            topics = List.copyOf(topics);
        }

        /** Finds all of them, in the order of generations. Changes nothing. */
        public static List<Obsolete> find(Map<String, Object> clientConfig, GenerationTable table)
                throws InterruptedException {
            if (!table.awaitNewest(TIMEOUT)) {
                throw new IllegalStateException("could not determine within " + TIMEOUT + " which generations exist");
            }
            var numbers = new TreeSet<>(table.all().keySet());
            try (var resources = new GenerationResources(clientConfig, Generation.FIRST, TIMEOUT)) {
                numbers.addAll(resources.numbers());
            }
            var found = new ArrayList<Obsolete>();
            for (int number : numbers) {
                GenerationRecord record = table.find(number);
                boolean isOver = record == null ? Generation.of(number).isReport() : record.state() == State.OVER;
                if (isOver) {
                    Generation over = ownedBy(record, number);
                    try (var resources = new GenerationResources(clientConfig, over, TIMEOUT)) {
                        List<String> groups = resources.groups();
                        List<String> topics = resources.topics();
                        if (!groups.isEmpty() || !topics.isEmpty()) {
                            found.add(new Obsolete(over, groups, topics, resources.isUsed()));
                        }
                    }
                }
            }
            return found;
        }

        /** The generation, with its wider log only if it was abandoned: otherwise the log is, or was, in use. */
        private static Generation ownedBy(@Nullable GenerationRecord record, int number) {
            return record == null || record.hasBeenPromoted() ? Generation.of(number) : record.generation();
        }

        /** @throws IllegalStateException if a group has members */
        public void delete(Map<String, Object> clientConfig) throws InterruptedException {
            try (var resources = new GenerationResources(clientConfig, generation, TIMEOUT)) {
                if (resources.isUsed()) {
                    throw new IllegalStateException("generation " + generation.number() + " is in use");
                }
                resources.delete();
            }
        }
    }
}
