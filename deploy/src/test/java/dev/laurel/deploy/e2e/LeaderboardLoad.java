package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A load of events over HTTP and from a direct producer, until it is stopped or the program ends. Only the log shows
 * which of the last events were written.
 */
final class LeaderboardLoad implements AutoCloseable {

    static final int USERS = 150;
    static final List<String> CITIES = List.of("Turku", "Espoo", "Oulu");

    private static final int HTTP_CLIENTS = 8;

    /** Direct events per answered event over HTTP, so that both kinds are always in progress. */
    private static final int DIRECT_PER_ANSWER = 10;

    private static final long PATIENCE_S = Boolean.getBoolean("laurel.full") ? 300 : 60;

    /** Values with fractions and ties; a zero changes neither a total nor a rank. */
    private static final List<String> UP = List.of("1", "1", "2", "7", "0.5", "12.25", "0.000000001");

    /** Their sum is above zero, so that leaderboards stay full however long the load lasts. */
    private static final List<String> UP_AND_DOWN =
            List.of("1", "2", "7", "0.5", "12.25", "0.000000001", "0", "-1", "-3.75", "-12");

    /** Kinds of loads. */
    enum Way {
        /** Positive and negative values, events that are days late, and users who change their city. */
        WILD,
        /** Positive values only, and users who keep their city. */
        STEADY
    }

    private final LaurelClient client;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Instant now;
    private final Way way;
    private final CountDownLatch accepted;
    private final CountDownLatch everyone = new CountDownLatch(USERS);
    private final Semaphore direct = new Semaphore(USERS);
    private final AtomicReference<Throwable> fault = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isOver;

    private LeaderboardLoad(LaurelProcess laurel, Instant now, Way way, int events) {
        this.client = laurel.client();
        this.now = now;
        this.way = way;
        this.accepted = new CountDownLatch(events);
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", laurel.bootstrapServers(), "acks", "all", "linger.ms", 1),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** @param now time of direct events that are not late; @param events answered over HTTP, to be waited for */
    static LeaderboardLoad start(LaurelProcess laurel, SplittableRandom random, Instant now, Way way, int events) {
        var load = new LeaderboardLoad(laurel, now, way, events);
        for (int i = 0; i < HTTP_CLIENTS; i++) {
            SplittableRandom mine = random.split();
            load.run(() -> load.sendOverHttp(mine));
        }
        SplittableRandom mine = random.split();
        load.run(() -> load.produce(mine));
        return load;
    }

    private void run(Runnable work) {
        threads.add(Thread.ofVirtual().start(() -> {
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                // At the end of the load the program is killed, so the failure is expected.
                if (!isOver) {
                    fault.set(e);
                }
            }
        }));
    }

    private void sendOverHttp(SplittableRandom random) {
        while (!isOver) {
            LaurelClient.EventRequest event =
                    client.event("laps").of(user(random)).value(value(random));
            String city = city(random);
            if (city != null) {
                event.with("attributes", city);
            }
            assertEquals(201, event.send().status());
            accepted.countDown();
            direct.release(DIRECT_PER_ANSWER);
        }
    }

    private void produce(SplittableRandom random) {
        for (int i = 0; !isOver; i++) {
            direct.acquireUninterruptibly();
            // Each user at least once.
            int number = i < USERS ? i : random.nextInt(USERS);
            String user = "u" + number;
            String city = city(random);
            String json = "{\"type\":\"event\",\"metric\":\"laps\",\"value\":" + value(random) + ",\"user\":{\"id\":\""
                    + user + "\"" + (city == null ? "" : ",\"attributes\":" + city) + "}}";
            Instant at = now.minus(late(random, number));
            producer.send(
                    new ProducerRecord<>(
                            DirectProducer.COMMANDS,
                            null,
                            at.toEpochMilli(),
                            user.getBytes(StandardCharsets.UTF_8),
                            json.getBytes(StandardCharsets.UTF_8)),
                    (_, failure) -> {
                        if (failure == null) {
                            everyone.countDown();
                        }
                    });
        }
    }

    private static String user(SplittableRandom random) {
        return "u" + random.nextInt(USERS);
    }

    private String value(SplittableRandom random) {
        List<String> values = way == Way.STEADY ? UP : UP_AND_DOWN;
        return values.get(random.nextInt(values.size()));
    }

    /** Returns the new city; null: unchanged. */
    private String city(SplittableRandom random) {
        if (way == Way.STEADY || random.nextInt(3) > 0) {
            return null;
        }
        int city = random.nextInt(CITIES.size() + 1);
        return "{\"city\":" + (city == CITIES.size() ? "null" : '"' + CITIES.get(city) + '"') + "}";
    }

    /** Users are late by different numbers of days: with so many events, their streaks would be the same otherwise. */
    private Duration late(SplittableRandom random, int user) {
        int days = user % 5;
        return days == 0 || random.nextInt(3) > 0
                ? Duration.ZERO
                : Duration.ofSeconds(random.nextInt((int) Duration.ofDays(days).toSeconds()));
    }

    /** Returns soon after this number of answered events; every user has an event by then. */
    void awaitAccepted() throws InterruptedException {
        assertTrue(everyone.await(PATIENCE_S, TimeUnit.SECONDS), () -> "still to come: " + everyone.getCount());
        assertTrue(accepted.await(PATIENCE_S, TimeUnit.SECONDS), () -> "still to come: " + accepted.getCount());
    }

    /** Accepts failures from now on. */
    void expectEnd() {
        isOver = true;
    }

    /** Waits until all users have stopped, and fails if an earlier request failed. */
    @Override
    public void close() {
        isOver = true;
        direct.release();
        // Events in transit may be lost, because the broker may be gone.
        producer.close(Duration.ofSeconds(1));
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while users stop", e);
            }
        }
        client.close();
        if (fault.get() != null) {
            throw new AssertionError("failed under load", fault.get());
        }
    }
}
