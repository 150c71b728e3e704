package dev.laurel.core.leaderboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.RankingRules.Placement;
import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RankingRulesTest {

    private static final Standing ANN = standing("ann", "30", 5);
    private static final Standing BOB = standing("bob", "20", 5);
    private static final Standing CEM = standing("cem", "10", 5);
    private static final Ranking THREE = Ranking.of(List.of(CEM, ANN, BOB));

    private static Standing standing(String user, String value, long changedMs) {
        return new Standing(new UserId(user), null, new BigDecimal(value), changedMs);
    }

    private static List<String> users(Ranking ranking) {
        var users = new ArrayList<String>();
        for (int rank = 1; rank <= ranking.size(); rank++) {
            users.add(ranking.at(rank).user().value());
        }
        return users;
    }

    @Test
    void shouldEnterByValueIfThereIsRoom() {
        Placement entered = RankingRules.enter(THREE, standing("dot", "25", 9));
        assertEquals(2, entered.rank());
        assertEquals(0, entered.previousRank());
        assertEquals(List.of("ann", "dot", "bob", "cem"), users(entered.ranking()));
    }

    @Test
    void shouldRankEqualValuesByTheEarlierChangeThenByUser() {
        assertEquals(3, RankingRules.enter(THREE, standing("aaa", "20", 6)).rank());
        assertEquals(2, RankingRules.enter(THREE, standing("zoe", "20", 4)).rank());
        assertEquals(2, RankingRules.enter(THREE, standing("bea", "20", 5)).rank());
        assertEquals(3, RankingRules.enter(THREE, standing("bud", "20.0", 5)).rank());
    }

    @Test
    void shouldCompareWithTheLastOfAFullGroupInTheWholeOrder() {
        assertTrue(RankingRules.isAmongFirst(THREE, standing("zoe", "10.5", 99), 3));
        assertTrue(RankingRules.isAmongFirst(THREE, standing("zoe", "10", 4), 3), "earlier");
        assertFalse(RankingRules.isAmongFirst(THREE, standing("zoe", "10", 5), 3), "a later id");
        assertTrue(RankingRules.isAmongFirst(THREE, standing("aaa", "10", 5), 3), "an earlier id");
        assertFalse(RankingRules.isAmongFirst(THREE, standing("aaa", "10", 6), 3), "later");
        assertTrue(RankingRules.isAmongFirst(THREE, standing("zoe", "0.1", 99), 4), "there is room");
    }

    @Test
    void shouldLeaveRoomForAnyValueAboveZero() {
        Placement left = RankingRules.leave(THREE, BOB);
        assertEquals(2, left.previousRank());
        assertEquals(List.of("ann", "cem"), users(left.ranking()));
        assertEquals(
                3, RankingRules.enter(left.ranking(), standing("dot", "1", 9)).rank());
    }

    @Test
    void shouldMoveUpAndDown() {
        Placement up = RankingRules.move(THREE, CEM, standing("cem", "40", 9));
        assertEquals(3, up.previousRank());
        assertEquals(1, up.rank());
        assertTrue(up.isMove());
        Placement down = RankingRules.move(THREE, ANN, standing("ann", "5", 9));
        assertEquals(3, down.rank());
        assertEquals(List.of("bob", "cem", "ann"), users(down.ranking()));
    }

    @Test
    void shouldChangeNothingForTheSameStanding() {
        assertSame(
                THREE,
                RankingRules.move(THREE, BOB, standing("bob", "20.00", 5)).ranking());
    }

    @Test
    void shouldShowANewNameWithoutAMove() {
        Placement renamed =
                RankingRules.move(THREE, BOB, new Standing(BOB.user(), "Bob", BOB.value(), BOB.changedMs()));
        assertFalse(renamed.isMove());
        assertEquals("Bob", renamed.ranking().at(2).name());
    }

    @Test
    void shouldHaveTheLowestValueAsThresholdOnlyWhileFull() {
        assertEquals(new BigDecimal("10"), RankingRules.threshold(THREE, 3));
        assertEquals(BigDecimal.ZERO, RankingRules.threshold(THREE, 4));
    }

    @Test
    void shouldRankAsSortingWouldUnderRandomChanges() {
        var random = new Random(7);
        Ranking ranking = Ranking.EMPTY;
        var model = new ArrayList<Standing>();
        for (int step = 0; step < 5_000; step++) {
            Standing next = standing("u" + random.nextInt(12), "" + (random.nextInt(9) - 2), random.nextInt(4));
            Standing present = model.stream()
                    .filter(s -> s.user().equals(next.user()))
                    .findAny()
                    .orElse(null);
            if (present == null && next.value().signum() <= 0) {
                continue;
            }
            Placement placement = present == null
                    ? RankingRules.enter(ranking, next)
                    : next.value().signum() > 0
                            ? RankingRules.move(ranking, present, next)
                            : RankingRules.leave(ranking, present);
            model.remove(present);
            if (next.value().signum() > 0) {
                model.add(next);
            }
            model.sort(null);
            ranking = placement.ranking();
            assertEquals(model.size(), ranking.size());
            for (int rank = 1; rank <= ranking.size(); rank++) {
                assertEquals(model.get(rank - 1), ranking.at(rank), "at step " + step);
            }
            assertEquals(model.indexOf(next) + 1, placement.rank(), "at step " + step);
        }
    }
}
