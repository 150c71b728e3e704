package dev.laurel.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.laurel.connect.Table;
import dev.laurel.bench.BenchResult.Machine;
import dev.laurel.bench.load.LoadGenerator;
import dev.laurel.bench.load.Median;
import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.ServerCalls;
import dev.laurel.deploy.cli.TemporaryFolder;
import dev.laurel.deploy.cli.TextTable;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.schemas.topic.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

import static dev.laurel.bench.BenchResult.format;

/**
 * Measures a sync into PostgreSQL: how long it takes to load the tables of many users, how late rows are at a steady rate of events, and
 * what a running sync costs the ledger. The schema {@code laurel} of the database is emptied. Used by one thread.
 */
final class SyncBench {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration WORK_TIMEOUT = Duration.ofMinutes(30);
    private static final Duration ROW_TIMEOUT = Duration.ofMinutes(1);
    private static final int CONNECTIONS = 8;
    private static final long CHECK_NS = 10_000_000;
    private static final long NEW_USER_EVERY_NS = 200_000_000;

    /** Less than this is up to date. */
    private static final double SMALL_LAG_S = 1;

    private final Plan plan;
    private final Path folder;
    private final Progress progress;
    private final LaurelRequests requests = new LaurelRequests(ChildProcess.ADMIN_KEY);
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicLong next = new AtomicLong();

    private SyncBench(Plan plan, Path folder, Progress progress) {
        this.plan = plan;
        this.folder = folder;
        this.progress = progress;
    }

    /**
     * A plan.
     *
     * @param to address of the database, with its user and password
     * @param rate events per second while the lag is measured
     * @param burst events of a slice
     * @param rounds pairs of slices with and without a sync
     */
    record Plan(String to, int users, int rate, Duration duration, int burst, int rounds) {

        private static final int USERS = 1_000_000;
        private static final int USERS_QUICK = 10_000;
        private static final int USERS_MAX = 100_000_000;
        private static final int RATE = 500;

        /** @param users null: the default @throws IllegalArgumentException with a message for people */
        static Plan of(String to, @Nullable Integer users, boolean isQuick) {
            if (!to.startsWith("jdbc:postgresql:")) {
                throw new IllegalArgumentException(
                        "--sync must be jdbc:postgresql://HOST:PORT/DATABASE?user=…, is " + to);
            }
            int given = users != null ? users : isQuick ? USERS_QUICK : USERS;
            if (given < 1 || given > USERS_MAX) {
                throw new IllegalArgumentException("--users must be 1 to " + USERS_MAX + ", is " + given);
            }
            return isQuick
                    ? new Plan(to, given, RATE, Duration.ofSeconds(5), 20_000, 1)
                    : new Plan(to, given, RATE, Duration.ofSeconds(60), 200_000, 5);
        }
    }

    /** Blocks until the run is complete. */
    static Report run(Plan plan, Progress progress) {
        try (TemporaryFolder scratch = TemporaryFolder.create("laurel-bench");
                var connection = DriverManager.getConnection(plan.to())) {
            return new SyncBench(plan, scratch.path(), progress).run(connection);
        } catch (SQLException e) {
            throw new CommandFailed("--sync: " + e.getMessage(), e);
        }
    }

    private Report run(Connection connection) throws SQLException {
        var otherWork = new CompetingLoad();
        // A broker of its own, which serves the sync: the processor time of the other process is that of the ledger.
        try (client;
                ChildProcess broker = start("broker", "broker", "--port", "0");
                ChildProcess laurel = start("laurel", "standalone", "--port", "0", "--admin-key",
                        ChildProcess.ADMIN_KEY,
                        "--kafka", broker.awaitReady(START_TIMEOUT).bootstrapServers())) {
            laurel.awaitReady(START_TIMEOUT);
            LaurelSubject.applyTo(laurel.url(), ChildProcess.ADMIN_KEY, BenchRuleset.withLeaderboards(1));
            work(laurel, plan.users());
            progress.line("created %,d users", plan.users());
            long startedNs = System.nanoTime();
            double loadSeconds;
            double[] lags;
            long rows;
            try (Sync sync = new Sync(laurel, true)) {
                sync.awaitLoaded();
                loadSeconds = (System.nanoTime() - startedNs) / 1e9;
                rows = rows(connection);
                progress.line("loaded %,d rows in %.1f s", rows, loadSeconds);
                lags = lags(laurel, connection);
            }
            var slices = new Slices();
            for (int round = 0; round < plan.rounds(); round++) {
                // Every other round has the opposite order, so that a drift of the machine favours no one.
                for (boolean isWith : round % 2 == 0 ? List.of(false, true) : List.of(true, false)) {
                    slices.add(isWith, isWith ? withSync(laurel) : slice(laurel));
                }
                progress.line("%d/%d: %s", round + 1, plan.rounds(), slices);
            }
            return new Report(Machine.after(otherWork), plan, loadSeconds, rows, Median.ofSorted(lags),
                    lags[lags.length * 99 / 100], slices.figures());
        }
    }

    /** @param name of its folder and log */
    private ChildProcess start(String name, String... arguments) {
        return ChildProcess.start(List.of(), folder.resolve(name + ".log"), Stream.concat(Stream.of(arguments),
                Stream.of("--data-dir", folder.resolve(name).toString())).toList());
    }

    /** Sends events of one user after the other; returns when they are committed. */
    private void work(ChildProcess laurel, int events) {
        try (var committed = new CommittedEvents(laurel.bootstrapServers(), LedgerConfig.APPLICATION_ID,
                Topics.COMMANDS.name())) {
            long before = committed.count();
            long first = next.getAndAdd(events);
            KafkaThroughput.write(laurel.bootstrapServers(), events, number -> LaurelSubject.command(first + number,
                    UniformUsers.name((first + number) % plan.users()), System.currentTimeMillis()));
            committed.await(before + events, WORK_TIMEOUT, laurel::expectAlive);
        }
    }

    private static long rows(Connection connection) throws SQLException {
        long rows = 0;
        for (Table table : Table.ofStores().toList()) {
            try (var count = connection.createStatement();
                    var row = count.executeQuery("SELECT count(*) FROM laurel." + table.tableName())) {
                row.next();
                rows += row.getLong(1);
            }
        }
        return rows;
    }

    /** Creates five users a second under load, and looks for their rows. @return seconds from the answer until a row is there, ascending */
    private double[] lags(ChildProcess laurel, Connection connection) throws SQLException {
        URI url = laurel.url();
        var events = new LoadGenerator(new InetSocketAddress(url.getHost(), url.getPort()), this::event);
        var load = CompletableFuture
                .supplyAsync(() -> events.openLoop(plan.rate(), plan.duration(), CONNECTIONS));
        var lags = new ArrayList<Double>();
        var answered = new HashMap<String, Long>();
        int created = 0;
        long beganNs = System.nanoTime();
        try (ServerCalls calls = AccountCluster.calls(laurel);
                PreparedStatement find = connection
                        .prepareStatement("SELECT user_id FROM laurel.users WHERE user_id = ANY (?)")) {
            while (!load.isDone() || !answered.isEmpty()) {
                if (!load.isDone() && System.nanoTime() - beganNs >= created * NEW_USER_EVERY_NS) {
                    String user = "awaited-" + created++;
                    AccountCluster.send(calls, "PUT", "/v1/users/" + user, null, Map.of("name", user));
                    answered.put(user, System.nanoTime());
                }
                find.setArray(1, connection.createArrayOf("text", answered.keySet().toArray()));
                try (var row = find.executeQuery()) {
                    while (row.next()) {
                        lags.add((System.nanoTime() - Objects.requireNonNull(answered.remove(row.getString(1)))) / 1e9);
                    }
                }
                if (answered.values().stream().anyMatch(ns -> System.nanoTime() - ns > ROW_TIMEOUT.toNanos())) {
                    throw new IllegalStateException("a user has no row after " + ROW_TIMEOUT);
                }
                LockSupport.parkNanos(CHECK_NS);
            }
        }
        LoadGenerator.Result result = load.join();
        double[] sorted = lags.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        progress.line("%,.0f events/s, of which %d failed; %d rows are there after %.2f s at most",
                result.eventsPerSecond(), result.errorCount(), sorted.length, sorted[sorted.length - 1]);
        if (result.errorCount() > 0) {
            throw new IllegalStateException(result.errorCount() + " events failed");
        }
        return sorted;
    }

    private byte[] event() {
        long number = next.getAndIncrement();
        return requests.event(number, UniformUsers.name(BenchTraffic.below(plan.users(), number, 0)));
    }

    private Slice withSync(ChildProcess laurel) {
        try (Sync sync = new Sync(laurel, false)) {
            sync.awaitCurrent(); // It has the events of the slice before to write.
            return slice(laurel);
        }
    }

    private Slice slice(ChildProcess laurel) {
        double before = laurel.cpuSeconds();
        long startedNs = System.nanoTime();
        work(laurel, plan.burst());
        double seconds = (System.nanoTime() - startedNs) / 1e9;
        return new Slice(plan.burst() / seconds, 1_000 * (laurel.cpuSeconds() - before) / plan.burst());
    }

    /** @param cpuMs processor time per event, without that of the broker */
    private record Slice(double eventsPerSecond, double cpuMs) {}

    private static final class Slices {

        private final List<Slice> with = new ArrayList<>();
        private final List<Slice> without = new ArrayList<>();

        void add(boolean isWith, Slice slice) {
            (isWith ? with : without).add(slice);
        }

        Figures figures() {
            return new Figures(Median.of(without, Slice::eventsPerSecond), Median.of(with, Slice::eventsPerSecond),
                    Median.of(without, Slice::cpuMs), Median.of(with, Slice::cpuMs));
        }

        @Override
        public String toString() {
            Slice last = with.getLast();
            Slice other = without.getLast();
            return format("%,.0f events/s and %.4f ms of processor time without, %,.0f and %.4f with",
                    other.eventsPerSecond(),
                    other.cpuMs(), last.eventsPerSecond(), last.cpuMs());
        }
    }

    /** Medians of the slices. */
    record Figures(double perSecondWithout, double perSecondWith, double cpuMsWithout, double cpuMsWith) {}

    /** A sync in a process of its own. */
    private final class Sync implements AutoCloseable {

        private final ChildProcess process;
        private final URI url;

        Sync(ChildProcess laurel, boolean isNew) {
            String metrics = "127.0.0.1:" + freePort();
            url = URI.create("http://" + metrics);
            var arguments = new ArrayList<>(List.of("sync", "--to", plan.to(), "--kafka", laurel.bootstrapServers(),
                    "--metrics", metrics));
            if (isNew) {
                arguments.add("--reload");
            }
            process = ChildProcess.start(List.of(), folder.resolve("sync.log"), arguments);
        }

        private static int freePort() {
            try (var socket = new ServerSocket(0)) {
                return socket.getLocalPort();
            } catch (IOException e) {
                throw new UncheckedIOException("no port is free", e);
            }
        }

        void awaitLoaded() {
            await(() -> get("/readyz").statusCode() == 200);
        }

        void awaitCurrent() {
            await(() -> get("/metrics").body().lines().filter(line -> line.startsWith("laurel_sync_lag_seconds "))
                    .map(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                    .anyMatch(lag -> lag >= 0 && lag < SMALL_LAG_S));
        }

        private void await(Check check) {
            long deadlineNs = System.nanoTime() + WORK_TIMEOUT.toNanos();
            while (!isTrue(check)) {
                process.expectAlive();
                if (System.nanoTime() > deadlineNs) {
                    throw new IllegalStateException("the sync did not catch up within " + WORK_TIMEOUT);
                }
                LockSupport.parkNanos(10 * CHECK_NS);
            }
        }

        private static boolean isTrue(Check check) {
            try {
                return check.isTrue();
            } catch (IOException _) {
                return false; // It does not listen yet.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while a sync was awaited", e);
            }
        }

        private HttpResponse<String> get(String path) throws IOException, InterruptedException {
            return client.send(HttpRequest.newBuilder(url.resolve(path)).build(), HttpResponse.BodyHandlers.ofString());
        }

        @Override
        public void close() {
            try (process) {
                process.stop();
            }
        }
    }

    @FunctionalInterface
    private interface Check {
        boolean isTrue() throws IOException, InterruptedException;
    }

    /**
     * @param loadSeconds from the start of the process until all rows are there
     * @param lagP50Seconds from the answer to a new user until the row is there, while events arrive at the rate of the plan
     */
    record Report(@JsonIgnore Machine machine, @JsonIgnore Plan plan, double loadSeconds, long rows,
            double lagP50Seconds,
            double lagP99Seconds, Figures slices) implements BenchResult {

        @Override
        public String toTable() {
            var table = TextTable.ofNumbers();
            table.row("", "", "target");
            table.row("initial load, s", format("%.1f", loadSeconds), "≤ 300 for 1,000,000 users");
            table.row("  rows", format("%,d", rows));
            table.row(format("row after the answer, s, at %,d events/s: p50", plan.rate()),
                    format("%.2f", lagP50Seconds));
            table.row("  p99", format("%.2f", lagP99Seconds), "≤ 2");
            table.row("events/s through Kafka without a sync", format("%,.0f", slices.perSecondWithout()));
            table.row("  with one on the same processors", format("%,.0f", slices.perSecondWith()));
            table.row("  ratio", format("%.2f", slices.perSecondWith() / slices.perSecondWithout()));
            table.row("processor ms per event without a sync", format("%.4f", slices.cpuMsWithout()));
            table.row("  with one", format("%.4f", slices.cpuMsWith()));
            table.row("  events per processor second, ratio",
                    format("%.3f", slices.cpuMsWithout() / slices.cpuMsWith()),
                    "≥ 0.98");
            return format("%s%n%,d users, PostgreSQL on the same machine%n%n%s", machine.description(), plan.users(),
                    table.text());
        }

        @Override
        public Map<String, ?> figures() {
            return Map.of("sync", this);
        }
    }
}
