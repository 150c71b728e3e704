package dev.laurel.processors.generation;

import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The topics and groups of a generation in Kafka. Thread-safe. */
public final class GenerationResources implements AutoCloseable {

    private static final long CHECK_MS = 100;

    private final Map<String, Object> clientConfig;
    private final BrokerAdmin admin;
    private final Generation generation;
    private final Duration timeout;

    /** @param timeout of each request to the brokers */
    public GenerationResources(Map<String, Object> clientConfig, Generation generation, Duration timeout) {
        this.clientConfig = Map.copyOf(clientConfig);
        this.admin = new BrokerAdmin(clientConfig, timeout);
        this.generation = generation;
        this.timeout = timeout;
    }

    /** Creates the topics that are missing, with as many partitions and replicas as those of the first generation have. */
    void create() throws InterruptedException {
        for (Topic<?, ?> topic : Topics.of(generation)) {
            Topic<?, ?> like = topic.name().equals(generation.scores()) ? Topics.SCORES : Topics.BOARD_FLOORS;
            TopicDescription model = admin.describe(like.name());
            var missing = new NewTopic(topic.name(), model.partitions().size(),
                    (short) model.partitions().getFirst().replicas().size()).configs(topic.config());
            admin.getUnless(TopicExistsException.class, admin.client().createTopics(List.of(missing)).all());
        }
    }

    /** Creates the topic of the processes of a replay, unless it exists. The records are kept as long as scores. */
    public void createReplayTopic() throws InterruptedException {
        var replicas = (short) admin.describe(Topics.SCORES.name()).partitions().getFirst().replicas().size();
        var missing = new NewTopic(generation.replayTopic(), 1, replicas).configs(Topics.SCORES.config());
        admin.getUnless(TopicExistsException.class, admin.client().createTopics(List.of(missing)).all());
    }

    /** The groups of the generation that exist, by name. */
    List<String> groups() throws InterruptedException {
        return admin.get(admin.client().listGroups().all()).stream().map(GroupListing::groupId)
                .filter(generation.groups()::contains).sorted().toList();
    }

    /**
     * The topics and changelogs of the generation that exist, by name. The log belongs to the generation only if the generation has
     * brought it. The scores and floors of the first generation belong to none, since they are the model for those of all others.
     */
    List<String> topics() throws InterruptedException {
        return admin.get(admin.client().listTopics().names()).stream().filter(this::isOwn).sorted().toList();
    }

    private boolean isOwn(String topic) {
        return generation.number() != Generation.FIRST.number()
                && (topic.equals(generation.scores()) || topic.equals(generation.floors())
                        || topic.equals(generation.replayTopic()))
                || generation.bringsLog() && topic.equals(generation.log()) || generation.hasChangelog(topic);
    }

    /** Deletes {@link #groups} and {@link #topics}. */
    public void delete() throws InterruptedException {
        delete(groups(), topics());
    }

    /** Deletes all but the end of the topic of a replay. @param from offset of the first record that stays */
    public void deleteAllButReplayTopic(long from) throws InterruptedException {
        delete(groups(), topics().stream().filter(topic -> !topic.equals(generation.replayTopic())).toList());
        admin.get(admin.client().deleteRecords(Map.of(new TopicPartition(generation.replayTopic(), 0),
                RecordsToDelete.beforeOffset(from))).all());
    }

    private void delete(List<String> groups, List<String> topics) throws InterruptedException {
        for (String group : groups) {
            admin.getUnless(GroupIdNotFoundException.class, admin.client().deleteConsumerGroups(List.of(group)).all());
        }
        for (String topic : topics) {
            admin.getUnless(UnknownTopicOrPartitionException.class, admin.client().deleteTopics(List.of(topic)).all());
        }
    }

    /** The numbers of all generations, except the first, that have topics or groups. */
    Set<Integer> numbers() throws InterruptedException {
        var numbers = new TreeSet<Integer>();
        admin.get(admin.client().listTopics().names()).forEach(name -> numbers.add(Generation.numberIn(name)));
        admin.get(admin.client().listGroups().all())
                .forEach(group -> numbers.add(Generation.numberIn(group.groupId())));
        numbers.remove(0);
        return numbers;
    }

    /** Whether a group of the generation has members. */
    public boolean isUsed() throws InterruptedException {
        return haveMembers(generation.groups());
    }

    private boolean haveMembers(List<String> groups) throws InterruptedException {
        for (String group : groups) {
            var known = admin.getUnless(GroupIdNotFoundException.class,
                    admin.client().describeConsumerGroups(List.of(group)).all());
            if (known != null && known.values().stream().anyMatch(found -> !found.members().isEmpty())) {
                return true;
            }
        }
        return false;
    }

    /** Whether a process folds the generation. */
    boolean isFolded() throws InterruptedException {
        return haveMembers(generation.applications());
    }

    /** Whether the applications of the generation have stores, since they have changelogs. */
    boolean hasStores() throws InterruptedException {
        return admin.get(admin.client().listTopics().names()).stream().anyMatch(generation::hasChangelog);
    }

    /**
     * The offsets in the log up to which the generation has published its output, while no process folds it. Waits until the
     * transactions of processes that were killed have ended.
     */
    List<Long> published() throws InterruptedException {
        return admin.committed(generation.ledgerApplication(), generation.log(), logPartitions(), true);
    }

    /** Waits until the groups of the generation have no members, since topics in use are not deleted. */
    void awaitUnused(Duration timeout) throws InterruptedException {
        awaitNoMembers(generation.groups(), timeout);
    }

    /** Waits until no process folds the generation. Nodes may copy records into its log meanwhile. */
    void awaitNotFolded(Duration timeout) throws InterruptedException {
        awaitNoMembers(generation.applications(), timeout);
    }

    private void awaitNoMembers(List<String> groups, Duration timeout) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        while (haveMembers(groups)) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IllegalStateException(
                        "generation " + generation.number() + " is still used after " + timeout);
            }
            TimeUnit.MILLISECONDS.sleep(CHECK_MS);
        }
    }

    int logPartitions() throws InterruptedException {
        return admin.partitions(generation.log());
    }

    int scoresPartitions() throws InterruptedException {
        return admin.partitions(Topics.SCORES.name());
    }

    /** The progress of the ledger, which reads committed records only. */
    GroupProgress ledgerProgress() throws InterruptedException {
        return new GroupProgress(clientConfig, admin, generation.ledgerApplication(), generation.log(), logPartitions(),
                IsolationLevel.READ_COMMITTED, timeout);
    }

    /** The progress of the leaderboards, which also read what the ledger may still abort. */
    GroupProgress boardsProgress() throws InterruptedException {
        return new GroupProgress(clientConfig, admin, generation.boardsApplication(), generation.scores(),
                scoresPartitions(), IsolationLevel.READ_UNCOMMITTED, timeout);
    }

    /** The progress of the copier of another log into the log that the generation brings. */
    GroupProgress copierProgress(String source) throws InterruptedException {
        return new GroupProgress(clientConfig, admin, generation.copier(), source, admin.partitions(source),
                IsolationLevel.READ_COMMITTED, timeout);
    }

    /** The offset of the first record of the log that still exists, by partition. */
    List<Long> beginnings() throws InterruptedException {
        return admin.offsets(generation.log(), logPartitions(), OffsetSpec.earliest());
    }

    /** See {@link BrokerAdmin#committed}. */
    List<Long> committed(String group, String topic, int partitions) throws InterruptedException {
        return admin.committed(group, topic, partitions);
    }

    @Override
    public void close() {
        admin.close();
    }
}
