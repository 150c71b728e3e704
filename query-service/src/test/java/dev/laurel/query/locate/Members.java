package dev.laurel.query.locate;

import dev.laurel.query.locate.OwnerTracker.PartitionOwners;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.state.HostInfo;

/** The members of an application, set by a test. */
public final class Members {

    public static final String TOPIC = "log";

    private Members() {}

    /** @param address host:port; @param active partitions of {@link #TOPIC}, as are {@code standby} */
    public static StreamsMetadata member(String address, List<Integer> active, List<Integer> standby) {
        return new Member(HostInfo.buildFromEndpoint(address), partitions(active), partitions(standby));
    }

    /** A member without an address. */
    static StreamsMetadata unreachable(List<Integer> active) {
        return new Member(HostInfo.unavailable(), partitions(active), Set.of());
    }

    /** Polls the owners at once. */
    public static void poll(PartitionOwners owners) {
        owners.users().poll();
        owners.boards().poll();
    }

    /** Polls the owners at once. */
    public static void poll(OwnerTracker owners) {
        owners.poll();
    }

    private static Set<TopicPartition> partitions(List<Integer> numbers) {
        return numbers.stream().map(number -> new TopicPartition(TOPIC, number)).collect(Collectors.toSet());
    }

    private record Member(
            HostInfo hostInfo, Set<TopicPartition> topicPartitions, Set<TopicPartition> standbyTopicPartitions)
            implements StreamsMetadata {

        @Override
        public Set<String> stateStoreNames() {
            return Set.of();
        }

        @Override
        public Set<String> standbyStateStoreNames() {
            return Set.of();
        }

        @Override
        public String host() {
            return hostInfo.host();
        }

        @Override
        public int port() {
            return hostInfo.port();
        }
    }
}
