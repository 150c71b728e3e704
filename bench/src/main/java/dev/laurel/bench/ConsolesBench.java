package dev.laurel.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.laurel.bench.BenchResult.Machine;
import dev.laurel.bench.load.LoadGenerator;
import dev.laurel.bench.load.Median;
import dev.laurel.deploy.cli.TemporaryFolder;
import dev.laurel.deploy.cli.TextTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;

import static dev.laurel.bench.BenchResult.format;
import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Measures what open consoles cost: events of a standalone in a process of its own, with and without so many live feeds and the
 * reports that the overview asks for, in turns.
 */
final class ConsolesBench {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(5);
    private static final int CONNECTIONS = 32;
    private static final Duration SETTLING = Duration.ofSeconds(2);

    /** How often an open overview asks for its reports (pages/overview.js). */
    private static final double REFRESH_S = 60;
    private static final int REPORT_CONNECTIONS = 8;

    private final Plan plan;
    private final Progress progress;
    private final LaurelRequests requests = new LaurelRequests(ChildProcess.ADMIN_KEY);
    private final AtomicLong next = new AtomicLong();
    private final List<Slice> without = new ArrayList<>();
    private final List<Slice> with = new ArrayList<>();

    private ConsolesBench(Plan plan, Progress progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * A plan.
     *
     * @param rounds pairs of slices, of which every other one begins with the consoles
     */
    record Plan(int consoles, int users, Duration warmUp, int rounds, Duration slice) {

        private static final int MAX_CONSOLES = 256;

        /** @throws IllegalArgumentException with a message for people */
        static Plan of(int consoles, boolean isQuick) {
            if (consoles < 1 || consoles > MAX_CONSOLES) {
                throw new IllegalArgumentException("--consoles must be 1 to " + MAX_CONSOLES + ", is " + consoles);
            }
            return isQuick
                    ? new Plan(consoles, 1_000, Duration.ofSeconds(6), 2, Duration.ofSeconds(3))
                    : new Plan(consoles, 20_000, Duration.ofSeconds(150), 6, Duration.ofSeconds(10));
        }
    }

    /**
     * One measurement.
     *
     * @param cpuMs processor time of the server per event, in milliseconds
     * @param feedBytesPerSecond what all feeds received
     * @param reports answered ones
     */
    private record Slice(double eventsPerSecond, double p99Ms, double cpuMs, double feedBytesPerSecond, long reports,
            long errors) {}

    /** Connections to the live feed, whose answers are read and thrown away. */
    private static final class Feeds implements AutoCloseable {

        private static final int BUFFER_BYTES = 64 * 1024;
        private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(30);
        private static final Duration RETRY = Duration.ofMillis(200);

        private final Selector selector;
        private final List<SocketChannel> channels = new ArrayList<>();
        private final AtomicLong bytes = new AtomicLong();
        private final Thread reader = Thread.ofPlatform().name("bench-feeds").unstarted(this::read);
        private final CompletableFuture<Void> end = new CompletableFuture<>();
        private volatile boolean isClosed;

        Feeds(InetSocketAddress address, byte[] request, int count) {
            try {
                selector = Selector.open();
                long endNs = System.nanoTime() + OPEN_TIMEOUT.toNanos();
                for (int i = 0; i < count; i++) {
                    SocketChannel channel = open(address, request, endNs);
                    channels.add(channel);
                    channel.configureBlocking(false);
                    channel.register(selector, SelectionKey.OP_READ);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot open the feeds", e);
            }
            reader.start();
        }

        /** Tries again while the server still has those of the slice before. */
        private static SocketChannel open(InetSocketAddress address, byte[] request, long endNs) throws IOException {
            while (true) {
                SocketChannel channel = SocketChannel.open(address);
                channel.write(ByteBuffer.wrap(request));
                ByteBuffer start = ByteBuffer.allocate(BUFFER_BYTES);
                channel.read(start);
                String head = new String(start.array(), 0, start.position(), US_ASCII);
                if (head.startsWith("HTTP/1.1 200")) {
                    return channel;
                }
                channel.close();
                if (!head.startsWith("HTTP/1.1 503") || System.nanoTime() > endNs) {
                    throw new IOException("a live feed was refused: " + head.lines().findFirst().orElse(""));
                }
                LockSupport.parkNanos(RETRY.toNanos());
            }
        }

        private void read() {
            ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
            try {
                while (!isClosed) {
                    selector.select(key -> {
                        try {
                            buffer.clear();
                            int count = ((SocketChannel) key.channel()).read(buffer);
                            if (count < 0) {
                                throw new IOException("a live feed has ended");
                            }
                            bytes.addAndGet(count);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
                }
                end.complete(null);
            } catch (IOException | UncheckedIOException e) {
                end.completeExceptionally(e);
            }
        }

        @Override
        public void close() {
            isClosed = true;
            selector.wakeup();
            try {
                end.join(); // fails if a feed has ended
            } finally {
                try {
                    for (SocketChannel channel : channels) {
                        channel.close();
                    }
                    selector.close(); // Until then, the channels are closed for writing only.
                } catch (IOException e) {
                    throw new UncheckedIOException("cannot close the feeds", e);
                }
            }
        }
    }

    /** Blocks until the run is complete. */
    static Report run(Plan plan, Progress progress) {
        try (TemporaryFolder scratch = TemporaryFolder.create("laurel-bench")) {
            return new ConsolesBench(plan, progress).run(scratch.path());
        }
    }

    private Report run(Path folder) {
        List<String> arguments = List.of("standalone", "--port", "0", "--broker-port", "0", "--admin-key",
                ChildProcess.ADMIN_KEY, "--data-dir", folder.resolve("laurel").toString());
        try (ChildProcess process = ChildProcess.start(List.of(), folder.resolve("laurel.log"), arguments)) {
            process.awaitReady(START_TIMEOUT);
            LaurelSubject.applyTo(process.url(), ChildProcess.ADMIN_KEY, BenchRuleset.withLeaderboards(2));
            return measure(process);
        }
    }

    private Report measure(ChildProcess process) {
        URI url = process.url();
        var address = new InetSocketAddress(url.getHost(), url.getPort());
        var events = new LoadGenerator(address, this::event);
        var otherWork = new CompetingLoad();
        events.closedLoop(CONNECTIONS, plan.warmUp().dividedBy(2));
        consoles(address, process, events, plan.warmUp().dividedBy(2));
        progress.line("warm");
        for (int round = 0; round < plan.rounds(); round++) {
            // Every other round has the opposite order, so that a drift of the machine favours no one.
            for (boolean isOpen : round % 2 == 0 ? List.of(false, true) : List.of(true, false)) {
                // The server misses the feeds of the slice before when it writes to them again.
                events.closedLoop(CONNECTIONS, SETTLING);
                Slice slice = isOpen
                        ? consoles(address, process, events, plan.slice())
                        : slice(process, events, plan.slice());
                (isOpen ? with : without).add(slice);
                progress.line("%d/%d: %d consoles: %,.0f events/s, p99 %.1f ms, %.3f ms of processor time, %,.0f kB/s",
                        round + 1, plan.rounds(), isOpen ? plan.consoles() : 0, slice.eventsPerSecond(), slice.p99Ms(),
                        slice.cpuMs(), slice.feedBytesPerSecond() / 1_000);
                process.expectAlive();
            }
        }
        return new Report(Machine.after(otherWork), plan.consoles(), figures(without), figures(with),
                1 - Median.of(pairs(Slice::eventsPerSecond)), Median.of(pairs(Slice::cpuMs)) - 1);
    }

    private List<Double> pairs(ToDoubleFunction<Slice> figure) {
        var ratios = new ArrayList<Double>();
        for (int i = 0; i < with.size(); i++) {
            ratios.add(figure.applyAsDouble(with.get(i)) / figure.applyAsDouble(without.get(i)));
        }
        return ratios;
    }

    private byte[] event() {
        long number = next.getAndIncrement();
        // The first events create the users.
        return requests.event(number, UniformUsers.name(
                number < plan.users() ? number : BenchTraffic.below(plan.users(), number, 0)));
    }

    private static Slice slice(ChildProcess process, LoadGenerator events, Duration duration) {
        double before = process.cpuSeconds();
        LoadGenerator.Result result = events.closedLoop(CONNECTIONS, duration);
        return new Slice(result.eventsPerSecond(), result.latencyMs().p99(),
                1_000 * (process.cpuSeconds() - before) / Math.max(1, result.count()), 0, 0, result.errorCount());
    }

    private Slice consoles(InetSocketAddress address, ChildProcess process, LoadGenerator events, Duration duration) {
        try (var feeds = new Feeds(address, requests.liveFeed(), plan.consoles())) {
            List<byte[]> reports = reports();
            var asked = new AtomicLong();
            var asking = new LoadGenerator(address,
                    () -> reports.get((int) (asked.getAndIncrement() % reports.size())));
            var answered = CompletableFuture.supplyAsync(
                    () -> asking.openLoop(plan.consoles() * reports.size() / REFRESH_S, duration, REPORT_CONNECTIONS));
            long bytesBefore = feeds.bytes.get();
            Slice slice = slice(process, events, duration);
            double bytesPerSecond = (feeds.bytes.get() - bytesBefore) / (duration.toMillis() / 1_000.0);
            LoadGenerator.Result result = answered.join();
            return new Slice(slice.eventsPerSecond(), slice.p99Ms(), slice.cpuMs(), bytesPerSecond, result.count(),
                    slice.errors() + result.errorCount());
        }
    }

    /** What the overview of the last 30 days asks for each time. */
    private List<byte[]> reports() {
        String from = "from=" + LocalDate.now(ZoneOffset.UTC).minusDays(29);
        return List.of(requests.report("active-users?" + from), requests.report("events?" + from),
                requests.report("active-users?granularity=day&" + from),
                requests.report("events?granularity=day&" + from),
                requests.report("engagement?granularity=day&" + from),
                requests.report("retention?granularity=day&" + from), requests.report("impact?days=14&" + from),
                requests.report("top-users?range=30d&limit=10"));
    }

    private static Figures figures(List<Slice> slices) {
        return new Figures(Median.of(slices, Slice::eventsPerSecond), Median.of(slices, Slice::p99Ms),
                Median.of(slices, Slice::cpuMs), Median.of(slices, Slice::feedBytesPerSecond),
                slices.stream().mapToLong(Slice::reports).sum(), slices.stream().mapToLong(Slice::errors).sum());
    }

    /** Medians over the slices; sums of reports and errors. */
    record Figures(double eventsPerSecond, double p99Ms, double cpuMsPerEvent, double feedBytesPerSecond, long reports,
            long errors) {}

    /**
     * @param eventsLost share of the events per second that the consoles cost; the median of the rounds
     * @param cpuAdded share of processor time per event that they add
     */
    record Report(@JsonIgnore Machine machine, int consoles, Figures without, Figures with, double eventsLost,
            double cpuAdded) implements BenchResult {

        @Override
        public String toTable() {
            var table = TextTable.ofNumbers();
            table.row(List.of("", "no console", consoles + " consoles", "change"));
            row(table, "events/s", "%,.0f", without.eventsPerSecond(), with.eventsPerSecond(),
                    format("%+.1f %%", -100 * eventsLost));
            row(table, "p99 ms", "%.2f", without.p99Ms(), with.p99Ms(), "");
            row(table, "processor ms per event", "%.3f", without.cpuMsPerEvent(), with.cpuMsPerEvent(),
                    format("%+.1f %%", 100 * cpuAdded));
            row(table, "kB/s of the feeds", "%,.0f", 0, with.feedBytesPerSecond() / 1_000, "");
            row(table, "reports", "%,.0f", 0, with.reports(), "");
            row(table, "errors", "%,.0f", without.errors(), with.errors(), "");
            return format(
                    "%s%n%nEvents with and without open consoles, in turns; a change is the median of the rounds%n%n%s",
                    machine.description(), table.text());
        }

        private static void row(TextTable table, String label, String format, double without, double with,
                String change) {
            table.row(List.of(label, format(format, without), format(format, with), change));
        }

        @Override
        public Map<String, ?> figures() {
            return Map.of("consoles", this);
        }
    }
}
