package dev.laurel.gateway;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.RequestCounts.Ending;
import dev.laurel.gateway.RequestCounts.Reason;
import dev.laurel.gateway.RequestReplyClient.RequestIds;
import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.topic.ReplyHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RequestReplyClientTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final UserKey IDA = UserKey.of("ida");
    private static final IdentifyUser COMMAND = new IdentifyUser(UserChange.mention(IDA.user()), false);

    private final FakePublisher publisher = new FakePublisher();
    private final Waiters waiters = new Waiters();
    private final AtomicLong nowNs = new AtomicLong();

    @Test
    void shouldReturnAReplyThatArrivesDuringPublication() {
        var reply = new RequestResult.Replied(200, new byte[] {1, 2});
        publisher.onRequest = id -> waiters.reply(id, reply, List.of());

        assertSame(reply, client(1, LONG).ask(IDA, COMMAND));
    }

    @Test
    void shouldDeliverARecordWithAReplyOrAPart() {
        publisher.onRequest = id -> {
            var part = new RecordHeaders();
            ReplyHeaders.writePart(part, id, "a");
            waiters.deliver(id, part, null);
            var reply = new RecordHeaders();
            ReplyHeaders.writeAnswer(reply, id, 201);
            ReplyHeaders.writeAwaits(reply, List.of("a"));
            waiters.deliver(id, reply, new byte[] {9});
        };

        var replied =
                assertInstanceOf(RequestResult.Replied.class, client(1, LONG).ask(IDA, COMMAND));
        assertEquals(201, replied.status());
        assertArrayEquals(new byte[] {9}, replied.body());
        assertEquals(0, replied.parts().there().get("a").length);
    }

    @Test
    void shouldTakeRepliesToItsOwnRequestsOnly() {
        var ids = new ArrayList<UUID>();
        publisher.onRequest = ids::add;
        RequestReplyClient client = client(1, SHORT);
        client.ask(IDA, COMMAND);

        var reply = new RecordHeaders();
        ReplyHeaders.writeAnswer(reply, ids.getFirst(), 201);
        assertTrue(client.takeReply(reply, new byte[] {9}));
        assertFalse(client(1, SHORT).takeReply(reply, new byte[] {9}));
    }

    @Test
    void shouldReturnTheReplyWithoutPartsThatDoNotArriveInTime() {
        publisher.onRequest = id -> {
            waiters.reply(id, new RequestResult.Replied(201, new byte[] {9}), List.of("a", "b"));
            waiters.part(id, "b", new byte[] {2});
        };

        var replied =
                assertInstanceOf(RequestResult.Replied.class, client(1, SHORT).ask(IDA, COMMAND));
        assertEquals(201, replied.status());
        assertEquals(List.of("b"), List.copyOf(replied.parts().there().keySet()));
        assertEquals(List.of("a"), replied.parts().missing());
        assertEquals(0, waiters.count());
    }

    @Test
    void shouldIgnoreReplyToARequestThatHasEnded() {
        var ids = new ArrayList<UUID>();
        publisher.onRequest = ids::add;
        client(1, SHORT).ask(IDA, COMMAND);

        waiters.reply(ids.getFirst(), new RequestResult.Replied(200, new byte[0]), List.of());

        assertEquals(0, waiters.count());
    }

    @Test
    void shouldBePendingIfNoReplyArrivesInTime() {
        var client = client(1, SHORT);

        assertEquals(RequestResult.PENDING, client.ask(IDA, COMMAND));
        assertEquals(0, waiters.count());
        assertEquals(0, client.inFlight());
    }

    @Test
    void shouldBePendingIfItIsUnknownWhetherTheRequestWasStored() {
        publisher.outcome = CompletableFuture.completedFuture(Outcome.UNKNOWN);

        assertEquals(RequestResult.PENDING, client(1, LONG).ask(IDA, COMMAND));
    }

    @Test
    void shouldBeUnavailableIfTheRequestWasNotStored() {
        publisher.outcome = CompletableFuture.completedFuture(Outcome.NOT_STORED);

        assertInstanceOf(RequestResult.Unavailable.class, client(1, LONG).ask(IDA, COMMAND));
    }

    @Test
    void shouldReportARequestThatIsTooLargeForTheLog() {
        publisher.outcome = CompletableFuture.completedFuture(Outcome.TOO_LARGE);

        assertEquals(RequestResult.TOO_LARGE, client(1, LONG).ask(IDA, COMMAND));
    }

    @Test
    void shouldRefuseRequestsAboveTheLimitBeforePublishing() throws InterruptedException {
        var published = new CountDownLatch(2);
        var ids = new ArrayList<UUID>();
        publisher.onRequest = id -> {
            synchronized (ids) {
                ids.add(id);
            }
            published.countDown();
        };
        var client = client(2, LONG);
        var waiting = new Thread[] {askInBackground(client), askInBackground(client)};
        assertTrue(published.await(10, TimeUnit.SECONDS));

        assertInstanceOf(RequestResult.Unavailable.class, client.ask(IDA, COMMAND));
        assertEquals(2, publisher.commands.size());
        assertEquals(2, client.inFlight());

        ids.forEach(id -> waiters.reply(id, new RequestResult.Replied(200, new byte[0]), List.of()));
        for (Thread thread : waiting) {
            thread.join();
        }
        assertEquals(0, client.inFlight());
    }

    @Test
    void shouldKeepTheSlotOfARequestUntilTheLogAcknowledges() {
        publisher.outcome = new CompletableFuture<>();
        var client = client(1, SHORT);

        assertEquals(RequestResult.PENDING, client.ask(IDA, COMMAND));
        assertInstanceOf(RequestResult.Unavailable.class, client.ask(IDA, COMMAND));

        publisher.outcome.complete(Outcome.STORED);
        assertEquals(0, client.inFlight());
    }

    @Test
    void shouldPublishNothingWhileTheLogIsStalled() {
        publisher.isStalled = true;

        assertInstanceOf(RequestResult.Unavailable.class, client(1, LONG).ask(IDA, COMMAND));
        assertTrue(publisher.commands.isEmpty());
    }

    @Test
    void shouldEndWaitingRequestsAsPendingWhenAbandoned() throws Exception {
        var published = new CountDownLatch(1);
        publisher.onRequest = _ -> published.countDown();
        var client = client(2, LONG);
        var result = new CompletableFuture<RequestResult>();
        Thread.ofVirtual().start(() -> result.complete(client.ask(IDA, COMMAND)));
        assertTrue(published.await(10, TimeUnit.SECONDS));

        client.abandon("Broken.");

        assertEquals(RequestResult.PENDING, result.get(10, TimeUnit.SECONDS));
        assertEquals(new RequestResult.Unavailable("Broken."), client.ask(IDA, COMMAND));
    }

    @Test
    void shouldNotBeIdleWhileARequestWaits() throws InterruptedException {
        var published = new CountDownLatch(1);
        var ids = new ArrayList<UUID>();
        publisher.onRequest = id -> {
            ids.add(id);
            published.countDown();
        };
        var client = client(2, LONG);
        Thread waiting = askInBackground(client);
        assertTrue(published.await(10, TimeUnit.SECONDS));

        assertFalse(client.awaitIdle(SHORT));

        waiters.reply(ids.getFirst(), new RequestResult.Replied(200, new byte[0]), List.of());
        assertTrue(client.awaitIdle(LONG));
        waiting.join();
    }

    @Test
    void shouldCountRequestsByTheirEnding() {
        publisher.onRequest = id -> waiters.reply(id, new RequestResult.Replied(200, new byte[0]), List.of());
        var client = client(1, SHORT);
        client.ask(IDA, COMMAND);
        publisher.onRequest = id -> waiters.reply(id, new RequestResult.Replied(201, new byte[0]), List.of("a"));
        client.ask(IDA, COMMAND);
        publisher.onRequest = _ -> {};
        client.ask(IDA, COMMAND);
        publisher.outcome = CompletableFuture.completedFuture(Outcome.NOT_STORED);
        client.ask(IDA, COMMAND);

        for (Ending how : Ending.values()) {
            assertEquals(1, client.counts().of(how), how.name());
        }
    }

    @Test
    void shouldCountRefusedRequestsByReason() {
        var client = client(1, SHORT);
        publisher.outcome = new CompletableFuture<>();
        client.ask(IDA, COMMAND);
        client.ask(IDA, COMMAND);
        publisher.isStalled = true;
        client.ask(IDA, COMMAND);
        client.refuseAll("Stopping.");
        client.ask(IDA, COMMAND);

        for (Reason reason : Reason.values()) {
            assertEquals(1, client.counts().of(reason), reason.name());
        }
        assertEquals(1, client.counts().of(Ending.PENDING), "refused requests were counted as ended");
    }

    @Test
    void shouldWaitForLeaderboardsAgainOnceAProbeSucceeds() {
        var ids = new ArrayList<UUID>();
        publisher.onRequest = id -> {
            ids.add(id);
            waiters.reply(id, new RequestResult.Replied(201, new byte[0]), List.of("lanes"));
        };
        // The timeout is longer than the test, which therefore ends only if the client does not wait for leaderboards.
        var breaker = new LeaderboardCircuitBreaker(nowNs::get);
        for (int i = 0; i < LeaderboardCircuitBreaker.TIMEOUTS; i++) {
            breaker.timedOut();
        }
        RequestReplyClient client = new RequestReplyClient(publisher, waiters, 10, LONG, breaker);
        assertEquals(List.of("lanes"), missing(client.ask(IDA, COMMAND)));
        assertEquals(0, waiters.count(), "there is a probe already");
        nowNs.addAndGet(LeaderboardCircuitBreaker.PROBE_INTERVAL.toNanos());
        assertEquals(List.of("lanes"), missing(client.ask(IDA, COMMAND)));
        UUID late = ids.getLast();
        assertEquals(List.of("lanes"), missing(client.ask(IDA, COMMAND)));
        assertEquals(1, waiters.count(), "there must be one probe at a time");
        nowNs.addAndGet(LeaderboardCircuitBreaker.PROBE_INTERVAL.toNanos());
        assertEquals(List.of("lanes"), missing(client.ask(IDA, COMMAND)));
        UUID probe = ids.getLast();
        waiters.part(late, "lanes", new byte[0]);
        assertFalse(breaker.isClosed(), "the previous probe succeeded too late");

        waiters.part(probe, "lanes", new byte[0]);

        assertTrue(breaker.isClosed());
        assertEquals(0, waiters.count());
        publisher.onRequest = id -> Thread.ofVirtual().start(() -> {
            waiters.reply(id, new RequestResult.Replied(201, new byte[0]), List.of("lanes"));
            waiters.part(id, "lanes", new byte[0]);
        });
        assertEquals(List.of(), missing(client.ask(IDA, COMMAND)));
        assertEquals(0, client.inFlight());
    }

    @Test
    void shouldEndWaitsForLeaderboardsWhenTheBreakerOpens() throws Exception {
        var breaker = new LeaderboardCircuitBreaker(nowNs::get);
        for (int i = 1; i < LeaderboardCircuitBreaker.TIMEOUTS; i++) {
            breaker.timedOut();
        }
        var answered = new CountDownLatch(1);
        publisher.onRequest = id -> {
            waiters.reply(id, new RequestResult.Replied(201, new byte[0]), List.of("lanes"));
            answered.countDown();
        };
        var waiting = new CompletableFuture<RequestResult>();
        Thread.ofVirtual()
                .start(() -> waiting.complete(
                        new RequestReplyClient(publisher, waiters, 10, LONG, breaker).ask(IDA, COMMAND)));
        assertTrue(answered.await(10, TimeUnit.SECONDS));

        new RequestReplyClient(publisher, waiters, 10, SHORT, breaker).ask(IDA, COMMAND);

        assertEquals(List.of("lanes"), missing(waiting.get(10, TimeUnit.SECONDS)));
    }

    /** Ticks do not use the circuit breaker. */
    @Test
    void shouldAlwaysWaitForLeaderboardsOfTicks() {
        var breaker = new LeaderboardCircuitBreaker(nowNs::get);
        for (int i = 0; i < LeaderboardCircuitBreaker.TIMEOUTS; i++) {
            breaker.timedOut();
        }
        publisher.onRequest = id -> {
            waiters.reply(id, new RequestResult.Replied(200, new byte[0]), List.of("0"));
            Thread.ofVirtual().start(() -> waiters.part(id, "0", new byte[0]));
        };

        assertEquals(List.of(), missing(new RequestReplyClient(publisher, waiters, 10, LONG, breaker).tick(0)));
    }

    private static List<String> missing(RequestResult result) {
        return ((RequestResult.Replied) result).parts().missing();
    }

    @Test
    void shouldNeverUseRequestIdTwice() {
        var mine = new RequestIds();

        assertNotEquals(mine.next(), mine.next());
        assertNotEquals(new RequestIds().next(), new RequestIds().next());
    }

    private RequestReplyClient client(int maxInFlight, Duration timeout) {
        return new RequestReplyClient(
                publisher, waiters, maxInFlight, timeout, new LeaderboardCircuitBreaker(nowNs::get));
    }

    private static Thread askInBackground(RequestReplyClient client) {
        return Thread.ofVirtual().start(() -> client.ask(IDA, COMMAND));
    }
}
