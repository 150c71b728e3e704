package dev.laurel.deploy.roles;

import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.TopicCreation;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Checks of the Kafka cluster before a process starts. */
final class KafkaChecks {

    private static final Duration FUTURE_MIN = Duration.ofDays(3_650);

    /**
     * Properties of the command log; internal topics get the same replication.
     *
     * @param replication number of copies
     * @param minInSync copies that must have a record before it is acknowledged
     */
    record Log(int replication, int minInSync) {}

    private KafkaChecks() {}

    /**
     * Checks that all topics exist. Operators create topics, because they know the size and the safety that are
     * needed.
     *
     * @throws CommandFailed if a topic is missing, with the command to run
     */
    static Log expectTopics(KafkaAccess kafka) throws InterruptedException {
        try (Admin admin = KafkaClients.admin(kafka, Map.of())) {
            var topics = TopicCreation.describe(admin);
            List<String> missing = Topics.all().stream()
                    .map(Topic::name)
                    .filter(name -> !topics.containsKey(name))
                    .toList();
            TopicDescription commands = topics.get(Topics.COMMANDS.name());
            if (!missing.isEmpty() || commands == null) {
                throw new CommandFailed("Kafka at " + kafka.bootstrapServers() + " has no "
                        + String.join(", ", missing) + "; run: laurel topics create --kafka "
                        + kafka.bootstrapServers());
            }
            long minInSync = ofLog(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, admin, "cannot list the topics of Kafka");
            return new Log(commands.partitions().getFirst().replicas().size(), Math.toIntExact(minInSync));
        }
    }

    /**
     * Checks that records may carry any time in the future, as a test clock needs. Called before the first record,
     * because the internal topics of the ledger would refuse such times too and stop it.
     *
     * @throws CommandFailed if they may not
     */
    static void expectFutureIsTaken(KafkaAccess kafka, Admin admin) throws InterruptedException {
        long aheadMs = ofLog(
                TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
                admin,
                "cannot read whether Kafka accepts records from the future");
        if (aheadMs < FUTURE_MIN.toMillis()) {
            throw new CommandFailed("--test-clock needs a Kafka that accepts records from the future: set "
                    + "log.message.timestamp.after.max.ms=" + Long.MAX_VALUE + " on the brokers of "
                    + kafka.bootstrapServers() + " (it is " + aheadMs + "), or leave --kafka out");
        }
    }

    /** Returns a setting of the log. Retries while a broker does not know the topic, which was just created. */
    private static long ofLog(String name, Admin admin, String problem) throws InterruptedException {
        var topic = new ConfigResource(ConfigResource.Type.TOPIC, Topics.COMMANDS.name());
        long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            try {
                var configs =
                        KafkaClients.get(admin.describeConfigs(List.of(topic)).all(), TIMEOUT, problem);
                return Long.parseLong(Objects.requireNonNull(configs.get(topic), "asked for")
                        .get(name)
                        .value());
            } catch (CommandFailed e) {
                if (e.getCause() == null
                        || !(e.getCause().getCause() instanceof UnknownTopicOrPartitionException)
                        || System.nanoTime() > deadlineNs) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }
}
