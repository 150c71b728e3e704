package dev.laurel.gateway.clock;

import dev.laurel.gateway.reply.RequestReplyClient;
import dev.laurel.gateway.reply.RequestResult.Parts;
import dev.laurel.gateway.reply.RequestResult;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.TickBody;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Moves the test clock and waits until the instance has followed. It sends ticks of the new time to every partition until nothing
 * more is due, including sweeps and leaderboards, and then asks delivery until everything that followed is sent. One call at a
 * time; others wait for their turn. Thread-safe.
 */
public final class TestClockControl {

    private static final long POLL_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final TestClock clock;
    private final RequestReplyClient client;
    private final Duration timeout;
    private final ReentrantLock turn = new ReentrantLock(true);

    /** The result of a call. */
    public sealed interface MoveResult {

        /** Everything due up to this time has fired. */
        record Done(Instant now) implements MoveResult {}

        /** The clock cannot go back. @param now the unchanged time */
        record Backwards(Instant now) implements MoveResult {}

        /** The time is beyond the end of the clock. @param now the unchanged time */
        record TooFar(Instant now) implements MoveResult {}

        /** The clock shows {@code now}, but not everything due has fired yet; the client may request the same time again. */
        record Unfinished(Instant now, String reason) implements MoveResult {}
    }

    /** Computes the new time from the time at the call's turn. */
    public interface Target {

        /** @throws ArithmeticException if the time is beyond the range of {@link Instant} */
        Instant from(Instant now);
    }

    /** @param timeout of one call, including the wait for its turn */
    public TestClockControl(TestClock clock, RequestReplyClient client, Duration timeout) {
        this.clock = clock;
        this.client = client;
        this.timeout = timeout;
    }

    public Instant now() {
        return clock.instant();
    }

    public MoveResult go(Target target) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        if (!turn.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            return new MoveResult.Unfinished(clock.instant(), "another call is still moving the clock");
        }
        try {
            Instant before = clock.instant();
            Instant to = target.from(before);
            if (to.isBefore(before)) {
                return new MoveResult.Backwards(before);
            }
            if (to.isAfter(TestClock.MAX)) {
                return new MoveResult.TooFar(before);
            }
            clock.advanceTo(to);
            String problem = settle(deadlineNs);
            return problem == null ? new MoveResult.Done(to) : new MoveResult.Unfinished(to, problem);
        } finally {
            turn.unlock();
        }
    }

    /** @return null if nothing is due any more, else the reason why that is not certain */
    private @Nullable String settle(long deadlineNs) {
        String problem;
        int partitions;
        do {
            partitions = client.partitions();
            problem = settle(partitions, partition -> problemWith(partition, deadlineNs));
            // If a wider log has replaced this one meanwhile, its partitions get ticks, too.
        } while (problem == null && client.partitions() != partitions);
        // Only now: the effects of a leaderboard may belong to another partition than the events that caused them.
        return problem != null
                ? problem
                : settle(client.outboxPartitions(), partition -> problemOfDelivery(partition, deadlineNs));
    }

    /** Settles all partitions at the same time. @param step returns the problem of a partition, if there is one */
    private static @Nullable String settle(int all, IntFunction<@Nullable String> step) {
        List<CompletableFuture<@Nullable String>> partitions = new ArrayList<>();
        for (int partition = 0; partition < all; partition++) {
            int number = partition;
            var settled = new CompletableFuture<@Nullable String>();
            partitions.add(settled);
            Thread.ofVirtual().name("test-clock-" + number).start(() -> settle(number, step, settled));
        }
        return partitions.stream().map(CompletableFuture::join).filter(problem -> problem != null).findFirst()
                .orElse(null);
    }

    private static void settle(int partition, IntFunction<@Nullable String> step,
            CompletableFuture<@Nullable String> settled) {
        try {
            settled.complete(step.apply(partition));
        } catch (RuntimeException | Error e) {
            settled.completeExceptionally(e);
        }
    }

    /** Sends ticks until nothing is due or the deadline has passed; each tick does a limited amount of work. */
    private @Nullable String problemWith(int partition, long deadlineNs) {
        while (System.nanoTime() < deadlineNs) {
            switch (client.tick(partition)) {
                case RequestResult.Replied(int status, byte[] body, Parts boards) -> {
                    if (status != 200) {
                        throw new IllegalStateException("a tick was answered with status " + status);
                    }
                    if (!boards.missing().isEmpty()) {
                        return "the leaderboards of partition " + String.join(", ", boards.missing())
                                + " do not answer";
                    }
                    if (!isMoreDue(body)) {
                        if (boards.there().values().stream().noneMatch(TestClockControl::isMoreDue)) {
                            return null;
                        }
                        // Leaderboards continue by themselves; a tick only asks for their progress.
                        LockSupport.parkNanos(POLL_INTERVAL_NS);
                    }
                }
                case RequestResult.Pending _ -> {
                    return "partition " + partition + " does not answer";
                }
                case RequestResult.Unavailable(String reason) -> {
                    return reason;
                }
                case RequestResult.TooLarge _ -> throw new IllegalStateException("a tick is not large");
            }
        }
        return "more is due than fires in " + timeout.toSeconds() + " s";
    }

    /** Asks delivery until nothing is left to send. A slow webhook receiver delays the call. */
    private @Nullable String problemOfDelivery(int partition, long deadlineNs) {
        while (System.nanoTime() < deadlineNs) {
            switch (client.question(partition)) {
                case RequestResult.Replied(int status, byte[] body, Parts messages) -> {
                    if (status != 200) {
                        throw new IllegalStateException("a question was answered with status " + status);
                    }
                    if (!messages.missing().isEmpty()) {
                        return "delivery of partition " + partition + " does not answer";
                    }
                    if (!isMoreDue(body) && messages.there().values().stream().noneMatch(TestClockControl::isMoreDue)) {
                        return null;
                    }
                    // Delivery continues by itself.
                    LockSupport.parkNanos(POLL_INTERVAL_NS);
                }
                case RequestResult.Pending _ -> {
                    return "delivery of partition " + partition + " does not answer";
                }
                case RequestResult.Unavailable(String reason) -> {
                    return reason;
                }
                case RequestResult.TooLarge _ -> throw new IllegalStateException("a question is not large");
            }
        }
        return "more is to be told than goes out in " + timeout.toSeconds() + " s";
    }

    private static boolean isMoreDue(byte[] body) {
        return Json.read(body, TickBody.class).more();
    }
}
