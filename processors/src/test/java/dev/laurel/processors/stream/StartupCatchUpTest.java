package dev.laurel.processors.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.processors.stream.StartupCatchUp.Lease;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StartupCatchUpTest {

    private static final int PARTITION = 2;
    private static final Duration RETRY = Duration.ofMillis(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Topic topic = new Topic();
    private final Terms terms = new Terms();
    private final StartupCatchUp catchUp = new StartupCatchUp(topic, terms, RETRY);

    /** A lease that the test controls. */
    private static final class Terms implements Lease {

        int present;
        boolean isHeld = true;
        Runnable whenAsked = () -> {};

        @Override
        public int term() {
            int asked = present;
            whenAsked.run();
            return asked;
        }

        @Override
        public boolean holds(int term) {
            return isHeld && term == present;
        }

        void lapse() {
            isHeld = false;
        }

        void next() {
            present++;
            isHeld = true;
        }
    }

    /** Gives the prepared answers in order; further requests are never answered. */
    private static final class Topic implements StartupCatchUp.Source {

        final Queue<CompletableFuture<Reach>> answers = new ArrayDeque<>();
        final List<Integer> marks = new ArrayList<>();
        final Queue<CompletableFuture<Void>> markings = new ArrayDeque<>();
        final CountDownLatch twoMarks = new CountDownLatch(2);

        @Override
        public synchronized CompletionStage<Reach> reach(int partition) {
            var answer = answers.poll();
            return answer == null ? new CompletableFuture<>() : answer;
        }

        @Override
        public synchronized CompletionStage<?> appendMark(int partition) {
            marks.add(partition);
            twoMarks.countDown();
            var marking = markings.poll();
            return marking == null ? new CompletableFuture<>() : marking;
        }

        synchronized List<Integer> marks() {
            return List.copyOf(marks);
        }

        void says(long end, long committed) {
            answers.add(CompletableFuture.completedFuture(new Reach(end, committed)));
        }
    }

    @Test
    void shouldNotBeCaughtUpWithATaskThatDoesNotRunHere() {
        assertFalse(catchUp.isCaughtUp(PARTITION));
    }

    @Test
    void shouldBeCaughtUpAtOnceIfEverythingIsCommitted() throws InterruptedException {
        topic.says(7, 7);
        catchUp.started(PARTITION, Map.of());

        assertTrue(catchUp.isCaughtUp(PARTITION));
        assertTrue(catchUp.await(Duration.ZERO, Set::of));
        assertEquals(List.of(), topic.marks(), "a restart appends nothing to the log");
    }

    @Test
    void shouldNotBeCaughtUpWhileATaskIsAssignedButDoesNotRun() throws InterruptedException {
        topic.says(7, 7);
        catchUp.started(PARTITION, Map.of());

        assertFalse(catchUp.isCaughtUp(Set.of(PARTITION, PARTITION + 1)));
        assertFalse(catchUp.await(Duration.ZERO, () -> Set.of(PARTITION, PARTITION + 1)));

        topic.says(3, 3);
        catchUp.started(PARTITION + 1, Map.of());
        assertTrue(catchUp.await(Duration.ZERO, () -> Set.of(PARTITION, PARTITION + 1)));
    }

    @Test
    void shouldBeCaughtUpAtOnceWithAnEmptyTopic() {
        topic.says(0, 0);
        catchUp.started(PARTITION, Map.of());

        assertTrue(catchUp.isCaughtUp(PARTITION));
    }

    @Test
    void shouldWaitUntilTheTaskPassesTheFormerEnd() throws InterruptedException {
        topic.says(9, 5);
        var task = catchUp.started(PARTITION, Map.of());
        assertEquals(List.of(PARTITION), topic.marks());

        task.reached(5);
        task.reached(8);
        assertFalse(catchUp.isCaughtUp(PARTITION), "the last one is being processed, or is none but a mark");
        assertFalse(catchUp.isCaughtUp(Set.of()));
        assertFalse(catchUp.await(Duration.ZERO, Set::of));

        task.reached(9);
        assertTrue(catchUp.isCaughtUp(PARTITION));
        assertTrue(catchUp.isCaughtUp(Set.of()));
        assertTrue(catchUp.await(Duration.ZERO, Set::of));
    }

    @Test
    void shouldCountTheRecordsThatAreLeft() {
        topic.says(9, 5);
        var task = catchUp.started(PARTITION, Map.of());
        assertEquals(4, catchUp.left());

        task.reached(7);
        assertEquals(2, catchUp.left());

        task.reached(9);
        assertEquals(0, catchUp.left());
    }

    @Test
    void shouldRememberThePositionOfTheTaskWhenTheEndBecomesKnown() {
        var answer = new CompletableFuture<StartupCatchUp.Source.Reach>();
        topic.answers.add(answer);
        var task = catchUp.started(PARTITION, Map.of());
        task.reached(30);
        assertFalse(catchUp.isCaughtUp(PARTITION));

        answer.complete(new StartupCatchUp.Source.Reach(30, 5));

        assertTrue(catchUp.isCaughtUp(PARTITION));
        assertEquals(List.of(), topic.marks());
    }

    @Test
    void shouldRetryWhenTheBrokerDoesNotAnswer() throws InterruptedException {
        topic.answers.add(CompletableFuture.failedFuture(new IllegalStateException("no broker")));
        topic.says(9, 9);
        catchUp.started(PARTITION, Map.of());

        assertTrue(catchUp.await(PATIENCE, Set::of));
    }

    @Test
    void shouldAppendALostMarkAgain() throws InterruptedException {
        topic.says(9, 5);
        topic.markings.add(CompletableFuture.failedFuture(new IllegalStateException("no broker")));
        catchUp.started(PARTITION, Map.of());

        assertTrue(topic.twoMarks.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    /** The stores of a revived task are back at the last commit. */
    @Test
    void shouldStartOverWhenATaskIsRevived() {
        topic.says(7, 7);
        var former = catchUp.started(PARTITION, Map.of());
        assertTrue(catchUp.isCaughtUp(PARTITION));
        former.stopped();
        assertFalse(catchUp.isCaughtUp(PARTITION));

        topic.says(12, 7);
        var task = catchUp.started(PARTITION, Map.of());
        former.reached(20);
        former.stopped();
        assertFalse(catchUp.isCaughtUp(PARTITION), "the former start does not count");

        task.reached(12);
        assertTrue(catchUp.isCaughtUp(PARTITION));
    }

    @Test
    void shouldWakeUpWaitingThreads() {
        topic.says(9, 5);
        var task = catchUp.started(PARTITION, Map.of());
        var waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return catchUp.await(PATIENCE, Set::of);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        task.reached(9);

        assertTrue(waiting.orTimeout(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS).join());
    }

    /** Another process may have run the task in between, so the committed offsets may not describe the stores here. */
    @Test
    void shouldNotBeCaughtUpInTheNextTermBeforeItPassesAMark() {
        topic.says(7, 7);
        var task = catchUp.started(PARTITION, Map.of());
        assertTrue(catchUp.isCaughtUp(PARTITION));

        terms.next();
        assertFalse(catchUp.isCaughtUp(PARTITION), "the end is not known yet");
        topic.says(20, 20);
        catchUp.askAgain();
        assertEquals(List.of(PARTITION), topic.marks());
        task.reached(19);
        assertFalse(catchUp.isCaughtUp(PARTITION));

        task.reached(20);
        assertTrue(catchUp.isCaughtUp(PARTITION));
        assertTrue(catchUp.isCaughtUp(Set.of()));
    }

    @Test
    void shouldIgnoreAnswersOfTheFormerTerm() {
        var before = new CompletableFuture<StartupCatchUp.Source.Reach>();
        topic.answers.add(before);
        var task = catchUp.started(PARTITION, Map.of());
        terms.next();
        topic.says(20, 20);
        catchUp.askAgain();

        before.complete(new StartupCatchUp.Source.Reach(7, 7));
        task.reached(19);
        assertFalse(catchUp.isCaughtUp(PARTITION));

        task.reached(20);
        assertTrue(catchUp.isCaughtUp(PARTITION));
    }

    @Test
    void shouldNotCheckAgainForATaskThatStartedInThisTerm() {
        terms.next();
        topic.says(7, 7);
        catchUp.started(PARTITION, Map.of());

        catchUp.askAgain();

        assertTrue(catchUp.isCaughtUp(PARTITION));
        assertEquals(List.of(), topic.marks());
    }

    /** Requests without a lease may be answered late, when another process has continued. */
    @Test
    void shouldNotBeCaughtUpWithoutALease() {
        topic.says(7, 7);
        catchUp.started(PARTITION, Map.of());
        terms.lapse();
        assertFalse(catchUp.isCaughtUp(PARTITION));

        topic.says(9, 9);
        catchUp.started(PARTITION, Map.of());
        assertFalse(catchUp.isCaughtUp(PARTITION), "nor at the end");

        terms.next();
        assertFalse(catchUp.isCaughtUp(PARTITION), "it started in no term");
        topic.says(9, 9);
        catchUp.askAgain();
        assertEquals(List.of(PARTITION), topic.marks());
    }

    @Test
    void shouldCheckOncePerTerm() {
        topic.says(7, 7);
        catchUp.started(PARTITION, Map.of());
        terms.next();
        topic.says(20, 20);
        catchUp.askAgain();
        catchUp.askAgain();
        assertEquals(List.of(PARTITION), topic.marks());
    }

    /** The next term begins while a task starts. */
    @Test
    void shouldNotFallBackToAFormerTerm() {
        terms.whenAsked = () -> {
            terms.whenAsked = () -> {};
            terms.next();
            catchUp.askAgain();
        };
        topic.says(20, 20);
        var task = catchUp.started(PARTITION, Map.of());
        task.reached(20);
        assertTrue(catchUp.isCaughtUp(PARTITION));
    }
}
