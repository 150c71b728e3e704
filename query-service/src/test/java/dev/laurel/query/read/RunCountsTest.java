package dev.laurel.query.read;

import dev.laurel.processors.core.leaderboard.RunFigures;
import dev.laurel.processors.core.leaderboard.Runs;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.read.RunCounts.Counted;
import dev.laurel.schemas.key.TenantId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class RunCountsTest {

    private static final int BOARD = 7;

    private final InMemoryBoards boards = new InMemoryBoards().rank(BOARD, Runs.PERPETUAL, List.of(), "ann 3", "bo 2");

    @Test
    void shouldReadARunOnceWhileItsFiguresAreYoung() {
        var counts = new RunCounts(boards.localNode(), Duration.ofHours(1), Duration.ofHours(1));

        for (int i = 0; i < 3; i++) {
            assertEquals(2, counts.of(TenantId.NONE, BOARD, Runs.PERPETUAL).participants());
            assertEquals(0, counts.of(TenantId.NONE, BOARD, 20_000).participants());
        }

        assertEquals(2, boards.figuresRead());
    }

    @Test
    void shouldReadARunAgainWhenItsFiguresAreOld() {
        var counts = new RunCounts(boards.localNode(), Duration.ZERO, Duration.ofHours(1));

        counts.of(TenantId.NONE, BOARD, Runs.PERPETUAL);
        counts.of(TenantId.NONE, BOARD, Runs.PERPETUAL);

        assertEquals(2, boards.figuresRead());
    }

    @Test
    void shouldKeepTheFiguresOfAFinalRun() {
        boards.endAllRuns();
        var counts = new RunCounts(boards.localNode(), Duration.ZERO, Duration.ofHours(1));

        counts.of(TenantId.NONE, BOARD, Runs.PERPETUAL);
        counts.of(TenantId.NONE, BOARD, Runs.PERPETUAL);

        assertEquals(1, boards.figuresRead());
    }

    @Test
    void shouldKeepFiguresLongerThatTookLong() {
        var age = Duration.ofSeconds(1);
        var finalAge = Duration.ofMinutes(1);
        RunFigures figures = boards.figures(TenantId.NONE, BOARD, Runs.PERPETUAL);
        boards.endAllRuns();
        RunFigures finals = boards.figures(TenantId.NONE, BOARD, Runs.PERPETUAL);

        assertEquals(age, RunCounts.ageOf(new Counted(figures, Duration.ofMillis(200)), age, finalAge));
        assertEquals(Duration.ofSeconds(10),
                RunCounts.ageOf(new Counted(figures, Duration.ofSeconds(2)), age, finalAge));
        assertEquals(finalAge, RunCounts.ageOf(new Counted(finals, Duration.ofSeconds(2)), age, finalAge));
    }

    @Test
    void shouldAskAgainAfterTheOwnerWasNotReady() {
        var counts = new RunCounts(boards.localNode(), Duration.ofHours(1), Duration.ofHours(1));
        boards.setServed(false);
        assertThrows(NotReadyException.class, () -> counts.of(TenantId.NONE, BOARD, Runs.PERPETUAL));
        boards.setServed(true);

        assertEquals(2, counts.of(TenantId.NONE, BOARD, Runs.PERPETUAL).participants());
    }
}
