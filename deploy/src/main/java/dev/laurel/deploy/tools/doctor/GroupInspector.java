package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.cli.KafkaClients;
import dev.laurel.deploy.tools.doctor.ClusterFacts.GroupFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.LagFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.MemberFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.TopicFacts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** Collects members and lags of the groups of Laurel's applications. */
final class GroupInspector {

    private final Admin admin;

    GroupInspector(Admin admin) {
        this.admin = admin;
    }

    Map<String, GroupFacts> gather(List<ClusterFacts.StreamsApplication> applications, Map<String, TopicFacts> topics) {
        Set<String> known = KafkaClients.get(admin.listGroups().all()).stream().map(GroupListing::groupId)
                .collect(Collectors.toSet());
        var groups = new HashMap<String, GroupFacts>();
        for (ClusterFacts.StreamsApplication application : applications) {
            TopicFacts source = topics.get(application.source());
            if (known.contains(application.id())) {
                groups.put(application.id(), group(application, source));
            }
        }
        return groups;
    }

    /** @param source null if the topic is missing */
    private GroupFacts group(ClusterFacts.StreamsApplication application, TopicFacts source) {
        ConsumerGroupDescription group = KafkaClients
                .get(admin.describeConsumerGroups(List.of(application.id())).describedGroups().get(application.id()));
        return new GroupFacts(application.id(), group.groupState().toString(),
                group.members().stream().map(GroupInspector::member).toList(),
                source == null ? List.of() : lags(application.id(), source));
    }

    private static MemberFacts member(MemberDescription member) {
        return new MemberFacts(member.consumerId(), member.host(), member.assignment().topicPartitions().stream()
                .map(partition -> partition.topic() + "-" + partition.partition()).sorted().toList());
    }

    private List<LagFacts> lags(String group, TopicFacts source) {
        Map<TopicPartition, OffsetAndMetadata> committed = KafkaClients
                .get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
        // The end of a partition without a leader cannot be queried.
        Map<TopicPartition, OffsetSpec> latest = source.partitions().stream()
                .filter(partition -> partition.leader() >= 0)
                .map(partition -> new TopicPartition(source.name(), partition.number()))
                .collect(Collectors.toMap(Function.identity(), _ -> OffsetSpec.latest()));
        Map<TopicPartition, ListOffsetsResultInfo> ends = KafkaClients
                .get(admin.listOffsets(latest, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED)).all());
        return ends.entrySet().stream().map(end -> {
            OffsetAndMetadata done = committed.get(end.getKey());
            return new LagFacts(source.name(), end.getKey().partition(), done == null ? -1 : done.offset(),
                    end.getValue().offset());
        }).sorted((a, b) -> Integer.compare(a.partition(), b.partition())).toList();
    }
}
