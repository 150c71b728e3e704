package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.GroupFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.LagFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.MemberFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.StreamsApplication;
import dev.laurel.deploy.tools.doctor.ClusterFacts.TopicFacts;
import dev.laurel.gateway.GatewayConfig;
import dev.laurel.platform.kafka.KafkaClients;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Collects members and lags of the groups of Laurel's applications, and the gateways. */
final class GroupInspector {

    private final Admin admin;
    private final Set<String> known;

    /** Lists the groups that there are now. */
    GroupInspector(Admin admin) {
        this.admin = admin;
        this.known = KafkaClients.get(admin.listGroups().all()).stream()
                .map(GroupListing::groupId)
                .collect(Collectors.toSet());
    }

    Map<String, GroupFacts> gather(List<StreamsApplication> applications, Map<String, TopicFacts> topics) {
        var groups = new HashMap<String, GroupFacts>();
        for (StreamsApplication application : applications) {
            if (known.contains(application.id())) {
                groups.put(application.id(), group(application, topics.get(application.source())));
            }
        }
        return groups;
    }

    /** The gateways, but for that of a standalone. */
    List<MemberFacts> gateways() {
        return known.contains(GatewayConfig.GROUP)
                ? describe(GatewayConfig.GROUP).members().stream()
                        .map(member -> member(member, gatewayOf(member.clientId())))
                        .toList()
                : List.of();
    }

    /** Its id, which is in that of its client. */
    private static String gatewayOf(String clientId) {
        return clientId.substring(GatewayConfig.GROUP_CLIENT_PREFIX.length() + GatewayConfig.CLIENT_PREFIX.length());
    }

    private ConsumerGroupDescription describe(String group) {
        return KafkaClients.get(admin.describeConsumerGroups(List.of(group)).all())
                .values()
                .iterator()
                .next();
    }

    /** Each thread is a static member, by the id of the process and its own number. */
    private static String processOf(MemberDescription member) {
        return member.groupInstanceId()
                .map(id -> id.replaceFirst("-[0-9]+$", ""))
                .orElse(member.consumerId());
    }

    /** @param source null: the topic is missing */
    private GroupFacts group(StreamsApplication application, @Nullable TopicFacts source) {
        ConsumerGroupDescription group = describe(application.id());
        return new GroupFacts(
                application.id(),
                group.groupState().toString(),
                group.members().stream()
                        .map(member -> member(member, processOf(member)))
                        .toList(),
                source == null ? List.of() : lags(application.id(), source));
    }

    private static MemberFacts member(MemberDescription member, String process) {
        return new MemberFacts(
                process,
                member.host(),
                member.assignment().topicPartitions().stream()
                        .map(partition -> partition.topic() + "-" + partition.partition())
                        .sorted()
                        .toList());
    }

    private List<LagFacts> lags(String group, TopicFacts source) {
        Map<TopicPartition, OffsetAndMetadata> committed =
                KafkaClients.get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
        // The end of a partition without a leader cannot be queried.
        Map<TopicPartition, Long> ends = KafkaClients.offsets(
                admin, source.partitionsWithLeader(), OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
        return ends.entrySet().stream()
                .map(end -> {
                    OffsetAndMetadata done = committed.get(end.getKey());
                    return new LagFacts(
                            source.name(), end.getKey().partition(), done == null ? -1 : done.offset(), end.getValue());
                })
                .sorted(Comparator.comparingInt(LagFacts::partition))
                .toList();
    }
}
