package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.GenerationFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.GroupFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.LagFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.MemberFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.StreamsApplication;
import dev.laurel.deploy.tools.doctor.ClusterFacts.TopicFacts;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.query.locate.OwnerTracker.OwnerMap;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.wire.SystemBody;
import dev.laurel.schemas.wire.SystemBody.ApplicationBody;
import dev.laurel.schemas.wire.SystemBody.CounterLagBody;
import dev.laurel.schemas.wire.SystemBody.GenerationBody;
import dev.laurel.schemas.wire.SystemBody.PartitionBody;
import dev.laurel.schemas.wire.SystemBody.ProcessBody;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.streams.StreamsMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Collects what runs where: from the groups of the applications in Kafka, which any process can ask, and from what this process knows by
 * itself, which is more for the applications that it takes part in. Changes nothing.
 */
record SystemInspector(KafkaAccess kafka, Supplier<GenerationFacts> generations, RunningProcess process) {

    /** Asks the brokers, and blocks as long as {@link KafkaClients} waits for them. */
    SystemBody gather(ProcessBody self, List<CounterLagBody> counters) {
        GenerationFacts present = generations.get();
        List<StreamsApplication> applications = StreamsApplication.of(present);
        try (Admin admin = KafkaClients.admin(kafka)) {
            Map<String, TopicFacts> topics = sources(admin, applications);
            var inspector = new GroupInspector(admin);
            return of(
                    Instant.now(),
                    present,
                    applications,
                    inspector.gather(applications, topics),
                    inspector.gateways(),
                    self,
                    counters,
                    process::members);
        }
    }

    private static Map<String, TopicFacts> sources(Admin admin, List<StreamsApplication> applications) {
        Set<String> wanted =
                applications.stream().map(StreamsApplication::source).collect(Collectors.toCollection(TreeSet::new));
        wanted.retainAll(KafkaClients.topics(admin));
        return ClusterInspector.topics(admin, wanted, _ -> Map.of());
    }

    /**
     * A pure function of what was collected.
     *
     * @param members finds the members of an application, as Kafka Streams in this process knows them; null: it takes no part in it
     */
    static SystemBody of(
            Instant at,
            GenerationFacts generations,
            List<StreamsApplication> applications,
            Map<String, GroupFacts> groups,
            List<MemberFacts> gateways,
            ProcessBody self,
            List<CounterLagBody> counters,
            Function<String, @Nullable Collection<StreamsMetadata>> members) {
        var others = new TreeMap<String, ProcessBody>();
        var bodies = new ArrayList<ApplicationBody>();
        for (StreamsApplication application : applications) {
            GroupFacts group = groups.get(application.id());
            if (group != null) {
                Collection<StreamsMetadata> known = members.apply(application.name());
                OwnerMap owners = known == null
                        ? null
                        : OwnerMap.of(known, application.source(), group.lags().size());
                bodies.add(application(application, group, owners));
                for (MemberFacts member : group.members()) {
                    others.merge(member.process(), of(member, application, owners), SystemInspector::joined);
                }
            }
        }
        for (MemberFacts gateway : gateways) {
            others.merge(
                    gateway.process(),
                    other(gateway.process(), List.of("gateway"), hostOf(gateway), null),
                    SystemInspector::joined);
        }
        var processes = new ArrayList<ProcessBody>();
        ProcessBody asMember = self.id() == null ? null : others.remove(self.id());
        processes.add(asMember == null ? self : Records.with(self, "host", asMember.host()));
        processes.addAll(others.values());
        return new SystemBody(
                at,
                new GenerationBody(
                        generations.inForce().number(),
                        generations.inForce().log(),
                        generations.unfinished().stream()
                                .map(GenerationRecord::number)
                                .toList()),
                processes,
                bodies,
                counters);
    }

    private static ApplicationBody application(
            StreamsApplication application, GroupFacts group, @Nullable OwnerMap map) {
        var owners = new HashMap<String, MemberFacts>();
        group.members().forEach(member -> member.partitions().forEach(partition -> owners.put(partition, member)));
        var partitions = new ArrayList<PartitionBody>();
        for (LagFacts lag : group.lags()) {
            MemberFacts owner = owners.get(lag.partitionName());
            partitions.add(new PartitionBody(
                    lag.partition(),
                    owner == null ? null : owner.process(),
                    owner == null ? null : hostOf(owner),
                    map == null ? null : map.of(lag.partition()).standbys(),
                    lag.committed() < 0 ? null : lag.committed(),
                    lag.end(),
                    lag.records()));
        }
        return new ApplicationBody(
                application.name(),
                group.name(),
                group.state(),
                application.source(),
                group.lags().stream().mapToLong(LagFacts::records).sum(),
                partitions);
    }

    private static ProcessBody of(MemberFacts member, StreamsApplication application, @Nullable OwnerMap owners) {
        String address = owners == null
                ? null
                : member.partitions().stream()
                        .filter(partition -> partition.startsWith(application.source() + "-"))
                        .map(partition -> owners.of(
                                        Integer.parseInt(partition.substring(partition.lastIndexOf('-') + 1)))
                                .active())
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
        return other(member.process(), List.of(application.role()), hostOf(member), address);
    }

    private static ProcessBody joined(ProcessBody one, ProcessBody other) {
        var roles = new TreeSet<>(one.roles());
        roles.addAll(other.roles());
        return other(one.id(), List.copyOf(roles), one.host(), one.address() == null ? other.address() : one.address());
    }

    /** What is known of another process. */
    private static ProcessBody other(
            @Nullable String id, List<String> roles, @Nullable String host, @Nullable String address) {
        return new ProcessBody(id, roles, host, address, null, null, null, null, false);
    }

    /** Kafka writes a slash before the address. */
    private static String hostOf(MemberFacts member) {
        return member.host().replaceFirst("^/", "");
    }
}
