package dev.laurel.deploy.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.command.CommandFailed;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class EmbeddedBrokerIT {
    private static final TopicPartition LAPS = new TopicPartition("laps", 0);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(20);

    @TempDir
    Path dataDir;

    @Test
    void shouldKeepRecordsAcrossRestartOnOtherPorts() throws Exception {
        int firstPort;
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.alone(dataDir, 0, 0))) {
            firstPort = portOf(broker);
            createLaps(broker.bootstrapServers());
            produce(broker.bootstrapServers(), "one");
        }
        // Holding the first port makes the second start take another one.
        try (ServerSocket held = new ServerSocket(firstPort, 1, InetAddress.getLoopbackAddress());
                EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.alone(dataDir, 0, 0))) {
            assertTrue(held.getLocalPort() != portOf(broker));
            produce(broker.bootstrapServers(), "two");

            assertEquals(List.of("one", "two"), readLaps(broker.bootstrapServers(), 2, "read_uncommitted"));
        }
    }

    @Test
    void shouldHideAbortedTransactionFromCommittedReaders() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.alone(dataDir, 0, 0))) {
            createLaps(broker.bootstrapServers());
            try (Producer<String, String> producer =
                    producer(broker.bootstrapServers(), Map.of("transactional.id", "laps-writer"))) {
                producer.initTransactions();
                producer.beginTransaction();
                producer.send(new ProducerRecord<>("laps", "aborted")).get();
                producer.abortTransaction();
                producer.beginTransaction();
                producer.send(new ProducerRecord<>("laps", "committed")).get();
                producer.commitTransaction();
            }

            assertEquals(List.of("committed"), readLaps(broker.bootstrapServers(), 1, "read_committed"));
        }
    }

    @Test
    void shouldAcceptEventsOfLongAgo() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.alone(dataDir, 0, 0))) {
            createLaps(broker.bootstrapServers());
            try (Producer<String, String> producer = producer(broker.bootstrapServers(), Map.of())) {
                long longAgoMs = Instant.parse("1985-07-04T12:00:00Z").toEpochMilli();
                producer.send(new ProducerRecord<>("laps", 0, longAgoMs, null, "first"))
                        .get();
            }

            assertEquals(List.of("first"), readLaps(broker.bootstrapServers(), 1, "read_uncommitted"));
        }
    }

    @Test
    void shouldRefuseDataDirOfAnotherProcessAndRecoverAfterItIsKilled() throws Exception {
        Process other = startInOtherProcess();
        try (BufferedReader output = other.inputReader(StandardCharsets.UTF_8)) {
            String address = output.readLine();
            createLaps(address);
            produce(address, "before the kill");

            CommandFailed refused =
                    assertThrows(CommandFailed.class, () -> EmbeddedBroker.start(BrokerSettings.alone(dataDir, 0, 0)));
            assertEquals(
                    "data directory " + dataDir + " is in use by another broker (process " + other.pid() + ", "
                            + address + ")",
                    refused.getMessage());
            assertEquals(0, DataDirLock.portBeforeTheKill(dataDir));

            other.destroyForcibly().waitFor();
            assertEquals(address, "127.0.0.1:" + DataDirLock.portBeforeTheKill(dataDir));
            try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.alone(dataDir, 0, 0))) {
                assertEquals(List.of("before the kill"), readLaps(broker.bootstrapServers(), 1, "read_uncommitted"));
            }
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldRefuseDataDirOfItsOwnProcessAndKeepItLocked() {
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.alone(dataDir, 0, 0))) {
            for (int attempt = 0; attempt < 2; attempt++) {
                CommandFailed refused = assertThrows(
                        CommandFailed.class, () -> EmbeddedBroker.start(BrokerSettings.alone(dataDir, 0, 0)));
                assertTrue(refused.getMessage().contains(broker.bootstrapServers()), refused.getMessage());
            }
        }
    }

    @Test
    void shouldRefuseTakenPort() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CommandFailed refused = assertThrows(
                    CommandFailed.class,
                    () -> EmbeddedBroker.start(BrokerSettings.alone(dataDir, taken.getLocalPort(), 0)));

            assertTrue(
                    refused.getMessage().startsWith("cannot listen on 127.0.0.1:" + taken.getLocalPort()),
                    refused.getMessage());
        }
    }

    private Process startInOtherProcess() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BrokerProcess.class.getName(),
                        dataDir.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void createLaps(String bootstrapServers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            NewTopic laps = new NewTopic("laps", 1, (short) 1).configs(Map.of("retention.ms", "-1"));
            admin.createTopics(List.of(laps)).all().get();
        }
    }

    private static void produce(String bootstrapServers, String value) throws Exception {
        try (Producer<String, String> producer = producer(bootstrapServers, Map.of())) {
            producer.send(new ProducerRecord<>("laps", value)).get();
        }
    }

    private static Producer<String, String> producer(String bootstrapServers, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("bootstrap.servers", bootstrapServers);
        config.put("acks", "all");
        return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
    }

    private static List<String> readLaps(String bootstrapServers, int count, String isolation) {
        Map<String, Object> config = Map.of("bootstrap.servers", bootstrapServers, "isolation.level", isolation);
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(LAPS));
            consumer.seekToBeginning(List.of(LAPS));
            List<String> values = new ArrayList<>();
            long startedNs = System.nanoTime();
            while (values.size() < count && System.nanoTime() - startedNs < READ_TIMEOUT.toNanos()) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
            }
            return values;
        }
    }

    private static int portOf(EmbeddedBroker broker) {
        return URI.create("kafka://" + broker.bootstrapServers()).getPort();
    }
}
