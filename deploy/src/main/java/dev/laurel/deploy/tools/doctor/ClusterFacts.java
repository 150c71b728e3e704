package dev.laurel.deploy.tools.doctor;

import static java.util.Objects.requireNonNull;

import dev.laurel.delivery.runtime.DeliveryConfig;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.processors.intake.DirectIntake;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.boards.LeaderboardStores;
import dev.laurel.processors.store.users.UserStores;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.topic.Topics.DirectTopics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Observed state of a Kafka cluster.
 *
 * @param topics topics of Laurel, of its applications, and Kafka's internal ones, by name
 * @param groups existing groups of Laurel's applications, by name
 * @param openTransactions partitions of the log whose last stable offset did not move during the inspection
 */
record ClusterFacts(
        GenerationFacts generations,
        List<BrokerFacts> brokers,
        Map<String, TopicFacts> topics,
        Map<String, GroupFacts> groups,
        List<OpenTransactionFacts> openTransactions) {

    /** Number of brokers that is enough for three copies. */
    private static final int REPLICATED = 3;

    /** Returns the name of the log. */
    String log() {
        return generations.inForce().log();
    }

    /** Returns the Streams applications and the intake of direct producers. */
    List<StreamsApplication> applications() {
        return StreamsApplication.of(generations);
    }

    /** Returns the topic catalogue with the names of the generation in force, and the existing topics of tenants' own producers. */
    List<Topic<?, ?>> catalogue() {
        return Stream.concat(
                        catalogue(generations.inForce()).stream(),
                        topics.keySet().stream()
                                .filter(DirectTopics::isOfOneTenant)
                                .sorted()
                                .map(Topics.DIRECT::named))
                .toList();
    }

    static List<Topic<?, ?>> catalogue(Generation generation) {
        Map<String, String> names =
                Map.of(Topics.COMMANDS.name(), generation.log(), Topics.SCORES.name(), generation.scores());
        return Topics.all().stream()
                .<Topic<?, ?>>map(topic -> topic.named(names.getOrDefault(topic.name(), topic.name())))
                .toList();
    }

    boolean isReplicated() {
        return brokers.size() >= REPLICATED;
    }

    /**
     * Difference between another clock and that of this machine, as bounds in milliseconds. Positive is ahead. The bounds
     * allow for the time of the request and the resolution of the clock.
     */
    record ClockFacts(long leastMs, long mostMs) {

        /**
         * @param shownMs time of the other clock
         * @param unitMs resolution: the actual time is up to this much later
         * @param askedMs time of this machine before the request
         * @param answeredMs time of this machine after the response
         */
        static ClockFacts of(long shownMs, long unitMs, long askedMs, long answeredMs) {
            return new ClockFacts(shownMs - answeredMs, shownMs + unitMs - askedMs);
        }

        /** Returns the least difference in either direction, 0 if the clock may be right. */
        long offMs() {
            return leastMs > 0 ? leastMs : mostMs < 0 ? -mostMs : 0;
        }

        boolean isAhead() {
            return leastMs > 0;
        }
    }

    /**
     * @param level supported {@code metadata.version}; -1 if unknown
     * @param settings visible settings by name
     * @param clock null: not measured
     */
    record BrokerFacts(
            int id,
            String address,
            int level,
            Map<String, String> settings,
            @Nullable ClockFacts clock) {}

    /** @param settings effective settings, wherever they were set */
    record TopicFacts(String name, List<PartitionFacts> partitions, Map<String, String> settings) {

        List<TopicPartition> partitionsWithLeader() {
            return partitions.stream()
                    .filter(partition -> partition.leader() >= 0)
                    .map(partition -> new TopicPartition(name, partition.number()))
                    .toList();
        }

        /** Returns the lowest number of copies of any partition. */
        int replication() {
            return partitions.stream()
                    .mapToInt(partition -> partition.replicas().size())
                    .min()
                    .orElse(0);
        }
    }

    /** @param leader -1 if there is none */
    record PartitionFacts(int number, int leader, List<Integer> replicas, List<Integer> inSync) {}

    /**
     * @param state Kafka's name of the state
     * @param lags lags of the partitions of its source topic
     */
    record GroupFacts(String name, String state, List<MemberFacts> members, List<LagFacts> lags) {}

    /**
     * A thread of an application.
     *
     * @param process id of its process; its own id if that is not known
     * @param partitions assigned partitions as {@code topic-number}
     */
    record MemberFacts(String process, String host, List<String> partitions) {}

    /** @param committed -1 if there is no committed offset */
    record LagFacts(String topic, int partition, long committed, long end) {

        String partitionName() {
            return topic + "-" + partition;
        }

        long records() {
            return Math.max(0, end - Math.max(0, committed));
        }
    }

    /**
     * The first open transaction of a partition.
     *
     * @param start offset of its first record
     * @param end end of the partition
     * @param producerId its producer; -1 if unknown
     * @param idleMs time since that producer last wrote
     */
    record OpenTransactionFacts(int partition, long start, long end, long producerId, long idleMs) {}

    /**
     * Contents of {@code laurel.generations}.
     *
     * @param inForce generation in force
     * @param unfinished generations that are not in force yet, or into whose log another one is still copied; by
     * number
     */
    record GenerationFacts(Generation inForce, List<GenerationRecord> unfinished) {

        /** The first generation, where none was ever promoted. */
        static final GenerationFacts FIRST = new GenerationFacts(Generation.FIRST, List.of());

        /** @param table must have caught up */
        static GenerationFacts of(GenerationTable table) {
            return new GenerationFacts(
                    table.inForce().generation(),
                    table.all().values().stream()
                            .filter(record ->
                                    record.needsCopying() || record.state().isUnderWay())
                            .sorted(Comparator.comparingInt(GenerationRecord::number))
                            .toList());
        }
    }

    /**
     * A Streams application of Laurel, or the intake of direct producers.
     *
     * @param id application id, also the name of its group
     * @param name its name in metrics and answers
     * @param source topic that determines the number of its tasks
     * @param stores stores with a changelog
     */
    record StreamsApplication(String id, String name, String source, List<String> stores) {

        /** Returns the command that starts it. */
        String role() {
            return id.equals(DeliveryConfig.APPLICATION_ID) ? "delivery" : "node";
        }

        /** Returns all applications of a deployment, and the consumer group that takes the records of direct producers. */
        static List<StreamsApplication> of(ClusterFacts.GenerationFacts generations) {
            var all = new ArrayList<>(of(generations.inForce()));
            all.add(new StreamsApplication(DirectIntake.GROUP, "intake", Topics.DIRECT.name(), List.of()));
            generations.unfinished().stream()
                    .filter(GenerationRecord::needsCopying)
                    .map(StreamsApplication::copier)
                    .forEach(all::add);
            return all;
        }

        /** Returns the application that copies a log into a wider one. */
        private static StreamsApplication copier(GenerationRecord wide) {
            return new StreamsApplication(
                    wide.generation().copier(),
                    "copier",
                    requireNonNull(wide.copiedFrom(), "it needs copying"),
                    List.of());
        }

        /**
         * Returns the applications that always run.
         *
         * @param generation generation in force
         */
        static List<StreamsApplication> of(Generation generation) {
            return List.of(
                    new StreamsApplication(
                            generation.ledgerApplication(),
                            "ledger",
                            generation.log(),
                            names(UserStores.builders(false))),
                    new StreamsApplication(
                            generation.boardsApplication(),
                            "boards",
                            generation.scores(),
                            names(LeaderboardStores.builders())),
                    new StreamsApplication(
                            DeliveryConfig.APPLICATION_ID,
                            "delivery",
                            Topics.OUTBOX.name(),
                            List.of(StoreNames.DELIVERIES, StoreNames.OUTCOMES)));
        }

        private static List<String> names(Set<StoreBuilder<?>> builders) {
            return builders.stream().map(StoreBuilder::name).sorted().toList();
        }

        /** Returns whether a topic is the changelog of a store that only earlier releases of delivery had. */
        boolean hadStoreOf(String topic) {
            return id.equals(DeliveryConfig.APPLICATION_ID)
                    && topic.startsWith(id + "-")
                    && topic.endsWith("-changelog")
                    && !changelogs().contains(topic);
        }

        /** Returns the names that Kafka Streams gives to the changelogs. */
        List<String> changelogs() {
            return stores.stream().map(store -> Generation.changelog(id, store)).toList();
        }
    }
}
