package dev.laurel.deploy.roles;

import static dev.laurel.platform.kafka.KafkaClients.CLOSE_TIMEOUT;

import dev.laurel.console.ConsoleRoutes;
import dev.laurel.deploy.cli.ProgramVersion;
import dev.laurel.deploy.tools.doctor.RunningProcess;
import dev.laurel.deploy.tools.doctor.SystemReports;
import dev.laurel.platform.access.AccessKeys;
import dev.laurel.platform.access.PeerKey;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.http.DocumentRoutes;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.HttpSettings.RequestTimeouts;
import dev.laurel.platform.http.HttpSettings.TlsFiles;
import dev.laurel.platform.http.RateLimits;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.kafka.AuditWriter;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.platform.session.OidcSettings;
import dev.laurel.platform.session.SessionRoutes;
import dev.laurel.platform.session.SessionRoutes.SignInLinks;
import dev.laurel.platform.session.SignedSessions;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.query.http.NodeRoutes;
import dev.laurel.query.http.SystemRoutes;
import dev.laurel.schemas.access.ApiKey;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.jspecify.annotations.Nullable;

/** The HTTP server of a process, with the routes of its roles and the routes that every process has. */
final class RoleServer {

    private static final MeterName BUILD =
            MeterName.of("laurel.build", "Always 1; the version of the process is a label.");
    private static final MeterName RESIDENT = MeterName.ofBytes(
            "process.resident.memory",
            "Resident memory of the process, RocksDB included; 0 where the system does not report it.");

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT_FIELD = "VmRSS:";
    private static final double BYTES_PER_KB = 1_024;

    private final Address address;
    private final HttpServer http;
    private final SignInLinks links;

    /**
     * @param adminHost requests for this host name get the admin API at {@code /v1}
     * @param tls null: plain HTTP
     */
    record Address(
            HttpSettings.Address listening,
            @Nullable String adminHost,
            @Nullable TlsFiles tls,
            boolean isStrict) {

        String host() {
            return listening.host();
        }
    }

    /**
     * @param startKey admin key that the process was started with
     * @param oidc provider with which people sign in; null: none
     */
    record SignIn(ApiKey startKey, @Nullable OidcSettings oidc) {}

    /**
     * @param peerKey key of calls from other processes of the deployment; null: there are none
     * @param signIn how people sign in to the console
     * @param isReady whether the roles are ready; {@code /readyz} also checks Kafka. Called on request threads
     * @param routes routes of the roles
     * @throws CommandFailed if the server cannot listen on the address, or the certificate cannot be used
     */
    RoleServer(
            RoleProcess process,
            FollowedTables tables,
            Address address,
            @Nullable PeerKey peerKey,
            SignIn signIn,
            BooleanSupplier isReady,
            List<Routes> routes) {
        this.address = address;
        AccessKeys keys = tables.keys();
        // Virtual time is that of users.
        InstantSource clock = InstantSource.system();
        var sessions = new SignedSessions(tables.access().index(), keys, signIn.startKey(), signIn.oidc(), clock);
        links = new SignInLinks(clock);
        var sessionRoutes = process.parts().add(new SessionRoutes(sessions, links, signIn.oidc(), clock));
        var audit = process.parts()
                .add(new AuditWriter(
                        process.kafka().clientProperties(), process.metrics().scope()));
        var settings = new HttpSettings(
                address.listening(),
                address.adminHost(),
                new RateLimits(tables.rulesets(), process.gateway()::gateways),
                RequestTimeouts.DEFAULT,
                address.tls(),
                peerKey,
                sessions,
                process.tracing(),
                process.metrics(),
                audit,
                address.isStrict());
        var kafka = process.parts().add(new BrokerProbe(process.kafka()));
        BooleanSupplier readiness = () -> isReady.getAsBoolean() && kafka.isReachable();
        registerMeters(process, readiness, kafka::brokers);
        var all = new ArrayList<>(routes);
        all.addAll(List.of(
                new NodeRoutes(readiness),
                new DocumentRoutes(),
                sessionRoutes,
                new ConsoleRoutes(),
                systemRoutes(process, tables, address, peerKey, signIn, readiness)));
        http = process.parts().add(new HttpServer(settings, keys, all));
        process.shown().serve(urlToCall());
    }

    /** Registers the metrics of the process that are independent of its roles: readiness, version, resources. */
    private static void registerMeters(RoleProcess process, BooleanSupplier isReady, IntSupplier brokers) {
        MeterScope meters = process.parts().add(process.metrics().scope());
        meters.gauge("laurel.ready", "1 while /readyz answers 200, else 0.", () -> isReady.getAsBoolean() ? 1 : 0);
        meters.gauge(
                "laurel.kafka.brokers",
                "Brokers of the cluster that are up, as this process sees them; 0 if none answers.",
                brokers::getAsInt);
        meters.gauge(BUILD, Tags.of("version", ProgramVersion.ofLaurel()), () -> 1);
        meters.gauge(RESIDENT, Tags.empty(), RoleServer::residentBytes);
        BoundedRocksDb.register(meters);
        for (MeterBinder binder : List.of(
                process.parts().add(new JvmGcMetrics()),
                new JvmMemoryMetrics(),
                new JvmThreadMetrics(),
                new ProcessorMetrics(),
                new FileDescriptorMetrics(),
                new UptimeMetrics())) {
            binder.bindTo(process.metrics().registry());
        }
    }

    private static double residentBytes() {
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(RESIDENT_FIELD))
                            .findFirst()
                            .map(line -> Double.parseDouble(line.substring(RESIDENT_FIELD.length())
                                    .replace("kB", "")
                                    .strip()))
                            .orElse(0.0)
                    * BYTES_PER_KB;
        } catch (IOException _) {
            return 0; // Not Linux; the metric's help text says so.
        }
    }

    private static SystemRoutes systemRoutes(
            RoleProcess process,
            FollowedTables tables,
            Address address,
            @Nullable PeerKey peerKey,
            SignIn signIn,
            BooleanSupplier isReady) {
        RunningProcess shown = process.shown();
        shown.addSetting("host", address.host());
        shown.addSetting("adminHost", address.adminHost());
        shown.addSetting("tls", address.tls() != null);
        shown.addSetting("strictNames", address.isStrict());
        shown.addSetting("peerKey", peerKey == null ? "none" : "set");
        shown.addSetting("oidc", signIn.oidc() == null ? "none" : "set");
        shown.addSetting("kafka", process.kafka().bootstrapServers());
        return new SystemRoutes(new SystemReports(
                new SystemReports.Sources(
                        process.kafka(),
                        tables.generations(),
                        tables.rulesets(),
                        tables.access().index(),
                        process.metrics(),
                        isReady,
                        signIn.startKey()),
                shown));
    }

    String url() {
        return ServerAddress.of(address.host(), http.port(), address.tls() != null);
    }

    /** Returns the address for programs and browsers on this machine. */
    String urlToCall() {
        return ServerAddress.of(ServerAddress.toCall(address.host()), http.port(), address.tls() != null);
    }

    /** Returns the console's path for one sign-in with the admin key of the start, within a few minutes. */
    String newSignInPath() {
        return links.newPath();
    }

    /** Returns what the routes need, by method and path: {@code GET /v1/users/{id}}. */
    SortedMap<String, RequiredRole> routes() {
        return http.routes();
    }

    /**
     * Checks whether Kafka answers. Sends at most one request per second; callers in between share its result.
     * Thread-safe.
     */
    static final class BrokerProbe implements AutoCloseable {

        private static final int TIMEOUT_MS = 2_000;
        private static final long FRESH_NS = Duration.ofSeconds(1).toNanos();

        private final Admin admin;
        private long askedNs = System.nanoTime() - FRESH_NS;
        private int brokers;

        BrokerProbe(KafkaAccess kafka) {
            this.admin = KafkaClients.admin(kafka, Map.of());
        }

        boolean isReachable() {
            return brokers() > 0;
        }

        /** Returns the number of brokers that are up, 0 if none answers. Waits at most two seconds. */
        synchronized int brokers() {
            if (System.nanoTime() - askedNs >= FRESH_NS) {
                brokers = ask();
                askedNs = System.nanoTime();
            }
            return brokers;
        }

        private int ask() {
            try {
                return KafkaClients.get(
                                admin.describeCluster(new DescribeClusterOptions().timeoutMs(TIMEOUT_MS))
                                        .nodes(),
                                Duration.ofMillis(TIMEOUT_MS),
                                "no broker answers")
                        .size();
            } catch (CommandFailed _) {
                return 0; // Kafka does not answer, which is a valid result here.
            }
        }

        @Override
        public void close() {
            admin.close(CLOSE_TIMEOUT);
        }
    }
}
