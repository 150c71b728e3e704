package dev.laurel.core.leaderboard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.core.leaderboard.DayClose.RankedUser;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class DayCloseTest {

    private static final long DAY_MS = 86_400_000;

    private static Standing standing(String user, String value, long changedMs) {
        return new Standing(new UserId(user), null, new BigDecimal(value), changedMs);
    }

    private static RankedUser ranked(String user, int rank, String value) {
        return new RankedUser(new UserId(user), rank, new BigDecimal(value));
    }

    @Test
    void shouldFindUsersWithAnotherRankOrValueAndUsersWhoLeft() {
        Ranking last = Ranking.of(List.of(
                standing("ann", "30", 1), standing("bob", "20", 1), standing("cem", "10", 1), standing("eve", "5", 1)));
        Ranking now = Ranking.of(List.of(
                standing("ann", "30", 1), standing("cem", "15", 2), standing("eve", "5", 1), standing("dot", "1", 2)));
        assertEquals(
                List.of(ranked("cem", 2, "15"), ranked("eve", 3, "5"), ranked("dot", 4, "1"), ranked("bob", 0, "0")),
                DayClose.changes(DayClose.participants(last), now));
    }

    @Test
    void shouldFindNobodyIfNothingDiffers() {
        Ranking last = Ranking.of(List.of(standing("ann", "30", 1)));
        assertEquals(
                List.of(),
                DayClose.changes(DayClose.participants(last), Ranking.of(List.of(standing("ann", "30.0", 1)))));
    }

    @Test
    void shouldCloseTheFirstOpenDayAfterAnyTimeWithoutChanges() {
        Ranking ranking = Ranking.of(List.of(standing("ann", "30", 3 * DAY_MS)));
        assertEquals(11, DayClose.dayToClose(ranking, 10, 11));
        assertEquals(11, DayClose.dayToClose(ranking, 10, 500));
    }

    @Test
    void shouldCloseTheDayOfTheNewestValueWithoutAClosedDay() {
        Ranking ranking = Ranking.of(List.of(standing("ann", "30", 3 * DAY_MS), standing("bob", "10", 7 * DAY_MS - 1)));
        assertEquals(6, DayClose.dayToClose(ranking, DayClose.NEVER, 500));
        assertEquals(5, DayClose.dayToClose(ranking, DayClose.NEVER, 5));
        assertEquals(500, DayClose.dayToClose(Ranking.EMPTY, DayClose.NEVER, 500));
    }
}
