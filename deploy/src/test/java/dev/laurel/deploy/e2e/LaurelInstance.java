package dev.laurel.deploy.e2e;

import dev.laurel.deploy.cli.DataDir;
import dev.laurel.deploy.roles.Standalone;
import dev.laurel.deploy.roles.StandaloneSettings;
import dev.laurel.platform.http.RequiredRole;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SortedMap;

/** A standalone instance in this process, with its own Kafka. The caller deletes its data directory. */
final class LaurelInstance implements AutoCloseable {

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
                .onFreePorts(new DataDir(dataDir), kafka.external(), PARTITIONS, testClock));
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
    SortedMap<String, RequiredRole> routes() {
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
