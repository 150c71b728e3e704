package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/**
 * A continuous load of events of one point each: over HTTP, with keys so that they can be repeated, by a producer
 * that continues to write to the first log, and by one whose records the nodes take into the log in force. At the end, each event has had
 * its effects once, and in order per user.
 */
final class GrowthLoad {

    static final String RULESET = """
        {"metrics": {"laps": {}},
         "points": {"gems": {"triggers": {"each": {"type": "metric", "metric": "laps", "threshold": 1, "points": 1}}}},
         "leaderboards": {"laps": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2020-01-01"}},
         "webhooks": {"crm": {"name": "CRM", "url": "http://127.0.0.1:9/hook", "events": ["points.changed"],
           "status": "active"}}}
        """;
    private static final int USERS = 24;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Supplier<LaurelClient> laurel;
    private final Map<String, Integer> sent = new ConcurrentSkipListMap<>();
    private final Set<UUID> idsOfDirect = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isEnough = new AtomicBoolean();
    private final AtomicLong longestGapNs = new AtomicLong();
    private volatile Instant endOfLongestWait;
    private final List<CompletableFuture<Void>> senders = new ArrayList<>();

    /** @param laurel queried again after a failed request, because the program may have been restarted */
    GrowthLoad(Supplier<LaurelClient> laurel) {
        this.laurel = laurel;
    }

    GrowthLoad start(String bootstrapServers) {
        Executor threads =
                task -> Thread.ofPlatform().daemon().name("growth-load").start(task);
        senders.add(CompletableFuture.runAsync(() -> sendOverHttp("web-"), threads));
        senders.add(CompletableFuture.runAsync(() -> sendOverHttp("app-"), threads));
        senders.add(CompletableFuture.runAsync(() -> sendDirectly(bootstrapServers), threads));
        senders.add(CompletableFuture.runAsync(() -> sendToIntake(bootstrapServers), threads));
        return this;
    }

    private void sendOverHttp(String prefix) {
        long lastNs = System.nanoTime();
        for (int i = 0; !isEnough.get(); i++) {
            String user = prefix + i % USERS;
            String key = prefix + i;
            if (!isStored(user, key)) {
                Awaitility.await()
                        .atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(50))
                        .until(() -> isStored(user, key));
            }
            sent.merge(user, 1, Integer::sum);
            long nowNs = System.nanoTime();
            if (longestGapNs.getAndAccumulate(nowNs - lastNs, Math::max) < nowNs - lastNs) {
                endOfLongestWait = Instant.now();
            }
            lastNs = nowNs;
        }
    }

    private boolean isStored(String user, String key) {
        int status;
        try {
            status = laurel.get()
                    .event("laps")
                    .of(user)
                    .value("1")
                    .key(key)
                    .send()
                    .status();
        } catch (IllegalStateException _) {
            return false; // no server listens at the moment
        }
        assertTrue(status == 201 || status == 202 || status == 503, "status " + status);
        return status != 503;
    }

    private void sendDirectly(String bootstrapServers) {
        try (var producer = new DirectProducer(bootstrapServers)) {
            for (int i = 0; !isEnough.get(); i++) {
                String user = "direct-" + i % USERS;
                RecordMetadata place = producer.event(user, Instant.now(), "laps", "1");
                sent.merge(user, 1, Integer::sum);
                // Partitions of the first log, as if it had never been widened.
                idsOfDirect.add(UUID.nameUUIDFromBytes(
                        ("laurel-outbox/" + place.partition() + "/" + place.offset() + "/0/" + user).getBytes(UTF_8)));
            }
        }
    }

    private void sendToIntake(String bootstrapServers) {
        try (var producer = new DirectProducer(bootstrapServers)) {
            for (int i = 0; !isEnough.get(); i++) {
                String user = "taken-" + i % USERS;
                producer.send(new ProducerRecord<>(
                        DirectProducer.DIRECT,
                        user.getBytes(UTF_8),
                        DirectProducer.event(user, "laps", "1").getBytes(UTF_8)));
                sent.merge(user, 1, Integer::sum);
            }
        }
    }

    int events() {
        return sent.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Waits until this number of further events has been sent. */
    void awaitMore(int events) {
        int enough = events() + events;
        Awaitility.await().atMost(PATIENCE).until(() -> events() >= enough);
    }

    /** @return the longest time between two responses to one client */
    Duration stop() throws Exception {
        isEnough.set(true);
        for (CompletableFuture<Void> sender : senders) {
            sender.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        return Duration.ofNanos(longestGapNs.get());
    }

    Instant endOfLongestWait() {
        return endOfLongestWait;
    }

    /** Resets the longest time. */
    void forgetWaits() {
        longestGapNs.set(0);
    }

    void assertTotals() {
        sent.forEach((user, count) -> Awaitility.await(user)
                .atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> {
                    JsonResponse points = laurel.get().get("/v1/users/" + user + "/points/gems");
                    return points.status() == 200 && points.json().get("total").asInt() == count;
                }));
        Awaitility.await("the counters follow")
                .atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> assertEquals(
                        events(),
                        laurel.get()
                                .get("/admin/v1/analytics/events")
                                .expect(200)
                                .at("/series/0/events")
                                .valueStream()
                                .mapToInt(JsonNode::intValue)
                                .sum()));
    }

    /** Checks that each event had one effect and one webhook event, in order per user. */
    void assertPublishedOnceAndInOrder(String bootstrapServers) {
        var reader = new TopicReader(bootstrapServers);
        Map<String, List<Integer>> totals = new TreeMap<>();
        for (ConsumerRecord<byte[], byte[]> record : reader.readAll("laurel.effects")) {
            JsonNode effect = JsonResponse.parse(new String(record.value(), UTF_8));
            if (effect.get("type").asString().startsWith("points")) {
                totals.computeIfAbsent(new String(record.key(), UTF_8), _ -> new ArrayList<>())
                        .add(effect.get("total").asInt());
            }
        }
        assertEquals(sent.keySet(), totals.keySet());
        totals.forEach((user, told) -> {
            for (int i = 0; i < told.size(); i++) {
                assertEquals(i + 1, told.get(i), user + " was told " + told);
            }
            assertEquals(sent.get(user), told.size(), user);
        });
        List<UUID> ids = reader.readAll("laurel.outbox").stream()
                .map(record -> UUID.fromString(JsonResponse.parse(new String(record.value(), UTF_8))
                        .get("id")
                        .asString()))
                .toList();
        assertEquals(events(), ids.size());
        assertEquals(events(), new HashSet<>(ids).size());
        assertTrue(
                ids.containsAll(idsOfDirect),
                () -> "other ids than without growth: "
                        + idsOfDirect.stream().filter(id -> !ids.contains(id)).count());
        assertFalse(idsOfDirect.isEmpty());
        assertEquals(
                List.of(),
                reader.readAll("laurel.rejections").stream()
                        .map(record -> new String(record.value(), UTF_8))
                        .collect(Collectors.toList()));
    }
}
