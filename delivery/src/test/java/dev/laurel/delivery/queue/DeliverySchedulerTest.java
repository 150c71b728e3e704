package dev.laurel.delivery.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.delivery.queue.DeliveryScheduler.GroupQueue;
import dev.laurel.delivery.queue.DeliveryScheduler.InFlightLimits;
import dev.laurel.delivery.queue.DeliveryScheduler.SendPolicy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Groups that take turns within the limits in flight. */
class DeliverySchedulerTest {

    private static final InFlightLimits WIDE = new InFlightLimits(1_000, 100);

    private final Map<String, Waiting> waiting = new HashMap<>();
    private final List<String> started = new ArrayList<>();
    private InFlightLimits limits = WIDE;
    private DeliveryScheduler<String, Waiting, String> groups = scheduler(100);

    private DeliveryScheduler<String, Waiting, String> scheduler(int maxSteps) {
        return new DeliveryScheduler<>(
                new SendPolicy<String, Waiting, String>() {

                    @Override
                    public Waiting open(String group) {
                        return waiting.computeIfAbsent(group, Waiting::new);
                    }

                    @Override
                    public InFlightLimits limits() {
                        return limits;
                    }

                    @Override
                    public boolean mayStart() {
                        return true;
                    }

                    @Override
                    public void start(String batch) {
                        started.add(batch);
                    }
                },
                new CompletionQueue(Runnable::run, "a call failed"),
                List.of(),
                maxSteps,
                List.of());
    }

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
    }

    private List<String> take(long nowMs) {
        started.clear();
        groups.run(nowMs);
        return List.copyOf(started);
    }

    @Test
    void shouldTakeTurns() {
        add("a", 3, 0);
        add("b", 1, 0);
        add("c", 2, 0);

        assertEquals(List.of("a", "b", "c", "a", "c", "a"), take(0));
    }

    @Test
    void shouldStopAfterTheMostStepsAndContinueThere() {
        groups = scheduler(3);
        add("a", 3, 0);
        add("b", 3, 0);

        assertEquals(List.of("a", "b", "a"), take(0));
        assertEquals(List.of("b", "a", "b"), take(0));
    }

    @Test
    void shouldWaitForADueTime() {
        add("a", 1, 50);

        assertEquals(List.of(), take(49));
        assertEquals(List.of("a"), take(50));
    }

    @Test
    void shouldNotExceedTheLimitOfAGroup() {
        limits = new InFlightLimits(100, 2);
        add("a", 3, 0);

        assertEquals(List.of("a", "a"), take(0));
        assertFalse(groups.hasWork(0), "what waits could not start");
        groups.ended("a");
        assertTrue(groups.hasWork(0));
        assertEquals(List.of("a"), take(0));
    }

    @Test
    void shouldNotLetSlowGroupsTakeAllOfTheLimit() {
        limits = new InFlightLimits(16, 8);
        for (int i = 0; i < 8; i++) {
            add("slow-" + i, 8, 0);
        }
        for (int run = 0; run < 10; run++) {
            take(0);
        }
        assertTrue(groups.inFlight() < 16, groups.inFlight() + " are in flight");

        add("well", 1, 0);
        assertEquals(List.of("well"), take(0));
    }

    @Test
    void shouldContinueInAQueueThatSkippedMuch() {
        add("a", 3, 0);
        groups.queue("a").skipped = 2;

        assertEquals(List.of("a"), take(0));
    }

    @Test
    void shouldCountGroupsWithADueTime() {
        add("a", 1, 50);
        add("b", 1, 0);
        take(0);

        assertEquals(1, groups.waitingGroups());
    }
}
