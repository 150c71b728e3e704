package dev.laurel.deploy.tools.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.schemas.topic.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class DoctorIT {

    @TempDir
    private Path dir;

    @AutoClose
    private EmbeddedBroker broker;

    @BeforeEach
    void startBroker() {
        broker = EmbeddedBroker.start(BrokerSettings.alone(dir.resolve("kafka"), 0, 0));
    }

    private CommandRun doctor(String... options) {
        var all =
                new ArrayList<>(List.of("doctor", "--kafka", broker.bootstrapServers(), "--data-dir", dir.toString()));
        all.addAll(List.of(options));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private static void expectLine(CommandRun run, String start) {
        assertTrue(
                run.out().lines().anyMatch(line -> line.startsWith(start)), () -> start + " is not in\n" + run.out());
    }

    /** Several steps on one deployment, so that one broker suffices. */
    @Test
    void shouldFindProblemsOfCluster() throws Exception {
        CommandRun empty = doctor("--read-only");
        assertEquals(1, empty.exitCode(), empty.out() + empty.err());
        expectLine(
                empty,
                "fail  topics           laurel.commands: is missing  → deploy/laurel topics create --kafka "
                        + broker.bootstrapServers());

        assertEquals(
                0,
                CommandRun.of("topics", "create", "--partitions", "2", "--kafka", broker.bootstrapServers())
                        .exitCode());
        Path json = dir.resolve("found.json");
        CommandRun created = doctor("--json", json.toString());
        assertEquals(0, created.exitCode(), created.out() + created.err());
        expectLine(created, "warn  brokers          one broker");
        expectLine(
                created, "ok    topics           " + Topics.all().size() + " topics exist, users are in 2 partitions");
        expectLine(created, "ok    topic-settings   " + Topics.all().size() + " topics have the required settings");
        expectLine(created, "ok    log-times        the log accepts any past time and no time in the far future");
        expectLine(created, "ok    transactions     none blocks the log");
        expectLine(created, "ok    clocks           1 clock agrees");
        expectLine(created, "ok    directory        " + dir);
        expectLine(created, "warn  groups           laurel-ledger: has never run");
        assertFalse(created.out().contains("could not be read"), created.out());
        assertEquals(
                "warn",
                new JsonMapper().readTree(Files.readString(json)).get("status").asString());

        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> admin.listTopics().names().get().stream()
                            .noneMatch(name -> name.startsWith("laurel.doctor-")));
            var log = new ConfigResource(ConfigResource.Type.TOPIC, Topics.COMMANDS.name());
            admin.incrementalAlterConfigs(Map.of(
                            log,
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("retention.ms", "1000000"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get(20, TimeUnit.SECONDS);
        }
        try (var stranger = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.bootstrapServers(),
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        "stranger"),
                new StringSerializer(),
                new StringSerializer())) {
            stranger.initTransactions();
            stranger.beginTransaction();
            stranger.send(new ProducerRecord<>(Topics.COMMANDS.name(), 1, "ida", "{}"))
                    .get(20, TimeUnit.SECONDS);
            Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                CommandRun altered = doctor("--read-only");
                assertEquals(1, altered.exitCode(), altered.out() + altered.err());
                expectLine(altered, "fail  topic-settings   laurel.commands: retention.ms is 1000000, must be -1");
                expectLine(
                        altered,
                        "warn  transactions     laurel.commands-1: a transaction at offset 0 blocks 1 records; its"
                                + " producer ");
            });
            stranger.abortTransaction();
        }
    }

    @Test
    void shouldFailWithoutBroker() {
        broker.close();

        CommandRun away = doctor("--json", "-");
        assertEquals(1, away.exitCode(), away.err());
        var findings = new JsonMapper().readTree(away.out()).get("findings");
        assertEquals("brokers", findings.at("/0/check").asString());
        assertEquals("fail", findings.at("/0/status").asString());
        assertTrue(findings.at("/0/message").asString().startsWith("cannot reach Kafka at"), away.out());
        assertEquals("directory", findings.at("/1/check").asString(), away.out());
    }
}
