package dev.laurel.bench;

import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.deploy.cli.TemporaryFolder;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.schemas.topic.Generation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.StreamsConfig;

/**
 * An embedded broker and subjects in this process, in a temporary folder that is deleted at the end. Used by one
 * thread.
 */
final class BenchHarness implements AutoCloseable {
    private final TemporaryFolder scratch;
    private final EmbeddedBroker broker;
    private final Subject.Environment environment;
    private final List<Subject> subjects = new ArrayList<>();

    private BenchHarness(int partitions, int users) {
        scratch = TemporaryFolder.create("laurel-bench");
        broker = EmbeddedBroker.start(scratch.path().resolve("broker"), 0, 0);
        environment = new Subject.Environment(broker.bootstrapServers(), scratch.path(), partitions,
                new UniformUsers(users), streamsSettings());
    }

    /** @param progress receives a line per started part */
    static BenchHarness open(List<Subject.Factory> factories, int partitions, int users, Progress progress) {
        var harness = new BenchHarness(partitions, users);
        progress.line("broker is up");
        try {
            for (Subject.Factory factory : factories) {
                harness.subjects.add(factory.start(harness.environment));
                progress.line(harness.subjects.getLast().name() + " is running");
            }
            return harness;
        } catch (RuntimeException e) {
            harness.close();
            throw e;
        }
    }

    /** Returns the Kafka Streams properties of the ledger, without those that each subject sets itself. */
    private static Map<String, Object> streamsSettings() {
        var ledger = new LedgerConfig(
                Map.of(LedgerConfig.BOOTSTRAP_SERVERS, "set-by-each:1", LedgerConfig.STATE_DIR, "set-by-each"));
        var settings = new HashMap<String, Object>();
        ledger.streamsProperties(Generation.FIRST).forEach((name, value) -> settings.put((String) name, value));
        settings.keySet().removeAll(List.of(StreamsConfig.APPLICATION_ID_CONFIG,
                StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, StreamsConfig.STATE_DIR_CONFIG));
        return settings;
    }

    Subject.Environment environment() {
        return environment;
    }

    /** Returns the subjects in the order of their factories. */
    List<Subject> subjects() {
        return List.copyOf(subjects);
    }

    @Override
    public void close() {
        try (scratch; broker) {
            subjects.reversed().forEach(Subject::close);
        }
    }
}
