package dev.laurel.deploy.sending;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.delivery.message.MessageSender.OutgoingMessage;
import dev.laurel.delivery.message.MessageSender.SendResult;
import dev.laurel.delivery.runtime.Delivery;
import dev.laurel.delivery.runtime.DeliveryConfig;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.processors.runtime.NodeId;
import dev.laurel.processors.runtime.StreamsSettings;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.topic.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Delivery with a service that writes the id of each message to a file, so that sent messages are known after any
 * kill. The main method runs it in a process of its own until it is killed.
 */
final class SendingApp {

    static final int PARTITIONS = 2;
    static final UUID TEMPLATE = UUID.fromString("00000000-0000-4000-8000-000000000007");

    private static final Ruleset RULESET = ruleset("""
        metrics: {laps: {}}
        notifications:
          templates:
            recap: {id: %s, type: recap, channel: email, subject: Your week, body: Well done}
          channels: {email: {from: team@pool.example}}
        """.formatted(TEMPLATE));

    /** A mail server takes its time before it accepts a message, and before it answers. */
    private static final Executor LATER = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

    private SendingApp() {}

    private static Ruleset ruleset(String yaml) {
        var source = RulesetSource.of(YAMLMapper.builder().build().readValue(yaml, Map.class));
        return switch (RulesetEditor.apply(Ruleset.empty(TenantId.NONE), source, Instant.EPOCH)) {
            case RulesetEditor.Result.Changed(Ruleset changed) -> changed;
            case RulesetEditor.Result other -> throw new IllegalStateException("not a ruleset: " + other);
        };
    }

    static long rulesVersion() {
        return RULESET.version();
    }

    /** @param sent file that the service writes to */
    static Delivery start(String kafka, Path state, Path sent, Consumer<Throwable> onFault) {
        var config = new DeliveryConfig(
                StreamsSettings.alone(KafkaAccess.at(kafka), state, 1, BoundedRocksDb.DEFAULT_MEMORY_BYTES),
                300,
                DeliveryConfig.Sending.DEFAULT);
        var parts = new Delivery.Parts(
                new OneRuleset(),
                new RulesetVersions(new OneRuleset(), Duration.ZERO),
                nobody(),
                null,
                Map.of(NotificationChannel.EMAIL, message -> write(message, sent)),
                new LogLayout(PARTITIONS),
                Topics.COMMANDS::name,
                false);
        // The same after any loss of the disk, so that no start waits until the group notices that the former process
        // is
        // dead.
        NodeId node = NodeId.keptIn(state.resolveSibling("node"));
        return new Delivery(config, node, parts, InstantSource.system(), new Metrics(), onFault);
    }

    private static AccessView nobody() {
        return new AccessView() {
            @Override
            public AccessIndex index() {
                throw new UnsupportedOperationException("no webhook is here to be signed for");
            }

            @Override
            public boolean awaitNewest(Duration timeout) {
                return true;
            }
        };
    }

    private static SendResult write(OutgoingMessage message, Path sent) {
        return CompletableFuture.runAsync(() -> write(message.id() + "\n", sent), LATER)
                .thenApplyAsync(_ -> new SendResult.Sent(List.of()), LATER)
                .join();
    }

    private static void write(String line, Path file) {
        try {
            Files.writeString(file, line, UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The published ruleset. */
    private record OneRuleset() implements Rulesets {

        @Override
        public Ruleset newest(TenantId tenant) {
            return RULESET;
        }

        @Override
        public Ruleset version(TenantId tenant, long version) {
            return version == RULESET.version() ? RULESET : null;
        }

        @Override
        public Ruleset await(TenantId tenant, long version, Duration timeout) {
            return version(tenant, version);
        }

        @Override
        public boolean awaitNewest(Duration timeout) {
            return true;
        }
    }

    /** @param arguments address of Kafka, state directory, file */
    public static void main(String[] arguments) throws InterruptedException {
        start(arguments[0], Path.of(arguments[1]), Path.of(arguments[2]), fault -> {
            fault.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        Thread.currentThread().join();
    }
}
