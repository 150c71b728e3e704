package dev.laurel.delivery.throttle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Windows and merging of points events. The clock starts at 2026-03-04, 09:00 UTC. */
class PointsThrottleTest {

    private static final String START = "2026-03-04T09:00:00Z";
    private static final UUID GEMS = new UUID(0, 1);
    private static final UUID COINS = new UUID(0, 2);

    @AutoClose
    private final ThrottleDriver throttle = new ThrottleDriver();

    private int told;
    private long total;

    @BeforeEach
    void publish() {
        throttle.rules(ThrottleDriver.asking("points.changed"));
    }

    private HookEvent event(UUID system, long added) {
        return event(system, added, Duration.ZERO);
    }

    /** @param later the time until it happens */
    private HookEvent event(UUID system, long added, Duration later) {
        told++;
        total += added;
        return new HookEvent(
                new UUID(1, told),
                TenantId.NONE,
                throttle.now().plus(later),
                WebhookEvent.POINTS_CHANGED,
                List.of(new UUID(0, 7)),
                system.toString(),
                "{\"type\":\"points.changed\",\"user\":{\"id\":\"ann\"},\"points\":{\"total\":" + total + ",\"added\":"
                        + added + ",\"awards\":[{\"id\":\"a" + told + "\"}]}}");
    }

    private void award(String user, UUID system, long added) {
        throttle.pipe(user, event(system, added));
    }

    private List<String> forwarded() {
        return throttle.bodies().stream().map(PointsThrottleTest::line).toList();
    }

    /** The forwarded events. One of the same id and time is a delivery that is known. */
    private List<String> forwardedOnce() {
        var sent = new LinkedHashMap<String, String>();
        throttle.forwarded()
                .forEach(event -> sent.put(event.id() + " " + event.at(), line(ThrottleDriver.body(event))));
        return List.copyOf(sent.values());
    }

    private static String line(JsonNode body) {
        JsonNode points = body.get("points");
        var line = new StringBuilder("+" + points.get("added") + "=" + points.get("total"));
        points.get("awards")
                .forEach(award -> line.append(' ').append(award.get("id").asString()));
        return line.toString();
    }

    @Test
    void shouldSendTheFirstEventAtOnceAndMergeTheOthers() {
        award("ann", GEMS, 5);
        assertEquals(List.of("+5=5 a1"), forwarded());

        throttle.after(Duration.ofMinutes(5));
        award("ann", GEMS, 2);
        award("ann", GEMS, -1);
        throttle.after(Duration.ofMinutes(10).minusMillis(1));
        assertEquals(List.of(), forwarded());

        throttle.after(Duration.ofMillis(1));
        assertEquals(List.of("+1=6 a2 a3"), forwarded());
    }

    @Test
    void shouldStartAWindowWithTheMergedEvent() {
        award("ann", GEMS, 5);
        award("ann", GEMS, 5);
        throttle.after(Duration.ofMinutes(15));
        forwarded();

        award("ann", GEMS, 5);
        throttle.after(Duration.ofMinutes(14));
        assertEquals(List.of(), forwarded());
        throttle.after(Duration.ofMinutes(1));
        assertEquals(List.of("+5=15 a3"), forwarded());

        throttle.after(Duration.ofMinutes(15));
        award("ann", GEMS, 1);
        assertEquals(List.of("+1=16 a4"), forwarded());
    }

    @Test
    void shouldDateTheMergedEventAtTheTimeOfItsSending() {
        award("ann", GEMS, 5);
        award("ann", GEMS, 5);
        throttle.after(Duration.ofMinutes(20));

        List<HookEvent> forwarded = throttle.forwarded();
        assertEquals(2, forwarded.size());
        assertEquals(throttle.now(), forwarded.getLast().at());
    }

    @Test
    void shouldKeepUsersAndSystemsApart() {
        award("ann", GEMS, 5);
        award("ann", COINS, 5);
        award("ann/x", GEMS, 5);

        assertEquals(3, forwarded().size());
    }

    @Test
    void shouldDeleteWindowsThatEndWithoutEvents() {
        award("ann", GEMS, 5);
        throttle.after(Duration.ofDays(3));

        assertEquals(Map.of(), throttle.store());
    }

    @Test
    void shouldContinueAfterARestart() {
        award("ann", GEMS, 5);
        award("ann", GEMS, 2);
        throttle.restart();
        // The driver counts its records anew, so other records come first.
        award("bob", COINS, 0);
        award("bob", COINS, 0);
        forwarded();

        award("ann", GEMS, 3);
        throttle.check();
        assertEquals(List.of(), forwarded());
        throttle.after(Duration.ofMinutes(15));
        assertEquals(List.of("+5=10 a2 a5", "+0=7 a4"), forwarded());
    }

    @Test
    void shouldNotCountARecordTwice() {
        HookEvent first = event(GEMS, 5);
        HookEvent second = event(GEMS, 2);
        throttle.pipe("ann", first);
        throttle.pipe("ann", second);
        forwarded();
        // After a crash the store is ahead of the records that are read again; the driver's offsets start anew, too.
        throttle.restart();

        throttle.pipe("ann", first);
        assertEquals(List.of(first), throttle.forwarded());
        throttle.pipe("ann", second);
        throttle.after(Duration.ofMinutes(15));
        assertEquals(List.of("+2=7 a2"), forwarded());
    }

    /** Tries each number of writes that a crash may lose. */
    @Test
    void shouldLoseNoPointsWhenACrashLosesTheLastWrites() {
        HookEvent first = event(GEMS, 5);
        HookEvent second = event(GEMS, 2);
        HookEvent third = event(GEMS, 3);
        throttle.pipe("ann", first);
        throttle.pipe("ann", second);
        throttle.pipe("ann", third);
        List<KeyValue<Bytes, byte[]>> written = throttle.written();
        forwarded();

        expectAfterEachLoss(START, List.of(), written, List.of("+5=5 a1", "+5=10 a2 a3"), () -> {
            throttle.pipe("ann", first);
            throttle.pipe("ann", second);
            throttle.pipe("ann", third);
            throttle.after(Duration.ofMinutes(15));
            return forwardedOnce();
        });
    }

    /**
     * Restarts with each number of writes that a crash may have left.
     *
     * @param time of the restart
     * @param before writes that no crash loses
     * @param read continues after the restart, and returns what is expected
     */
    private void expectAfterEachLoss(
            String time,
            List<KeyValue<Bytes, byte[]>> before,
            List<KeyValue<Bytes, byte[]>> written,
            List<?> expected,
            Supplier<List<?>> read) {
        for (int kept = 0; kept <= written.size(); kept++) {
            var left = new ArrayList<>(before);
            left.addAll(written.subList(0, kept));
            throttle.at(time);
            throttle.restartAfterCrash(left);
            assertEquals(expected, read.get(), kept + " entries were kept");
        }
    }

    @Test
    void shouldSendAMergedOneThoughACrashLosesWhatWasWritten() {
        award("ann", GEMS, 5);
        award("ann", GEMS, 2);
        List<KeyValue<Bytes, byte[]>> heard = throttle.written();
        throttle.after(Duration.ofMinutes(15));
        List<KeyValue<Bytes, byte[]>> sent = throttle.written();
        HookEvent merged = throttle.forwarded().getLast();

        expectAfterEachLoss("2026-03-04T09:15:00Z", heard, sent, List.of("+5=5 a1", "+2=7 a2"), () -> {
            throttle.at("2026-03-04T09:15:01Z");
            List<HookEvent> events = throttle.forwarded();
            events.subList(2, events.size()).forEach(again -> assertEquals(events.get(1), again));
            assertEquals(merged.id(), events.get(1).id());
            return events.stream()
                    .distinct()
                    .map(event -> line(ThrottleDriver.body(event)))
                    .toList();
        });
    }

    @Test
    void shouldComeToAllThatALeapOfTheClockHasMadeDue() {
        for (int i = 0; i < 1_050; i++) {
            award("user " + i, GEMS, 1);
            award("user " + i, GEMS, 1);
        }
        assertEquals(1_050, forwarded().size());

        throttle.after(Duration.ofDays(2));
        assertEquals(1_000, forwarded().size());
        throttle.check();
        assertEquals(50, forwarded().size());
        throttle.check();
        assertEquals(List.of(), forwarded());
    }

    @Test
    void shouldTellNothingOfAUserWhoIsErased() {
        award("ann", GEMS, 5);
        award("ann", GEMS, 2);
        award("bob", GEMS, 3);
        award("bob", GEMS, 4);
        forwarded();

        throttle.pipe("ann", new Outgoing.UserErased(new UUID(9, 9), TenantId.NONE, throttle.now(), new UserId("ann")));
        throttle.after(Duration.ofMinutes(15));

        assertEquals(1, forwarded().size());
    }

    // Virtual time.

    @Test
    void shouldMergeByTheTimesOfEventsThatArriveAfterTheTestClockWasMoved() {
        throttle.useTestClock();
        var before = List.of(event(GEMS, 1), event(GEMS, 2), event(GEMS, 3));
        throttle.leap(Duration.ofMinutes(16));
        before.forEach(event -> throttle.pipe("ann", event));

        assertFalse(throttle.question());
        assertEquals(List.of("+1=1 a1", "+5=6 a2 a3"), forwarded());
    }

    @Test
    void shouldNotEndAWindowBeforeTheLogHasReachedItsEnd() {
        throttle.useTestClock();
        award("ann", GEMS, 1);
        award("ann", GEMS, 2);
        HookEvent within = event(GEMS, 3, Duration.ofMinutes(10));
        HookEvent after = event(GEMS, 4, Duration.ofMinutes(20));
        HookEvent muchLater = event(GEMS, 5, Duration.ofHours(2));
        forwarded();

        throttle.leap(Duration.ofHours(3));
        assertEquals(List.of(), forwarded());
        throttle.pipe("ann", within);
        throttle.pipe("ann", after);
        throttle.pipe("ann", muchLater);
        throttle.question();

        // The window from 09:15 on has only the event of 09:20, and the one of 11:00 finds no window.
        assertEquals(List.of("+5=6 a2 a3", "+4=10 a4", "+5=15 a5"), forwarded());
        throttle.check();
        assertEquals(List.of(), forwarded());
    }

    @Test
    void shouldDateAMergedEventAtThePresentSoThatALongLeapDoesNotMakeItStale() {
        throttle.useTestClock();
        award("ann", GEMS, 1);
        award("ann", GEMS, 2);
        throttle.leap(Duration.ofDays(9));
        throttle.question();

        assertEquals(throttle.now(), throttle.forwarded().getLast().at());
    }

    /** Tries each number of writes that a crash may lose while a record ends a window. */
    @Test
    void shouldCountEachAwardOnceWhenACrashLosesWritesOfAWindowThatARecordEnded() {
        throttle.useTestClock();
        HookEvent first = event(GEMS, 1);
        HookEvent second = event(GEMS, 2);
        HookEvent third = event(GEMS, 4, Duration.ofMinutes(20));
        throttle.pipe("ann", first);
        throttle.pipe("ann", second);
        throttle.leap(Duration.ofMinutes(40));
        throttle.pipe("ann", third);
        List<KeyValue<Bytes, byte[]>> written = throttle.written();
        forwarded();

        expectAfterEachLoss(START, List.of(), written, List.of("+1=1 a1", "+2=3 a2", "+4=7 a3"), () -> {
            throttle.pipe("ann", first);
            throttle.pipe("ann", second);
            throttle.leap(Duration.ofMinutes(40));
            throttle.pipe("ann", third);
            throttle.question();
            return forwardedOnce();
        });
    }
}
