package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/** Compares an instance with the computed result of a season. */
final class SeasonCheck {

    private static final String GROUP = "laurel-ledger";
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int HISTORY_DAYS = 130;
    private static final int AWARDS_MAX = 100;

    private final Season season;
    private final String bootstrapServers;
    private final TopicReader topics;

    SeasonCheck(Season season, String bootstrapServers) {
        this.season = season;
        this.bootstrapServers = bootstrapServers;
        this.topics = new TopicReader(bootstrapServers);
    }

    /** Returns the numbers of the events that the log has, or will have because a topic of direct producers has them. */
    Set<Integer> numbersSent() {
        return Stream.of(DirectProducer.COMMANDS, DirectProducer.DIRECT)
                .flatMap(topic -> events(topic).values().stream())
                .flatMap(List::stream)
                .collect(Collectors.toSet());
    }

    /** Returns the numbers of each user's events in their order, without markers of the log. */
    private Map<String, List<Integer>> events(String topic) {
        var numbers = new TreeMap<String, List<Integer>>();
        for (ConsumerRecord<byte[], byte[]> record : topics.readAll(topic)) {
            JsonNode command = JsonResponse.parse(new String(record.value(), UTF_8));
            if (command.get("type").stringValue().equals("event")) {
                numbers.computeIfAbsent(new String(record.key(), UTF_8), _ -> new ArrayList<>())
                        .add(Season.numberOf(command.get("eventId").stringValue()));
            }
        }
        return numbers;
    }

    /** Waits until the log has every event of the season, those of direct producers included. */
    void awaitTaken() {
        awaitWritten(season.events()); // cheaper than to read the whole log again and again
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> events(DirectProducer.COMMANDS).values().stream()
                                .mapToInt(List::size)
                                .sum()
                        >= season.events());
    }

    /** Checks the assumptions of the other checks: every event once, those of a user in the order of the season. */
    void assertLogHoldsEachEventOnce() {
        Map<String, List<Integer>> byUser = events(DirectProducer.COMMANDS);
        assertEquals(
                season.events(), byUser.values().stream().mapToInt(List::size).sum());
        byUser.forEach((user, numbers) -> {
            for (int i = 1; i < numbers.size(); i++) {
                assertTrue(numbers.get(i - 1) < numbers.get(i), "out of order: " + user);
            }
        });
    }

    /** Waits until the ledger has committed at least this many records of the log. */
    void awaitCommitted(long records) {
        try (Admin admin = admin()) {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> committed(admin).values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum()
                            >= records);
        }
    }

    /** Waits until the log holds at least this many records, processed or not. */
    void awaitWritten(long records) {
        try (Admin admin = admin()) {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> written(admin) >= records);
        }
    }

    private static long written(Admin admin) throws Exception {
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        admin.describeTopics(List.of(DirectProducer.COMMANDS))
                .allTopicNames()
                .get()
                .get(DirectProducer.COMMANDS)
                .partitions()
                .forEach(partition -> ends.put(
                        new TopicPartition(DirectProducer.COMMANDS, partition.partition()), OffsetSpec.latest()));
        return admin.listOffsets(ends).all().get().values().stream()
                .mapToLong(end -> end.offset())
                .sum();
    }

    /** Waits until the ledger has committed all present events of the log. */
    void awaitProcessed() {
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : topics.readAll(DirectProducer.COMMANDS)) {
            ends.merge(new TopicPartition(record.topic(), record.partition()), record.offset() + 1, Math::max);
        }
        try (Admin admin = admin()) {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> {
                        Map<TopicPartition, Long> committed = committed(admin);
                        return ends.entrySet().stream()
                                .allMatch(end -> committed.getOrDefault(end.getKey(), 0L) >= end.getValue());
                    });
        }
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }

    private static Map<TopicPartition, Long> committed(Admin admin) throws Exception {
        var offsets = new HashMap<TopicPartition, Long>();
        for (Map.Entry<TopicPartition, OffsetAndMetadata> entry : admin.listConsumerGroupOffsets(GROUP)
                .partitionsToOffsetAndMetadata()
                .get()
                .entrySet()) {
            if (entry.getValue() != null) {
                offsets.put(entry.getKey(), entry.getValue().offset());
            }
        }
        return offsets;
    }

    /** Checks that all events are read already. */
    void assertTotals(LaurelClient client) {
        season.standings().forEach((user, standing) -> assertTotal(client.user(user), user, standing));
    }

    void assertEveryUserIsExact(LaurelClient client) {
        Map<String, Season.Standing> standings = season.standings();
        standings.forEach((user, standing) -> assertUserIsExact(client.user(user), user, standing));
        long inClub =
                standings.values().stream().filter(Season.Standing::isInClub).count();
        assertTrue(inClub > 0 && inClub < standings.size(), "the season is no test of the achievement: " + inClub);
        JsonNode club =
                client.user(standings.keySet().iterator().next()).achievements().get(0);
        assertEquals(inClub, club.get("completions").longValue());
    }

    private static void assertTotal(UserView view, String user, Season.Standing standing) {
        BigDecimal total = view.total("laps");
        assertEquals(
                0,
                standing.total().compareTo(total),
                () -> user + ": " + standing.total() + " is right, " + total + " is read");
    }

    private static void assertUserIsExact(UserView view, String user, Season.Standing standing) {
        assertTotal(view, user, standing);
        assertPoints(view, user, "gems", standing.gems());
        assertPoints(view, user, "capped", standing.capped());
        assertStreak(view.streak(HISTORY_DAYS), user, standing);
        assertEquals(
                standing.isInClub(),
                !view.achievements().get(0).get("achievedAt").isNull(),
                user);
    }

    private static void assertPoints(UserView view, String user, String system, long expected) {
        JsonNode points = view.points(system);
        assertEquals(expected, points.get("total").longValue(), () -> user + " " + system);
        List<JsonNode> awards = points.get("awards").valueStream().toList();
        assertTrue(awards.size() < AWARDS_MAX, "more awards than a read shows");
        assertEquals(
                expected,
                awards.stream()
                        .mapToLong(award -> award.get("awarded").longValue())
                        .sum(),
                () -> user + " " + system + ": the ledger's sum");
        assertEquals(
                awards.size(),
                awards.stream()
                        .map(award -> award.get("id").stringValue())
                        .distinct()
                        .count());
    }

    private static void assertStreak(JsonNode streak, String user, Season.Standing standing) {
        for (JsonNode period : streak.get("streakHistory")) {
            LocalDate day = LocalDate.parse(period.get("periodStart").stringValue());
            boolean isToday = period.get("periodStart").equals(streak.get("periodStart"));
            assertEquals(
                    isToday ? standing.lengthAsOf(day) : standing.lengthOn(day),
                    period.get("length").intValue(),
                    () -> user + " on " + day);
        }
        LocalDate today = LocalDate.parse(streak.get("periodStart").stringValue());
        assertEquals(standing.lengthAsOf(today), streak.get("length").intValue(), user);
    }

    /** Checks the committed effects: each award once. */
    void assertEffectsAddUp() {
        var sums = new TreeMap<String, Long>();
        var awards = new HashSet<String>();
        for (ConsumerRecord<byte[], byte[]> record : topics.readAll("laurel.effects")) {
            JsonNode effect = JsonResponse.parse(new String(record.value(), UTF_8));
            if (!effect.get("type").stringValue().equals("points.changed")) {
                continue;
            }
            String place = new String(record.key(), UTF_8) + " "
                    + effect.get("systemKey").stringValue();
            for (JsonNode award : effect.get("awards")) {
                assertTrue(awards.add(award.get("id").stringValue()), () -> "an award came twice: " + effect);
                sums.merge(place, award.get("awarded").longValue(), Long::sum);
            }
        }
        season.standings().forEach((user, standing) -> {
            assertEquals(standing.gems(), sums.getOrDefault(user + " gems", 0L), user);
            assertEquals(standing.capped(), sums.getOrDefault(user + " capped", 0L), user);
        });
    }
}
