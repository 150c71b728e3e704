package dev.laurel.deploy.e2e;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.delivery.DeliveryCounts.Kind;
import dev.laurel.delivery.store.WebhookDelivery;
import dev.laurel.delivery.store.WebhookDelivery.Attempt;
import dev.laurel.delivery.store.WebhookDelivery.Status;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests delivery with a real broker and real HTTP, and prints figures. These properties set the size: {@code
 * laurel.delivery.endpoints}, one of them dead, one slow and one broken; {@code laurel.delivery.rate} events per
 * second, each for {@code laurel.delivery.fanout} endpoints, for {@code laurel.delivery.seconds} after a warm-up of
 * {@code laurel.delivery.warmup} seconds. With {@code laurel.full} they are 50 endpoints and 500 events per second for
 * 60 s after 10 s, and every healthy endpoint must receive each event within 2 s.
 */
class WebhookDeliveryIT {

    private static final boolean IS_FULL = Boolean.getBoolean("laurel.full");
    private static final int ENDPOINTS = Integer.getInteger("laurel.delivery.endpoints", IS_FULL ? 50 : 10);
    private static final int RATE = Integer.getInteger("laurel.delivery.rate", IS_FULL ? 500 : 100);
    private static final int SECONDS = Integer.getInteger("laurel.delivery.seconds", IS_FULL ? 60 : 3);
    private static final int WARM_UP_SECONDS = Integer.getInteger("laurel.delivery.warmup", IS_FULL ? 10 : 1);
    private static final int FANOUT = Math.min(ENDPOINTS, Integer.getInteger("laurel.delivery.fanout", 3));
    private static final int USERS = 1_000;
    private static final int FIRST = 200;

    /** At full size, the machine is expected to do nothing else; otherwise no time is checked. */
    private static final long LATEST_MS = IS_FULL ? 2_000 : Long.MAX_VALUE;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String BODY_END = ",\"type\":\"streak.lost\",\"filling\":\"" + "x".repeat(600) + "\"}";

    @TempDir
    Path dataDir;

    @Test
    void shouldRetryAcrossARestart() throws Exception {
        Map<String, Integer> attempts = new ConcurrentHashMap<>();
        try (var receivers = new WebhookReceivers((name, attempt, _) -> attempts.put(name, attempt));
                var laurel = new DeliveryInstance(dataDir)) {
            UUID good = laurel.webhook("good", receivers.url("good"));
            UUID broken = laurel.webhook("broken", receivers.url("broken"));
            UUID dead = laurel.webhook("dead", receivers.deadUrl());
            UUID moved = laurel.webhook("moved", receivers.url("moved"));
            receivers.answers("broken", 500);
            receivers.answers("moved", 302);

            laurel.happens("ida", 1, "{\"type\":\"streak.lost\"}", List.of(good, broken, dead, moved));
            await().atMost(PATIENCE).until(() -> made(laurel, 1, good, broken, dead, moved));
            laurel.stop();
            laurel.start();
            laurel.timePasses(Duration.ofMinutes(1));
            await().atMost(PATIENCE).until(() -> made(laurel, 2, broken, dead, moved));
            receivers.answers("broken", 200);
            laurel.timePasses(Duration.ofMinutes(2));
            await().atMost(PATIENCE).until(() -> made(laurel, 3, broken, dead, moved));
            laurel.timePasses(Duration.ofMinutes(4));
            await().atMost(PATIENCE).until(() -> made(laurel, 4, dead, moved));

            assertEquals(Map.of("good", 1, "broken", 3, "moved", 4), attempts);
            assertEquals(Status.SUCCEEDED, only(laurel, good).status());
            assertEquals(
                    List.of(500, 500, 200),
                    only(laurel, broken).attempts().stream()
                            .map(Attempt::responseStatus)
                            .toList());
            assertEquals(Status.SUCCEEDED, only(laurel, broken).status());
            assertEquals(Status.FAILED, only(laurel, dead).status());
            assertTrue(only(laurel, dead).attempts().getFirst().error().startsWith("cannot connect"));
            assertEquals(
                    "redirects are not followed",
                    only(laurel, moved).attempts().getFirst().error());
            assertFalse(laurel.hasFailed());
        }
    }

    private static boolean made(DeliveryInstance laurel, int attempts, UUID... webhooks) {
        for (UUID webhook : webhooks) {
            List<WebhookDelivery> found = laurel.deliveries(webhook, null, 2);
            if (found.isEmpty() || found.getFirst().made() < attempts) {
                return false;
            }
        }
        return true;
    }

    private static WebhookDelivery only(DeliveryInstance laurel, UUID webhook) {
        List<WebhookDelivery> found = laurel.deliveries(webhook, null, 2);
        assertEquals(1, found.size());
        return found.getFirst();
    }

    @Test
    void shouldNotDelayHealthyWebhooksByFailingOnes() throws Exception {
        int warmUp = RATE * WARM_UP_SECONDS;
        int events = warmUp + RATE * SECONDS;
        var happenedNs = new long[events];
        var latencyMs = new ConcurrentHistogram(3);
        var coldMs = new ConcurrentHistogram(3);
        var received = new AtomicLong();
        try (var receivers = new WebhookReceivers((name, attempt, body) -> {
                    if (name.startsWith("good")) {
                        int number = Integer.parseInt(body.substring(body.indexOf(':') + 1, body.indexOf(',')));
                        if (number < events) {
                            (number < warmUp ? coldMs : latencyMs)
                                    .recordValue((System.nanoTime() - happenedNs[number]) / 1_000_000);
                        }
                        received.incrementAndGet();
                    }
                });
                var laurel = new DeliveryInstance(dataDir)) {
            var webhooks = new ArrayList<UUID>();
            UUID dead = laurel.webhook("dead", receivers.deadUrl());
            UUID slow = laurel.webhook("slow", receivers.url("slow"));
            UUID broken = laurel.webhook("broken", receivers.url("broken"));
            webhooks.addAll(List.of(dead, slow, broken));
            receivers.isSlow("slow", 59_000);
            receivers.answers("broken", 500);
            for (int i = 3; i < ENDPOINTS; i++) {
                webhooks.add(laurel.webhook("good-" + i, receivers.url("good-" + i)));
            }

            List<UUID> good = List.copyOf(webhooks.subList(3, ENDPOINTS));
            for (int i = 0; i < FIRST; i++) {
                laurel.happens(
                        "user-" + i,
                        events + i,
                        "{\"number\":" + (events + i) + BODY_END,
                        List.of(good.get(i % good.size())));
            }
            await().atMost(PATIENCE).until(() -> received.get() == FIRST);
            received.set(0);
            var dice = new Random(7);
            long wanted = 0;
            var used = new ArrayList<Long>();
            double cpuBefore = cpuSeconds();
            long startedNs = System.nanoTime();
            for (int number = 0; number < events; number++) {
                long dueNs = startedNs + number * 1_000_000_000L / RATE;
                while (System.nanoTime() < dueNs) {
                    LockSupport.parkNanos(dueNs - System.nanoTime());
                }
                List<UUID> to = dice.ints(0, ENDPOINTS)
                        .distinct()
                        .limit(FANOUT)
                        .mapToObj(webhooks::get)
                        .toList();
                wanted += to.stream().filter(good::contains).count();
                happenedNs[number] = System.nanoTime();
                laurel.happens("user-" + dice.nextInt(USERS), number, "{\"number\":" + number + BODY_END, to);
                if (number % (RATE * 15) == RATE * 15 - 1) {
                    used.add(usedMb());
                }
            }
            long all = wanted;
            await().atMost(PATIENCE).until(() -> received.get() >= all);
            double tookS = (System.nanoTime() - startedNs) / 1e9;
            double cpu = cpuSeconds() - cpuBefore;
            var counts = laurel.delivery().counts();
            System.out.printf(
                    "%d events/s to %d of %d webhooks for %d s: %.0f healthy POSTs/s, %d received; ms p50 %d p99 %d"
                            + " max %d (cold: p50 %d p99 %d max %d); failed attempts %d, retries %d; cpu %.2f cores;"
                            + " heap MB %s%n",
                    RATE,
                    FANOUT,
                    ENDPOINTS,
                    SECONDS,
                    received.get() / tookS,
                    received.get(),
                    latencyMs.getValueAtPercentile(50),
                    latencyMs.getValueAtPercentile(99),
                    latencyMs.getMaxValue(),
                    coldMs.getValueAtPercentile(50),
                    coldMs.getValueAtPercentile(99),
                    coldMs.getMaxValue(),
                    counts.of(Kind.FAILED_ATTEMPT),
                    counts.of(Kind.RETRY),
                    cpu / tookS,
                    used);

            assertEquals(wanted, received.get());
            assertTrue(
                    latencyMs.getMaxValue() <= LATEST_MS, "the latest came after " + latencyMs.getMaxValue() + " ms");
            laurel.timePasses(Duration.ofMinutes(1));
            await().atMost(PATIENCE)
                    .until(() ->
                            laurel.deliveries(dead, null, events).stream().allMatch(delivery -> delivery.made() >= 2));
            assertTrue(counts.of(Kind.DELIVERED) >= wanted, "delivered " + counts.of(Kind.DELIVERED));
            assertFalse(laurel.hasFailed());
        }
    }

    private static double cpuSeconds() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                        .getProcessCpuTime()
                / 1e9;
    }

    private static long usedMb() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
    }
}
