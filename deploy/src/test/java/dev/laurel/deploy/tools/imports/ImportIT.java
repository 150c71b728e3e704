package dev.laurel.deploy.tools.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.Program;
import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.TimersHeld;
import dev.laurel.schemas.command.Command.TimersReleased;
import dev.laurel.schemas.serde.CommandJson;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Imports into a real broker; where the importer is killed, it runs in a process of its own. All tests use the same log, of which each
 * looks at what came after its start.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class ImportIT {

    private static final int PARTITIONS = 3;
    private static final int USERS = 50;
    private static final Instant START = Instant.parse("2025-01-01T00:00:00Z");

    @TempDir
    private static Path brokerDir;

    @AutoClose
    private static EmbeddedBroker broker;

    @TempDir
    private Path dir;

    private Path file;
    private long[] starts;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedBroker.start(BrokerSettings.alone(brokerDir, 0, 0));
        CommandRun created = CommandRun.of(
                "topics", "create", "--partitions", Integer.toString(PARTITIONS), "--kafka", broker.bootstrapServers());
        assertEquals(0, created.exitCode(), created.err());
    }

    @BeforeEach
    void begin() {
        file = dir.resolve("events.ndjson");
        starts = ends();
    }

    @Test
    void shouldWriteEachLineWithItsTimeAndKey() throws Exception {
        writeLines(1, 200);

        CommandRun run = importFile();

        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().startsWith("imported 200 commands in "), run.out());
        expectEachLineOnce(200);
        for (ConsumerRecord<byte[], byte[]> record : events(readLog())) {
            RecordEvent event = (RecordEvent) CommandJson.read(record.value());
            assertEquals(event.user().id().value(), new String(record.key(), UTF_8));
            assertEquals(START.plusSeconds(event.value().longValue()).toEpochMilli(), record.timestamp());
        }
    }

    @Test
    void shouldHoldTimersOfEveryPartitionAroundTheImport() throws Exception {
        writeLines(1, 100);

        importFile();

        for (List<ConsumerRecord<byte[], byte[]>> partition : readLog()) {
            String hold = ((TimersHeld) CommandJson.read(partition.getFirst().value())).hold();
            assertEquals(
                    new TimersReleased(hold),
                    CommandJson.read(partition.getLast().value()));
        }
    }

    @Test
    void shouldImportOnlyNewLinesWhenRunAgain() throws Exception {
        writeLines(1, 100);
        importFile();
        CommandRun nothingNew = importFile();
        writeLines(101, 150);

        CommandRun grown = importFile();

        assertTrue(nothingNew.out().startsWith("nothing new"), nothingNew.out());
        assertTrue(grown.out().startsWith("imported 50 commands"), grown.out());
        expectEachLineOnce(150);
    }

    @Test
    void shouldRefuseToContinueAFileThatWasWrittenAnew() throws Exception {
        writeLines(1, 100);
        importFile();
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        lines.add(90, lines.getFirst());
        Files.write(file, lines);

        CommandRun run = importFile();

        assertEquals(1, run.exitCode());
        assertTrue(
                run.err().contains("or this one was changed: the part that was imported, up to line 100, has changed;"),
                run.err());
        assertEquals(100, events(readLog()).size());
    }

    @Test
    void shouldReportRefusedLinesAndImportTheRest() throws Exception {
        writeLines(1, 10);
        Files.writeString(file, "no json\n{\"type\":\"tick\"}\n", StandardOpenOption.APPEND);
        writeLines(11, 20);
        Path rejects = dir.resolve("rejects.ndjson");

        CommandRun run = importFile("--rejects", rejects.toString());

        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("line 12: type is one that only the log itself may write."), run.err());
        assertTrue(run.err().endsWith("laurel: 2 lines were refused, all others are imported\n"), run.err());
        assertEquals(2, Files.readAllLines(rejects).size());
        expectEachLineOnce(20);
    }

    @Test
    void shouldWriteEachLineOnceDespiteKills() throws Exception {
        int lines = 80_000;
        writeLines(1, lines);
        for (long recordsBeforeKill : new long[] {1_000, 15_000, 30_000}) {
            Process importer = startImporter();
            try {
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> written() >= recordsBeforeKill || !importer.isAlive());
                assertTrue(importer.isAlive(), "the importer had ended by itself");
            } finally {
                importer.destroyForcibly().waitFor();
            }
        }
        assertTrue(written() < lines, "nothing was left to go on with");

        CommandRun last = importFile();

        assertEquals(0, last.exitCode(), last.err());
        expectEachLineOnce(lines);
    }

    @Test
    void shouldFindItsRecordsWithoutSavedProgress() throws Exception {
        writeLines(1, 5_000);
        Path progress = Path.of(file + ".laurel-progress");
        importFile();
        String atTheEnd = Files.readString(progress);
        // As if the process had died right after its last acknowledgement, with only its start saved.
        Files.writeString(
                progress,
                atTheEnd.replaceFirst("\"number\":\\d+", "\"number\":0")
                        .replaceFirst("\"position\":\\d+", "\"position\":0")
                        .replaceFirst(
                                "\"source\":\"\\w+\"",
                                "\"source\":\""
                                        + HexFormat.of()
                                                .formatHex(LineSource.sha256().digest()) + "\"")
                        .replaceFirst(
                                "\"offsets\":\\[.*?]",
                                "\"offsets\":" + Arrays.toString(starts).replace(" ", "")));

        CommandRun run = importFile();

        assertTrue(run.out().contains("imported 0 commands") && run.out().contains("5,000 already written"), run.out());
        expectEachLineOnce(5_000);
    }

    @Test
    void shouldStopCleanlyOnRequest() throws Exception {
        int lines = 60_000;
        writeLines(1, lines);
        Process importer = startImporter();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> written() >= 1_000 || !importer.isAlive());
        importer.destroy();

        assertTrue(importer.waitFor(30, TimeUnit.SECONDS));

        for (List<ConsumerRecord<byte[], byte[]>> partition : readLog()) {
            assertTrue(CommandJson.read(partition.getLast().value()) instanceof TimersReleased);
        }
        assertTrue(written() < lines, "it had ended by itself");
        importFile();
        expectEachLineOnce(lines);
    }

    @Test
    void shouldReleaseTimersOfKilledImport() throws Exception {
        writeLines(1, 100);
        importFile();

        assertEquals(0, importFile("--release").exitCode());

        for (List<ConsumerRecord<byte[], byte[]>> partition : readLog()) {
            assertEquals(2, partition.stream().filter(ImportIT::isRelease).count());
        }
    }

    @Test
    void shouldRefuseProgressOfAnotherFile() throws Exception {
        writeLines(1, 100);
        importFile();
        Files.delete(file);
        writeLines(2, 100);

        CommandRun run = importFile();

        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("belongs to an import of another source"), run.err());
    }

    @Test
    void shouldReportUnreachableKafkaInOneLine() throws Exception {
        writeLines(1, 1);

        CommandRun run = CommandRun.of("import", file.toString(), "--kafka", "127.0.0.1:1");

        assertEquals(1, run.exitCode());
        assertTrue(run.err().startsWith("laurel: cannot reach Kafka at 127.0.0.1:1"), run.err());
    }

    @Test
    void shouldFindBrokerOfStandaloneByItsDataDir() throws Exception {
        writeLines(1, 10);
        Files.writeString(dir.resolve("kafka-address"), broker.bootstrapServers() + "\n");

        CommandRun run = CommandRun.of("import", file.toString(), "--data-dir", dir.toString());

        assertEquals(0, run.exitCode(), run.err());
    }

    private static boolean isRelease(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.value(), UTF_8).contains("timers-released");
    }

    /** The value of line n is n, so the log shows which lines it contains. */
    private void writeLines(int from, int to) throws IOException {
        try (BufferedWriter writer =
                Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (int n = from; n <= to; n++) {
                writer.write(
                        "{\"time\":\"" + START.plusSeconds(n) + "\",\"type\":\"event\",\"metric\":\"laps\",\"value\":"
                                + n + ",\"user\":{\"id\":\"user-" + n % USERS + "\"}}\n");
            }
        }
    }

    private CommandRun importFile(String... options) {
        var all = new ArrayList<>(List.of("import", file.toString(), "--kafka", broker.bootstrapServers()));
        all.addAll(List.of(options));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private Process startImporter() throws IOException {
        return new ProcessBuilder(Program.command(
                        "256m", List.of("import", file.toString(), "--kafka", broker.bootstrapServers())))
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("importer.log").toFile())
                .start();
    }

    private void expectEachLineOnce(int lines) throws Exception {
        int[] counts = new int[lines + 1];
        Map<String, Long> lastOfUser = new HashMap<>();
        int outOfOrder = 0;
        for (ConsumerRecord<byte[], byte[]> record : events(readLog())) {
            RecordEvent event = (RecordEvent) CommandJson.read(record.value());
            long line = event.value().longValue();
            counts[(int) line]++;
            Long before = lastOfUser.put(event.user().id().value(), line);
            outOfOrder += before != null && before > line ? 1 : 0;
        }
        assertEquals(0, counts[0]);
        assertEquals(
                List.of(),
                IntStream.rangeClosed(1, lines)
                        .filter(n -> counts[n] != 1)
                        .limit(10)
                        .mapToObj(n -> "line " + n + ": " + counts[n] + " times")
                        .toList());
        assertEquals(0, outOfOrder, "order per user");
    }

    private static List<ConsumerRecord<byte[], byte[]>> events(List<List<ConsumerRecord<byte[], byte[]>>> partitions) {
        return partitions.stream()
                .flatMap(List::stream)
                .filter(record -> record.key() != null)
                .toList();
    }

    private static long[] ends() {
        return CommandLog.find(KafkaAccess.at(broker.bootstrapServers())).endOffsets();
    }

    /** Returns the number of records since the start of the test. */
    private long written() {
        return Arrays.stream(ends()).sum() - Arrays.stream(starts).sum();
    }

    private List<List<ConsumerRecord<byte[], byte[]>>> readLog() {
        var partitions = IntStream.range(0, PARTITIONS)
                .mapToObj(p -> new TopicPartition("laurel.commands", p))
                .toList();
        List<List<ConsumerRecord<byte[], byte[]>>> records = new ArrayList<>();
        partitions.forEach(_ -> records.add(new ArrayList<>()));
        try (var consumer = new KafkaConsumer<>(
                Map.<String, Object>of("bootstrap.servers", broker.bootstrapServers()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            partitions.forEach(partition -> consumer.seek(partition, starts[partition.partition()]));
            var ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
                consumer.poll(Duration.ofMillis(200))
                        .forEach(r -> records.get(r.partition()).add(r));
            }
        }
        return records;
    }
}
