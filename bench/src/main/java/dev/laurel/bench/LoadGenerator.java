package dev.laurel.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Loads an HTTP server over keep-alive connections, with one platform thread and one blocking socket each. The generator shares the
 * processors with the server, so it does as little as possible: {@code java.net.http.HttpClient} would use more processor time per
 * request than the server, and virtual threads would wait behind those of the server in the same process, which use the same carriers.
 *
 * <p>Every call blocks until the last response. A warm-up is a call whose result is ignored.
 */
final class LoadGenerator {
    private static final int CONNECTIONS_MAX = 1_024;
    private static final int READ_TIMEOUT_MS = 35_000;
    private static final int STACK_BYTES = 256 * 1024;
    private static final long LATENCY_MICROS_MAX = 60_000_000;
    private static final int LATENCY_DIGITS = 3;
    private static final int BROKEN = 0;

    private final InetSocketAddress address;
    private final Supplier<byte[]> requests;

    /** @param requests supplies whole requests; called from many threads */
    LoadGenerator(InetSocketAddress address, Supplier<byte[]> requests) {
        this.address = address;
        this.requests = requests;
    }

    /**
     * Sends requests at a fixed rate; latency counts from the time at which a request was due.
     *
     * @param connections enough for the rate times the longest delay; with fewer, requests wait for a free connection, which counts as
     * latency
     */
    Result openLoop(double ratePerSecond, Duration duration, int connections) {
        long slots = Math.max(1, Math.round(ratePerSecond * duration.toNanos() / 1e9));
        return run(connections, (tally, startNanos) -> {
            var schedule = new Schedule(startNanos, ratePerSecond, slots);
            return connection -> {
                for (long slot = schedule.take(); slot >= 0; slot = schedule.take()) {
                    long dueNanos = schedule.dueNanos(slot);
                    Schedule.parkUntil(dueNanos);
                    tally.ended(connection.exchange(requests.get()), dueNanos);
                }
            };
        });
    }

    /** Sends the next request of each connection when it has received the last response. */
    Result closedLoop(int connections, Duration duration) {
        return run(connections, (tally, startNanos) -> connection -> {
            long endNanos = startNanos + duration.toNanos();
            for (long now = System.nanoTime(); now < endNanos; now = System.nanoTime()) {
                tally.ended(connection.exchange(requests.get()), now);
            }
        });
    }

    /** @param loop what each thread does with its connection, given the tally and the time of the start */
    private Result run(int connections, BiFunction<Tally, Long, Consumer<Reconnecting>> loop) {
        if (connections < 1 || connections > CONNECTIONS_MAX) {
            throw new IllegalArgumentException("Connections must be 1 to " + CONNECTIONS_MAX);
        }
        var tally = new Tally();
        var connected = new CountDownLatch(connections);
        // Releases all threads at once after they have connected, so that connecting is not measured.
        var begin = new CompletableFuture<Consumer<Reconnecting>>();
        List<Thread> threads = new ArrayList<>(connections);
        for (int i = 0; i < connections; i++) {
            threads.add(Thread.ofPlatform()
                    .name("load-" + i)
                    .daemon()
                    .stackSize(STACK_BYTES)
                    .start(() -> {
                        try (var connection = new Reconnecting(address)) {
                            connected.countDown();
                            begin.join().accept(connection);
                        }
                    }));
        }
        try {
            connected.await();
            long startNanos = System.nanoTime();
            begin.complete(loop.apply(tally, startNanos));
            for (Thread thread : threads) {
                thread.join();
            }
            return tally.result(startNanos);
        } catch (InterruptedException e) {
            begin.complete(_ -> {});
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while loading", e);
        }
    }

    /**
     * The evenly spaced send times of an open loop. Threads share a schedule; each takes the next slot and parks until it is due. A slot
     * that is taken late keeps its time, so a slow server cannot hide its delay by holding back requests (coordinated omission).
     */
    static final class Schedule {
        private final long startNanos;
        private final double intervalNanos;
        private final long slots;
        private final AtomicLong next = new AtomicLong();

        /** @param startNanos time of the first slot, by {@link System#nanoTime} */
        Schedule(long startNanos, double ratePerSecond, long slots) {
            if (!(ratePerSecond > 0) || slots < 1) {
                throw new IllegalArgumentException("A pace needs a positive rate and at least one slot");
            }
            this.startNanos = startNanos;
            this.intervalNanos = 1_000_000_000 / ratePerSecond;
            this.slots = slots;
        }

        /** Returns the number of the next free slot, or -1 if all are taken. */
        long take() {
            long slot = next.getAndIncrement();
            return slot < slots ? slot : -1;
        }

        /** Returns the time of a slot, computed from the start, so that rounding errors do not add up. */
        long dueNanos(long slot) {
            return startNanos + Math.round(slot * intervalNanos);
        }

        /** Parks without spinning, because the processor belongs to the server; wakes about 0.1 ms late. */
        static void parkUntil(long dueNanos) {
            for (long left = dueNanos - System.nanoTime(); left > 0; left = dueNanos - System.nanoTime()) {
                LockSupport.parkNanos(left);
                if (Thread.interrupted()) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }

    /** The connection of one thread, opened again after a failure or after the server closed it. */
    private static final class Reconnecting implements AutoCloseable {
        private final InetSocketAddress address;
        private @Nullable HttpConnection connection;

        Reconnecting(InetSocketAddress address) {
            this.address = address;
            try {
                connection = new HttpConnection(address, READ_TIMEOUT_MS);
            } catch (IOException _) {
                // The first exchange tries again and counts the failure.
                connection = null;
            }
        }

        int exchange(byte[] request) {
            try {
                if (connection == null) {
                    connection = new HttpConnection(address, READ_TIMEOUT_MS);
                }
                int status = connection.exchange(request);
                if (!connection.reusable()) {
                    close();
                }
                return status;
            } catch (IOException | NumberFormatException _) {
                close();
                return BROKEN;
            }
        }

        @Override
        public void close() {
            if (connection != null) {
                try {
                    connection.close();
                } catch (IOException _) {
                    // The connection is given up anyway.
                }
                connection = null;
            }
        }
    }

    /** Counts responses of all threads. */
    private static final class Tally {
        private final Histogram latencyMicros = new ConcurrentHistogram(LATENCY_MICROS_MAX, LATENCY_DIGITS);
        private final Map<Integer, LongAdder> errors = new ConcurrentHashMap<>();
        private final LongAdder count = new LongAdder();

        /** Counts 202 as an error, because the server has stopped waiting for the reply. */
        void ended(int status, long fromNanos) {
            long micros = Math.max(0, (System.nanoTime() - fromNanos) / 1_000);
            latencyMicros.recordValue(Math.min(micros, LATENCY_MICROS_MAX));
            count.increment();
            if (status != 200 && status != 201) {
                errors.computeIfAbsent(status, _ -> new LongAdder()).increment();
            }
        }

        Result result(long startNanos) {
            double elapsedSeconds = (System.nanoTime() - startNanos) / 1e9;
            Map<Integer, Long> errorCounts = new TreeMap<>();
            errors.forEach((status, times) -> errorCounts.put(status, times.sum()));
            long failed =
                    errorCounts.values().stream().mapToLong(Long::longValue).sum();
            return new Result(
                    count.sum(),
                    errorCounts,
                    elapsedSeconds,
                    (count.sum() - failed) / elapsedSeconds,
                    Latency.of(latencyMicros));
        }
    }

    /** Percentiles in milliseconds. */
    record Latency(double p50, double p95, double p99, double max) {
        private static final double MICROS_PER_MS = 1_000;

        /** @param histogram values in microseconds; an empty one gives zeros */
        static Latency of(Histogram histogram) {
            return new Latency(
                    histogram.getValueAtPercentile(50) / MICROS_PER_MS,
                    histogram.getValueAtPercentile(95) / MICROS_PER_MS,
                    histogram.getValueAtPercentile(99) / MICROS_PER_MS,
                    histogram.getMaxValue() / MICROS_PER_MS);
        }

        /** Returns the median of each percentile, and the greatest maximum. */
        static Latency median(Collection<Latency> slices) {
            return new Latency(
                    Median.of(slices, Latency::p50),
                    Median.of(slices, Latency::p95),
                    Median.of(slices, Latency::p99),
                    slices.stream().mapToDouble(Latency::max).max().orElse(0));
        }
    }

    /**
     * Result of a load.
     *
     * @param count completed exchanges, including errors
     * @param errors errors by status; 0 for a broken or silent connection
     */
    record Result(
            long count, Map<Integer, Long> errors, double elapsedSeconds, double eventsPerSecond, Latency latencyMs) {

        Result {
            errors = Map.copyOf(errors);
        }

        long errorCount() {
            return errors.values().stream().mapToLong(Long::longValue).sum();
        }
    }
}
