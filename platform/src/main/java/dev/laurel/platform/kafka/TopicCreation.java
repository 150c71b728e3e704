package dev.laurel.platform.kafka;

import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topic.Partitioning;
import dev.laurel.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;

/** Creates the missing topics of the catalogue. Never deletes or alters a topic, so that repeated runs are safe. */
public final class TopicCreation {

    /**
     * The numbers of partitions and replicas of a deployment. The number of user partitions determines which users
     * share a partition and cannot be changed in place.
     *
     * @param minInSync number of replicas that must have a record before it is acknowledged
     */
    public record Sizes(int users, int boards, int gateways, short replication, int minInSync) {

        /** The number of replicas with which one may be unavailable while two still have every record. */
        private static final int SAFE_REPLICATION = 3;

        public Sizes {
            if (users < 1 || boards < 1 || gateways < 1 || replication < 1) {
                throw new IllegalArgumentException("partitions and replication must be at least 1");
            }
            if (minInSync < 1 || minInSync > replication) {
                throw new IllegalArgumentException("the number of in-sync replicas must be from 1 to " + replication);
            }
        }

        /** Uses the default number of in-sync replicas: two if there are at least three replicas, otherwise one. */
        public Sizes(int users, int boards, int gateways, short replication) {
            this(users, boards, gateways, replication, defaultInSync(replication));
        }

        public static int defaultInSync(short replication) {
            return replication >= SAFE_REPLICATION ? 2 : 1;
        }

        int partitions(Partitioning partitioning) {
            return switch (partitioning) {
                case USERS -> users;
                case BOARDS -> boards;
                case GATEWAYS -> gateways;
                case ONE -> 1;
            };
        }
    }

    private TopicCreation() {}

    /** @return the names of the topics that were created now @throws CommandFailed if Kafka refuses or does not answer */
    public static List<String> createMissing(Admin admin, Sizes sizes, List<Topic<?, ?>> topics) {
        Set<String> existing = KafkaClients.get(admin.listTopics().names(), TIMEOUT);
        var created = new ArrayList<String>();
        var missing = topics.stream()
                .filter(t -> !existing.contains(t.name()))
                .map(t -> new NewTopic(t.name(), sizes.partitions(t.partitioning()), sizes.replication())
                        .configs(config(t, sizes)))
                .toList();
        admin.createTopics(missing).values().forEach((name, done) -> {
            if (isCreatedNow(done)) {
                created.add(name);
            }
        });
        return created;
    }

    private static Map<String, String> config(Topic<?, ?> topic, Sizes sizes) {
        var config = new HashMap<>(topic.config());
        config.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(sizes.minInSync()));
        return config;
    }

    /** The existing topics of the catalogue by name, in catalogue order. */
    public static Map<String, TopicDescription> describe(Admin admin) {
        var names = Topics.all().stream().map(Topic::name).toList();
        Set<String> existing = KafkaClients.get(admin.listTopics().names(), TIMEOUT);
        var described = KafkaClients.get(
                admin.describeTopics(names.stream().filter(existing::contains).toList())
                        .allTopicNames(),
                TIMEOUT);
        var ordered = new LinkedHashMap<String, TopicDescription>();
        names.stream().filter(described::containsKey).forEach(name -> ordered.put(name, described.get(name)));
        return ordered;
    }

    /** Returns false if another process created the topic at the same time. */
    private static boolean isCreatedNow(KafkaFuture<Void> done) {
        try {
            KafkaClients.get(done, TIMEOUT);
            return true;
        } catch (CommandFailed e) {
            if (e.getCause() instanceof ExecutionException refused
                    && refused.getCause() instanceof TopicExistsException) {
                return false;
            }
            throw e;
        }
    }
}
