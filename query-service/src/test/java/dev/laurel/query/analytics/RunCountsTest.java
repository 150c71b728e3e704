package dev.laurel.query.analytics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.core.leaderboard.RunFigures;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.query.analytics.LeaderboardRuns.RunCounts;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.LeaderboardQuery;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.UserQuery;
import dev.laurel.query.read.InMemoryLeaderboards;
import dev.laurel.schemas.key.TenantId;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RunCountsTest {

    private static final int BOARD = 7;

    private final InMemoryLeaderboards boards =
            new InMemoryLeaderboards().rank(BOARD, Runs.PERPETUAL, List.of(), "ann 3", "bo 2");
    private final AtomicLong nowNs = new AtomicLong();
    private Duration cost = Duration.ZERO;

    private final RunCounts counts = new RunCounts(
            new Nodes() {

                @Override
                public <R extends Record> R ask(UserQuery<R> query) {
                    throw new AssertionError(query);
                }

                @Override
                public <R extends Record> R ask(LeaderboardQuery<R> query) {
                    nowNs.addAndGet(cost.toNanos());
                    return boards.localNode().ask(query);
                }
            },
            Runnable::run,
            nowNs::get);

    /** Reads the figures of a run a time after the last read. @return how often the owner was asked so far */
    private int askedAfter(Duration time, int run) {
        nowNs.addAndGet(time.toNanos());
        assertEquals(
                run == Runs.PERPETUAL ? 2 : 0,
                counts.of(TenantId.NONE, BOARD, run).participants());
        return boards.figuresRead();
    }

    private int askedAfter(long ms) {
        return askedAfter(Duration.ofMillis(ms), Runs.PERPETUAL);
    }

    @Test
    void shouldAskForEachRunAboutOnceASecond() {
        assertEquals(1, askedAfter(0));
        assertEquals(1, askedAfter(799));
        assertEquals(2, askedAfter(2));
        assertEquals(3, askedAfter(Duration.ZERO, 20_000));
        assertEquals(3, askedAfter(0));
    }

    @Test
    void shouldUseFiguresLongerThatTookLong() {
        cost = Duration.ofSeconds(2);

        assertEquals(1, askedAfter(0));
        assertEquals(1, askedAfter(9_999));
        assertEquals(2, askedAfter(2));
    }

    @Test
    void shouldAskForAFinalRunOnceAMinute() {
        boards.endAllRuns();

        assertEquals(1, askedAfter(0));
        assertEquals(1, askedAfter(59_999));
        assertEquals(2, askedAfter(2));
    }

    @Test
    void shouldCountTheGroupsOfASpreadLeaderboardTogether() {
        boards.with(InMemoryLeaderboards.board(8, "one").by("city"))
                .with(InMemoryLeaderboards.board(9, "spread").by("city").spread());
        for (int city = 0; city < 9; city++) {
            for (int number = 8; number <= 9; number++) {
                boards.rank(number, Runs.PERPETUAL, List.of("city-" + city), "ann " + (city + 1), "bo " + 7 * city);
            }
        }
        boards.endAllRuns();

        RunFigures figures = counts.of(TenantId.NONE, 9, Runs.PERPETUAL);
        assertEquals(18, figures.participants());
        assertEquals(new BigDecimal("56"), figures.highest());
        assertEquals(counts.of(TenantId.NONE, 8, Runs.PERPETUAL), figures);
    }

    @Test
    void shouldAskAgainAfterTheOwnerWasNotReady() {
        boards.setServed(false);
        assertThrows(NotReadyException.class, () -> counts.of(TenantId.NONE, BOARD, Runs.PERPETUAL));
        boards.setServed(true);

        assertEquals(1, askedAfter(0));
    }
}
