package dev.laurel.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.laurel.bench.load.Latency;
import dev.laurel.bench.load.LoadGenerator;
import dev.laurel.bench.load.Median;
import dev.laurel.deploy.cli.TemporaryFolder;
import dev.laurel.deploy.cli.TextTable;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.schemas.topic.Topics;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

import dev.laurel.bench.BenchResult.Machine;
import static dev.laurel.bench.BenchResult.format;
import static java.util.Objects.requireNonNull;

/**
 * Measures a standalone in a process of its own, over HTTP and through Kafka: rates, latencies, and the processor time of that process per
 * request or event, broker included. With another checkout of Laurel, both run at the same time and are loaded in turns, so that a machine whose speed varies
 * treats both alike; the figures of one slice are comparable, those of different runs are not.
 */
final class HttpBench {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(5);
    private static final int WARM_UP_CONNECTIONS = 64;
    private static final Duration WARM_UP_SLICE = Duration.ofSeconds(5);
    private static final int OPEN_LOOP_CONNECTIONS = 20;
    private static final Duration LOGGED_TIMEOUT = Duration.ofMinutes(2);
    private static final int WARM_UP_PARTS = 5;
    private static final Load THROUGH_KAFKA = new Load(Kind.LOGGED_EVENT, 0, 0);
    private static final List<Kind> REQUESTS = List.of(Kind.EVENT, Kind.RANKED_EVENT, Kind.READ);

    private final Plan plan;
    private final Path folder;
    private final Progress progress;

    private HttpBench(Plan plan, Path folder, Progress progress) {
        this.plan = plan;
        this.folder = folder;
        this.progress = progress;
    }

    /** What a request does. */
    enum Kind {
        LOGGED_EVENT("event through Kafka"), EVENT("event"), RANKED_EVENT("event, two ranks in the answer"), READ(
                "read of a user");

        private final String title;

        Kind(String title) {
            this.title = title;
        }
    }

    /**
     * A load. Events through Kafka are written as fast as Kafka takes them; the other loads are requests.
     *
     * @param connections of a closed loop; for a rate, as many as it needs; 0 through Kafka
     * @param ratePerSecond 0: a closed loop
     */
    record Load(Kind kind, int connections, int ratePerSecond) {

        boolean isOverHttp() {
            return kind != Kind.LOGGED_EVENT;
        }

        String title() {
            if (!isOverHttp()) {
                return kind.title;
            }
            return ratePerSecond > 0
                    ? format("%s, %,d/s", kind.title, ratePerSecond)
                    : format("%s, %d connection%s", kind.title, connections, connections == 1 ? "" : "s");
        }
    }

    /** A running standalone. For one thread, except for the requests. */
    private static final class Server implements AutoCloseable {

        private final String name;
        private final ChildProcess process;
        private final LaurelRequests requests = new LaurelRequests(ChildProcess.ADMIN_KEY);
        private final CommittedEvents committed;
        private final int users;
        private final AtomicLong events = new AtomicLong();

        /** How many events were written to Kafka. */
        private long logged;
        private final Map<Kind, LoadGenerator> generators = new LinkedHashMap<>();
        private final Map<Load, List<Slice>> slices = new LinkedHashMap<>();

        Server(String name, ChildProcess process, int users) {
            this.name = name;
            this.process = process;
            this.users = users;
            this.committed = new CommittedEvents(process.bootstrapServers(), LedgerConfig.APPLICATION_ID,
                    Topics.COMMANDS.name());
            URI url = process.url();
            var address = new InetSocketAddress(url.getHost(), url.getPort());
            for (Kind kind : REQUESTS) {
                generators.put(kind, new LoadGenerator(address, requestsOf(kind)));
            }
        }

        private Supplier<byte[]> requestsOf(Kind kind) {
            var next = new AtomicLong();
            return () -> {
                long number = next.getAndIncrement();
                return switch (kind) {
                    case EVENT -> {
                        events.incrementAndGet();
                        yield requests.event(number, userOf(number, kind));
                    }
                    case RANKED_EVENT -> requests.plainEvent(any(users, number, kind), true);
                    case READ -> requests.read(any(Math.clamp(events.get(), 1, users), number, kind));
                    case LOGGED_EVENT -> throw new IllegalArgumentException("no request");
                };
            };
        }

        /** The first events create the users. */
        private String userOf(long number, Kind kind) {
            return number < users ? UniformUsers.name(number) : any(users, number, kind);
        }

        private static String any(int users, long number, Kind kind) {
            return UniformUsers.name(BenchTraffic.below(users, number, kind.ordinal()));
        }

        LoadGenerator.Result run(Load load, Duration duration) {
            LoadGenerator generator = requireNonNull(generators.get(load.kind()), "there is one for each kind");
            return load.ratePerSecond() > 0
                    ? generator.openLoop(load.ratePerSecond(), duration, load.connections())
                    : generator.closedLoop(load.connections(), duration);
        }

        Slice measure(Load load, Duration duration) {
            double before = process.cpuSeconds();
            LoadGenerator.Result result = run(load, duration);
            return add(load, new Slice(result.eventsPerSecond(), result.latencyMs(),
                    1_000 * (process.cpuSeconds() - before) / Math.max(1, result.count()), result.errorCount()));
        }

        Slice measureLogged(Load load, int count) {
            double before = process.cpuSeconds();
            double perSecond = runLogged(count);
            return add(load, new Slice(perSecond, null, 1_000 * (process.cpuSeconds() - before) / count, 0));
        }

        /** Writes events to Kafka and waits until all are committed. Returns the rate, which contains both. */
        double runLogged(int count) {
            long committedBefore = committed.count();
            long startedNs = System.nanoTime();
            KafkaThroughput.write(process.bootstrapServers(), count, _ -> {
                long number = logged++;
                return LaurelSubject.command(number, userOf(number, Kind.LOGGED_EVENT), System.currentTimeMillis());
            });
            committed.await(committedBefore + count, LOGGED_TIMEOUT, process::expectAlive);
            return count / ((System.nanoTime() - startedNs) / 1e9);
        }

        private Slice add(Load load, Slice slice) {
            slices.computeIfAbsent(load, _ -> new ArrayList<>()).add(slice);
            return slice;
        }

        @Override
        public void close() {
            committed.close();
            process.close();
        }
    }

    /** One measurement. @param latencyMs null: not measured @param cpuMs processor time of the server per request, in milliseconds */
    private record Slice(double perSecond, @Nullable Latency latencyMs, double cpuMs, long errors) {}

    /** Blocks until the run is complete. @param other checkout to compare with; null: none */
    static Report run(Plan plan, @Nullable Path other, Progress progress) {
        try (TemporaryFolder scratch = TemporaryFolder.create("laurel-bench")) {
            return new HttpBench(plan, scratch.path(), progress).run(other);
        }
    }

    private Report run(@Nullable Path other) {
        var servers = new ArrayList<Server>();
        try {
            if (other != null) {
                servers.add(start("other", other));
            }
            servers.add(start("laurel", null));
            return measure(servers);
        } finally {
            servers.forEach(Server::close);
        }
    }

    private Server start(String name, @Nullable Path checkout) {
        Path log = folder.resolve(name + ".log");
        List<String> arguments = List.of("standalone", "--port", "0", "--broker-port", "0", "--admin-key",
                ChildProcess.ADMIN_KEY, "--data-dir", folder.resolve(name).toString());
        ChildProcess process = checkout == null
                ? ChildProcess.start(List.of(), log, arguments)
                : ChildProcess.start(checkout, log, arguments);
        try {
            process.awaitReady(START_TIMEOUT);
            LaurelSubject.applyTo(process.url(), ChildProcess.ADMIN_KEY, BenchRuleset.withLeaderboards(2));
            return new Server(name, process, plan.users());
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
    }

    private Report measure(List<Server> servers) {
        var otherWork = new CompetingLoad();
        // Before, the figures are those of the compiler.
        for (long left = plan.warmUp().toNanos(); left > 0; left -= WARM_UP_SLICE.toNanos()) {
            for (Server server : servers) {
                server.runLogged(plan.loggedEvents() / WARM_UP_PARTS);
                for (Kind kind : REQUESTS) {
                    server.run(new Load(kind, WARM_UP_CONNECTIONS, 0), WARM_UP_SLICE.dividedBy(REQUESTS.size()));
                }
            }
        }
        progress.line("warm");
        for (Load load : plan.loads()) {
            for (int slice = 0; slice < plan.slices(); slice++) {
                // Every other slice has the opposite order, so that a drift of the machine favours no one.
                for (Server server : slice % 2 == 0 ? servers : servers.reversed()) {
                    Slice measured = load.isOverHttp()
                            ? server.measure(load, plan.duration())
                            : server.measureLogged(load, plan.loggedEvents());
                    Latency latency = measured.latencyMs();
                    progress.line("%s %d/%d: %s: %,.0f/s, %s%.3f ms of processor time", server.name, slice + 1,
                            plan.slices(), load.title(), measured.perSecond(),
                            latency == null ? "" : format("p50 %.2f ms, ", latency.p50()), measured.cpuMs());
                    server.process.expectAlive();
                }
            }
        }
        return new Report(Machine.after(otherWork), plan.users(), servers.stream().map(HttpBench::report).toList());
    }

    private static ServerReport report(Server server) {
        var figures = new ArrayList<Figures>();
        server.slices.forEach((load, slices) -> {
            List<Latency> latencies = slices.stream().map(Slice::latencyMs).filter(Objects::nonNull).toList();
            figures.add(new Figures(load.title(), load.ratePerSecond() == 0, Median.of(slices, Slice::perSecond),
                    latencies.isEmpty() ? null : Latency.median(latencies), Median.of(slices, Slice::cpuMs),
                    slices.stream().mapToLong(Slice::errors).sum()));
        });
        return new ServerReport(server.name, figures);
    }

    /**
     * A plan.
     *
     * @param warmUp for each server
     * @param slices measurements of each load, in turns; figures are medians
     * @param loggedEvents events through Kafka of one slice
     */
    record Plan(int users, Duration warmUp, int slices, Duration duration, int loggedEvents, List<Load> loads) {

        Plan {
            loads = List.copyOf(loads);
        }

        static Plan of(boolean isQuick) {
            var loads = new ArrayList<>(List.of(THROUGH_KAFKA));
            for (Kind kind : List.of(Kind.EVENT, Kind.RANKED_EVENT)) {
                for (int connections : isQuick ? List.of(32) : List.of(1, 32, 256)) {
                    loads.add(new Load(kind, connections, 0));
                }
                loads.add(new Load(kind, OPEN_LOOP_CONNECTIONS, 200));
            }
            for (int connections : isQuick ? List.of(32) : List.of(1, 32)) {
                loads.add(new Load(Kind.READ, connections, 0));
            }
            return isQuick
                    ? new Plan(1_000, Duration.ofSeconds(5), 1, Duration.ofSeconds(1), 20_000, loads)
                    : new Plan(20_000, Duration.ofSeconds(60), 3, Duration.ofSeconds(6), 200_000, loads);
        }
    }

    /** Medians of one load. @param isFlatOut whether the rate is a result, not given @param latencyMs null: not measured */
    record Figures(String load, boolean isFlatOut, double perSecond, @Nullable Latency latencyMs,
            double cpuMsPerRequest,
            long errors) {}

    record ServerReport(String name, List<Figures> loads) {}

    /** @param servers the other checkout, if there is one, and this Laurel */
    record Report(@JsonIgnore Machine machine, int users, List<ServerReport> servers) implements BenchResult {

        @Override
        public String toTable() {
            var table = TextTable.ofNumbers();
            var head = new ArrayList<>(List.of(""));
            servers.forEach(server -> head.add(server.name()));
            if (servers.size() > 1) {
                head.add("ratio");
            }
            table.row(head);
            for (int i = 0; i < servers.getFirst().loads().size(); i++) {
                int index = i;
                List<Figures> figures = servers.stream().map(server -> server.loads().get(index)).toList();
                String load = figures.getFirst().load();
                if (figures.getFirst().isFlatOut()) {
                    row(table, load + ": per second", "%,.0f", figures.stream().map(Figures::perSecond).toList());
                } else {
                    table.row(load);
                }
                List<Latency> latencies = figures.stream().map(Figures::latencyMs).filter(Objects::nonNull).toList();
                if (!latencies.isEmpty()) {
                    row(table, "  p50 ms", "%.2f", latencies.stream().map(Latency::p50).toList());
                    row(table, "  p99 ms", "%.2f", latencies.stream().map(Latency::p99).toList());
                }
                row(table, "  processor ms each", "%.3f",
                        figures.stream().map(Figures::cpuMsPerRequest).toList());
                long errors = figures.stream().mapToLong(Figures::errors).sum();
                if (errors > 0) {
                    table.row("  ERRORS", Long.toString(errors));
                }
            }
            return format("%s%n%,d users; processor time of the process under load, broker included%n%n%s",
                    machine.description(), users, table.text());
        }

        private static void row(TextTable table, String label, String format, List<Double> figures) {
            var row = new ArrayList<>(List.of(label));
            figures.forEach(figure -> row.add(format(format, figure)));
            if (figures.size() > 1) {
                row.add(figures.getFirst() == 0 ? "" : format("%.2f", figures.getLast() / figures.getFirst()));
            }
            table.row(row);
        }

        @Override
        public Map<String, ?> figures() {
            return Map.of("http", this);
        }
    }
}
