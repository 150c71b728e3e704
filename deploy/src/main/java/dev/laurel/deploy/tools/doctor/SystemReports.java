package dev.laurel.deploy.tools.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.deploy.cli.ProgramVersion;
import dev.laurel.deploy.tools.doctor.ClusterFacts.GenerationFacts;
import dev.laurel.deploy.tools.doctor.Facts.ServerFacts;
import dev.laurel.deploy.tools.doctor.Findings.Finding;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.query.http.SystemRoutes;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.wire.KeyBody.AdminKeyBody;
import dev.laurel.schemas.wire.SystemBody;
import dev.laurel.schemas.wire.SystemBody.CounterLagBody;
import dev.laurel.schemas.wire.SystemBody.DiagnosticsBody;
import dev.laurel.schemas.wire.SystemBody.FindingBody;
import dev.laurel.schemas.wire.SystemBody.HealthBody;
import dev.laurel.schemas.wire.SystemBody.ProcessBody;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.jspecify.annotations.Nullable;

/**
 * The checks of {@code laurel doctor}, and what runs where, as a running process sees them. It examines Kafka like the command, and itself
 * from inside; other processes are known by their groups. Never creates the topic that measures the clocks of brokers. Thread-safe.
 */
public final class SystemReports implements SystemRoutes.Reports {

    private static final Duration HEALTH_FRESH = Duration.ofSeconds(10);
    private static final Duration SYSTEM_FRESH = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String COUNTERS_LAG = "laurel.counters.lag";
    private static final String EMAILS_WITHHELD = "laurel.delivery.emails.withheld";
    private static final int OK = 200;
    private static final int NOT_READY = 503;

    /** The check whose findings name keys. */
    private static final String KEYS = "keys";

    private final Sources sources;
    private final RunningProcess process;
    private final SharedCall<HealthBody> health;
    private final SharedCall<SystemBody> system;

    /** @param isReady whether {@code /readyz} says so @param startKey admin key that the process was started with */
    public record Sources(
            KafkaAccess kafka,
            GenerationTable generations,
            Rulesets rulesets,
            AccessIndex access,
            Metrics metrics,
            BooleanSupplier isReady,
            ApiKey startKey) {}

    public SystemReports(Sources sources, RunningProcess process) {
        this.sources = sources;
        this.process = process;
        var inspector = new SystemInspector(sources.kafka(), () -> GenerationFacts.of(sources.generations()), process);
        this.health = new SharedCall<>(
                "The examination", () -> orBusy(this::examine), HEALTH_FRESH, PATIENCE, System::nanoTime);
        this.system = new SharedCall<>(
                "Asking the brokers",
                () -> orBusy(() -> inspector.gather(self(), counters())),
                SYSTEM_FRESH,
                PATIENCE,
                System::nanoTime);
    }

    private static <T> T orBusy(Supplier<T> asked) {
        try {
            return asked.get();
        } catch (CommandFailed e) {
            throw HttpRefusal.busy("This cannot be found out now: " + e.getMessage());
        }
    }

    @Override
    public HealthBody health() {
        return health.get();
    }

    @Override
    public SystemBody system() {
        return system.get();
    }

    private HealthBody examine() {
        KafkaAccess kafka = sources.kafka();
        var known = sources.access().holderOf(sources.startKey().text()) == null
                ? null
                : Facts.KeyFacts.of(sources.startKey().text());
        Diagnosis diagnosis = Diagnosis.examine(kafka, true, null, List.of(server()), known, process.directory);
        return new HealthBody(
                Instant.now(),
                diagnosis.status().name(),
                diagnosis.findings().stream().map(SystemReports::bodyOf).toList());
    }

    private static FindingBody bodyOf(Finding finding) {
        return new FindingBody(
                finding.check(), finding.status().name(), finding.subject(), finding.message(), finding.fix());
    }

    /** This process, as the command sees it over HTTP with an admin key. */
    private ServerFacts server() {
        AccessIndex access = sources.access();
        Ruleset ruleset = access.isMultiTenant() ? null : sources.rulesets().newest(TenantId.NONE);
        return new ServerFacts(
                url(),
                null,
                OK,
                sources.isReady().getAsBoolean() ? OK : NOT_READY,
                null,
                OK,
                null,
                ruleset == null
                        ? null
                        : new ServerFacts.RulesetFacts(
                                ruleset.version(), RulesetEditor.issuesOf(RulesetSource.of(ruleset, Instant.now()))),
                AdminKeyBody.all(access),
                withheld());
    }

    private String url() {
        String url = process.url;
        return url == null ? "this process" : url;
    }

    private long withheld() {
        FunctionCounter counter =
                sources.metrics().registry().find(EMAILS_WITHHELD).functionCounter();
        return counter == null ? 0 : (long) counter.count();
    }

    private ProcessBody self() {
        String url = process.url;
        return new ProcessBody(
                process.id,
                List.copyOf(process.roles),
                null,
                url == null ? null : URI.create(url).getAuthority(),
                ProgramVersion.ofLaurel(),
                process.since,
                sources.isReady().getAsBoolean(),
                sources.rulesets().newest(TenantId.NONE).version(),
                true);
    }

    private List<CounterLagBody> counters() {
        return sources.metrics().registry().find(COUNTERS_LAG).gauges().stream()
                .map(gauge -> new CounterLagBody(applicationOf(gauge), (long) gauge.value()))
                .toList();
    }

    private static String applicationOf(Gauge gauge) {
        String name = gauge.getId().getTag("application");
        return name == null ? "" : name;
    }

    @Override
    public DiagnosticsBody diagnostics() {
        var versions = new TreeMap<String, String>();
        versions.put("laurel", ProgramVersion.ofLaurel());
        versions.put("java", Runtime.version() + " (" + System.getProperty("java.vendor") + ")");
        versions.put("kafka-clients", AppInfoParser.getVersion());
        versions.put(
                "os",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        var settings = new TreeMap<>(process.settings);
        settings.put("roles", String.join(", ", process.roles));
        settings.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        settings.put("maxHeapBytes", Long.toString(Runtime.getRuntime().maxMemory()));
        HealthBody found = orNull(this::health);
        return new DiagnosticsBody(
                Instant.now(),
                Map.copyOf(versions),
                Map.copyOf(settings),
                found == null ? null : withoutKeys(found),
                orNull(this::system),
                metrics());
    }

    private static HealthBody withoutKeys(HealthBody found) {
        return new HealthBody(
                found.at(),
                found.status(),
                found.findings().stream()
                        .filter(finding -> !finding.check().equals(KEYS))
                        .toList());
    }

    private static <T> @Nullable T orNull(Supplier<T> asked) {
        try {
            return asked.get();
        } catch (HttpRefusal _) {
            return null; // The rest is all the more needed.
        }
    }

    private String metrics() {
        var out = new ByteArrayOutputStream();
        try {
            sources.metrics().scrape(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString(UTF_8);
    }

    /**
     * Something that takes some time to find out and is asked for by several. At most one run is under way; all who ask meanwhile, and
     * shortly after it, get its result. Thread-safe.
     */
    static final class SharedCall<T> {

        private final String what;
        private final Supplier<T> run;
        private final Duration fresh;
        private final Duration patience;
        private final LongSupplier nanoTime;
        private @Nullable CompletableFuture<T> newest;
        private long endedNs;

        /**
         * @param what subject of the refusal
         * @param fresh how long a result is given to others
         * @param patience how long a caller waits; a run that takes longer continues, for later callers
         */
        SharedCall(String what, Supplier<T> run, Duration fresh, Duration patience, LongSupplier nanoTime) {
            this.what = what;
            this.run = run;
            this.fresh = fresh;
            this.patience = patience;
            this.nanoTime = nanoTime;
        }

        /** @throws HttpRefusal 503 if the run takes too long */
        T get() {
            try {
                return newest().get(patience.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException _) {
                throw HttpRefusal.busy(
                        what + " takes more than " + patience.toSeconds() + " s. Ask again for the result.");
            } catch (ExecutionException e) {
                if (e.getCause() instanceof HttpRefusal refusal) {
                    throw refusal;
                }
                throw new IllegalStateException(what + " has failed", e.getCause());
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw HttpRefusal.busy(what + " was interrupted.");
            }
        }

        private synchronized CompletableFuture<T> newest() {
            CompletableFuture<T> known = newest;
            if (known != null && (!known.isDone() || isFresh(known))) {
                return known;
            }
            newest = CompletableFuture.supplyAsync(this::run, Thread.ofVirtual().name("laurel-inspection")::start);
            return newest;
        }

        private T run() {
            T result = run.get();
            synchronized (this) {
                endedNs = nanoTime.getAsLong();
            }
            return result;
        }

        private boolean isFresh(CompletableFuture<T> known) {
            return !known.isCompletedExceptionally() && nanoTime.getAsLong() - endedNs < fresh.toNanos();
        }
    }
}
