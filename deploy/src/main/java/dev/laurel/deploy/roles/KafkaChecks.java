package dev.laurel.deploy.roles;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.TopicCreation;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** What a process finds out about its Kafka before it starts anything. */
public final class KafkaChecks {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration FUTURE_MIN = Duration.ofDays(3_650);

    /**
     * What the log of commands is like; internal topics are as safe.
     *
     * @param replication how many copies of it there are
     * @param minInSync how many must have a record before it counts
     */
    public record Log(int partitions, int replication, int minInSync) {}

    private KafkaChecks() {}

    /**
     * Asked by a role before it starts: topics are created by people, who know how large and how safe they must be.
     *
     * @throws CommandFailed if a topic is missing, with what to run
     */
    public static Log expectTopics(KafkaCluster kafka, Admin admin) throws InterruptedException {
        try {
            var topics = TopicCreation.describe(admin);
            List<String> missing = Topics.all().stream().map(Topic::name).filter(name -> !topics.containsKey(name))
                    .toList();
            if (!missing.isEmpty()) {
                throw new CommandFailed("Kafka at " + kafka.bootstrapServers() + " has no "
                        + String.join(", ", missing) + "; run: laurel topics create --kafka "
                        + kafka.bootstrapServers());
            }
            var log = new ConfigResource(ConfigResource.Type.TOPIC, Topics.COMMANDS.name());
            int minInSync = Integer
                    .parseInt(configOf(log, admin).get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG).value());
            List<TopicPartitionInfo> partitions = topics.get(Topics.COMMANDS.name()).partitions();
            return new Log(partitions.size(), partitions.getFirst().replicas().size(), minInSync);
        } catch (IllegalStateException | ExecutionException | TimeoutException e) {
            throw new CommandFailed("cannot find out what topics Kafka has: " + e.getMessage(), e);
        }
    }

    /**
     * Asked before anything is stamped: the ledger's own topics would refuse the future, too, and stop it.
     *
     * @throws CommandFailed if records may not be stamped with any future time, as a test clock does
     */
    public static void expectFutureIsTaken(KafkaCluster kafka, Admin admin) throws InterruptedException {
        var log = new ConfigResource(ConfigResource.Type.TOPIC, Topics.COMMANDS.name());
        try {
            long aheadMs = Long.parseLong(configOf(log, admin)
                    .get(TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG).value());
            if (aheadMs < FUTURE_MIN.toMillis()) {
                throw new CommandFailed("--test-clock needs a Kafka that takes records from the future: set "
                        + "log.message.timestamp.after.max.ms=" + Long.MAX_VALUE + " on the brokers of "
                        + kafka.bootstrapServers() + " (it is " + aheadMs + "), or leave --kafka out");
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new CommandFailed("cannot find out whether Kafka takes records from the future: " + e.getMessage(),
                    e);
        }
    }

    /** A topic that was made a moment ago is not known to every broker yet. */
    private static Config configOf(ConfigResource topic, Admin admin)
            throws InterruptedException, ExecutionException, TimeoutException {
        long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            try {
                return admin.describeConfigs(List.of(topic)).all().get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                        .get(topic);
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException) || System.nanoTime() > deadlineNs) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }
}
