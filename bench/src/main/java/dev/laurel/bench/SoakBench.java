package dev.laurel.bench;

import static dev.laurel.bench.BenchResult.format;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GarbageCollectorMXBean;
import dev.laurel.bench.BenchResult.Machine;
import dev.laurel.bench.BenchResult.Progress;
import dev.laurel.bench.KafkaThroughput.CommittedEvents;
import dev.laurel.bench.OneProcess.Subject;
import dev.laurel.bench.Trend.Verdict;
import dev.laurel.deploy.cli.TextTable;
import dev.laurel.deploy.roles.Standalone;
import dev.laurel.processors.store.BoundedRocksDb;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Loads one instance steadily with events of all kinds of rules, a quarter of them ranked on two leaderboards, and as many reads, and
 * takes samples. First it sends as many events at once, so that write buffers and caches, which a small load fills in an hour, have
 * reached their limits. Broker and load generator run in the same process and contribute to its growth.
 */
final class SoakBench {
    private static final int CONNECTIONS = 32;
    private static final int EVENTS_PER_RANKED = 4;
    private static final int PARTICIPANTS = 900;
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final Duration FILL_TIMEOUT = Duration.ofMinutes(20);
    private static final double MINUTE_S = 60;
    private static final double MEGABYTE = 1024.0 * 1024;

    /** Salt that gives reads another order than events. */
    private static final long READS = 1;

    private final String bootstrapServers;
    private final Subject subject;
    private final Laurel requests;
    private final Plan plan;
    private final Progress progress;
    private final AtomicLong nextEvent = new AtomicLong();
    private final AtomicLong nextRead = new AtomicLong();
    private final LoadGenerator events;
    private final LoadGenerator reads;
    private final Gauges gauges = new Gauges();

    /** Number of events that have been answered, so that their users can be read. */
    private volatile long readable;

    private SoakBench(Standalone laurel, Plan plan, Progress progress) {
        bootstrapServers = laurel.bootstrapServers();
        subject = OneProcess.subject(laurel);
        requests = new Laurel(laurel.adminKey());
        this.plan = plan;
        this.progress = progress;
        URI url = URI.create(laurel.url());
        var address = new InetSocketAddress(url.getHost(), url.getPort());
        events = new LoadGenerator(address, this::nextEventRequest);
        reads = new LoadGenerator(address, this::nextReadRequest);
    }

    /** Blocks for the duration of the plan. @param progress receives a line per sample */
    static Report run(Plan plan, Progress progress) {
        try (var process = new OneProcess(plan.partitions())) {
            return new SoakBench(process.startLaurel(Laurel.rules()), plan, progress).run();
        }
    }

    private byte[] nextEventRequest() {
        long event = nextEvent.getAndIncrement();
        return isRanked(event)
                ? requests.rankedEventRequest(participant(event))
                : requests.eventRequest(event, BenchTraffic.userOf(event, plan.users()));
    }

    /** Returns the same event as a record. */
    private ProducerRecord<byte[], byte[]> nextRecord() {
        long event = nextEvent.getAndIncrement();
        return isRanked(event)
                ? Laurel.rankedEvent(participant(event))
                : subject.events().of(event, BenchTraffic.userOf(event, plan.users()));
    }

    private byte[] nextReadRequest() {
        long event = BenchTraffic.below(readable, nextRead.getAndIncrement(), READS);
        return isRanked(event)
                ? requests.rankRequest(participant(event))
                : requests.readRequest(BenchTraffic.userOf(event, plan.users()));
    }

    private static boolean isRanked(long event) {
        return event % EVENTS_PER_RANKED == 0;
    }

    private static String participant(long event) {
        return "rank-" + BenchTraffic.userOf(event, PARTICIPANTS);
    }

    private Report run() {
        fill(plan.eventsBefore());
        events.closedLoop(CONNECTIONS, WARM_UP);
        var otherWork = new CompetingLoad();
        var samples = new ArrayList<Sample>();
        long startNanos = System.nanoTime();
        while (System.nanoTime() - startNanos < plan.duration().toNanos()) {
            samples.add(sample(startNanos));
            progress.line(samples.getLast().values().entrySet().stream()
                    .map(value -> format("%s %.1f", value.getKey().title, value.getValue()))
                    .collect(Collectors.joining("; ")));
        }
        return Report.of(Machine.after(otherWork), plan, samples);
    }

    /** Returns when all events are committed. */
    private void fill(int events) {
        try (var committed = new CommittedEvents(bootstrapServers, subject.applicationId(), subject.topic())) {
            long end = committed.count() + events;
            KafkaThroughput.write(bootstrapServers, events, _ -> nextRecord());
            committed.await(end, FILL_TIMEOUT, subject.check());
            progress.line("filled with %,d events", events);
        }
    }

    private Sample sample(long startNanos) {
        readable = nextEvent.get();
        CompletableFuture<LoadGenerator.Result> reading =
                CompletableFuture.supplyAsync(() -> reads.openLoop(plan.ratePerSecond(), plan.interval(), CONNECTIONS));
        LoadGenerator.Result written = events.openLoop(plan.ratePerSecond(), plan.interval(), CONNECTIONS);
        LoadGenerator.Result read = reading.join();
        Map<Figure, Double> values = gauges.sample();
        values.put(Figure.EVENT_P50, written.latencyMs().p50());
        values.put(Figure.EVENT_P99, written.latencyMs().p99());
        values.put(Figure.READ_P50, read.latencyMs().p50());
        values.put(Figure.READ_P99, read.latencyMs().p99());
        return new Sample((System.nanoTime() - startNanos) / 1e9, values, written.errorCount() + read.errorCount());
    }

    /**
     * Plan of a steady load.
     *
     * @param ratePerSecond rate of events, and of reads
     * @param interval time between two samples; latencies are per interval
     */
    record Plan(int partitions, int users, Duration duration, int ratePerSecond, Duration interval) {
        static final int RATE = 200;
        private static final int RATE_MAX = 20_000;
        private static final Duration DURATION_MIN = Duration.ofSeconds(10);
        private static final Duration DURATION_MAX = Duration.ofHours(12);
        private static final Duration INTERVAL_MIN = Duration.ofMillis(500);
        private static final Duration INTERVAL_MAX = Duration.ofSeconds(15);
        private static final int SAMPLES = 40;
        private static final long EVENTS_BEFORE_MAX = 1_000_000;
        private static final Duration SETTLING_MAX = Duration.ofMinutes(20);

        Plan {
            if (ratePerSecond < 1 || ratePerSecond > RATE_MAX) {
                throw new IllegalArgumentException("a rate is 1 to " + RATE_MAX + " events/s, not " + ratePerSecond);
            }
            if (duration.compareTo(DURATION_MIN) < 0 || duration.compareTo(DURATION_MAX) > 0) {
                throw new IllegalArgumentException(
                        "a soak lasts " + DURATION_MIN + " to " + DURATION_MAX + ", not " + duration);
            }
        }

        /** @throws IllegalArgumentException naming the value that is out of range */
        static Plan of(Duration duration, int ratePerSecond) {
            long interval = Math.clamp(
                    duration.dividedBy(SAMPLES).toMillis(), INTERVAL_MIN.toMillis(), INTERVAL_MAX.toMillis());
            return new Plan(OneProcess.PARTITIONS, 10_000, duration, ratePerSecond, Duration.ofMillis(interval));
        }

        /** Returns the number of events before the load: as many as the load has, at most a million. */
        int eventsBefore() {
            return (int) Math.min(EVENTS_BEFORE_MAX, ratePerSecond * duration.toSeconds());
        }

        /**
         * Returns the time at the beginning that is not evaluated, because the compiler is at work, the heap grows and users are new: a
         * quarter, at most twenty minutes.
         */
        Duration settling() {
            Duration quarter = duration.dividedBy(4);
            return quarter.compareTo(SETTLING_MAX) > 0 ? SETTLING_MAX : quarter;
        }
    }

    /** What a sample has: memory in megabytes, whose parts overlap with the resident memory, and milliseconds. */
    enum Figure {
        RESIDENT("resident", "MB", 0.03),
        HEAP("heap after GC", "MB", 0.03),
        CODE("classes and code", "MB", 0.03),
        DIRECT("direct buffers", "MB", 0.03),
        ROCKS_DB("RocksDB", "MB", 0),
        MAPPED("mapped files", "MB", 0),
        EVENT_P50("event p50", "ms", 0.1),
        EVENT_P99("event p99", "ms", 0.1),
        READ_P50("read p50", "ms", 0.1),
        READ_P99("read p99", "ms", 0.1);

        private final String title;
        private final boolean isMemory;
        /** How much it may grow per hour and still count as flat: a share of the resident memory, or of a latency itself; 0: not judged. */
        private final double allowedShare;

        Figure(String name, String unit, double allowedShare) {
            title = name + ", " + unit;
            isMemory = unit.equals("MB");
            this.allowedShare = allowedShare;
        }
    }

    /**
     * A sample: latencies of one interval, and the state of the process at its end.
     *
     * @param seconds time since the start of the load
     * @param values a figure that the system does not report is absent
     * @param errors number of unexpected responses
     */
    record Sample(double seconds, Map<Figure, Double> values, long errors) {}

    /** Measures this process. No garbage collection is requested, because that would pause the load; the JVM reports them. */
    private static final class Gauges {
        private static final Path STATUS = Path.of("/proc/self/status");
        private static final long NONE = Long.MAX_VALUE;

        private final Set<String> heapPools = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(pool -> pool.getName())
                .collect(Collectors.toUnmodifiableSet());

        /** The lowest heap after a collection since the last sample. */
        private final AtomicLong leastAfterGc = new AtomicLong(NONE);

        private long lastAfterGc;

        Gauges() {
            for (GarbageCollectorMXBean collector :
                    ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class)) {
                ((NotificationEmitter) collector).addNotificationListener((event, _) -> collected(event), null, null);
            }
        }

        private void collected(Notification event) {
            if (event.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
                long left = GarbageCollectionNotificationInfo.from((CompositeData) event.getUserData())
                        .getGcInfo()
                        .getMemoryUsageAfterGc()
                        .entrySet()
                        .stream()
                        .filter(pool -> heapPools.contains(pool.getKey()))
                        .mapToLong(pool -> pool.getValue().getUsed())
                        .sum();
                leastAfterGc.accumulateAndGet(left, Math::min);
            }
        }

        Map<Figure, Double> sample() {
            long left = leastAfterGc.getAndSet(NONE);
            lastAfterGc = left == NONE ? lastAfterGc : left;
            var values = new EnumMap<Figure, Double>(Figure.class);
            Double resident = resident();
            if (resident != null) {
                values.put(Figure.RESIDENT, resident);
            }
            values.put(Figure.HEAP, lastAfterGc / MEGABYTE);
            values.put(
                    Figure.CODE,
                    ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage().getUsed() / MEGABYTE);
            values.put(Figure.DIRECT, buffers("direct"));
            values.put(Figure.ROCKS_DB, BoundedRocksDb.usedBytes() / MEGABYTE);
            values.put(Figure.MAPPED, buffers("mapped"));
            return values;
        }

        /** Returns the megabytes that this process has; null: not Linux, or hidden by a sandbox. */
        private static @Nullable Double resident() {
            try (Stream<String> lines = Files.lines(STATUS)) {
                return lines.filter(line -> line.startsWith("VmRSS:"))
                        .findFirst()
                        .map(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024.0)
                        .orElse(null);
            } catch (IOException _) {
                return null;
            }
        }

        private static double buffers(String name) {
            return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                            .filter(pool -> pool.getName().equals(name))
                            .mapToLong(BufferPoolMXBean::getMemoryUsed)
                            .sum()
                    / MEGABYTE;
        }
    }

    /**
     * A figure over time.
     *
     * @param first median of the first tenth of the samples after settling
     * @param last median of the last tenth
     * @param allowedPerHour growth that counts as flat; null: not judged
     * @param verdict null: not judged
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Series(
            String name,
            double first,
            double last,
            Trend trend,
            @Nullable Double allowedPerHour,
            @Nullable Verdict verdict) {

        private static Series of(Figure figure, List<Sample> samples, double memory) {
            List<Double> values =
                    samples.stream().map(sample -> value(sample, figure)).toList();
            Trend trend = Trend.of(
                    samples.stream()
                            .mapToDouble(sample -> sample.seconds() / 3_600)
                            .toArray(),
                    values.stream().mapToDouble(Double::doubleValue).toArray());
            int tenth = Math.max(1, values.size() / 10);
            Double allowed = figure.allowedShare == 0
                    ? null
                    : (Double) (figure.allowedShare * (figure.isMemory ? memory : trend.median()));
            return new Series(
                    figure.title,
                    Median.of(values.subList(0, tenth)),
                    Median.of(values.subList(values.size() - tenth, values.size())),
                    trend,
                    allowed,
                    allowed == null ? null : trend.verdict(allowed));
        }
    }

    private static double value(Sample sample, Figure figure) {
        return requireNonNull(sample.values().get(figure), "all samples have the same figures");
    }

    /**
     * The slopes of a steady load, see {@link Trend}. A series is flat or growing only if the whole confidence interval says so; the
     * result is flat if all series that are judged are.
     *
     * @param seconds duration of the load
     * @param settlingSeconds time at the beginning that is not evaluated
     */
    record Report(
            @JsonIgnore Machine machine,
            int ratePerSecond,
            double seconds,
            double settlingSeconds,
            Verdict verdict,
            String rule,
            List<Series> series,
            long errors,
            List<Sample> samples)
            implements BenchResult {
        private static final String RULE =
                "flat: with 95 % confidence, memory grows by at most 3 % of the resident memory per hour,"
                        + " a latency by at most 10 % of itself; growing: by more; unclear: neither can be said";

        /** @param samples at least 8 after settling */
        static Report of(Machine machine, Plan plan, List<Sample> samples) {
            double settlingS = plan.settling().toNanos() / 1e9;
            List<Sample> settled = samples.stream()
                    .filter(sample -> sample.seconds() > settlingS)
                    .toList();
            Set<Figure> known = samples.getFirst().values().keySet();
            Figure whole = known.contains(Figure.RESIDENT) ? Figure.RESIDENT : Figure.HEAP;
            double memory = Median.of(settled, sample -> value(sample, whole));
            List<Series> series = known.stream()
                    .map(figure -> Series.of(figure, settled, memory))
                    .toList();
            Set<Verdict> verdicts = series.stream()
                    .map(Series::verdict)
                    .filter(verdict -> verdict != null)
                    .collect(Collectors.toSet());
            Verdict worst = verdicts.contains(Verdict.GROWING)
                    ? Verdict.GROWING
                    : verdicts.contains(Verdict.UNCLEAR) ? Verdict.UNCLEAR : Verdict.FLAT;
            return new Report(
                    machine,
                    plan.ratePerSecond(),
                    samples.getLast().seconds(),
                    settlingS,
                    worst,
                    RULE,
                    series,
                    samples.stream().mapToLong(Sample::errors).sum(),
                    samples);
        }

        @Override
        public String toTable() {
            var table = TextTable.ofNumbers();
            table.row("", "first", "last", "per hour", "95 % between", "and", "allowed", "");
            for (Series one : series) {
                table.row(
                        one.name(),
                        format("%,.2f", one.first()),
                        format("%,.2f", one.last()),
                        format("%+.2f", one.trend().perHour()),
                        format("%+.2f", one.trend().low()),
                        format("%+.2f", one.trend().high()),
                        one.allowedPerHour() == null ? "" : format("%,.2f", one.allowedPerHour()),
                        name(one.verdict()));
            }
            return format(
                    """
                    %s
                    %,d events/s and as many reads for %.1f min; slopes without the first %.1f min

                    %s
                    errors: %,d
                    verdict: %s (%s)
                    """,
                    machine.description(),
                    ratePerSecond,
                    seconds / MINUTE_S,
                    settlingSeconds / MINUTE_S,
                    table.text(),
                    errors,
                    name(verdict),
                    rule);
        }

        private static String name(@Nullable Verdict verdict) {
            return verdict == null ? "" : verdict.name().toLowerCase(Locale.ROOT);
        }

        @Override
        public Map<String, ?> figures() {
            return Map.of("soak", this);
        }
    }
}
