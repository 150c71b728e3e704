package dev.laurel.bench;

import static dev.laurel.bench.BenchResult.format;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.laurel.bench.BenchResult.Machine;
import dev.laurel.bench.BenchResult.Progress;
import dev.laurel.bench.BrokerRequests.Counts;
import dev.laurel.bench.KafkaThroughput.CommittedEvents;
import dev.laurel.bench.LoadGenerator.Latency;
import dev.laurel.deploy.cli.TemporaryFolder;
import dev.laurel.deploy.cli.TextTable;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.schemas.topic.Topics;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Measures a standalone in a process of its own, over HTTP and through Kafka: rates, latencies, and the processor time of that process
 * per request or event, broker included. With another checkout of Laurel, both run at the same time and are loaded in turns, so that a
 * machine whose speed varies treats both alike; the figures of one slice are comparable, those of different runs are not.
 */
final class HttpBench {
    private static final int WARM_UP_CONNECTIONS = 64;
    private static final Duration WARM_UP_SLICE = Duration.ofSeconds(5);
    private static final int WARM_UP_PARTS = 5;
    private static final int OPEN_LOOP_CONNECTIONS = 20;
    private static final Duration LOGGED_TIMEOUT = Duration.ofMinutes(2);
    private static final List<Kind> REQUESTS = List.of(Kind.EVENT, Kind.RANKED_EVENT, Kind.READ);

    private HttpBench() {}

    /** What a request does. */
    enum Kind {
        LOGGED_EVENT("event through Kafka"),
        EVENT("event"),
        RANKED_EVENT("event, two ranks in the answer"),
        READ("read of a user");

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

        String title() {
            if (kind == Kind.LOGGED_EVENT) {
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
        private final Plan plan;
        private final ChildProcess process;
        private final BrokerRequests broker;
        private final Laurel laurel = new Laurel(ChildProcess.ADMIN_KEY);
        private final CommittedEvents committed;
        private final AtomicLong events = new AtomicLong();

        /** How many events were written to Kafka. */
        private long logged;

        private final Map<Kind, LoadGenerator> generators = new LinkedHashMap<>();
        private final Map<Load, List<Slice>> slices = new LinkedHashMap<>();

        Server(String name, Plan plan, ChildProcess process) {
            this.name = name;
            this.plan = plan;
            this.process = process;
            this.broker = new BrokerRequests(process.pid());
            this.committed = new CommittedEvents(
                    process.bootstrapServers(), LedgerConfig.APPLICATION_ID, Topics.COMMANDS.name());
            var address =
                    new InetSocketAddress(process.url().getHost(), process.url().getPort());
            REQUESTS.forEach(kind -> generators.put(kind, new LoadGenerator(address, requestsOf(kind))));
        }

        private Supplier<byte[]> requestsOf(Kind kind) {
            var next = new AtomicLong();
            return () -> {
                long number = next.getAndIncrement();
                return switch (kind) {
                    case EVENT -> {
                        events.incrementAndGet();
                        yield laurel.eventRequest(number, userOf(number, kind));
                    }
                    case RANKED_EVENT -> laurel.rankedEventRequest(any(plan.users(), number, kind));
                    case READ -> laurel.readRequest(any(Math.clamp(events.get(), 1, plan.users()), number, kind));
                    case LOGGED_EVENT -> throw new IllegalArgumentException("no request");
                };
            };
        }

        /** The first events create the users. */
        private String userOf(long number, Kind kind) {
            return number < plan.users() ? BenchTraffic.user(number) : any(plan.users(), number, kind);
        }

        private static String any(int users, long number, Kind kind) {
            return BenchTraffic.user(BenchTraffic.below(users, number, kind.ordinal()));
        }

        void warmUp() {
            runLogged(plan.loggedEvents() / WARM_UP_PARTS);
            for (Kind kind : REQUESTS) {
                run(new Load(kind, WARM_UP_CONNECTIONS, 0), WARM_UP_SLICE.dividedBy(REQUESTS.size()));
            }
        }

        Slice measure(Load load) {
            double beforeS = process.cpuSeconds();
            Slice slice;
            if (load.kind() == Kind.LOGGED_EVENT) {
                double perSecond = runLogged(plan.loggedEvents());
                slice = new Slice(
                        perSecond, null, 1_000 * (process.cpuSeconds() - beforeS) / plan.loggedEvents(), null, 0);
            } else {
                Counts countsBefore = broker.now();
                LoadGenerator.Result result = run(load, plan.duration());
                slice = new Slice(
                        result.eventsPerSecond(),
                        result.latencyMs(),
                        1_000 * (process.cpuSeconds() - beforeS) / Math.max(1, result.count()),
                        broker.now().since(countsBefore, Math.max(1, result.count())),
                        result.errorCount());
            }
            slices.computeIfAbsent(load, _ -> new ArrayList<>()).add(slice);
            process.expectAlive();
            return slice;
        }

        private LoadGenerator.Result run(Load load, Duration duration) {
            LoadGenerator generator = requireNonNull(generators.get(load.kind()), "there is one for each kind");
            return load.ratePerSecond() > 0
                    ? generator.openLoop(load.ratePerSecond(), duration, load.connections())
                    : generator.closedLoop(load.connections(), duration);
        }

        /** Writes events to Kafka and waits until all are committed. Returns the rate, which contains both. */
        private double runLogged(int count) {
            long committedBefore = committed.count();
            long startedNs = System.nanoTime();
            KafkaThroughput.write(process.bootstrapServers(), count, _ -> {
                long number = logged++;
                return Laurel.event(number, userOf(number, Kind.LOGGED_EVENT));
            });
            committed.await(committedBefore + count, LOGGED_TIMEOUT, process::expectAlive);
            return count / ((System.nanoTime() - startedNs) / 1e9);
        }

        ServerReport report() {
            var figures = new ArrayList<Figures>();
            slices.forEach((load, all) -> {
                List<Latency> latencies = all.stream()
                        .map(Slice::latencyMs)
                        .filter(Objects::nonNull)
                        .toList();
                figures.add(new Figures(
                        load.title(),
                        load.ratePerSecond() == 0,
                        Median.of(all, Slice::perSecond),
                        latencies.isEmpty() ? null : Latency.median(latencies),
                        Median.of(all, Slice::cpuMs),
                        all.getLast().counts(),
                        all.stream().mapToLong(Slice::errors).sum()));
            });
            return new ServerReport(name, figures);
        }

        @Override
        public void close() {
            committed.close();
            broker.close();
            process.close();
        }
    }

    /**
     * One measurement.
     *
     * @param latencyMs null: not measured
     * @param cpuMs processor time of the server per request, in milliseconds
     * @param counts what the broker received per request; null: not counted
     */
    private record Slice(
            double perSecond,
            @Nullable Latency latencyMs,
            double cpuMs,
            @Nullable Counts counts,
            long errors) {}

    /** Blocks until the run is complete. @param other checkout to compare with; null: none */
    static Report run(Plan plan, @Nullable Path other, Progress progress) {
        var servers = new ArrayList<Server>();
        try (TemporaryFolder scratch = TemporaryFolder.create("laurel-bench")) {
            try {
                if (other != null) {
                    servers.add(start("other", other, plan, scratch.path()));
                }
                servers.add(start("laurel", null, plan, scratch.path()));
                return measure(plan, servers, progress);
            } finally {
                servers.forEach(Server::close);
            }
        }
    }

    private static Server start(String name, @Nullable Path checkout, Plan plan, Path folder) {
        ChildProcess process = ChildProcess.standalone(checkout, folder, name);
        try {
            Laurel.apply(process.url(), ChildProcess.ADMIN_KEY, Laurel.rules());
            return new Server(name, plan, process);
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
    }

    private static Report measure(Plan plan, List<Server> servers, Progress progress) {
        var otherWork = new CompetingLoad();
        // Before, the figures are those of the compiler.
        for (long left = plan.warmUp().toNanos(); left > 0; left -= WARM_UP_SLICE.toNanos()) {
            servers.forEach(Server::warmUp);
        }
        progress.line("warm");
        for (Load load : plan.loads()) {
            for (int slice = 0; slice < plan.slices(); slice++) {
                // Every other slice has the opposite order, so that a drift of the machine favours no one.
                for (Server server : slice % 2 == 0 ? servers : servers.reversed()) {
                    Slice measured = server.measure(load);
                    Latency latency = measured.latencyMs();
                    progress.line(
                            "%s %d/%d: %s: %,.0f/s, %s%.3f ms of processor time",
                            server.name,
                            slice + 1,
                            plan.slices(),
                            load.title(),
                            measured.perSecond(),
                            latency == null ? "" : format("p50 %.2f ms, ", latency.p50()),
                            measured.cpuMs());
                }
            }
        }
        return new Report(
                Machine.after(otherWork),
                plan.users(),
                servers.stream().map(Server::report).toList());
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
            var loads = new ArrayList<>(List.of(new Load(Kind.LOGGED_EVENT, 0, 0)));
            for (Kind kind : List.of(Kind.EVENT, Kind.RANKED_EVENT)) {
                for (int connections : isQuick ? List.of(32) : List.of(1, 32, 256)) {
                    loads.add(new Load(kind, connections, 0));
                }
                for (int rate : isQuick ? List.of(200) : List.of(60, 200)) {
                    loads.add(new Load(kind, OPEN_LOOP_CONNECTIONS, rate));
                }
            }
            for (int connections : isQuick ? List.of(32) : List.of(1, 32)) {
                loads.add(new Load(Kind.READ, connections, 0));
            }
            return isQuick
                    ? new Plan(1_000, Duration.ofSeconds(5), 1, Duration.ofSeconds(1), 20_000, loads)
                    : new Plan(20_000, Duration.ofSeconds(60), 3, Duration.ofSeconds(6), 200_000, loads);
        }
    }

    /**
     * Medians of one load.
     *
     * @param isFlatOut whether the rate is a result, not given
     * @param latencyMs null: not measured
     * @param broker what the broker received per request in the last slice; null: not counted
     */
    record Figures(
            String load,
            boolean isFlatOut,
            double perSecond,
            @Nullable Latency latencyMs,
            double cpuMsPerRequest,
            @Nullable Counts broker,
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
                rows(
                        table,
                        servers.stream()
                                .map(server -> server.loads().get(index))
                                .toList());
            }
            return format(
                    "%s%n%,d users; processor time of the process under load, broker included%n%n%s",
                    machine.description(), users, table.text());
        }

        private static void rows(TextTable table, List<Figures> figures) {
            String load = figures.getFirst().load();
            boolean isFlatOut = figures.getFirst().isFlatOut();
            if (isFlatOut) {
                row(table, load + ": per second", "%,.0f", figures, Figures::perSecond);
            } else {
                table.row(load);
            }
            List<Latency> latencies = figures.stream()
                    .map(Figures::latencyMs)
                    .filter(Objects::nonNull)
                    .toList();
            if (!latencies.isEmpty()) {
                row(table, "  p50 ms", "%.2f", latencies, Latency::p50);
                row(table, "  p99 ms", "%.2f", latencies, Latency::p99);
            }
            row(table, "  processor ms each", "%.3f", figures, Figures::cpuMsPerRequest);
            if (!isFlatOut) {
                List<Counts> counts = figures.stream()
                        .map(Figures::broker)
                        .filter(Objects::nonNull)
                        .toList();
                row(table, "  produce requests each", "%.2f", counts, Counts::produce);
                row(table, "  fetch requests each", "%.2f", counts, Counts::fetch);
                row(table, "  records each", "%.2f", counts, Counts::allRecords);
            }
            long errors = figures.stream().mapToLong(Figures::errors).sum();
            if (errors > 0) {
                table.row("  ERRORS", Long.toString(errors));
            }
        }

        private static <T> void row(
                TextTable table, String label, String format, List<T> servers, ToDoubleFunction<T> figure) {
            double[] figures = servers.stream().mapToDouble(figure).toArray();
            var row = new ArrayList<>(List.of(label));
            for (double each : figures) {
                row.add(format(format, each));
            }
            if (figures.length > 1) {
                row.add(figures[0] == 0 ? "" : format("%.2f", figures[figures.length - 1] / figures[0]));
            }
            table.row(row);
        }

        @Override
        public Map<String, ?> figures() {
            return Map.of("http", this);
        }
    }
}
