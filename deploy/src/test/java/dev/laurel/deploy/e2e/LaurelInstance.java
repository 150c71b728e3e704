package dev.laurel.deploy.e2e;

import dev.laurel.deploy.TempFolders;
import dev.laurel.deploy.cli.DataDir;
import dev.laurel.deploy.roles.Standalone;
import dev.laurel.deploy.roles.StandaloneSettings;
import dev.laurel.platform.http.RequiredRole;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.stream.Stream;

/** A standalone instance in this process, with its own Kafka, in a folder of its own or in one that the caller deletes. */
final class LaurelInstance implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Users in several partitions, and half as many stores to open as by default, which slow tests have. */
    static final int PARTITIONS = Boolean.getBoolean("laurel.slow") ? StandaloneSettings.DEFAULT_PARTITIONS : 2;

    private final Path dataDir;
    private final boolean isOwnFolder;
    private final E2eKafka kafka;
    private final boolean testClock;
    private Standalone standalone;
    private LaurelClient client;

    private LaurelInstance(Path dataDir, boolean isOwnFolder, E2eKafka kafka, boolean testClock) {
        this.testClock = testClock;
        this.dataDir = dataDir;
        this.isOwnFolder = isOwnFolder;
        this.kafka = kafka;
    }

    static LaurelInstance start(Path dataDir) throws InterruptedException {
        return start(dataDir, false, false);
    }

    static LaurelInstance start() throws InterruptedException {
        return start(newFolder(), true, false);
    }

    /** Starts an instance with virtual time, which only a test moves. */
    static LaurelInstance startWithTestClock() throws InterruptedException {
        return start(newFolder(), true, true);
    }

    private static Path newFolder() {
        try {
            return TempFolders.create("laurel-e2e");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static LaurelInstance start(Path dataDir, boolean isOwnFolder, boolean testClock)
            throws InterruptedException {
        E2eKafka kafka = E2eKafka.start();
        try {
            var instance = new LaurelInstance(dataDir, isOwnFolder, kafka, testClock);
            instance.startStandalone();
            return instance;
        } catch (RuntimeException | InterruptedException e) {
            kafka.close();
            throw e;
        }
    }

    private void startStandalone() throws InterruptedException {
        standalone = Standalone.start(
                StandaloneSettings.onFreePorts(new DataDir(dataDir), kafka.external(), PARTITIONS, testClock));
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

    Path dataDir() {
        return dataDir;
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
        if (isOwnFolder) {
            delete(dataDir);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
