package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.producer.LaurelProducer;
import dev.laurel.producer.User;
import dev.laurel.producer.UserCommand;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests commands of direct producers, without a waiting client: valid, late and invalid ones; in the log and in their own topic. */
@ExtendWith(SharedLaurel.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class LogStoriesIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static LaurelClient laurel;

    @AutoClose
    private static DirectProducer log;

    private static TopicReader topics;
    private static String bootstrapServers;

    @BeforeAll
    static void connect(LaurelInstance instance) {
        bootstrapServers = instance.bootstrapServers();
        laurel = instance.client();
        log = new DirectProducer(instance.bootstrapServers());
        topics = new TopicReader(instance.bootstrapServers());
    }

    @Test
    void shouldCountEventOfYearsAgoAtItsOwnTime() {
        Instant then = Instant.parse("2011-05-06T07:08:09.123Z");

        log.event("veteran-1", then, "laps-swum", "42.5");

        await("veteran-1", "laps-swum", "42.5");
        JsonNode user = laurel.user("veteran-1").profile();
        assertEquals("2011-05-06T07:08:09.123Z", user.get("created").stringValue());
        assertEquals("2011-05-06T07:08:09.123Z", user.get("updated").stringValue());
        JsonNode award = laurel.user("veteran-1").points("gems").get("awards").get(0);
        assertEquals("2011-05-06T07:08:09.123Z", award.get("date").stringValue());
        assertEquals(0, laurel.user("veteran-1").streak(1).get("length").intValue());
    }

    @Test
    void shouldRejectBrokenJson() {
        assertRejected(log.send("poison-1", Instant.now(), "{\"type\":\"event\""), "not valid json");
        assertStillCounts("poison-1");
    }

    @Test
    void shouldRejectWrongPartition() {
        byte[] key = "poison-7".getBytes(UTF_8);
        int right = log.event("poison-7", Instant.now(), "dives", "1").partition();
        int wrong = (right + 1) % log.partitions();

        RecordMetadata place = log.send(
                wrong,
                key,
                Instant.now(),
                DirectProducer.event("poison-7", "laps-swum", "5").getBytes(UTF_8));

        assertEquals(wrong, place.partition());
        assertRejected(place, "partition");
        assertStillCounts("poison-7");
        assertEquals(BigDecimal.ONE, laurel.user("poison-7").total("dives"));
    }

    /** Later events in the same partition are processed. */
    private static void assertStillCounts(String user) {
        log.event(user, Instant.now(), "laps-swum", "7");
        await(user, "laps-swum", "7");
    }

    private static void assertRejected(RecordMetadata place, String word) {
        JsonNode rejection =
                Awaitility.await().atMost(PATIENCE).until(() -> rejectionOf(place), found -> found != null);
        JsonShape.assertObject(
                rejection,
                "topic str",
                "partition int",
                "offset int",
                "time dt",
                "key str~",
                "value str~",
                "reason str");
        String reason = rejection.get("reason").stringValue();
        assertTrue(reason.toLowerCase(Locale.ROOT).contains(word), reason);
    }

    private static JsonNode rejectionOf(RecordMetadata place) {
        for (ConsumerRecord<byte[], byte[]> record : topics.readAll("laurel.rejections")) {
            JsonNode rejection = JsonResponse.parse(new String(record.value(), UTF_8));
            if (rejection.get("topic").stringValue().equals(place.topic())
                    && rejection.get("partition").intValue() == place.partition()
                    && rejection.get("offset").longValue() == place.offset()) {
                return rejection;
            }
        }
        return null;
    }

    // The topic of direct producers.

    @Test
    void shouldTakeWhatUsersDoFromTheTopicOfDirectProducers() throws Exception {
        Instant then = Instant.parse("2011-05-06T07:08:09.123Z");
        try (var producer = LaurelProducer.connect(Map.of("bootstrap.servers", bootstrapServers))) {
            producer.send(UserCommand.identify(User.of("direct/1").name("Ida"))
                    .time(then)
                    .build());
            for (int i = 0; i < 2; i++) {
                producer.send(UserCommand.event(User.of("direct/1"), "laps-swum", new BigDecimal("42.5"))
                        .idempotencyKey("k")
                        .time(then)
                        .build());
            }
            producer.send(UserCommand.complete(User.of("direct/1"), "nothing").build());
            RecordMetadata last = producer.send(UserCommand.event(User.of("direct/1"), "dives", BigDecimal.ONE)
                            .build())
                    .get(60, TimeUnit.SECONDS);
            assertEquals(DirectProducer.DIRECT, last.topic());
        }

        await("direct/1", "dives", "1");
        assertEquals(new BigDecimal("42.5"), laurel.user("direct/1").total("laps-swum"));
        JsonNode user = laurel.user("direct/1").profile();
        assertEquals("Ida", user.get("name").stringValue());
        assertEquals("2011-05-06T07:08:09.123Z", user.get("created").stringValue());
    }

    @Test
    void shouldTakeNothingElseFromTheTopicOfDirectProducers() {
        laurel.record("direct-2", "laps-swum", "1");
        var refused = new LinkedHashMap<RecordMetadata, String>();
        refused.put(direct("direct-2", "{\"type\":\"tick\"}"), "may not use");
        refused.put(direct("direct-2", "{\"type\":\"ruleset-published\",\"version\":1}"), "may not use");
        refused.put(direct("direct-2", "{\"type\":\"erase-user\",\"user\":{\"id\":\"direct-2\"}}"), "may not use");
        refused.put(direct("acme/direct-2", DirectProducer.event("direct-2", "laps-swum", "5")), "no tenants");
        refused.put(direct("someone", DirectProducer.event("direct-2", "laps-swum", "5")), "key");
        refused.put(direct("direct-2", "{\"type\":\"event\""), "not valid json");
        // Only the log needs Kafka's own partitioner.
        var forged = new ProducerRecord<>(
                DirectProducer.DIRECT,
                1,
                Instant.now().toEpochMilli(),
                "direct-2".getBytes(UTF_8),
                DirectProducer.event("direct-2", "dives", "3").getBytes(UTF_8));
        forged.headers().add("laurel-request-id", new byte[16]).add("laurel-reply-partition", new byte[4]);

        log.send(forged);

        await("direct-2", "dives", "3");
        refused.forEach(LogStoriesIT::assertRejected);
        assertEquals(BigDecimal.ONE, laurel.user("direct-2").total("laps-swum"));
        ConsumerRecord<byte[], byte[]> taken = topics.readAll(DirectProducer.COMMANDS).stream()
                .filter(record -> record.key() != null
                        && new String(record.key(), UTF_8).equals("direct-2")
                        && new String(record.value(), UTF_8).contains("dives"))
                .findFirst()
                .orElseThrow();
        assertEquals(
                List.of("laurel-ruleset"),
                Stream.of(taken.headers().toArray()).map(Header::key).toList());
    }

    private static RecordMetadata direct(String key, String value) {
        return log.send(new ProducerRecord<>(DirectProducer.DIRECT, key.getBytes(UTF_8), value.getBytes(UTF_8)));
    }

    /** Imports through the server, for clients that cannot reach Kafka. */
    @Test
    void shouldCountLinesImportedThroughTheServer(LaurelInstance instance, @TempDir Path dir) throws Exception {
        Path file = dir.resolve("history.ndjson");
        Files.write(
                file,
                List.of(
                        "{\"time\":\"2020-03-04T09:15:00Z\",\"type\":\"event\",\"metric\":\"dives\",\"value\":2,"
                                + "\"user\":{\"id\":\"imported-1\"}}",
                        "{\"time\":\"2020-03-04T09:15:00Z\",\"type\":\"event\",\"metric\":\"nothing\",\"value\":2,"
                                + "\"user\":{\"id\":\"imported-1\"}}",
                        "{\"time\":\"2021-03-04T09:15:00Z\",\"type\":\"event\",\"metric\":\"dives\",\"value\":3,"
                                + "\"user\":{\"id\":\"imported-1\"}}"));

        CommandRun run =
                CommandRun.of("import", file.toString(), "--url", instance.url(), "--key", instance.adminKey());

        assertTrue(run.out().startsWith("imported 2 commands"), run.out() + run.err());
        assertTrue(run.err().startsWith("line 2: "), run.err());
        await("imported-1", "dives", "5");
        assertEquals(
                "2020-03-04T09:15:00.000Z",
                laurel.user("imported-1").profile().get("created").stringValue());
    }

    private static void await(String user, String metric, String total) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> laurel.user(user).exists() ? laurel.user(user).total(metric) : null,
                        new BigDecimal(total)::equals);
    }
}
