package dev.laurel.deploy.tools.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.deploy.tools.doctor.ClusterFacts.GenerationFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.GroupFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.LagFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.MemberFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.StreamsApplication;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.processors.intake.DirectIntake;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.wire.SystemBody;
import dev.laurel.schemas.wire.SystemBody.ApplicationBody;
import dev.laurel.schemas.wire.SystemBody.CounterLagBody;
import dev.laurel.schemas.wire.SystemBody.PartitionBody;
import dev.laurel.schemas.wire.SystemBody.ProcessBody;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SystemInspectorTest {

    private static final Instant AT = Instant.parse("2026-03-04T09:15:00Z");
    private static final List<StreamsApplication> APPLICATIONS = StreamsApplication.of(GenerationFacts.FIRST);
    private static final StreamsApplication LEDGER = APPLICATIONS.getFirst();
    private static final String LOG = LEDGER.source();
    private static final List<MemberFacts> GATEWAYS = List.of(
            new MemberFacts("node-1", "/10.0.0.1", List.of("laurel.replies-1")),
            new MemberFacts("gateway-3", "/10.0.0.3", List.of("laurel.replies-0")));

    private static ProcessBody self(String id) {
        return new ProcessBody(id, List.of("node", "gateway"), null, "10.0.0.1:8080", "1", AT, true, 3L, true);
    }

    private static StreamsMetadata metadata(String host, TopicPartition active, TopicPartition copy) {
        return new StreamsMetadata() {

            @Override
            public HostInfo hostInfo() {
                return new HostInfo(host, 8080);
            }

            @Override
            public Set<String> stateStoreNames() {
                return Set.of();
            }

            @Override
            public Set<TopicPartition> topicPartitions() {
                return Set.of(active);
            }

            @Override
            public Set<TopicPartition> standbyTopicPartitions() {
                return Set.of(copy);
            }

            @Override
            public Set<String> standbyStateStoreNames() {
                return Set.of();
            }

            @Override
            public String host() {
                return host;
            }

            @Override
            public int port() {
                return 8080;
            }
        };
    }

    private static Map<String, GroupFacts> ledger() {
        return Map.of(
                LEDGER.id(),
                new GroupFacts(
                        LEDGER.id(),
                        "Stable",
                        List.of(
                                new MemberFacts("node-1", "/10.0.0.1", List.of(LOG + "-0")),
                                new MemberFacts("node-2", "/10.0.0.2", List.of(LOG + "-1"))),
                        List.of(
                                new LagFacts(LOG, 0, 90, 100),
                                new LagFacts(LOG, 1, -1, 5),
                                new LagFacts(LOG, 2, 7, 7))));
    }

    @Test
    void shouldShowOwnersCopiesAndLags() {
        var members = List.of(
                metadata("10.0.0.1", new TopicPartition(LOG, 0), new TopicPartition(LOG, 1)),
                metadata("10.0.0.2", new TopicPartition(LOG, 1), new TopicPartition(LOG, 0)));

        SystemBody system = SystemInspector.of(
                AT,
                GenerationFacts.FIRST,
                APPLICATIONS,
                ledger(),
                GATEWAYS,
                self("node-1"),
                List.of(new CounterLagBody("ledger", 4)),
                name -> name.equals("ledger") ? members : null);

        assertEquals(
                List.of(new ApplicationBody(
                        "ledger",
                        LEDGER.id(),
                        "Stable",
                        LOG,
                        15,
                        List.of(
                                new PartitionBody(0, "node-1", "10.0.0.1", List.of("10.0.0.2:8080"), 90L, 100, 10),
                                new PartitionBody(1, "node-2", "10.0.0.2", List.of("10.0.0.1:8080"), null, 5, 5),
                                new PartitionBody(2, null, null, List.of(), 7L, 7, 0)))),
                system.applications());
        assertEquals(new SystemBody.GenerationBody(1, "laurel.commands", List.of()), system.generation());
        assertEquals(List.of(new CounterLagBody("ledger", 4)), system.counters());
        assertEquals("10.0.0.2:8080", system.processes().getLast().address());
    }

    @Test
    void shouldShowItselfFirstAndOthersByTheirGroups() {
        SystemBody system = SystemInspector.of(
                AT, GenerationFacts.FIRST, APPLICATIONS, ledger(), GATEWAYS, self("node-2"), List.of(), _ -> null);

        ProcessBody itself = system.processes().getFirst();
        assertEquals(List.of("node", "gateway"), itself.roles());
        assertEquals("10.0.0.2", itself.host());
        assertEquals(
                List.of(
                        new ProcessBody(
                                "gateway-3", List.of("gateway"), "10.0.0.3", null, null, null, null, null, false),
                        new ProcessBody(
                                "node-1", List.of("gateway", "node"), "10.0.0.1", null, null, null, null, null, false)),
                system.processes().subList(1, system.processes().size()));
        assertNull(system.applications().getFirst().partitions().getFirst().copies(), "another process knows");

        SystemBody atGateway = SystemInspector.of(
                AT, GenerationFacts.FIRST, APPLICATIONS, ledger(), GATEWAYS, self("gateway-3"), List.of(), _ -> null);
        assertEquals(
                List.of("gateway-3", "node-1", "node-2"),
                atGateway.processes().stream().map(ProcessBody::id).toList());
    }

    @Test
    void shouldShowTheIntakeOfDirectProducers() {
        var group = new GroupFacts(
                DirectIntake.GROUP,
                "Stable",
                List.of(new MemberFacts(
                        "node-1", "/10.0.0.1", List.of(Topics.DIRECT.name() + "-0", Topics.DIRECT.name() + ".acme-0"))),
                List.of(new LagFacts(Topics.DIRECT.name(), 0, 90, 100), new LagFacts(Topics.DIRECT.name(), 1, 3, 3)));

        SystemBody system = SystemInspector.of(
                AT,
                GenerationFacts.FIRST,
                APPLICATIONS,
                Map.of(DirectIntake.GROUP, group),
                List.of(),
                self("gateway-3"),
                List.of(),
                _ -> null);

        assertEquals(
                List.of(new ApplicationBody(
                        "intake",
                        DirectIntake.GROUP,
                        "Stable",
                        Topics.DIRECT.name(),
                        10,
                        List.of(
                                new PartitionBody(0, "node-1", "10.0.0.1", null, 90L, 100, 10),
                                new PartitionBody(1, null, null, null, 3L, 3, 0)))),
                system.applications());
    }

    @Test
    void shouldExamineOnceForAllWhoAsk() {
        var runs = new AtomicInteger();
        var now = new AtomicLong();
        var shared = new SystemReports.SharedCall<>(
                "The examination", runs::incrementAndGet, Duration.ofSeconds(10), Duration.ofSeconds(10), now::get);

        assertEquals(1, shared.get());
        now.set(Duration.ofSeconds(9).toNanos());
        assertEquals(1, shared.get());
        now.set(Duration.ofSeconds(10).toNanos());
        assertEquals(2, shared.get());
    }

    @Test
    void shouldNotWaitForeverAndGiveTheResultToTheNext() throws InterruptedException {
        var runs = new AtomicInteger();
        var end = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        var shared = new SystemReports.SharedCall<>(
                "The examination",
                () -> {
                    runs.incrementAndGet();
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    ended.countDown();
                    return "done";
                },
                Duration.ofSeconds(10),
                Duration.ofMillis(20),
                () -> 0);

        assertEquals(503, assertThrows(HttpRefusal.class, shared::get).status());
        assertThrows(HttpRefusal.class, shared::get);
        end.countDown();
        ended.await();
        String result = null;
        while (result == null) {
            try {
                result = shared.get();
            } catch (HttpRefusal _) {
                Thread.onSpinWait(); // between the end of the run and its result
            }
        }
        assertEquals("done", result);
        assertEquals(1, runs.get());
    }

    @Test
    void shouldRunAgainAfterAFailure() {
        var runs = new AtomicInteger();
        var shared = new SystemReports.SharedCall<>(
                "Asking the brokers",
                () -> {
                    if (runs.incrementAndGet() == 1) {
                        throw HttpRefusal.busy("Kafka is away.");
                    }
                    return "done";
                },
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                () -> 0);

        assertEquals(
                "Kafka is away.", assertThrows(HttpRefusal.class, shared::get).getMessage());
        assertEquals("done", shared.get());
    }
}
