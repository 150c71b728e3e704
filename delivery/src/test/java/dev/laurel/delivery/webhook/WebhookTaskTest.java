package dev.laurel.delivery.webhook;

import static dev.laurel.delivery.webhook.WebhookDriver.broken;
import static dev.laurel.delivery.webhook.WebhookDriver.ok;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.Counter.AnswerTimes;
import dev.laurel.delivery.DeliveryCounts.Kind;
import dev.laurel.delivery.queue.DeliveryScheduler;
import dev.laurel.delivery.store.WebhookDelivery;
import dev.laurel.delivery.store.WebhookDelivery.Attempt;
import dev.laurel.delivery.store.WebhookDelivery.Status;
import dev.laurel.delivery.webhook.WebhookClient.Outcome;
import dev.laurel.delivery.webhook.WebhookDriver.Receiver;
import dev.laurel.delivery.webhook.WebhookDriver.Sent;
import dev.laurel.delivery.webhook.WebhookTask.WebhookCleaner;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.topic.DeliveryIds;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class WebhookTaskTest {

    private static final Receiver TAKES_ALL = _ -> ok();
    private static final Receiver BREAKS = _ -> broken();
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @AutoClose
    private WebhookDriver hooks = new WebhookDriver();

    @Test
    void shouldSendAnEventToEachWebhookThatAsked() {
        UUID a = hooks.webhook("a", TAKES_ALL);
        UUID b = hooks.webhook("b", TAKES_ALL);

        hooks.delivers("ida", hooks.event(1, a, b));

        assertEquals(Set.of(a, b), hooks.sent.stream().map(Sent::webhook).collect(Collectors.toSet()));
        assertEquals(
                List.of("{\"number\":1}", "{\"number\":1}"),
                hooks.sent.stream().map(Sent::body).toList());
        assertEquals(
                Set.of("whsec_a", "whsec_b"),
                hooks.sent.stream().map(Sent::secret).collect(Collectors.toSet()));
        WebhookDelivery delivery = hooks.deliveries(a).getFirst();
        assertEquals(Status.SUCCEEDED, delivery.status());
        assertEquals(WebhookEvent.STREAK_LOST, delivery.event());
        assertEquals(List.of(new Attempt(hooks.now(), 200, null, 5)), delivery.attempts());
        assertEquals("{\"number\":1}", hooks.log().payload(WebhookDriver.TENANT, delivery));
        assertEquals(2, hooks.counts.of(Kind.DELIVERED));
    }

    @Test
    void shouldSendAnEventThatIsReadTwiceOnce() {
        UUID a = hooks.webhook("a", TAKES_ALL);
        Outgoing.HookEvent event = hooks.event(1, a);

        hooks.happens("ida", event);
        hooks.delivers("ida", event);
        hooks.delivers("ida", event);

        assertEquals(1, hooks.sent.size());
    }

    @Test
    void shouldSendAnEventAtItsTimeAlsoAfterARestart() {
        UUID a = hooks.webhook("a", TAKES_ALL);
        Outgoing.HookEvent now = hooks.event(1, a);
        var event = new Outgoing.HookEvent(
                now.id(),
                now.tenant(),
                hooks.now().plus(Duration.ofHours(1)),
                now.event(),
                now.webhooks(),
                null,
                now.body());
        hooks.happensLater("ida", event);
        hooks.restart();
        hooks.happensLater("ida", event);
        hooks.settleAfter(Duration.ofMinutes(59));
        assertEquals(List.of(), hooks.sent);

        hooks.settleAfter(Duration.ofMinutes(1));
        assertEquals(1, hooks.sent.size());
        assertEquals(Status.SUCCEEDED, hooks.deliveries(a).getFirst().status());
    }

    @Test
    void shouldStoreOnlyTheLogAfterADelivery() {
        UUID a = hooks.webhook("a", TAKES_ALL);

        for (int i = 0; i < 100; i++) {
            hooks.happens("user-" + i % 7, hooks.event(i, a));
        }
        hooks.settle();

        assertEquals(100, hooks.stored('d'));
        assertEquals(100, hooks.stored('b'));
        assertEquals(0, hooks.queued());
    }

    @Test
    void shouldSendEventsOfAUserInOrderAndOneAtATime() {
        var inFlight = new AtomicInteger();
        var most = new AtomicInteger();
        UUID a = hooks.webhook("a", _ -> {
            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            Thread.yield(); // lets another one begin, if it may
            inFlight.decrementAndGet();
            return ok();
        });

        for (int i = 0; i < 200; i++) {
            hooks.happens("ida", hooks.event(i, a));
        }
        hooks.settle();

        assertEquals(
                IntStream.range(0, 200).mapToObj(i -> "{\"number\":" + i + "}").toList(),
                hooks.sent.stream().map(Sent::body).toList());
        assertEquals(1, most.get());
    }

    @Test
    void shouldContinueWithTheNextEventAfterAFailure() {
        UUID a = hooks.webhook("a", sent -> sent.body().contains(":0}") ? broken() : ok());

        hooks.happens("ida", hooks.event(0, a));
        hooks.delivers("ida", hooks.event(1, a));

        assertEquals(
                List.of(Status.SUCCEEDED, Status.PENDING),
                hooks.deliveries(a).stream()
                        .sorted((x, y) -> x.status() == Status.SUCCEEDED ? -1 : 1)
                        .map(WebhookDelivery::status)
                        .toList());
        assertEquals(2, hooks.sent.size());
    }

    @Test
    void shouldCountWebhooksWithWaitingRetries() {
        UUID a = hooks.webhook("a", BREAKS);
        UUID b = hooks.webhook("b", _ -> ok());
        hooks.happens("ida", hooks.event(1, a, b));
        hooks.delivers("bo", hooks.event(2, a));

        for (int ticks = 0; ticks < 10; ticks++) {
            hooks.tick();
        }

        assertEquals(1, hooks.counts.retrying());
    }

    @Test
    void shouldRetryAfterOneTwoAndFourMinutes() {
        UUID a = hooks.webhook("a", BREAKS);
        Instant first = hooks.now();
        hooks.delivers("ida", hooks.event(1, a));

        for (int s = 0; s < 10 * 60; s++) {
            hooks.settleAfter(Duration.ofSeconds(1));
        }

        WebhookDelivery delivery = hooks.deliveries(a).getFirst();
        assertEquals(
                List.of(0L, 60L, 180L, 420L),
                delivery.attempts().stream()
                        .map(at -> Duration.between(first, at.at()).toSeconds())
                        .toList());
        assertEquals(List.of(1, 2, 3, 4), hooks.sent.stream().map(Sent::attempt).toList());
        assertEquals(1, hooks.sent.stream().map(Sent::delivery).distinct().count());
        assertEquals(Status.FAILED, delivery.status());
        assertEquals(4, hooks.counts.of(Kind.FAILED_ATTEMPT));
        assertEquals(3, hooks.counts.of(Kind.RETRY));
        assertEquals(1, hooks.counts.of(Kind.FAILED));
        assertEquals(0, hooks.stored('r'));
    }

    @Test
    void shouldCountAttemptsForReportsOnTheDayOfEach() {
        var answers = new ArrayDeque<>(List.of(
                new Outcome.Answered(500, null, 100), new Outcome.NoAnswer("silence", 60_000),
                new Outcome.Answered(204, null, 20), new Outcome.Dropped("it is gone")));
        UUID a = hooks.webhook("a", _ -> answers.pop());
        hooks.timePasses(Duration.between(hooks.now(), Instant.parse("2026-03-04T23:58:30Z")));
        int day = Math.toIntExact(LocalDate.parse("2026-03-04").toEpochDay());

        hooks.delivers("ida", hooks.event(1, a));
        for (int minutes : List.of(1, 2)) {
            hooks.settleAfter(Duration.ofMinutes(minutes));
        }
        hooks.delivers("ida", hooks.event(2, a));

        assertArrayEquals(new long[] {2, 1}, hooks.counted(Counter.WEBHOOK_ATTEMPTS, day, day + 1));
        assertArrayEquals(new long[] {0, 1}, hooks.counted(Counter.WEBHOOK_DELIVERED, day, day + 1));
        assertArrayEquals(new long[] {0, 0}, hooks.counted(Counter.WEBHOOK_FAILED, day, day + 1));
        assertEquals(
                List.of(99, 20),
                IntStream.of(day, day + 1)
                        .mapToObj(each -> AnswerTimes.percentile(
                                hooks.counted(
                                        Counter.WEBHOOK_ANSWERS,
                                        AnswerTimes.first(each),
                                        AnswerTimes.first(each + 1) - 1),
                                50))
                        .toList());
    }

    @Test
    void shouldCountAFailureForReportsWhenTheLastAttemptFails() {
        UUID a = hooks.webhook("a", BREAKS);
        int day = Math.toIntExact(LocalDate.parse("2026-03-04").toEpochDay());
        hooks.delivers("ida", hooks.event(1, a));
        assertArrayEquals(new long[] {0}, hooks.counted(Counter.WEBHOOK_FAILED, day, day));
        for (int minutes : List.of(1, 2, 4)) {
            hooks.settleAfter(Duration.ofMinutes(minutes));
        }

        assertArrayEquals(new long[] {4}, hooks.counted(Counter.WEBHOOK_ATTEMPTS, day, day));
        assertArrayEquals(new long[] {1}, hooks.counted(Counter.WEBHOOK_FAILED, day, day));
    }

    @Test
    void shouldRetryADeliveryThatBecameDueWhileTheWebhookWasFull() {
        hooks.close();
        hooks = new WebhookDriver(32); // so one flight to a webhook
        var answer = new CountDownLatch(1);
        UUID a = hooks.webhook("a", sent -> {
            if (sent.body().contains(":0}")) {
                return sent.attempt() == 1 ? broken() : ok();
            }
            answer.await();
            return ok();
        });
        hooks.delivers("ida", hooks.event(0, a));
        hooks.happens("bob", hooks.event(1, a));
        hooks.awaitSent(2);
        hooks.timePasses(MINUTE);
        hooks.tick();
        assertEquals(2, hooks.sent.size());

        answer.countDown();
        hooks.settle();

        assertEquals(List.of(1, 1, 2), hooks.sent.stream().map(Sent::attempt).toList());
    }

    @Test
    void shouldNotRetryAfterASuccess() {
        UUID a = hooks.webhook("a", sent -> sent.attempt() < 3 ? broken() : ok());
        hooks.delivers("ida", hooks.event(1, a));
        for (int i = 0; i < 10; i++) {
            hooks.settleAfter(MINUTE);
        }

        assertEquals(3, hooks.sent.size());
        assertEquals(Status.SUCCEEDED, hooks.deliveries(a).getFirst().status());
    }

    @Test
    void shouldSignARetryWithTheNewestSecret() {
        UUID a = hooks.webhook("a", BREAKS);
        hooks.delivers("ida", hooks.event(1, a));
        hooks.secret(a, "whsec_rotated");
        hooks.settleAfter(MINUTE);

        assertEquals(
                List.of("whsec_a", "whsec_rotated"),
                hooks.sent.stream().map(Sent::secret).toList());
    }

    @Test
    void shouldDropDeliveriesOfAnInactiveOrDeletedWebhook() {
        UUID a = hooks.webhook("a", BREAKS);
        UUID b = hooks.webhook("b", BREAKS);
        hooks.delivers("ida", hooks.event(1, a, b));
        hooks.deactivate(a);
        hooks.delete(b);
        hooks.settleAfter(MINUTE);
        hooks.delivers("ida", hooks.event(2, a, b));

        assertEquals(2, hooks.sent.size());
        assertEquals(4, hooks.counts.of(Kind.DROPPED));
        assertEquals(
                "not sent: the webhook is inactive",
                hooks.deliveries(a).getFirst().attempts().getLast().error());
        assertEquals(
                "not sent: the webhook was deleted",
                hooks.deliveries(b).getFirst().attempts().getLast().error());
        assertEquals(
                Set.of(Status.FAILED),
                hooks.deliveries(a).stream().map(WebhookDelivery::status).collect(Collectors.toSet()));
        assertEquals(0, hooks.stored('r') + hooks.stored('l'));
    }

    /** A look-up of another webhook precedes; its result may not contain webhooks that were created afterwards. */
    @Test
    void shouldNotDropDeliveriesOfAWebhookThatIsNotKnownYet() {
        UUID gone = hooks.webhook("gone", TAKES_ALL);
        hooks.delete(gone);
        hooks.delivers("ida", hooks.event(1, gone));
        hooks.lag();
        UUID made = hooks.webhook("made", TAKES_ALL);
        hooks.delivers("ida", hooks.event(2, made));

        assertEquals(List.of(made), hooks.sent.stream().map(Sent::webhook).toList());
        assertEquals(1, hooks.counts.of(Kind.DROPPED));
    }

    @Test
    void shouldNotSendAnEventThatBecameStaleInTheQueue() throws InterruptedException {
        var answer = new CountDownLatch(1);
        UUID a = hooks.webhook("a", sent -> {
            answer.await();
            return sent.body().contains(":0}") ? broken() : ok();
        });
        hooks.happens("ida", hooks.event(0, a));
        hooks.awaitSent(1);
        for (int i = 1; i < 300; i++) {
            hooks.happens("ida", hooks.event(i, a));
        }
        hooks.timePasses(Duration.ofHours(25));
        answer.countDown();
        hooks.settle();
        hooks.settleAfter(MINUTE);

        assertEquals(1, hooks.sent.size());
        assertEquals(300, hooks.counts.of(Kind.STALE));
        assertEquals(0, hooks.queued());
    }

    @Test
    void shouldContinueAfterARestart() {
        var isUp = new AtomicInteger();
        UUID a = hooks.webhook("a", _ -> isUp.get() == 0 ? broken() : ok());
        UUID dead = hooks.webhook("dead", _ -> {
            new CountDownLatch(1).await(); // It never answers.
            return ok();
        });
        hooks.delivers("bo", hooks.event(1000, a));
        for (int i = 0; i < 100; i++) {
            hooks.happens("user-" + i % 20, hooks.event(i, dead));
        }
        hooks.awaitSent(1 + 8);
        isUp.set(1);
        hooks.sent.clear();

        hooks.restart();
        hooks.receiver("dead", TAKES_ALL);
        hooks.settleAfter(MINUTE);

        assertEquals(
                List.of(2),
                hooks.sent.stream()
                        .filter(s -> s.webhook().equals(a))
                        .map(Sent::attempt)
                        .toList());
        assertEquals(
                100,
                hooks.sent.stream()
                        .map(Sent::body)
                        .filter(b -> !b.contains("1000"))
                        .distinct()
                        .count());
        for (int user = 0; user < 20; user++) {
            int wanted = user;
            List<Integer> numbers = hooks.sent.stream()
                    .filter(s -> s.webhook().equals(dead))
                    .map(Sent::body)
                    .map(b -> Integer.parseInt(b.replaceAll("\\D", "")))
                    .filter(n -> n % 20 == wanted)
                    .toList();
            assertEquals(numbers.stream().sorted().toList(), numbers);
        }
        assertEquals(0, hooks.queued());
    }

    @Test
    void shouldNotLetASlowWebhookDelayOthers() {
        var answer = new CountDownLatch(1);
        UUID slow = hooks.webhook("slow", _ -> {
            answer.await();
            return ok();
        });
        UUID quick = hooks.webhook("quick", TAKES_ALL);

        for (int i = 0; i < 1_000; i++) {
            hooks.happens("user-" + i, hooks.event(i, slow, quick));
        }
        hooks.awaitSent(1_008);

        assertEquals(
                8, hooks.sent.stream().filter(s -> s.webhook().equals(slow)).count());
        assertEquals(
                1_000,
                hooks.sent.stream().filter(s -> s.webhook().equals(quick)).count());
        answer.countDown();
        hooks.settle();
        assertEquals(2_000, hooks.sent.size());
    }

    @Test
    void shouldNotLetManySlowWebhooksTakeAllConnections() {
        var answer = new CountDownLatch(1);
        var slow = new ArrayList<UUID>();
        for (int i = 0; i < 200; i++) {
            slow.add(hooks.webhook("slow-" + i, _ -> {
                answer.await();
                return ok();
            }));
        }
        UUID quick = hooks.webhook("quick", TAKES_ALL);
        for (int i = 0; i < 20; i++) {
            hooks.happens("user-" + i, hooks.event(i, slow.toArray(UUID[]::new)));
        }
        assertTrue(hooks.inFlight() >= 200, "in flight: " + hooks.inFlight());

        int before = hooks.sent.size();
        hooks.happens("ida", hooks.event(10_000, quick));
        hooks.awaitSent(before + 1);

        assertTrue(hooks.sent.stream().anyMatch(s -> s.webhook().equals(quick)));
        answer.countDown();
        hooks.settle();
    }

    @Test
    void shouldNotLetAUserWithManyDeliveriesDelayOthers() {
        UUID a = hooks.webhook("a", TAKES_ALL);
        var answer = new CountDownLatch(1);
        hooks.receiver("a", _ -> {
            answer.await();
            return ok();
        });
        for (int i = 0; i < 5_000; i++) {
            hooks.happens("busy", hooks.event(i, a));
        }
        for (int i = 0; i < 20; i++) {
            hooks.happens("other-" + i, hooks.event(10_000 + i, a));
        }
        answer.countDown();
        hooks.settle();

        List<Integer> numbers = hooks.sent.stream()
                .map(Sent::body)
                .map(b -> Integer.parseInt(b.replaceAll("\\D", "")))
                .toList();
        assertEquals(5_020, numbers.size());
        int lastOther = IntStream.range(0, numbers.size())
                .filter(i -> numbers.get(i) >= 10_000)
                .max()
                .orElseThrow();
        assertTrue(lastOther < 500, "the last of the others came after " + lastOther);
    }

    @Test
    void shouldSendATestOfAnEventThatTheWebhookDoesNotAskFor() {
        UUID a = hooks.webhook("a", BREAKS);
        UUID id = DeliveryIds.of(new byte[0], hooks.now(), UUID.randomUUID(), a);
        var test = new Outgoing.HookTest(id, WebhookDriver.TENANT, hooks.now(), a, WebhookEvent.STREAK_STARTED);

        hooks.happens("", test);
        hooks.delivers("", test);
        hooks.settleAfter(Duration.ofMinutes(10));

        assertEquals(1, hooks.sent.size());
        assertTrue(
                hooks.sent.getFirst().body().contains("\"type\":\"streak.started\""),
                hooks.sent.getFirst().body());
        WebhookDelivery delivery = hooks.deliveries(a).getFirst();
        assertEquals(id, delivery.id());
        assertEquals(Status.FAILED, delivery.status());
    }

    @Test
    void shouldMakeAnotherAttemptWhenAsked() {
        UUID a = hooks.webhook("a", BREAKS);
        hooks.happens("ida", hooks.event(1, a));
        for (int i = 0; i < 10; i++) {
            hooks.settle();
            hooks.timePasses(MINUTE);
        }
        UUID id = hooks.deliveries(a).getFirst().id();
        hooks.timePasses(Duration.ofDays(3));

        assertTrue(hooks.retry(a, id));
        assertEquals(Status.PENDING, hooks.deliveries(a).getFirst().status());
        hooks.settle();
        assertEquals(5, hooks.sent.getLast().attempt());
        assertEquals(Status.FAILED, hooks.deliveries(a).getFirst().status());

        hooks.receiver("a", TAKES_ALL);
        assertTrue(hooks.retry(a, id));
        hooks.settle();
        assertEquals(6, hooks.sent.size());
        assertEquals(Status.SUCCEEDED, hooks.deliveries(a).getFirst().status());
    }

    @Test
    void shouldNotMakeAutomaticAttemptsAfterASuccessThatWasAskedFor() {
        UUID a = hooks.webhook("a", BREAKS);
        hooks.delivers("ida", hooks.event(1, a));
        hooks.receiver("a", TAKES_ALL);

        assertTrue(hooks.retry(a, hooks.deliveries(a).getFirst().id()));
        hooks.settle();
        hooks.settleAfter(MINUTE);

        assertEquals(2, hooks.sent.size());
        assertEquals(0, hooks.stored('r'));
    }

    @Test
    void shouldNotFindADeliveryOfAnotherWebhook() {
        UUID a = hooks.webhook("a", TAKES_ALL);
        UUID b = hooks.webhook("b", TAKES_ALL);
        hooks.delivers("ida", hooks.event(1, a));
        UUID id = hooks.deliveries(a).getFirst().id();

        assertFalse(hooks.retry(b, id));
        assertFalse(hooks.retry(a, UUID.randomUUID()));
        assertFalse(hooks.retry(a, DeliveryIds.of("bo".getBytes(UTF_8), hooks.now(), UUID.randomUUID(), a)));
    }

    @Test
    void shouldDeleteDeliveriesAfterSevenDays() {
        UUID a = hooks.webhook("a", TAKES_ALL);
        hooks.delivers("ida", hooks.event(1, a));
        hooks.timePasses(Duration.ofDays(4));
        hooks.delivers("ida", hooks.event(2, a));
        hooks.timePasses(Duration.ofDays(3).plusSeconds(1));
        IntStream.range(0, 20).forEach(_ -> hooks.tick());

        assertEquals(
                List.of("{\"number\":2}"),
                hooks.deliveries(a).stream()
                        .map(d -> hooks.log().payload(WebhookDriver.TENANT, d))
                        .toList());
        assertEquals(1, hooks.stored('d'));
        assertEquals(1, hooks.stored('b'));
    }

    @Test
    void shouldDeleteExpiredDeliveriesInSeveralSteps() {
        UUID a = hooks.webhook("a", TAKES_ALL);
        for (int i = 0; i < 5_000; i++) {
            hooks.happens("user-" + i % 50, hooks.event(i, a));
            if (i % 100 == 0) {
                hooks.timePasses(Duration.ofSeconds(1));
            }
        }
        hooks.settle();
        hooks.timePasses(Duration.ofDays(8));
        IntStream.range(0, 200).forEach(_ -> hooks.tick());

        assertEquals(0, hooks.stored('d') + hooks.stored('b'));
    }

    @Test
    void shouldListTheNewestDeliveriesFirstByStatusAndEvent() {
        UUID a = hooks.webhook("a", sent -> sent.body().contains(":3}") ? broken() : ok());
        for (int i = 0; i < 6; i++) {
            hooks.happens("user-" + i, hooks.event(i, a));
            hooks.timePasses(Duration.ofSeconds(1));
        }
        hooks.settle();

        assertEquals(List.of("{\"number\":5}", "{\"number\":4}"), payloads(a, null, 2));
        assertEquals(List.of("{\"number\":3}"), payloads(a, Status.PENDING, 10));
        assertEquals(5, payloads(a, Status.SUCCEEDED, 10).size());
        assertEquals(
                List.of(),
                hooks.log()
                        .find(WebhookDriver.TENANT, a, null, WebhookEvent.POINTS_CHANGED, null, 10)
                        .ids());
        assertEquals(
                List.of(),
                hooks.log()
                        .find(WebhookDriver.TENANT, UUID.randomUUID(), null, null, null, 10)
                        .ids());
    }

    private List<String> payloads(UUID webhook, Status status, int limit) {
        return hooks.deliveries(webhook, status, limit).stream()
                .map(d -> hooks.log().payload(WebhookDriver.TENANT, d))
                .toList();
    }

    @Test
    void shouldStopTheTaskAtAFault() {
        UUID a = hooks.webhook("a", _ -> {
            throw new IllegalStateException("a bug");
        });
        hooks.happens("ida", hooks.event(1, a));

        var fault = assertThrows(IllegalStateException.class, hooks::settle);

        assertEquals("a bug", fault.getCause().getMessage());
        assertNull(
                hooks.deliveries(a).getFirst().attempts().stream().findFirst().orElse(null));
    }

    @Test
    void shouldStopTheTaskAtAnError() {
        UUID a = hooks.webhook("a", _ -> {
            throw new StackOverflowError("a bug");
        });
        hooks.happens("ida", hooks.event(1, a));

        var fault = assertThrows(IllegalStateException.class, hooks::settle);

        assertEquals("a bug", fault.getCause().getMessage());
    }

    /** After a kill the disk may be ahead of the changelog, so a record that is read again is written again. */
    @Test
    void shouldWriteADeliveryAgainWhenItsRecordIsReadAgain() {
        UUID a = hooks.webhook("a", TAKES_ALL);
        UUID b = hooks.webhook("b", TAKES_ALL);
        var events = List.of(hooks.event(1, a, b), hooks.event(2, a, b), hooks.event(3, b));
        hooks.stopSending();
        events.forEach(event -> hooks.happens("ida", event));
        var test = new Outgoing.HookTest(
                DeliveryIds.of(new byte[0], hooks.now(), UUID.randomUUID(), a),
                WebhookDriver.TENANT,
                hooks.now(),
                a,
                WebhookEvent.STREAK_STARTED);
        hooks.happens("", test);

        hooks.recordChangelog();
        events.forEach(event -> hooks.happens("ida", event));
        hooks.happens("", test);
        assertEquals(0, hooks.sent.size());
        hooks.restoreElsewhere();
        hooks.settle();

        assertEquals(6, hooks.sent.size());
        assertEquals(List.of(1, 2, 3), numbersAt(b));
        assertEquals(0, hooks.queued());
        hooks.erase("ida");
        assertEquals(1, hooks.stored('d'), "all but the test are known to be of that user");
    }

    private List<Integer> numbersAt(UUID webhook) {
        return hooks.sent.stream()
                .filter(s -> s.webhook().equals(webhook))
                .map(s -> Integer.parseInt(s.body().replaceAll("\\D", "")))
                .toList();
    }

    @Test
    void shouldWriteARetryAgainWhenItsRecordIsReadAgain() {
        UUID a = hooks.webhook("a", BREAKS);
        Outgoing.HookEvent event = hooks.event(1, a);
        hooks.delivers("ida", event);

        hooks.recordChangelog();
        hooks.happens("ida", event);
        hooks.restoreElsewhere();
        hooks.settle();
        assertEquals(1, hooks.sent.size());
        hooks.settleAfter(MINUTE);

        assertEquals(List.of(1, 2), hooks.sent.stream().map(Sent::attempt).toList());
    }

    /** The disk was ahead of the changelog, with more lanes and deliveries than one step of recovery examines. */
    @Test
    void shouldRepairLanesWithoutTurnsAndDeliveriesWithoutPositions() {
        for (char lost : new char[] {'t', 'q', 'l', 'r'}) {
            UUID a = hooks.webhook("a", BREAKS);
            hooks.delivers("retried", hooks.event(0, a));
            hooks.stopSending();
            for (int i = 1; i <= 3 * DeliveryScheduler.MAX_REPAIRED; i++) {
                hooks.happens("user-" + i % (2 * DeliveryScheduler.MAX_REPAIRED), hooks.event(i, a));
            }
            hooks.receiver("a", TAKES_ALL);

            hooks.restartWithout(lost);
            hooks.settleAfter(MINUTE);
            hooks.delivers("user-1", hooks.event(100_000, a));

            assertEquals(3 * DeliveryScheduler.MAX_REPAIRED + 3, hooks.sent.size(), "without " + lost);
            assertEquals(
                    Set.of(Status.SUCCEEDED),
                    hooks.deliveries(a).stream().map(WebhookDelivery::status).collect(Collectors.toSet()));
            assertEquals(0, hooks.queued());
            hooks.close();
            hooks = new WebhookDriver();
        }
    }

    @Test
    void shouldNeitherStoreNorSendAnEventWithoutWebhooks() {
        hooks.delivers("ida", hooks.event(1));

        assertEquals(0, hooks.sent.size());
        assertEquals(0, hooks.stored('d') + hooks.stored('b') + hooks.stored('u'));
    }

    @Test
    void shouldDeleteTheDeliveriesOfAnErasedUser() {
        UUID a = hooks.webhook("a", BREAKS);
        UUID b = hooks.webhook("b", TAKES_ALL);
        hooks.happens("ida", hooks.event(1, a, b));
        hooks.happens("bo", hooks.event(2, a, b));
        hooks.delivers("ida2", hooks.event(3, a, b));
        hooks.stopSending();
        hooks.happens("ida", hooks.event(4, a, b));

        hooks.erase("ida");
        hooks.restart();
        hooks.receiver("a", TAKES_ALL);
        hooks.settleAfter(MINUTE);

        assertEquals(Set.of("{\"number\":2}", "{\"number\":3}"), Set.copyOf(payloads(a, null, 10)));
        assertEquals(Set.of("{\"number\":2}", "{\"number\":3}"), Set.copyOf(payloads(b, null, 10)));
        assertEquals(
                List.of(1, 2, 3, 2, 3).stream().sorted().toList(),
                numbersAt(a).stream().sorted().toList());
        assertEquals(2, hooks.stored('b'));
        assertEquals(2, hooks.stored('u'));
        assertEquals(0, hooks.queued());
        assertEquals(0, hooks.stored('e'));
    }

    @Test
    void shouldDeleteAnErasedUserInStepsAndContinueAfterARestart() {
        UUID a = hooks.webhook("a", TAKES_ALL);
        for (int i = 0; i < 5 * WebhookCleaner.MAX_ERASED_EVENTS; i++) {
            hooks.happens("ida", hooks.event(i, a));
        }
        hooks.settle();

        hooks.erase("ida");
        assertEquals(4 * WebhookCleaner.MAX_ERASED_EVENTS, hooks.stored('d'));
        hooks.restart();
        IntStream.range(0, 6).forEach(_ -> hooks.tick());

        assertEquals(0, hooks.stored('d') + hooks.stored('b') + hooks.stored('u') + hooks.stored('e'));
    }

    @Test
    void shouldKeepEventsOfALaterUserOfTheSameId() {
        UUID a = hooks.webhook("a", TAKES_ALL);
        hooks.happens("ida", hooks.event(1, a));
        hooks.timePasses(Duration.ofSeconds(1));
        Instant erased = hooks.now();
        hooks.timePasses(Duration.ofSeconds(1));
        hooks.delivers("ida", hooks.event(2, a));

        hooks.happens("ida", new Outgoing.UserErased(new UUID(1, 1), WebhookDriver.TENANT, erased, new UserId("ida")));

        assertEquals(List.of("{\"number\":2}"), payloads(a, null, 10));
    }

    @Test
    void shouldDeleteADeliveryInFlightWhenItsUserIsErased() {
        var answer = new CountDownLatch(1);
        UUID a = hooks.webhook("a", _ -> {
            answer.await();
            return broken();
        });
        hooks.happens("ida", hooks.event(1, a));
        hooks.happens("ida", hooks.event(2, a));
        hooks.awaitSent(1);

        hooks.erase("ida");
        answer.countDown();
        hooks.settle();
        hooks.settleAfter(MINUTE);

        assertEquals(1, hooks.sent.size());
        assertEquals(
                0, hooks.stored('d') + hooks.stored('l') + hooks.stored('q') + hooks.stored('t') + hooks.stored('r'));
    }
}
