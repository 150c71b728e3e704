package dev.laurel.gateway.clock;

import dev.laurel.gateway.reply.Answer;
import dev.laurel.gateway.reply.Exchange;
import dev.laurel.gateway.reply.Parts;
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

/**
 * Moves the test clock and waits until the log has followed: ticks of the new time go to every partition until none finds
 * anything more to do, sweeps and leaderboards included; then delivery is asked until it has told what came of that. One call at a time; others wait their turn. Thread-safe.
 */
public final class TimeTravel {

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final TestClock clock;
    private final Exchange exchange;
    private final Duration patience;
    private final ReentrantLock turn = new ReentrantLock(true);

    /** How a call ended. */
    public sealed interface Arrival {

        /** Everything due up to this time has fired. */
        record Arrived(Instant now) implements Arrival {}

        /** The clock cannot go back. @param now where it stays */
        record Backwards(Instant now) implements Arrival {}

        /** The clock cannot go as far. @param now where it stays */
        record TooFar(Instant now) implements Arrival {}

        /** The clock shows {@code now}, and not everything due has fired yet: ask for the same time again. */
        record Unfinished(Instant now, String reason) implements Arrival {}
    }

    /** Where to go, from the time of the call's turn. */
    public interface Destination {

        /** @throws ArithmeticException if that is further than any clock goes */
        Instant from(Instant now);
    }

    /** @param patience for one call, waiting for its turn included */
    public TimeTravel(TestClock clock, Exchange exchange, Duration patience) {
        this.clock = clock;
        this.exchange = exchange;
        this.patience = patience;
    }

    public Instant now() {
        return clock.instant();
    }

    public Arrival go(Destination destination) throws InterruptedException {
        long deadlineNs = System.nanoTime() + patience.toNanos();
        if (!turn.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            return new Arrival.Unfinished(clock.instant(), "another call is still moving the clock");
        }
        try {
            Instant before = clock.instant();
            Instant to = destination.from(before);
            if (to.isBefore(before)) {
                return new Arrival.Backwards(before);
            }
            if (to.isAfter(TestClock.MAX)) {
                return new Arrival.TooFar(before);
            }
            clock.advanceTo(to);
            String problem = settle(deadlineNs);
            return problem == null ? new Arrival.Arrived(to) : new Arrival.Unfinished(to, problem);
        } finally {
            turn.unlock();
        }
    }

    /** @return null if nothing is due any more, else why that is not known */
    private String settle(long deadlineNs) {
        String problem;
        int partitions;
        do {
            partitions = exchange.partitions();
            problem = settle(partitions, partition -> problemWith(partition, deadlineNs));
            // A wider log may have come meanwhile: what was due in its partitions is asked there again.
        } while (problem == null && exchange.partitions() != partitions);
        // Only now: what a leaderboard has heard from one partition, it may tell in another.
        return problem != null
                ? problem
                : settle(exchange.outboxPartitions(), partition -> untold(partition, deadlineNs));
    }

    /** Of all partitions at a time. @param step what is wrong with one, null if nothing is */
    private static String settle(int all, IntFunction<String> step) {
        List<CompletableFuture<String>> partitions = new ArrayList<>();
        for (int partition = 0; partition < all; partition++) {
            int number = partition;
            var settled = new CompletableFuture<String>();
            partitions.add(settled);
            Thread.ofVirtual().name("test-clock-" + number).start(() -> settle(number, step, settled));
        }
        return partitions.stream().map(CompletableFuture::join).filter(problem -> problem != null).findFirst()
                .orElse(null);
    }

    private static void settle(int partition, IntFunction<String> step, CompletableFuture<String> settled) {
        try {
            settled.complete(step.apply(partition));
        } catch (RuntimeException | Error e) {
            settled.completeExceptionally(e);
        }
    }

    /** Each tick does a bounded amount of work, so this ends with what was due, or at the deadline. */
    private String problemWith(int partition, long deadlineNs) {
        while (System.nanoTime() < deadlineNs) {
            switch (exchange.tick(partition)) {
                case Answer.Replied(int status, byte[] body, Parts boards) -> {
                    if (status != 200) {
                        throw new IllegalStateException("a tick was answered with status " + status);
                    }
                    if (!boards.missing().isEmpty()) {
                        return "the leaderboards of partition " + String.join(", ", boards.missing())
                                + " do not answer";
                    }
                    if (!isMoreDue(body)) {
                        if (boards.there().values().stream().noneMatch(TimeTravel::isMoreDue)) {
                            return null;
                        }
                        // They go on by themselves; a tick only asks how far they are.
                        LockSupport.parkNanos(PAUSE_NS);
                    }
                }
                case Answer.Pending _ -> {
                    return "partition " + partition + " does not answer";
                }
                case Answer.Unavailable(String reason) -> {
                    return reason;
                }
                case Answer.TooLarge _ -> throw new IllegalStateException("a tick is not large");
            }
        }
        return "more is due than fires in " + patience.toSeconds() + " s";
    }

    /** A webhook that takes its time makes the call wait, too. */
    private String untold(int partition, long deadlineNs) {
        while (System.nanoTime() < deadlineNs) {
            switch (exchange.question(partition)) {
                case Answer.Replied(int status, byte[] body, Parts messages) -> {
                    if (status != 200) {
                        throw new IllegalStateException("a question was answered with status " + status);
                    }
                    if (!messages.missing().isEmpty()) {
                        return "delivery of partition " + partition + " does not answer";
                    }
                    if (!isMoreDue(body) && messages.there().values().stream().noneMatch(TimeTravel::isMoreDue)) {
                        return null;
                    }
                    // It goes on by itself.
                    LockSupport.parkNanos(PAUSE_NS);
                }
                case Answer.Pending _ -> {
                    return "delivery of partition " + partition + " does not answer";
                }
                case Answer.Unavailable(String reason) -> {
                    return reason;
                }
                case Answer.TooLarge _ -> throw new IllegalStateException("a question is not large");
            }
        }
        return "more is to be told than goes out in " + patience.toSeconds() + " s";
    }

    private static boolean isMoreDue(byte[] body) {
        return Json.read(body, TickBody.class).more();
    }
}
