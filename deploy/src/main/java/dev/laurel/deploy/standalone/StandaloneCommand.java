package dev.laurel.deploy.standalone;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.ruleset.RulesetClient;
import dev.laurel.deploy.tools.ruleset.RulesetClient.Applied;
import dev.laurel.deploy.tools.ruleset.RulesetFile;
import dev.laurel.deploy.tools.ruleset.RulesetProblems;
import dev.laurel.processors.DeliveryConfig;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.wire.RulesetAppliedBody;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs everything in one process, until it is told to stop. */
@Command(name = "standalone", description = "Run broker, gateway and node in one process, until SIGTERM.")
public final class StandaloneCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(names = "--host", paramLabel = "HOST", defaultValue = "127.0.0.1", description = "Address to listen on (default: ${DEFAULT-VALUE}).")
    private String host;

    @Option(names = "--port", paramLabel = "PORT", defaultValue = ""
            + StandaloneSettings.DEFAULT_PORT, description = "Port for HTTP; 0 takes any free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(names = "--data-dir", paramLabel = "DIR", defaultValue = "./laurel-data", description = "Where everything is kept (default: ${DEFAULT-VALUE}).")
    private Path dataDir;

    @Option(names = "--admin-key", paramLabel = "KEY", description = "The admin key; by default one is made at the first start and kept in the data directory.")
    private String adminKey;

    @Option(names = "--ruleset", paramLabel = "FILE", description = "A laurel.yaml, applied at start if it says something new.")
    private Path rulesetFile;

    @Option(names = "--kafka", paramLabel = "HOST:PORT,…", description = "Use this Kafka cluster instead of the embedded broker.")
    private String kafka;

    @Option(names = "--broker-port", paramLabel = "PORT", defaultValue = ""
            + StandaloneSettings.DEFAULT_BROKER_PORT, description = "Port of the embedded broker, for direct producers; 0 takes any free one (default: ${DEFAULT-VALUE}).")
    private int brokerPort;

    @Option(names = "--partitions", paramLabel = "N", defaultValue = ""
            + StandaloneSettings.DEFAULT_PARTITIONS, description = "Partitions of users, fixed when the topics are created (default: ${DEFAULT-VALUE}).")
    private int partitions;

    @Option(names = "--test-clock", fallbackValue = "true", description = "Time is virtual: it stands still until POST /admin/v1/test-clock moves it. For tests of streaks and timers.")
    private boolean testClock;

    @Option(names = "--admin-host", paramLabel = "NAME", description = "Requests for this host name get the admin API at /v1.")
    private String adminHost;

    @Option(names = "--allow-private-webhooks", paramLabel = "true|false", arity = "0..1", fallbackValue = "true", description = "Webhooks and mail servers may be at private, loopback and link-local addresses (default: only if --host is a loopback address).")
    private Boolean allowPrivateWebhooks;

    @Option(names = "--stale-after", paramLabel = "DURATION", defaultValue = "PT24H", description = "What happened longer ago than this is told nobody, so that imports are silent (default: ${DEFAULT-VALUE}).")
    private Duration staleAfter;

    @Option(names = "--public-url", paramLabel = "URL", description = "Where users' browsers reach this instance, for links in emails (default: http://HOST:PORT; none if HOST stands for all addresses).")
    private URI publicUrl;

    @Option(names = "--access-log", fallbackValue = "true", description = "Log a line for each request: route, status, duration; no keys, no addresses.")
    private boolean accessLog;

    @Override
    public Integer call() throws InterruptedException {
        long startedNs = System.nanoTime();
        if (accessLog) {
            System.setProperty("laurel.log.access", "info"); // before the first logger exists, like the others
        }
        var stopped = new CountDownLatch(1);
        RulesetFile ruleset = checkedRuleset();
        var settings = new StandaloneSettings(host, port, new DataDir(dataDir), checkedKey(), kafka, brokerPort,
                partitions, testClock, Map.of(), Map.of(), deliverySettings(), adminHost);
        var standalone = Standalone.start(settings);
        var closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stopped.countDown();
            awaitQuietly(closed);
        }, "stop"));
        standalone.fault().thenRun(stopped::countDown);
        try {
            apply(ruleset, standalone);
            greet(standalone, (System.nanoTime() - startedNs) / 1_000_000);
            stopped.await();
        } finally {
            standalone.close();
            closed.countDown();
        }
        if (standalone.fault().isDone()) {
            Throwable fault = standalone.fault().join();
            throw new CommandFailed("stopped by a fault: " + fault.getMessage(), fault);
        }
        return 0;
    }

    private Map<String, Object> deliverySettings() {
        var delivery = new HashMap<String, Object>();
        if (staleAfter.compareTo(Duration.ofMillis(1)) < 0 || staleAfter.compareTo(DeliveryConfig.LOG_KEPT) > 0) {
            throw new CommandFailed("--stale-after: must be longer than nothing and at most 7 days, like PT24H");
        }
        delivery.put(DeliveryConfig.STALE_AFTER_MS, staleAfter.toMillis());
        if (allowPrivateWebhooks != null) {
            delivery.put(DeliveryConfig.ALLOW_PRIVATE_WEBHOOKS, allowPrivateWebhooks);
        }
        if (publicUrl != null) {
            delivery.put(DeliveryConfig.PUBLIC_URL, checkedUrl(publicUrl));
        }
        return delivery;
    }

    private static String checkedUrl(URI url) {
        boolean isWeb = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        if (!isWeb || url.getHost() == null || url.getRawQuery() != null || url.getRawFragment() != null) {
            throw new CommandFailed("--public-url: must be an absolute http or https URL without query, like "
                    + "https://laurel.example.com");
        }
        return url.toString();
    }

    private String checkedKey() {
        if (adminKey == null) {
            return null;
        }
        try {
            return ApiKey.givenAdminKey(adminKey).text();
        } catch (IllegalArgumentException e) {
            throw new CommandFailed("--admin-key: " + e.getMessage(), e);
        }
    }

    /** The JVM ends when this hook returns: not before everything is closed. */
    private static void awaitQuietly(CountDownLatch closed) {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Read before anything starts: a mistake in it is told at once. */
    private RulesetFile checkedRuleset() {
        if (rulesetFile == null) {
            return null;
        }
        RulesetFile ruleset = RulesetFile.read(rulesetFile);
        RulesetProblems.expectNone(ruleset.problems(), spec.commandLine().getErr());
        return ruleset;
    }

    private void apply(RulesetFile ruleset, Standalone standalone) {
        if (ruleset == null) {
            return;
        }
        try (var client = new RulesetClient(URI.create(standalone.url()), standalone.adminKey())) {
            switch (client.apply(ruleset.source())) {
                case Applied.Done(RulesetAppliedBody body) -> spec.commandLine().getOut().printf("%s %s version %d.%n",
                        rulesetFile, body.changed() ? "is now" : "is already", body.version());
                case Applied.Refused(var issues) ->
                    RulesetProblems.expectNone(ruleset.locate(issues), spec.commandLine().getErr());
            }
        }
    }

    private void greet(Standalone standalone, long tookMs) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf("Laurel is ready at %s after %.1f s.%n", standalone.url(), tookMs / 1000.0);
        if (standalone.isKeyNew()) {
            out.printf("Admin key (kept in %s): %s%n", new DataDir(dataDir).keyFile(), standalone.adminKey());
        } else if (adminKey == null) {
            out.printf("Admin key: in %s%n", new DataDir(dataDir).keyFile());
        }
        if (!standalone.isKeyValid()) {
            out.println(
                    "This admin key has been revoked, rotated or deleted. To get in with a new one, start once with "
                            + "--admin-key and a key of your own: 8 letters or digits, a dot, a long random secret.");
        }
        if (testClock) {
            out.printf("Time is virtual and stands at %s; POST /admin/v1/test-clock moves it.%n", standalone.now());
        }
        out.printf("Kafka is at %s, data in %s. Stop with Ctrl-C.%n", standalone.bootstrapServers(), dataDir);
        out.flush();
    }
}
