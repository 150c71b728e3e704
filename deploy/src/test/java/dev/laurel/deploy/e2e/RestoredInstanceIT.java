package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Tests an instance that is lost except for its backup and restored to another Kafka. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
final class RestoredInstanceIT {

    private static final List<String> USERS = List.of("ida", "eve", "gone", "kim");

    @TempDir
    private Path scratch;

    @Test
    void shouldAnswerAsBeforeAndNotRepeatNotifications() throws Exception {
        String backup = scratch.resolve("backup").toString();
        Map<String, String> before;
        try (var lost = LaurelProcess.standalone(scratch.resolve("lost"));
                var client = lost.client()) {
            expectDone(CommandRun.of(
                    "ruleset",
                    "apply",
                    "examples/swimming.yaml",
                    "--url",
                    client.url(),
                    "--key",
                    LaurelProcess.ADMIN_KEY));
            for (String user : USERS) {
                client.record(user, "laps-swum", "42");
            }
            client.delete("/admin/v1/users?ids=gone").expect(200);
            client.record("kim", "laps-swum", "1");
            before = reads(client);
            assertFalse(records(lost.bootstrapServers(), "laurel.effects").isEmpty());
            expectDone(CommandRun.of("topics", "backup", backup, "--kafka", lost.bootstrapServers()));
        }

        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.alone(scratch.resolve("broker"), 0, 0))) {
            String kafka = broker.bootstrapServers();
            expectDone(CommandRun.of("topics", "restore", backup, "--forget-erased", "--kafka", kafka));
            assertTrue(records(kafka, "laurel.commands").stream().noneMatch(record -> record.contains("gone")));
            try (var restored = LaurelProcess.standalone(scratch.resolve("restored"), kafka);
                    var client = restored.client()) {
                assertEquals(before, reads(client));
                client.get("/v1/users/gone").expect(404);
                assertEquals(List.of(), records(kafka, "laurel.effects"));

                client.record("ida", "laps-swum", "10"); // worth points
                Awaitility.await()
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> !records(kafka, "laurel.effects").isEmpty());
                assertTrue(
                        records(kafka, "laurel.effects").stream()
                                .allMatch(record -> record.contains("ida") || record.contains("leaderboard")),
                        "only what has happened since");
            }
        }
    }

    private static Map<String, String> reads(LaurelClient client) {
        var reads = new TreeMap<String, String>();
        for (String user : List.of("ida", "eve", "kim")) {
            for (String what : List.of("", "/points/gems?awards=10", "/metrics", "/achievements")) {
                reads.put(
                        user + what,
                        client.get("/v1/users/" + user + what).expect(200).text());
            }
        }
        return reads;
    }

    private static void expectDone(CommandRun run) {
        assertEquals(0, run.exitCode(), run.err());
    }

    /** Returns the committed records, key and value as text. */
    private static List<String> records(String servers, String topic) {
        var found = new ArrayList<String>();
        try (var consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    found.add(text(record.key()) + " " + text(record.value()));
                }
            }
        }
        return found;
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "null" : new String(bytes, StandardCharsets.UTF_8);
    }
}
