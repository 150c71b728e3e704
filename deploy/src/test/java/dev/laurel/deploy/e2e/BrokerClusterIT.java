package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.deploy.CommandRun;
import dev.laurel.platform.http.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests three brokers, started as operators start them. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class BrokerClusterIT {

    private static final int BROKERS = 3;
    private static final TopicPartition EFFECTS = new TopicPartition("laurel.effects", 0);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(60);

    @TempDir
    private Path dir;

    @Test
    void shouldContinueWithoutOneOfThreeBrokers() throws Exception {
        String quorum = quorum();
        var brokers = new ArrayList<LaurelProcess>();
        try {
            for (int id = 1; id <= BROKERS; id++) {
                brokers.add(LaurelProcess.launch(
                        "broker",
                        "--node-id",
                        Integer.toString(id),
                        "--port",
                        "0",
                        "--quorum",
                        quorum,
                        "--data-dir",
                        dir.resolve("broker-" + id).toString()));
            }
            for (LaurelProcess broker : brokers) {
                broker.awaitReady();
            }
            String servers =
                    brokers.stream().map(LaurelProcess::bootstrapServers).collect(Collectors.joining(","));
            CommandRun created = CommandRun.of(
                    "topics",
                    "create",
                    "--kafka",
                    servers,
                    "--partitions",
                    "1",
                    "--board-partitions",
                    "1",
                    "--gateway-partitions",
                    "1");
            assertEquals(0, created.exitCode(), created.err());
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
                assertEquals(
                        BROKERS,
                        admin.describeTopics(List.of(EFFECTS.topic()))
                                .allTopicNames()
                                .get(30, TimeUnit.SECONDS)
                                .get(EFFECTS.topic())
                                .partitions()
                                .getFirst()
                                .isr()
                                .size());
            }

            try (var producer = new KafkaProducer<>(
                    Map.of("bootstrap.servers", servers, "acks", "all", "transactional.id", "swimmers"),
                    new StringSerializer(),
                    new StringSerializer())) {
                producer.initTransactions();
                send(producer, "before");
                leaderOf(servers, brokers).kill();
                send(producer, "after");
            }

            assertEquals(List.of("before", "after"), read(servers, 2));
        } finally {
            brokers.forEach(LaurelProcess::close);
        }
    }

    /** Internal topics such as those of transactions must have copies, too. */
    private static void send(KafkaProducer<String, String> producer, String value) throws Exception {
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(EFFECTS.topic(), 0, "ann", value)).get(60, TimeUnit.SECONDS);
        producer.commitTransaction();
    }

    private static LaurelProcess leaderOf(String servers, List<LaurelProcess> brokers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            return brokers.get(admin.describeTopics(List.of(EFFECTS.topic()))
                            .allTopicNames()
                            .get(30, TimeUnit.SECONDS)
                            .get(EFFECTS.topic())
                            .partitions()
                            .getFirst()
                            .leader()
                            .id()
                    - 1);
        }
    }

    private static List<String> read(String servers, int count) {
        var values = new ArrayList<String>();
        try (var consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.assign(List.of(EFFECTS));
            consumer.seekToBeginning(List.of(EFFECTS));
            long startedNs = System.nanoTime();
            while (values.size() < count && System.nanoTime() - startedNs < READ_TIMEOUT.toNanos()) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
            }
        }
        return values;
    }

    /** Controllers must know each other's ports before they start. */
    private static String quorum() {
        List<Integer> ports = TestServer.unusedPorts(BROKERS);
        return IntStream.rangeClosed(1, BROKERS)
                .mapToObj(id -> id + "@127.0.0.1:" + ports.get(id - 1))
                .collect(Collectors.joining(","));
    }
}
