package dev.laurel.processors.stream;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.junit.jupiter.api.Test;

final class StandstillTest {

    private final AtomicLong clockNs = new AtomicLong(Long.MAX_VALUE - 1);
    private final Standstill standstill = new Standstill(Duration.ofSeconds(6), clockNs::get);
    private final Progress progress = standstill.guarding(Progress.UNWATCHED);

    private void pass(long seconds) {
        clockNs.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    @Test
    void shouldGiveUpTasksThatWereThereBefore() {
        Progress.Watch before = progress.started(0);
        pass(7);

        assertThrows(TaskMigratedException.class, () -> before.reached(1));
        assertThrows(TaskMigratedException.class, () -> before.reached(2));
        assertDoesNotThrow(() -> progress.started(0).reached(2));
    }

    @Test
    void shouldGoOnWhereSomethingMovesInTime() {
        Progress.Watch watch = progress.started(0);
        for (int i = 0; i < 10; i++) {
            pass(5);
            standstill.look();
        }

        assertDoesNotThrow(() -> watch.reached(1));
    }
}
