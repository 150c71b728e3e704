package dev.laurel.processors.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class GroupLeaseTest {

    private final AtomicLong clockNs = new AtomicLong(Long.MAX_VALUE - 1);
    private final Queue<CompletableFuture<Void>> questions = new ArrayDeque<>();
    private final GroupLease lease = new GroupLease("ledger", Duration.ofSeconds(6), this::question, clockNs::get);
    private int renewed;

    private CompletableFuture<Void> question() {
        var question = new CompletableFuture<Void>();
        questions.add(question);
        return question;
    }

    private void pass(int seconds) {
        clockNs.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    private void ask() {
        lease.ask(() -> renewed++);
    }

    private void answer() {
        questions.remove().complete(null);
    }

    @Test
    void shouldHoldAsLongAsTheCoordinatorAnswers() {
        int term = lease.term();
        for (int i = 0; i < 10; i++) {
            pass(5);
            ask();
            answer();
        }
        assertTrue(lease.holds(term));
        assertEquals(0, renewed);
    }

    @Test
    void shouldEndWhenTheCoordinatorDoesNotAnswer() {
        int term = lease.term();
        for (int i = 0; i < 7; i++) {
            ask();
            pass(1);
        }
        assertFalse(lease.holds(term));
        assertEquals(term, lease.term());
        assertEquals(0, renewed);
    }

    @Test
    void shouldRenewFromTheTimeOfTheRequest() {
        int term = lease.term();
        ask();
        pass(5);
        answer();
        assertTrue(lease.holds(term));
        pass(2);
        assertFalse(lease.holds(term));
    }

    @Test
    void shouldNotRenewAfterAFailure() {
        int term = lease.term();
        pass(4);
        ask();
        questions.remove().completeExceptionally(new IllegalStateException("as if"));
        pass(3);
        assertFalse(lease.holds(term));
    }

    @Test
    void shouldBeginOneTermAfterASilence() {
        int before = lease.term();
        pass(60);
        ask();
        ask();
        answer();
        answer();

        assertEquals(1, renewed);
        assertFalse(lease.holds(before));
        assertTrue(lease.holds(lease.term()));
    }

    /** The request is sent before a suspension of the process, and its answer is read after it. */
    @Test
    void shouldEndAfterASuspensionDespiteALateAnswer() {
        int before = lease.term();
        ask();
        pass(20);
        assertFalse(lease.holds(before));
        answer();
        assertFalse(lease.holds(before));
        assertFalse(lease.holds(lease.term()), "the answer is as old as its request");

        ask();
        answer();
        assertTrue(lease.holds(lease.term()));
    }
}
