package dev.laurel.bench;

import dev.laurel.deploy.cli.KafkaClients;
import dev.laurel.deploy.cli.TemporaryFolder;
import com.sun.management.OperatingSystemMXBean;
import dev.laurel.bench.ScaleBench.Figures;
import dev.laurel.platform.kafka.TopicCreation;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.schemas.topic.Topics;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.MemberDescription;

/** A broker and nodes as processes on separate cores, with the rules of {@link BenchRuleset}. Used by one thread. */
final class PinnedCluster implements AutoCloseable {
    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
    private static final Duration WORK_TIMEOUT = Duration.ofMinutes(20);
    private static final long CHECK_MS = 50;

    /** The measurement ends before the first node runs out of work. */
    private static final double MEASURED_SHARE = 0.9;

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final TemporaryFolder scratch = TemporaryFolder.create("laurel-bench");
    private final UniformUsers users;
    private final List<ChildProcess> processes = new ArrayList<>();
    private final List<ChildProcess> nodes = new ArrayList<>();
    private final ChildProcess broker;
    private long nextEvent;

    private PinnedCluster(int users, List<Integer> coresOfBroker) {
        this.users = new UniformUsers(users);
        broker = launch(coresOfBroker, "broker", "broker", "--port", "0", "--data-dir", path("broker").toString());
    }

    /**
     * Returns when each node has its share of the partitions.
     *
     * @param coresOfBroker empty for any core
     */
    static PinnedCluster start(int nodes, ScaleBench.Plan plan, List<Integer> coresOfBroker)
            throws InterruptedException {
        var cluster = new PinnedCluster(plan.users(), coresOfBroker);
        try {
            cluster.broker.awaitReady(START_TIMEOUT);
            cluster.createTopics(plan.partitions());
            for (int core = 0; core < nodes; core++) {
                cluster.launchNode(core);
            }
            cluster.nodes.forEach(node -> node.awaitReady(START_TIMEOUT));
            cluster.awaitShared(plan.partitions() / nodes);
            cluster.applyRules();
            return cluster;
        } catch (InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private Path path(String name) {
        return scratch.path().resolve(name);
    }

    private ChildProcess launch(List<Integer> cores, String name, String... arguments) {
        ChildProcess process = ChildProcess.start(cores, path(name + ".log"), List.of(arguments));
        processes.add(process);
        return process;
    }

    private void createTopics(int partitions) throws InterruptedException {
        try (Admin admin = admin()) {
            TopicCreation.createMissing(admin, new TopicCreation.Sizes(partitions, partitions, 1, (short) 1, 1));
        }
    }

    private Admin admin() {
        return Admin.create(
                Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) broker.bootstrapServers()));
    }

    private void launchNode(int core) {
        String name = "node-" + core;
        nodes.add(launch(List.of(core), name, "node", "--host", "127.0.0.1", "--port", "0", "--kafka",
                broker.bootstrapServers(), "--admin-key", ChildProcess.ADMIN_KEY, "--standbys", "0", "--data-dir",
                path(name).toString()));
    }

    private void awaitShared(int each) throws InterruptedException {
        awaitShared(broker.bootstrapServers(), nodes.size(), each, START_TIMEOUT,
                () -> nodes.forEach(ChildProcess::expectAlive));
    }

    /**
     * Waits until so many threads share the partitions of the log. Nodes without state share them at once; nodes with state would have
     * to restore it first.
     *
     * @param each the least number of partitions of a thread
     * @param check throws if a node has failed
     */
    static void awaitShared(String bootstrapServers, int threads, int each, Duration timeout, Runnable check)
            throws InterruptedException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        try (Admin admin = Admin
                .create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) bootstrapServers))) {
            while (!isShared(admin, threads, each)) {
                check.run();
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new IllegalStateException("the nodes did not share the partitions within " + timeout);
                }
                TimeUnit.MILLISECONDS.sleep(CHECK_MS);
            }
        }
    }

    private static boolean isShared(Admin admin, int threads, int each) {
        List<MemberDescription> members = KafkaClients
                .get(admin.describeConsumerGroups(List.of(LedgerConfig.APPLICATION_ID)).all()).values().stream()
                .flatMap(group -> group.members().stream()).toList();
        return members.size() == threads && members.stream().allMatch(member -> member.assignment()
                .topicPartitions().stream().filter(partition -> partition.topic().equals(Topics.COMMANDS.name()))
                .count() >= each);
    }

    /** Applies the rules through a gateway that runs only for this. */
    private void applyRules() {
        try (ChildProcess gateway = ChildProcess.start(List.of(), path("gateway.log"),
                List.of("gateway", "--host", "127.0.0.1",
                        "--port", "0", "--kafka", broker.bootstrapServers(), "--admin-key", ChildProcess.ADMIN_KEY))) {
            LaurelSubject.applyTo(gateway.awaitReady(START_TIMEOUT).url(), ChildProcess.ADMIN_KEY,
                    BenchRuleset.source());
        }
    }

    /**
     * Writes events while the nodes work, and measures from then on until almost all are committed. Returns when all
     * are committed.
     */
    Figures work(int events) throws InterruptedException {
        try (var committed = new CommittedEvents(broker.bootstrapServers(), LedgerConfig.APPLICATION_ID,
                Topics.COMMANDS.name())) {
            long end = committed.count() + events;
            long first = nextEvent;
            KafkaThroughput.write(broker.bootstrapServers(), events, number -> {
                long event = first + number;
                return LaurelSubject.command(event, users.nameOf(event), System.currentTimeMillis());
            });
            nextEvent += events;
            long before = committed.count();
            long left = Math.max(1, end - before);
            Use from = use();
            var rate = new KafkaThroughput.CommitRate(from.nanos(), (long) (left * MEASURED_SHARE));
            long done = before;
            while (!rate.done()) {
                processes.forEach(ChildProcess::expectAlive);
                if (System.nanoTime() - from.nanos() > WORK_TIMEOUT.toNanos()) {
                    throw new IllegalStateException("the nodes did not process the events within " + WORK_TIMEOUT);
                }
                TimeUnit.MILLISECONDS.sleep(CHECK_MS);
                done = committed.count();
                rate.committed(done - before, System.nanoTime());
            }
            Use to = use();
            committed.await(end, WORK_TIMEOUT, () -> processes.forEach(ChildProcess::expectAlive));
            return Figures.of(nodes.size(), rate.eventsPerSecond(), done - before, (to.nanos() - from.nanos()) / 1e9,
                    to.nodes() - from.nodes(), to.broker() - from.broker(), to.bench() - from.bench());
        }
    }

    /** Processor seconds so far. */
    private record Use(long nanos, double nodes, double broker, double bench) {}

    private Use use() {
        return new Use(System.nanoTime(), nodes.stream().mapToDouble(ChildProcess::cpuSeconds).sum(),
                broker.cpuSeconds(), system.getProcessCpuTime() / 1e9);
    }

    @Override
    public void close() {
        try (scratch) {
            processes.reversed().forEach(ChildProcess::close);
        }
    }
}
