package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.processors.stream.LogLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * A load of 200 events per second during failures. Each user sends one event after the other, repeats it with the
 * same key until it is accepted, and reads the total, so the expected total of each user is always known.
 */
final class DrillLoad implements AutoCloseable {

    static final int USERS = 40;
    static final String METRIC = "laps";

    /** Rate of all users together; lower for busy machines. */
    private static final int EVENTS_PER_SECOND = Integer.getInteger("laurel.drill.rate", 200);

    private static final Duration EVENT_EVERY = Duration.ofMillis(1_000L * USERS / EVENTS_PER_SECOND);

    /** Readers per partition, so that a blocked reader does not stop the others. */
    private static final int READERS = 5;

    private static final Duration READ_EVERY = Duration.ofMillis(READERS * 20_000 / EVENTS_PER_SECOND);

    /** Shorter than in client libraries, because the service is measured and not its clients. */
    private static final Executor LATER = CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS);

    private static final long GIVE_UP_NS = Duration.ofMinutes(3).toNanos();

    /** Longer than the waiting time of a gateway, as in the ingress. */
    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(45);

    private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);

    private final DrillServers gateways;
    private final DrillServers nodes;
    private final LogLayout layout;
    private final Gaps writes;
    private final Gaps reads;
    private final AtomicIntegerArray totals = new AtomicIntegerArray(USERS);
    private final AtomicIntegerArray events = new AtomicIntegerArray(USERS);
    private final Queue<String> outdatedReads = new ConcurrentLinkedQueue<>();
    private final Map<String, LongAdder> troubles = new ConcurrentHashMap<>();
    private final LongAdder staleReads = new LongAdder();
    private final AtomicReference<Throwable> fault = new AtomicReference<>();
    private final CountDownLatch failed = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    DrillLoad(DrillServers gateways, DrillServers nodes, int partitions) {
        this.gateways = gateways;
        this.nodes = nodes;
        this.layout = new LogLayout(partitions);
        this.writes = new Gaps(partitions);
        this.reads = new Gaps(partitions);
    }

    void start() {
        for (int user = 0; user < USERS; user++) {
            int swimmer = user;
            run(() -> swim(swimmer));
        }
        for (int partition = 0; partition < layout.partitions(); partition++) {
            int mine = partition;
            for (int reader = 0; reader < READERS; reader++) {
                int first = reader;
                run(() -> read(mine, first));
            }
        }
    }

    private interface Work {

        void run() throws InterruptedException;
    }

    private void run(Work work) {
        threads.add(Thread.ofVirtual().start(() -> {
            try {
                work.run();
            } catch (InterruptedException | RuntimeException | Error e) {
                fault.compareAndSet(null, e);
                failed.countDown();
            }
        }));
    }

    static String name(int user) {
        return "swimmer-" + user;
    }

    private int partitionOf(int user) {
        return layout.partitionOf(name(user).getBytes(StandardCharsets.UTF_8));
    }

    private void swim(int user) throws InterruptedException {
        int partition = partitionOf(user);
        long sentNs = System.nanoTime() - EVENT_EVERY.toNanos() * (USERS - user) / USERS;
        while (!isOverBy(sentNs + EVENT_EVERY.toNanos())) {
            sentNs = System.nanoTime();
            int number = events.get(user);
            int laps = 1 + (number + user) % 7;
            int total = totals.get(user) + laps;
            JsonResponse answer = send(user, laps, name(user) + "-" + number, sentNs);
            long answeredNs = System.nanoTime();
            if (answer.number("/total").intValueExact() != total) {
                throw new AssertionError("after event " + number + " the total must be " + total + ": " + answer);
            }
            events.incrementAndGet(user);
            totals.set(user, total);
            writes.succeeded(partition, sentNs, answeredNs);
        }
    }

    private JsonResponse send(int user, int laps, String key, long sinceNs) throws InterruptedException {
        String body = "{\"user\":{\"id\":\"" + name(user) + "\"},\"value\":" + laps + "}";
        String last = null;
        while (System.nanoTime() - sinceNs < GIVE_UP_NS) {
            try {
                JsonResponse answer =
                        gateways.send("/v1/metrics/" + METRIC + "/event", body, WRITE_TIMEOUT, "Idempotency-Key", key);
                last = answer.status() + " " + answer.text();
                boolean isPending = answer.json().path("pending").asBoolean(false);
                switch (answer.status()) {
                    case 201, 202 -> {
                        // A 202 that is not pending: an earlier attempt was accepted and its response lost.
                        if (!isPending) {
                            return answer;
                        }
                        trouble("write", answer);
                    }
                    case 503 -> trouble("write", answer);
                    default -> throw new AssertionError(key + ": " + last);
                }
            } catch (IOException e) {
                last = e.toString();
                trouble("write", e);
            }
            CompletableFuture.runAsync(() -> {}, LATER).join();
        }
        throw new AssertionError(key + " was not accepted: " + last);
    }

    /** Reads the users of one partition in turn. */
    private void read(int partition, int first) throws InterruptedException {
        var mine = new ArrayList<Integer>();
        for (int user = 0; user < USERS; user++) {
            if (partitionOf(user) == partition) {
                mine.add(user);
            }
        }
        long sentNs = System.nanoTime() - READ_EVERY.toNanos();
        for (int turn = first; !isOverBy(sentNs + READ_EVERY.toNanos()); turn++) {
            int user = mine.get(turn % mine.size());
            sentNs = System.nanoTime();
            if (events.get(user) > 0) {
                read(user, partition, sentNs);
            }
        }
    }

    private void read(int user, int partition, long sentNs) throws InterruptedException {
        int least = totals.get(user);
        try {
            JsonResponse answer = nodes.send("/v1/users/" + name(user) + "/metrics/" + METRIC, null, READ_TIMEOUT);
            switch (answer.status()) {
                case 200 -> {
                    reads.succeeded(partition, sentNs, System.nanoTime());
                    int current = answer.number("/current").intValueExact();
                    if (answer.header("X-Laurel-Stale") != null) {
                        staleReads.increment();
                    } else if (current < least) {
                        outdatedReads.add(name(user) + ": " + current + " where " + least + " had been answered");
                    }
                }
                case 503 -> trouble("read", answer);
                // The user exists, so 404 is a fault as well, from a copy, too.
                default ->
                    throw new AssertionError(
                            "read of " + name(user) + ", where " + least + " had been answered: " + answer);
            }
        } catch (IOException e) {
            trouble("read", e); // No success; the next attempt uses the next node.
        }
    }

    /** Checks that this server misses no accepted event, unless it marks its response as stale. */
    void expectNoStaleReads(LaurelClient server) {
        for (int each = 0; each < USERS; each++) {
            int user = each;
            int least = totals.get(user);
            JsonResponse answer = server.getOnce("/v1/users/" + name(user) + "/metrics/" + METRIC);
            assertTrue(
                    answer.status() == 200 || answer.status() == 503,
                    () -> name(user) + ", where " + least + " had been answered: " + answer);
            boolean isOfNow = answer.status() == 200 && answer.header("X-Laurel-Stale") == null;
            assertTrue(
                    !isOfNow || answer.number("/current").intValueExact() >= least,
                    () -> "where " + least + " had been answered: " + answer);
        }
    }

    private void trouble(String what, JsonResponse answer) {
        String said = answer.json().path("error").stringValue(answer.status() == 202 ? "pending" : "");
        trouble(what + ": " + answer.status() + " " + said);
    }

    private void trouble(String what, IOException failure) {
        trouble(what + ": " + failure.getClass().getSimpleName());
    }

    private void trouble(String what) {
        troubles.computeIfAbsent(what, _ -> new LongAdder()).increment();
    }

    /** Returns the unsuccessful responses since the last call, with their numbers; for people. */
    String troubles() {
        var said = new StringBuilder();
        for (String what : new TreeSet<>(troubles.keySet())) {
            said.append(said.isEmpty() ? "" : "; ")
                    .append(troubles.remove(what))
                    .append(" × ")
                    .append(what);
        }
        return said.append(said.isEmpty() ? "none" : "")
                .append("; ")
                .append(staleReads.sumThenReset())
                .append(" reads of copies")
                .toString();
    }

    /** Waits until this time, at most until the end of the load. */
    private boolean isOverBy(long ns) throws InterruptedException {
        return over.await(ns - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    Gaps writes() {
        return writes;
    }

    Gaps reads() {
        return reads;
    }

    /** Returns the total of this user's events, all of them accepted. */
    int total(int user) {
        return totals.get(user);
    }

    /** Returns the number of accepted events of this user. */
    int events(int user) {
        return events.get(user);
    }

    /** Returns reads that missed accepted events and were not marked as stale. */
    List<String> outdatedReads() {
        return List.copyOf(outdatedReads);
    }

    /** Lets the load run for this time, at most until a user gets a response that must not occur, which fails. */
    void goOn(Duration length) throws InterruptedException {
        failed.await(length.toNanos(), TimeUnit.NANOSECONDS);
        expectNoFault();
    }

    /** Fails if a user got a response that must not occur. */
    void expectNoFault() {
        if (fault.get() != null) {
            throw new AssertionError("failed under load", fault.get());
        }
    }

    /** Waits until every event in progress is accepted. */
    @Override
    public void close() {
        over.countDown();
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while users stop", e);
        }
        expectNoFault();
    }
}
