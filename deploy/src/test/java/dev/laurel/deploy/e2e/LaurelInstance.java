package dev.laurel.deploy.e2e;

import dev.laurel.deploy.cli.DataDir;
import dev.laurel.deploy.standalone.Standalone;
import dev.laurel.deploy.standalone.StandaloneSettings;
import dev.laurel.platform.http.Access;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.schemas.key.TenantId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import org.awaitility.Awaitility;

/** A standalone instance in this process, with its own Kafka. The caller deletes its data directory. */
final class LaurelInstance implements AutoCloseable {

    /** Few, so that all tests with some edits also read versions that are archived. */
    static final int RULESET_VERSIONS = Integer.getInteger("laurel.ruleset.versions", 8);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Users in several partitions, and half as many stores to open as by default, which slow tests have. */
    static final int PARTITIONS = Boolean.getBoolean("laurel.slow") ? StandaloneSettings.DEFAULT_PARTITIONS : 2;

    private final Path dataDir;
    private final E2eKafka kafka;
    private final boolean testClock;
    private Standalone standalone;
    private LaurelClient client;

    private LaurelInstance(Path dataDir, E2eKafka kafka, boolean testClock) {
        this.testClock = testClock;
        this.dataDir = dataDir;
        this.kafka = kafka;
    }

    static LaurelInstance start(Path dataDir) throws InterruptedException {
        return start(dataDir, false);
    }

    /** Starts an instance with virtual time, which only a test moves. */
    static LaurelInstance startWithTestClock(Path dataDir) throws InterruptedException {
        return start(dataDir, true);
    }

    private static LaurelInstance start(Path dataDir, boolean testClock) throws InterruptedException {
        E2eKafka kafka = E2eKafka.start();
        try {
            var instance = new LaurelInstance(dataDir, kafka, testClock);
            instance.startStandalone();
            return instance;
        } catch (RuntimeException | InterruptedException e) {
            kafka.close();
            throw e;
        }
    }

    private void startStandalone() throws InterruptedException {
        standalone = Standalone.start(StandaloneSettings
                .onFreePorts(new DataDir(dataDir), kafka.external(), PARTITIONS, testClock)
                .withLedger(LedgerConfig.RULESET_VERSIONS, RULESET_VERSIONS));
        client = new LaurelClient(standalone.url(), standalone.adminKey());
    }

    /**
     * Closes the program and restarts it on the same data.
     *
     * @return duration of the start in milliseconds
     */
    long restart() throws InterruptedException {
        stop();
        long startedNs = System.nanoTime();
        startStandalone();
        return (System.nanoTime() - startedNs) / 1_000_000;
    }

    /** Returns a client for this start; a restart listens on another port. */
    LaurelClient client() {
        return client;
    }

    /** Returns what the routes need, by method and path. */
    SortedMap<String, Access> routes() {
        return standalone.routes();
    }

    String url() {
        return standalone.url();
    }

    String bootstrapServers() {
        return standalone.bootstrapServers();
    }

    String adminKey() {
        return standalone.adminKey();
    }

    /** Returns an address of the console that signs in once. */
    String newSignInUrl() {
        return standalone.newSignInUrl();
    }

    /**
     * Waits until a version of the ruleset without a tenant is read from the archive.
     *
     * @param version none to which kept ones are differences
     */
    static void awaitArchived(long version, String servers) throws InterruptedException {
        try (var table = new RulesetTable(Map.of("bootstrap.servers", servers), _ -> {})) {
            table.start();
            table.awaitCaughtUp(PATIENCE);
            Awaitility.await().atMost(PATIENCE)
                    .until(() -> table.version(TenantId.NONE, version) != null && table.archiveReads() > 0);
        }
    }

    private void stop() {
        if (client != null) {
            client.close();
            standalone.close();
            client = null;
        }
    }

    @Override
    public void close() {
        stop();
        kafka.close();
    }
}
