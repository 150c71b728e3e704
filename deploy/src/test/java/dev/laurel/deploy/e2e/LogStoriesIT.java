package dev.laurel.deploy.e2e;

import dev.laurel.deploy.CommandRun;
import dev.laurel.producer.LaurelProducer;
import dev.laurel.producer.User;
import dev.laurel.producer.UserCommand;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    void shouldIdentifyUserFromTheLog() {
        log.send("named-1", Instant.now(), "{\"type\":\"identify\",\"user\":{\"id\":\"named-1\",\"name\":\"Ida\"}}");
        log.event("named-1", Instant.now(), "dives", "2");

        await("named-1", "dives", "2");
        assertEquals("Ida", laurel.user("named-1").profile().get("name").stringValue());
    }

    @Test
    void shouldCountRepeatedKeyOnce() {
        String event = "{\"type\":\"event\",\"metric\":\"dives\",\"value\":1,\"idempotencyKey\":\"k\","
                + "\"user\":{\"id\":\"once-1\"}}";
        for (int i = 0; i < 3; i++) {
            log.send("once-1", Instant.now(), event);
        }
        log.event("once-1", Instant.now(), "dives", "10");

        await("once-1", "dives", "11");
        laurel.event("dives").of("once-1").value("1").key("k").send().expect(202);
    }

    @Test
    void shouldGrowStreakOverThreeDays() {
        ZoneId zone = SwimClub.zoneWhereItIsNoon();
        LocalDate today = LocalDate.now(zone);
        laurel.put("/v1/users/streak-1", "{\"tz\": \"" + zone + "\"}").expect(200);
        for (int daysAgo = 2; daysAgo >= 0; daysAgo--) {
            log.event("streak-1", Instant.now().minus(Duration.ofDays(daysAgo)), "laps-swum", "2");
        }

        await("streak-1", "laps-swum", "6");
        JsonNode streak = laurel.user("streak-1").streak(5);

        assertEquals(3, streak.get("length").intValue());
        assertEquals(today.minusDays(2).toString(), streak.get("started").stringValue());
        assertEquals(today.toString(), streak.get("periodStart").stringValue());
        assertEquals(today.plusDays(1).toString(), streak.get("expires").stringValue());
        assertEquals(List.of(0, 0, 1, 2, 3), lengths(streak));
        JsonNode oldest = streak.get("streakHistory").get(0);
        JsonShape.assertObject(oldest, "periodStart date", "periodEnd date", "length int", "usedPause bool");
        assertEquals(today.minusDays(4).toString(), oldest.get("periodStart").stringValue());
    }

    @Test
    void shouldCloseAGapByALateEvent() {
        ZoneId zone = SwimClub.zoneWhereItIsNoon();
        laurel.put("/v1/users/streak-2", "{\"tz\": \"" + zone + "\"}").expect(200);
        for (int daysAgo : new int[]{4, 3, 1, 0}) {
            log.event("streak-2", Instant.now().minus(Duration.ofDays(daysAgo)), "laps-swum", "1");
        }
        await("streak-2", "laps-swum", "4");
        assertEquals(List.of(1, 2, 0, 1, 2), lengths(laurel.user("streak-2").streak(5)));

        log.event("streak-2", Instant.now().minus(Duration.ofDays(2)), "laps-swum", "1");

        await("streak-2", "laps-swum", "5");
        assertEquals(List.of(1, 2, 3, 4, 5), lengths(laurel.user("streak-2").streak(5)));
        assertEquals(5, laurel.user("streak-2").streak(0).get("length").intValue());
    }

    @Test
    void shouldLoseTheStreakOfAnInactiveUser() {
        ZoneId zone = SwimClub.zoneWhereItIsNoon();
        String identify = "{\"type\":\"identify\",\"user\":{\"id\":\"streak-3\",\"tz\":\"" + zone + "\"}}";
        log.send("streak-3", Instant.now().minus(Duration.ofDays(5)), identify);
        log.event("streak-3", Instant.now().minus(Duration.ofDays(4)), "laps-swum", "1");
        log.event("streak-3", Instant.now().minus(Duration.ofDays(3)), "laps-swum", "1");

        await("streak-3", "laps-swum", "2");
        JsonNode streak = laurel.user("streak-3").streak(5);

        assertEquals(0, streak.get("length").intValue());
        assertTrue(streak.get("started").isNull());
        assertTrue(streak.get("extended").isNull());
        assertEquals(List.of(1, 2, 0, 0, 0), lengths(streak));
    }

    @Test
    void shouldRejectBrokenJson() {
        assertRejected(log.send("poison-1", Instant.now(), "{\"type\":\"event\""), "not valid json");
        assertStillCounts("poison-1");
    }

    @Test
    void shouldRejectNullValue() {
        assertRejected(log.send("poison-2", Instant.now(), null), "no value");
        assertStillCounts("poison-2");
    }

    @Test
    void shouldRejectUnknownType() {
        assertRejected(log.send("poison-3", Instant.now(), "{\"type\":\"evnt\"}"), "evnt");
        assertStillCounts("poison-3");
    }

    @Test
    void shouldRejectUnknownMetric() {
        assertRejected(log.event("poison-4", Instant.now(), "laps-flown", "1"), "laps-flown");
        assertFalse(laurel.user("poison-4").exists());
        assertStillCounts("poison-4");
    }

    @Test
    void shouldRejectValueOutOfRange() {
        assertRejected(log.event("poison-5", Instant.now(), "laps-swum", "1e13"), "value");
        assertRejected(log.event("poison-5", Instant.now(), "laps-swum", "\"4\""), "value");
        assertStillCounts("poison-5");
    }

    @Test
    void shouldRejectUnknownAttribute() {
        String event = "{\"type\":\"event\",\"metric\":\"laps-swum\",\"value\":1,\"attributes\":{\"poool\":\"x\"},"
                + "\"user\":{\"id\":\"poison-6\"}}";
        assertRejected(log.send("poison-6", Instant.now(), event), "poool");
        assertFalse(laurel.user("poison-6").exists());
    }

    @Test
    void shouldRejectWrongPartition() {
        byte[] key = "poison-7".getBytes(UTF_8);
        int right = log.event("poison-7", Instant.now(), "dives", "1").partition();
        int wrong = (right + 1) % log.partitions();

        RecordMetadata place = log.send(wrong, key, Instant.now(),
                DirectProducer.event("poison-7", "laps-swum", "5").getBytes(UTF_8));

        assertEquals(wrong, place.partition());
        assertRejected(place, "partition");
        assertStillCounts("poison-7");
        assertEquals(BigDecimal.ONE, laurel.user("poison-7").total("dives"));
    }

    @Test
    void shouldRejectKeyOfOtherUser() {
        laurel.record("poison-8", "laps-swum", "1");

        assertRejected(log.send("someone", Instant.now(), DirectProducer.event("poison-8", "laps-swum", "5")), "key");

        assertFalse(laurel.user("someone").exists());
        assertEquals(BigDecimal.ONE, laurel.user("poison-8").total("laps-swum"));
    }

    @Test
    void shouldRejectMissingKey() {
        byte[] event = DirectProducer.event("poison-9", "laps-swum", "5").getBytes(UTF_8);

        assertRejected(log.send(0, null, Instant.now(), event), "key");

        assertFalse(laurel.user("poison-9").exists());
    }

    /** If decoded leniently, all invalid bytes become the same character, and a user has several spellings. */
    @Test
    void shouldRejectKeyThatIsNotUtf8() {
        byte[] key = {'p', (byte) 0xff};
        byte[] event = DirectProducer.event("p\ufffd", "laps-swum", "5").getBytes(UTF_8);

        assertRejected(log.send(null, key, Instant.now(), event), "utf-8");

        laurel.record("p\ufffd", "laps-swum", "1");
        assertEquals(BigDecimal.ONE, laurel.user("p\ufffd").total("laps-swum"));
    }

    @Test
    void shouldRejectSecondSpellingOfKey() {
        assertRejected(log.send("poison%2D10", Instant.now(), DirectProducer.event("poison-10", "laps-swum", "5")), "");

        assertFalse(laurel.user("poison-10").exists());
    }

    /** Later events in the same partition are processed. */
    private static void assertStillCounts(String user) {
        log.event(user, Instant.now(), "laps-swum", "7");
        await(user, "laps-swum", "7");
    }

    private static void assertRejected(RecordMetadata place, String word) {
        JsonNode rejection = Awaitility.await().atMost(PATIENCE).until(() -> rejectionOf(place),
                found -> found != null);
        JsonShape.assertObject(rejection, "topic str", "partition int", "offset int", "time dt", "key str~",
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
            producer.send(UserCommand.identify(User.of("direct/1").name("Ida")).time(then).build());
            for (int i = 0; i < 2; i++) {
                producer.send(UserCommand.event(User.of("direct/1"), "laps-swum", new BigDecimal("42.5"))
                        .idempotencyKey("k").time(then).build());
            }
            producer.send(UserCommand.complete(User.of("direct/1"), "nothing").build());
            RecordMetadata last = producer.send(UserCommand.event(User.of("direct/1"), "dives", BigDecimal.ONE).build())
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
        var forged = new ProducerRecord<>(DirectProducer.DIRECT, 1, Instant.now().toEpochMilli(),
                "direct-2".getBytes(UTF_8), DirectProducer.event("direct-2", "dives", "3").getBytes(UTF_8));
        forged.headers().add("laurel-request-id", new byte[16]).add("laurel-reply-partition", new byte[4]);

        log.send(forged);

        await("direct-2", "dives", "3");
        refused.forEach(LogStoriesIT::assertRejected);
        assertEquals(BigDecimal.ONE, laurel.user("direct-2").total("laps-swum"));
        ConsumerRecord<byte[], byte[]> taken = topics.readAll(DirectProducer.COMMANDS).stream()
                .filter(record -> record.key() != null && new String(record.key(), UTF_8).equals("direct-2")
                        && new String(record.value(), UTF_8).contains("dives"))
                .findFirst().orElseThrow();
        assertEquals(List.of("laurel-ruleset"), Stream.of(taken.headers().toArray()).map(Header::key).toList());
    }

    private static RecordMetadata direct(String key, String value) {
        return log.send(new ProducerRecord<>(DirectProducer.DIRECT, key.getBytes(UTF_8), value.getBytes(UTF_8)));
    }

    /** Imports through the server, for clients that cannot reach Kafka. */
    @Test
    void shouldCountLinesImportedThroughTheServer(LaurelInstance instance, @TempDir Path dir) throws Exception {
        Path file = dir.resolve("history.ndjson");
        Files.write(file, List.of(
                "{\"time\":\"2020-03-04T09:15:00Z\",\"type\":\"event\",\"metric\":\"dives\",\"value\":2,"
                        + "\"user\":{\"id\":\"imported-1\"}}",
                "{\"time\":\"2020-03-04T09:15:00Z\",\"type\":\"event\",\"metric\":\"nothing\",\"value\":2,"
                        + "\"user\":{\"id\":\"imported-1\"}}",
                "{\"time\":\"2021-03-04T09:15:00Z\",\"type\":\"event\",\"metric\":\"dives\",\"value\":3,"
                        + "\"user\":{\"id\":\"imported-1\"}}"));

        CommandRun run = CommandRun.of("import", file.toString(), "--url", instance.url(), "--key",
                instance.adminKey());

        assertTrue(run.out().startsWith("imported 2 commands"), run.out() + run.err());
        assertTrue(run.err().startsWith("line 2: "), run.err());
        await("imported-1", "dives", "5");
        assertEquals("2020-03-04T09:15:00.000Z", laurel.user("imported-1").profile().get("created").stringValue());
    }

    private static void await(String user, String metric, String total) {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(
                () -> laurel.user(user).exists() ? laurel.user(user).total(metric) : null,
                new BigDecimal(total)::equals);
    }

    private static List<Integer> lengths(JsonNode streak) {
        return streak.get("streakHistory").valueStream().map(period -> period.get("length").intValue()).toList();
    }
}
