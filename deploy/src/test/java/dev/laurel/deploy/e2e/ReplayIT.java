package dev.laurel.deploy.e2e;

import dev.laurel.deploy.CommandRun;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Replays the log of a running instance: under a draft, as a check of the state, and against a manipulated state. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class ReplayIT {

    private static final int USERS = 60;
    private static final int EVENTS = 300;
    private static final String USERS_CHANGELOG = LedgerConfig.APPLICATION_ID + "-users-changelog";

    @TempDir
    private Path dir;
    private final Map<String, Integer> laps = new TreeMap<>();

    @Test
    void shouldReportDifferencesOfADraftAndOfTheState() throws Exception {
        try (LaurelInstance laurel = LaurelInstance.start(dir.resolve("data"))) {
            laurel.client().put("/admin/v1/ruleset", SwimClub.RULESET).expect(200);
            swim(laurel);
            var check = new LogCheck(laurel.bootstrapServers());
            check.awaitProcessed(LedgerConfig.APPLICATION_ID);

            expectWhatIf(laurel);
            expectRefused(laurel);
            CommandRun sound = replay(laurel, "--from-scratch");
            assertEquals(0, sound.exitCode(), sound.err());
            assertTrue(sound.out().contains("The running state is the fold of the log"), sound.out());

            spoil(laurel.bootstrapServers(), "swimmer-7", "swimmer-8");
            CommandRun spoilt = replay(laurel, "--from-scratch");
            assertEquals(1, spoilt.exitCode(), spoilt.out());
            assertTrue(spoilt.err().contains("the first one of user swimmer-7 in users"), spoilt.err());
            expectNothingLeft(laurel);
        }
    }

    /** The same on every run, with different users. */
    private void swim(LaurelInstance laurel) {
        Instant began = Instant.now().minus(Duration.ofDays(3));
        try (var producer = new DirectProducer(laurel.bootstrapServers())) {
            for (int event = 0; event < EVENTS; event++) {
                String user = "swimmer-" + event % USERS;
                int value = 1 + event * 7 % 13;
                producer.sendAside(user, began.plusSeconds(event),
                        DirectProducer.event(user, "laps-swum", Integer.toString(value)));
                laps.merge(user, value, Integer::sum);
            }
            producer.flush();
        }
    }

    private void expectWhatIf(LaurelInstance laurel) throws IOException {
        Path draft = Files.writeString(dir.resolve("thirty.yaml"),
                SwimClub.RULESET.replace("\"value\": 40", "\"value\": 30"));
        Path json = dir.resolve("report.json");
        Path csv = dir.resolve("report.csv");

        CommandRun run = replay(laurel, "--ruleset", draft.toString(), "--json", json.toString(), "--csv",
                csv.toString());

        var concerned = new TreeSet<String>();
        laps.forEach((user, value) -> {
            if (value >= 30 && value < 40) {
                concerned.add(user);
            }
        });
        assertTrue(concerned.size() > 5 && concerned.size() < USERS - 5, "too few or too many: " + concerned);
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().startsWith(concerned.size() + " of 60 users would have something different.\n"),
                run.out());
        JsonNode report = Json.read(Files.readAllBytes(json), JsonNode.class);
        var told = new TreeSet<String>();
        for (JsonNode user : report.get("users")) {
            told.add(user.get("user").asString());
            assertEquals("forty-laps", user.get("differences").get(0).get("key").asString());
            assertEquals(1, user.get("differences").size(), user.toString());
        }
        assertEquals(concerned, told);
        assertEquals(concerned.size(), report.at("/totals/achievements/forty-laps/gained").asInt());
        assertEquals(0, report.get("notCompared").asInt());
        var lines = new TreeSet<String>();
        concerned.forEach(user -> lines.add(user + ",,achievement,forty-laps,0,1,,"));
        assertEquals(lines, new TreeSet<>(Files.readAllLines(csv).subList(1, concerned.size() + 1)));
        assertEquals(concerned.size() + 1, Files.readAllLines(csv).size());
    }

    private void expectRefused(LaurelInstance laurel) throws IOException {
        Path broken = Files.writeString(dir.resolve("broken.yaml"),
                SwimClub.RULESET.replace("\"metric\": \"dives\", \"value\"", "\"metric\": \"divs\", \"value\""));

        CommandRun run = replay(laurel, "--ruleset", broken.toString());

        assertEquals(1, run.exitCode());
        assertEquals(CommandRun.of("ruleset", "validate", broken.toString()).err(), run.err());
    }

    private CommandRun replay(LaurelInstance laurel, String... options) {
        return CommandRun.of(Stream.concat(Stream.of("replay", "--kafka", laurel.bootstrapServers(), "--state-dir",
                dir.resolve("work").toString()), Stream.of(options)).toArray(String[]::new));
    }

    /** Copies the state of one user to another, bypassing the log. */
    private static void spoil(String bootstrapServers, String user, String giver) {
        var newest = new HashMap<String, ConsumerRecord<byte[], byte[]>>();
        new TopicReader(bootstrapServers).readAll(USERS_CHANGELOG)
                .forEach(record -> newest.put(new String(record.key(), UTF_8), record));
        try (var producer = new KafkaProducer<>(Map.<String, Object>of("bootstrap.servers", bootstrapServers),
                new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(USERS_CHANGELOG, newest.get(user).partition(),
                    newest.get(user).key(), newest.get(giver).value()));
        }
    }

    private void expectNothingLeft(LaurelInstance laurel) throws Exception {
        try (Stream<Path> left = Files.list(dir.resolve("work"))) {
            assertEquals(List.of(), left.toList());
        }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", laurel.bootstrapServers()))) {
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(
                    () -> admin.listTopics().names().get().stream().noneMatch(name -> name.matches(".*-g\\d+.*")));
            assertTrue(StreamSupport.stream(admin.listGroups().all().get().spliterator(), false)
                    .noneMatch(group -> group.groupId().matches(".*-g\\d+")));
        }
    }
}
