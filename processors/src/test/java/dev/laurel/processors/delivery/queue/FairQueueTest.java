package dev.laurel.processors.delivery.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.processors.delivery.queue.DeliveryScheduler.GroupQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Groups that take turns within the limits in flight. */
class FairQueueTest {

    private static final InFlightLimits WIDE = new InFlightLimits(1_000, 100);

    private final Map<String, Waiting> waiting = new HashMap<>();
    private final FairQueue<String, Waiting, String> groups = new FairQueue<>(
            name -> waiting.computeIfAbsent(name, Waiting::new));

    /** Batches that are named by their group and due from a time on. */
    private static final class Waiting implements GroupQueue<String> {

        private final Deque<Long> dues = new ArrayDeque<>();
        private final String name;
        private int skipped;

        private Waiting(String name) {
            this.name = name;
        }

        @Override
        public boolean hasWork(long nowMs) {
            return nextDueMs() <= nowMs;
        }

        @Override
        public long nextDueMs() {
            return dues.isEmpty() ? Long.MAX_VALUE : dues.peek();
        }

        @Override
        public String next(long nowMs) {
            dues.remove();
            if (skipped > 0) {
                skipped--;
                return null;
            }
            return name;
        }
    }

    private void add(String group, int count, long dueMs) {
        for (int i = 0; i < count; i++) {
            groups.queue(group).dues.add(dueMs);
        }
        groups.wake(group);
    }

    private List<String> take(long nowMs, InFlightLimits limits, int maxSteps) {
        var taken = new ArrayList<String>();
        groups.takeDue(nowMs, limits, maxSteps, taken::add);
        return taken;
    }

    @Test
    void shouldTakeTurns() {
        add("a", 3, 0);
        add("b", 1, 0);
        add("c", 2, 0);

        assertEquals(List.of("a", "b", "c", "a", "c", "a"), take(0, WIDE, 100));
    }

    @Test
    void shouldStopAfterTheMostStepsAndContinueThere() {
        add("a", 3, 0);
        add("b", 3, 0);

        assertEquals(List.of("a", "b", "a"), take(0, WIDE, 3));
        assertEquals(List.of("b", "a", "b"), take(0, WIDE, 3));
    }

    @Test
    void shouldWaitForADueTime() {
        add("a", 1, 50);

        assertEquals(List.of(), take(49, WIDE, 100));
        assertEquals(List.of("a"), take(50, WIDE, 100));
    }

    @Test
    void shouldNotExceedTheLimitOfAGroup() {
        var limits = new InFlightLimits(100, 2);
        add("a", 3, 0);

        assertEquals(List.of("a", "a"), take(0, limits, 100));
        assertFalse(groups.hasWork(0, limits), "what waits could not start");
        groups.ended("a");
        assertTrue(groups.hasWork(0, limits));
        assertEquals(List.of("a"), take(0, limits, 100));
    }

    @Test
    void shouldNotLetSlowGroupsTakeAllOfTheLimit() {
        var limits = new InFlightLimits(16, 8);
        for (int i = 0; i < 8; i++) {
            add("slow-" + i, 8, 0);
        }
        take(0, limits, 1_000);
        assertTrue(groups.inFlight() < 16, groups.inFlight() + " are in flight");

        add("well", 1, 0);
        assertEquals(List.of("well"), take(0, limits, 1_000));
    }

    @Test
    void shouldContinueInAQueueThatSkippedMuch() {
        add("a", 3, 0);
        groups.queue("a").skipped = 2;

        assertEquals(List.of("a"), take(0, WIDE, 100));
    }

    @Test
    void shouldCountGroupsWithADueTime() {
        add("a", 1, 50);
        add("b", 1, 0);
        take(0, WIDE, 100);

        assertEquals(1, groups.waitingGroups());
    }
}
