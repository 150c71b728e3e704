package dev.laurel.gateway.http;

import dev.laurel.gateway.RequestReplyClient;
import dev.laurel.gateway.RequestResult;
import dev.laurel.gateway.RequestResult.Parts;
import dev.laurel.gateway.clock.TestClock;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.EventBody.TickBody;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Moves the test clock and waits until everything due has happened. Before and after the move, sends ticks to every partition
 * until nothing more is due, including sweeps and leaderboards, and then asks delivery until everything that followed is sent. So
 * what was accepted before the call happens at the time before it, however slowly it travels. Thread-safe: calls run one after the
 * other.
 */
final class TestClockControl {

    private static final long POLL_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final TestClock clock;
    private final RequestReplyClient client;
    private final Duration timeout;
    private final ReentrantLock lock = new ReentrantLock(true);

    /** The result of a call. */
    sealed interface MoveResult {

        /** Everything due up to this time has fired. */
        record Done(Instant now) implements MoveResult {}

        /** The clock is not moved. @param reason a sentence for the client */
        record Refused(String reason) implements MoveResult {}

        /**
         * The clock shows {@code now}, the time before the call or the requested one, but not everything due has fired yet; the client
         * may request that time again.
         */
        record Unfinished(Instant now, String reason) implements MoveResult {}
    }

    /** @param timeout limit on one call, including the wait for earlier calls */
    TestClockControl(TestClock clock, RequestReplyClient client, Duration timeout) {
        this.clock = clock;
        this.client = client;
        this.timeout = timeout;
    }

    Instant now() {
        return clock.instant();
    }

    /**
     * Moves the clock to the target and waits.
     *
     * @param target the new time, from the time at which the call gets the lock; throws ArithmeticException if there is no such
     */
    MoveResult move(UnaryOperator<Instant> target) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        if (!lock.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            return new MoveResult.Unfinished(clock.instant(), "another call is still moving the clock");
        }
        try {
            Instant before = clock.instant();
            Instant to = target.apply(before);
            if (to.isBefore(before)) {
                return new MoveResult.Refused("The clock only goes forward; it shows " + Json.time(before) + ".");
            }
            if (to.isAfter(TestClock.MAX)) {
                return new MoveResult.Refused("The clock ends with the year 9999; it shows " + Json.time(before) + ".");
            }
            String problem = awaitNothingDue(deadlineNs);
            if (problem == null && to.isAfter(before)) {
                clock.advanceTo(to);
                problem = awaitNothingDue(deadlineNs);
            }
            return problem == null ? new MoveResult.Done(to) : new MoveResult.Unfinished(clock.instant(), problem);
        } finally {
            lock.unlock();
        }
    }

    /** @return null if nothing is due any more, otherwise the reason why that is not certain */
    private @Nullable String awaitNothingDue(long deadlineNs) {
        String problem;
        int partitions;
        do {
            partitions = client.partitions();
            problem = inEach(partitions, partition -> awaitTimers(partition, deadlineNs));
            // If a wider log has replaced this one in the meantime, its partitions get ticks, too.
        } while (problem == null && client.partitions() != partitions);
        // Only now: the effects of a leaderboard may belong to another partition than the events that caused them.
        return problem != null
                ? problem
                : inEach(client.outboxPartitions(), partition -> awaitDelivery(partition, deadlineNs));
    }

    /** Runs a step for all partitions at the same time. @param step returns the problem of a partition, if there is one */
    private static @Nullable String inEach(int partitions, IntFunction<@Nullable String> step) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var steps = IntStream.range(0, partitions)
                    .mapToObj(partition ->
                            CompletableFuture.<@Nullable String>supplyAsync(() -> step.apply(partition), threads))
                    .toList();
            return steps.stream()
                    .map(CompletableFuture::join)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
    }

    /** Sends ticks to a partition until nothing is due; each tick does a limited amount of work. */
    private @Nullable String awaitTimers(int partition, long deadlineNs) {
        String name = "partition " + partition;
        return awaitNothingDue(
                () -> client.tick(partition),
                true,
                name,
                boards -> "the leaderboards of partition " + String.join(", ", boards) + " do not answer",
                deadlineNs);
    }

    /**
     * Asks delivery until nothing is left to send. A slow webhook receiver delays the call. A reply of the ledger may be read before
     * the rest of its transaction is written. The first answer comes after the end of that transaction, so the second question is
     * behind all of it.
     */
    private @Nullable String awaitDelivery(int partition, long deadlineNs) {
        String name = "delivery of partition " + partition;
        String problem = null;
        for (int round = 0; round < 2 && problem == null; round++) {
            problem = awaitNothingDue(
                    () -> client.question(partition), false, name, _ -> name + " does not answer", deadlineNs);
        }
        return problem;
    }

    /**
     * Repeats a request until neither the reply nor any of its parts says that more is due.
     *
     * @param doesWork whether the request itself makes what is due happen, so that the next one is sent at once; what the parts
     *        stand for happens by itself
     * @return null if nothing is due any more, otherwise the reason why that is not certain
     */
    private @Nullable String awaitNothingDue(
            Supplier<RequestResult> request,
            boolean doesWork,
            String name,
            Function<List<String>, String> reasonOfMissing,
            long deadlineNs) {
        while (System.nanoTime() < deadlineNs) {
            switch (request.get()) {
                case RequestResult.Replied(int status, byte[] body, Parts parts, var _) -> {
                    if (status != 200) {
                        throw new IllegalStateException(name + " replied with status " + status);
                    }
                    if (!parts.missing().isEmpty()) {
                        return reasonOfMissing.apply(parts.missing());
                    }
                    boolean isDue = isMoreDue(body);
                    if (!isDue && parts.there().values().stream().noneMatch(TestClockControl::isMoreDue)) {
                        return null;
                    }
                    if (!isDue || !doesWork) {
                        LockSupport.parkNanos(POLL_INTERVAL_NS);
                    }
                }
                case RequestResult.Pending _ -> {
                    return name + " does not answer";
                }
                case RequestResult.Unavailable(String reason) -> {
                    return reason;
                }
                case RequestResult.TooLarge _ ->
                    throw new IllegalStateException("a request to " + name + " is too large");
            }
        }
        return "more is due than can happen in " + timeout.toSeconds() + " s";
    }

    private static boolean isMoreDue(byte[] body) {
        return Json.read(body, TickBody.class).more();
    }
}
