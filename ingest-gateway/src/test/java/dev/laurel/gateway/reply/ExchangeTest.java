package dev.laurel.gateway.reply;

import dev.laurel.gateway.publish.FakePublisher;
import dev.laurel.gateway.publish.Publisher.Outcome;
import dev.laurel.gateway.reply.ExchangeCounts.Ending;
import dev.laurel.gateway.reply.ExchangeCounts.Reason;
import dev.laurel.schemas.command.IdentifyUser;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.UserKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(30)
class ExchangeTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final UserKey IDA = UserKey.of("ida");
    private static final IdentifyUser COMMAND = new IdentifyUser(UserChange.mention(IDA.user()), false);

    private final FakePublisher publisher = new FakePublisher();
    private final Waiters waiters = new Waiters();
    private final AtomicLong nowNs = new AtomicLong();

    @Test
    void shouldPassAnswerThroughThatComesWhileStillPublishing() {
        var answer = new Answer.Replied(200, new byte[]{1, 2});
        publisher.onRequest = id -> waiters.answer(id, answer, List.of());

        assertSame(answer, exchange(1, LONG).ask(IDA, COMMAND));
    }

    @Test
    void shouldLetTheFirstOfTwoAnswersWin() {
        var first = new Answer.Replied(200, new byte[]{1});
        publisher.onRequest = id -> {
            waiters.answer(id, first, List.of());
            waiters.answer(id, new Answer.Replied(422, new byte[]{2}), List.of());
        };

        assertSame(first, exchange(1, LONG).ask(IDA, COMMAND));
    }

    @Test
    void shouldWaitForThePartsThatTheAnswerNames() {
        publisher.onRequest = id -> {
            waiters.part(id, "a", new byte[]{1});
            waiters.answer(id, new Answer.Replied(201, new byte[]{9}), List.of("a", "b"));
            Thread.ofVirtual().start(() -> waiters.part(id, "b", new byte[]{2}));
        };

        var replied = assertInstanceOf(Answer.Replied.class, exchange(1, LONG).ask(IDA, COMMAND));
        assertEquals(List.of("a", "b"), List.copyOf(replied.parts().there().keySet()));
        assertEquals(List.of(), replied.parts().missing());
    }

    @Test
    void shouldAnswerWithoutThePartsThatDoNotComeInTime() {
        publisher.onRequest = id -> {
            waiters.answer(id, new Answer.Replied(201, new byte[]{9}), List.of("a", "b"));
            waiters.part(id, "b", new byte[]{2});
        };

        var replied = assertInstanceOf(Answer.Replied.class, exchange(1, SHORT).ask(IDA, COMMAND));
        assertEquals(201, replied.status());
        assertEquals(List.of("b"), List.copyOf(replied.parts().there().keySet()));
        assertEquals(List.of("a"), replied.parts().missing());
        assertEquals(0, waiters.count());
    }

    @Test
    void shouldBePendingWhenOnlyPartsCome() {
        publisher.onRequest = id -> waiters.part(id, "a", new byte[]{1});

        assertEquals(Answer.PENDING, exchange(1, SHORT).ask(IDA, COMMAND));
    }

    @Test
    void shouldIgnoreAnswerToRequestThatIsOver() {
        var ids = new ArrayList<UUID>();
        publisher.onRequest = ids::add;
        exchange(1, SHORT).ask(IDA, COMMAND);

        waiters.answer(ids.getFirst(), new Answer.Replied(200, new byte[0]), List.of());

        assertEquals(0, waiters.count());
    }

    @Test
    void shouldBePendingWhenNoAnswerComesInTime() {
        var exchange = exchange(1, SHORT);

        assertEquals(Answer.PENDING, exchange.ask(IDA, COMMAND));
        assertEquals(0, waiters.count());
        assertEquals(0, exchange.inFlight());
    }

    @Test
    void shouldBePendingWhenItIsUnknownWhetherTheRequestWasStored() {
        publisher.outcome = CompletableFuture.completedFuture(Outcome.UNKNOWN);

        assertEquals(Answer.PENDING, exchange(1, LONG).ask(IDA, COMMAND));
    }

    @Test
    void shouldBeUnavailableWhenTheRequestWasSurelyNotStored() {
        publisher.outcome = CompletableFuture.completedFuture(Outcome.NOT_STORED);

        assertInstanceOf(Answer.Unavailable.class, exchange(1, LONG).ask(IDA, COMMAND));
    }

    @Test
    void shouldSayWhenTheRequestIsTooLargeForTheLog() {
        publisher.outcome = CompletableFuture.completedFuture(Outcome.TOO_LARGE);

        assertEquals(Answer.TOO_LARGE, exchange(1, LONG).ask(IDA, COMMAND));
    }

    @Test
    void shouldTurnOneMoreThanTheLimitAwayBeforePublishing() throws InterruptedException {
        var published = new CountDownLatch(2);
        var ids = new ArrayList<UUID>();
        publisher.onRequest = id -> {
            synchronized (ids) {
                ids.add(id);
            }
            published.countDown();
        };
        var exchange = exchange(2, LONG);
        var waiting = new Thread[]{askInBackground(exchange), askInBackground(exchange)};
        assertTrue(published.await(10, TimeUnit.SECONDS));

        assertInstanceOf(Answer.Unavailable.class, exchange.ask(IDA, COMMAND));
        assertEquals(2, publisher.commands.size());
        assertEquals(2, exchange.inFlight());

        ids.forEach(id -> waiters.answer(id, new Answer.Replied(200, new byte[0]), List.of()));
        for (Thread thread : waiting) {
            thread.join();
        }
        assertEquals(0, exchange.inFlight());
    }

    @Test
    void shouldHoldThePlaceOfRequestUntilTheLogAcknowledges() {
        publisher.outcome = new CompletableFuture<>();
        var exchange = exchange(1, SHORT);

        assertEquals(Answer.PENDING, exchange.ask(IDA, COMMAND));
        assertInstanceOf(Answer.Unavailable.class, exchange.ask(IDA, COMMAND));

        publisher.outcome.complete(Outcome.STORED);
        assertEquals(0, exchange.inFlight());
    }

    @Test
    void shouldPublishNothingWhileTheLogIsStalled() {
        publisher.isStalled = true;

        assertInstanceOf(Answer.Unavailable.class, exchange(1, LONG).ask(IDA, COMMAND));
        assertTrue(publisher.commands.isEmpty());
    }

    @Test
    void shouldTellThoseWhoWaitThatTheirsIsPendingWhenAnswersStop() throws Exception {
        var published = new CountDownLatch(1);
        publisher.onRequest = _ -> published.countDown();
        var exchange = exchange(2, LONG);
        var answer = new CompletableFuture<Answer>();
        Thread.ofVirtual().start(() -> answer.complete(exchange.ask(IDA, COMMAND)));
        assertTrue(published.await(10, TimeUnit.SECONDS));

        exchange.abandon("Broken.");

        assertEquals(Answer.PENDING, answer.get(10, TimeUnit.SECONDS));
        assertEquals(new Answer.Unavailable("Broken."), exchange.ask(IDA, COMMAND));
    }

    @Test
    void shouldNotBeIdleWhileOneWaits() throws InterruptedException {
        var published = new CountDownLatch(1);
        var ids = new ArrayList<UUID>();
        publisher.onRequest = id -> {
            ids.add(id);
            published.countDown();
        };
        var exchange = exchange(2, LONG);
        Thread waiting = askInBackground(exchange);
        assertTrue(published.await(10, TimeUnit.SECONDS));

        assertFalse(exchange.awaitIdle(SHORT));

        waiters.answer(ids.getFirst(), new Answer.Replied(200, new byte[0]), List.of());
        assertTrue(exchange.awaitIdle(LONG));
        waiting.join();
    }

    @Test
    void shouldCountHowWaitsEnd() {
        publisher.onRequest = id -> waiters.answer(id, new Answer.Replied(200, new byte[0]), List.of());
        var exchange = exchange(1, SHORT);
        exchange.ask(IDA, COMMAND);
        publisher.onRequest = id -> waiters.answer(id, new Answer.Replied(201, new byte[0]), List.of("a"));
        exchange.ask(IDA, COMMAND);
        publisher.onRequest = _ -> {};
        exchange.ask(IDA, COMMAND);
        publisher.outcome = CompletableFuture.completedFuture(Outcome.NOT_STORED);
        exchange.ask(IDA, COMMAND);

        for (Ending how : Ending.values()) {
            assertEquals(1, exchange.counts().ended(how), how.name());
        }
    }

    @Test
    void shouldCountWhyRequestsAreTurnedAway() {
        var exchange = exchange(1, SHORT);
        publisher.outcome = new CompletableFuture<>();
        exchange.ask(IDA, COMMAND);
        exchange.ask(IDA, COMMAND);
        publisher.isStalled = true;
        exchange.ask(IDA, COMMAND);
        exchange.refuseAll("Stopping.");
        exchange.ask(IDA, COMMAND);

        for (Reason reason : Reason.values()) {
            assertEquals(1, exchange.counts().turnedAway(reason), reason.name());
        }
        assertEquals(1, exchange.counts().ended(Ending.PENDING), "what is turned away waits for nothing");
    }

    @Test
    void shouldWaitForLeaderboardsAgainOnceAProbeWasAnsweredSoon() {
        var ids = new ArrayList<UUID>();
        publisher.onRequest = id -> {
            ids.add(id);
            waiters.answer(id, new Answer.Replied(201, new byte[0]), List.of("lanes"));
        };
        // They are not waited for any more: with so much time, this test would not end.
        var patience = new PartsPatience(nowNs::get);
        for (int i = 0; i < PartsPatience.TIMEOUTS; i++) {
            patience.waitedInVain();
        }
        Exchange exchange = new Exchange(publisher, waiters, 10, LONG, patience);
        assertEquals(List.of("lanes"), missing(exchange.ask(IDA, COMMAND)));
        assertEquals(0, waiters.count(), "no probe yet");
        nowNs.addAndGet(PartsPatience.PROBE_EVERY.toNanos());
        assertEquals(List.of("lanes"), missing(exchange.ask(IDA, COMMAND)));
        UUID late = ids.getLast();
        assertEquals(List.of("lanes"), missing(exchange.ask(IDA, COMMAND)));
        assertEquals(1, waiters.count(), "one probe at a time is looked out for");
        nowNs.addAndGet(PartsPatience.PROBE_EVERY.toNanos());
        assertEquals(List.of("lanes"), missing(exchange.ask(IDA, COMMAND)));
        UUID probe = ids.getLast();
        waiters.part(late, "lanes", new byte[0]);
        assertFalse(patience.isThere(), "the former probe came too late");

        waiters.part(probe, "lanes", new byte[0]);

        assertTrue(patience.isThere());
        assertEquals(0, waiters.count());
        publisher.onRequest = id -> Thread.ofVirtual().start(() -> {
            waiters.answer(id, new Answer.Replied(201, new byte[0]), List.of("lanes"));
            waiters.part(id, "lanes", new byte[0]);
        });
        assertEquals(List.of(), missing(exchange.ask(IDA, COMMAND)));
        assertEquals(0, exchange.inFlight());
    }

    @Test
    void shouldLetThoseGoWhoWaitForLeaderboardsWhenPatienceEnds() throws Exception {
        var patience = new PartsPatience(nowNs::get);
        for (int i = 1; i < PartsPatience.TIMEOUTS; i++) {
            patience.waitedInVain();
        }
        var answered = new CountDownLatch(1);
        publisher.onRequest = id -> {
            waiters.answer(id, new Answer.Replied(201, new byte[0]), List.of("lanes"));
            answered.countDown();
        };
        var waiting = new CompletableFuture<Answer>();
        Thread.ofVirtual()
                .start(() -> waiting.complete(new Exchange(publisher, waiters, 10, LONG, patience).ask(IDA, COMMAND)));
        assertTrue(answered.await(10, TimeUnit.SECONDS));

        new Exchange(publisher, waiters, 10, SHORT, patience).ask(IDA, COMMAND);

        assertEquals(List.of("lanes"), missing(waiting.get(10, TimeUnit.SECONDS)));
    }

    /** A tick is answered when leaderboards have followed, however long that takes them. */
    @Test
    void shouldAlwaysWaitForLeaderboardsOfTicks() {
        var patience = new PartsPatience(nowNs::get);
        for (int i = 0; i < PartsPatience.TIMEOUTS; i++) {
            patience.waitedInVain();
        }
        publisher.onRequest = id -> {
            waiters.answer(id, new Answer.Replied(200, new byte[0]), List.of("0"));
            Thread.ofVirtual().start(() -> waiters.part(id, "0", new byte[0]));
        };

        assertEquals(List.of(), missing(new Exchange(publisher, waiters, 10, LONG, patience).tick(0)));
    }

    private static List<String> missing(Answer answer) {
        return ((Answer.Replied) answer).parts().missing();
    }

    @Test
    void shouldNeverUseRequestIdTwice() {
        var mine = new RequestIds();

        assertNotEquals(mine.next(), mine.next());
        assertNotEquals(new RequestIds().next(), new RequestIds().next());
    }

    private Exchange exchange(int maxInFlight, Duration timeout) {
        return new Exchange(publisher, waiters, maxInFlight, timeout, new PartsPatience(nowNs::get));
    }

    private static Thread askInBackground(Exchange exchange) {
        return Thread.ofVirtual().start(() -> exchange.ask(IDA, COMMAND));
    }
}
