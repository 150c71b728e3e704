package dev.laurel.bench;

import dev.laurel.bench.load.LoadGenerator;
import dev.laurel.deploy.cli.ServerCalls;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Measures reads that show something of all users, by one node and by several. Processor time is compared, not time, so that a machine
 * of fewer cores than nodes suffices. Used by one thread.
 */
final class AccountReads {

    private static final Duration READ_DURATION = Duration.ofSeconds(10);
    private static final int READ_CONNECTIONS = 8;
    private static final Duration RESTORE_TIMEOUT = Duration.ofMinutes(5);
    private static final long RETRY_NS = 50_000_000;
    private static final int USERS_AWAITED = 500;

    private final AccountCluster cluster;
    private final AccountBench.Plan plan;
    private final Progress progress;

    AccountReads(AccountCluster cluster, AccountBench.Plan plan, Progress progress) {
        this.cluster = cluster;
        this.plan = plan;
        this.progress = progress;
    }

    /** Measures nodes without state, and stops them. */
    Map<Read, Double> perSecond(int count) throws InterruptedException {
        List<ChildProcess> nodes = cluster.freshNodes(count, plan.partitions());
        nodes.forEach(this::awaitUsers);
        var rates = new EnumMap<Read, Double>(Read.class);
        for (Read read : Read.values()) {
            List<LoadGenerator> generators = nodes.stream().map(node -> generator(read, node)).toList();
            load(generators, plan.warmUp().multipliedBy(count)); // As long for each node.
            double before = cpuSeconds(nodes);
            long reads = load(generators, READ_DURATION);
            rates.put(read, count * reads / (cpuSeconds(nodes) - before));
            progress.line("nodes: %d, %s: %,.0f reads/s with a core for each", count, read.title(), rates.get(read));
        }
        nodes.forEach(node -> node.stop());
        return rates;
    }

    /** A kind of read. */
    enum Read {
        OWN_ACHIEVEMENTS("a user's achievements with rarity, at the owner"), OWN_STREAK(
                "a user's streak with rank, at the owner"), STREAK(
                        "a user's streak with rank, at any node");

        private final String title;

        Read(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    private LoadGenerator generator(Read read, ChildProcess node) {
        List<String> users = read == Read.STREAK ? List.of() : usersOf(node);
        var next = new AtomicLong();
        var address = new InetSocketAddress(node.url().getHost(), node.url().getPort());
        return new LoadGenerator(address, () -> {
            long number = next.getAndIncrement();
            return switch (read) {
                case OWN_ACHIEVEMENTS ->
                    request("/v1/users/" + users.get((int) (number % users.size())) + "/achievements");
                case OWN_STREAK -> request("/v1/users/" + users.get((int) (number % users.size())) + "/streak");
                case STREAK -> request("/v1/users/" + anyUser(number) + "/streak");
            };
        });
    }

    private String anyUser(long number) {
        return UniformUsers.name(BenchTraffic.below(plan.users(), number, 1));
    }

    /** Returns users whose partitions the node owns, which its metrics name. */
    private List<String> usersOf(ChildProcess node) {
        try (ServerCalls calls = AccountCluster.calls(node)) {
            Set<Integer> partitions = AccountBench.metrics(calls, "laurel_ledger_timers_overdue_seconds{")
                    .map(line -> Integer.parseInt(line.replaceFirst(".*partition=\"(\\d+)\".*", "$1")))
                    .collect(Collectors.toSet());
            var layout = new LogLayout(plan.partitions());
            return IntStream.range(0, plan.users()).mapToObj(UniformUsers::name).filter(
                    user -> partitions.contains(layout
                            .partitionOf(new UserKey(new TenantId(AccountBench.TENANT), new UserId(user)).bytes())))
                    .toList();
        }
    }

    private static double cpuSeconds(List<ChildProcess> nodes) {
        return nodes.stream().mapToDouble(node -> node.cpuSeconds()).sum();
    }

    /** Loads one after the other. @return the number of reads */
    private static long load(List<LoadGenerator> generators, Duration duration) {
        long reads = 0;
        for (LoadGenerator generator : generators) {
            LoadGenerator.Result result = generator.closedLoop(READ_CONNECTIONS, duration.dividedBy(generators.size()));
            if (result.errorCount() > 0) {
                throw new IllegalStateException(result.errorCount() + " reads failed");
            }
            reads += result.count();
        }
        return reads;
    }

    private static byte[] request(String path) {
        return ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nTenant-ID: " + AccountBench.TENANT + "\r\nX-API-KEY: "
                + ChildProcess.ADMIN_KEY + "\r\n\r\n").getBytes(US_ASCII);
    }

    /** Waits until users of all partitions can be read, which a new node restores. */
    private void awaitUsers(ChildProcess node) {
        try (ServerCalls calls = AccountCluster.calls(node)) {
            long deadlineNs = System.nanoTime() + RESTORE_TIMEOUT.toNanos();
            for (int i = 0; i < USERS_AWAITED; i++) {
                HttpRequest request = calls
                        .request("/v1/users/" + UniformUsers.name(i) + "/streak", AccountBench.TENANT).GET().build();
                while (calls.sendOrFail(request).statusCode() != 200) {
                    if (System.nanoTime() - deadlineNs > 0) {
                        throw new IllegalStateException(
                                "the nodes did not restore the users within " + RESTORE_TIMEOUT);
                    }
                    LockSupport.parkNanos(RETRY_NS);
                }
            }
        }
    }
}
