package dev.laurel.bench;

import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.deploy.cli.CloseStack;
import dev.laurel.deploy.cli.DataDir;
import dev.laurel.deploy.cli.TemporaryFolder;
import dev.laurel.deploy.roles.Standalone;
import dev.laurel.deploy.roles.StandaloneSettings;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.topic.Topics;
import java.net.URI;
import java.nio.file.Path;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.streams.KafkaStreams;

/**
 * A broker in this process, and beside it Laurel, the bare pipeline, or both; in a temporary folder that is deleted at the end. Used by
 * one thread.
 */
final class OneProcess implements AutoCloseable {
    static final int PARTITIONS = 4;

    private final CloseStack parts = new CloseStack();
    private final TemporaryFolder folder = parts.add(TemporaryFolder.create("laurel-bench"));
    private final EmbeddedBroker broker;
    private final int partitions;

    OneProcess(int partitions) {
        this.partitions = partitions;
        try {
            broker = parts.add(
                    EmbeddedBroker.start(BrokerSettings.alone(folder.path().resolve("broker"), 0, 0)));
        } catch (RuntimeException e) {
            parts.close();
            throw e;
        }
    }

    /**
     * An application whose speed is measured.
     *
     * @param topic topic that it reads
     * @param effectsTopic topic of what it reports
     * @param streams paused while events are written
     * @param check throws {@link IllegalStateException} if the application has failed
     */
    record Subject(
            String name,
            String applicationId,
            String topic,
            String effectsTopic,
            KafkaStreams streams,
            Events events,
            Runnable check) {}

    /** Creates an event of a user by its number, as a record that nobody waits for. */
    @FunctionalInterface
    interface Events {
        ProducerRecord<byte[], byte[]> of(long number, String user);
    }

    String bootstrapServers() {
        return broker.bootstrapServers();
    }

    Path folder() {
        return folder.path();
    }

    Subject startBare() {
        return parts.add(new BarePipeline(bootstrapServers(), partitions, folder().resolve("bare")))
                .subject();
    }

    /** Starts Laurel with all roles. */
    Standalone startLaurel(RulesetSource rules) {
        try {
            Standalone laurel = parts.add(Standalone.start(StandaloneSettings.onFreePorts(
                    new DataDir(folder().resolve("laurel")), KafkaAccess.at(bootstrapServers()), partitions, false)));
            Laurel.apply(URI.create(laurel.url()), laurel.adminKey(), rules);
            return laurel;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while starting", e);
        }
    }

    static Subject subject(Standalone laurel) {
        return new Subject(
                "laurel",
                LedgerConfig.APPLICATION_ID,
                Topics.COMMANDS.name(),
                Topics.EFFECTS.name(),
                laurel.ledger().streams(),
                Laurel::event,
                () -> {
                    if (laurel.fault().isDone()) {
                        throw new IllegalStateException(
                                "Laurel has failed", laurel.fault().join());
                    }
                });
    }

    @Override
    public void close() {
        parts.close();
    }
}
