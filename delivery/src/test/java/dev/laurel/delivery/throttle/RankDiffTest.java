package dev.laurel.delivery.throttle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.delivery.throttle.RankDiff.FormerRank;
import dev.laurel.delivery.throttle.RankDiff.Move;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RankDiffTest {

    private static final long NOW = 10_000;
    private static final long WINDOW = 1_000;

    /** @param places "user value" each, best first */
    private static List<RankingBody> ranking(String... places) {
        var ranking = new ArrayList<RankingBody>();
        for (String place : places) {
            String[] words = place.split(" ");
            ranking.add(new RankingBody(words[0], null, ranking.size() + 1, new BigDecimal(words[1])));
        }
        return ranking;
    }

    private static FormerRank told(int rank, String value, long atMs) {
        return new FormerRank(rank, value == null ? null : new BigDecimal(value), atMs, false);
    }

    private static Map<UserId, FormerRank> toldBefore(String... places) {
        var told = new HashMap<UserId, FormerRank>();
        for (RankingBody place : ranking(places)) {
            told.put(new UserId(place.userId()), new FormerRank(place.rank(), place.value(), FormerRank.NEVER, false));
        }
        return told;
    }

    private static RankDiff diff(List<RankingBody> ranking, Map<UserId, FormerRank> told) {
        return RankDiff.of(ranking, told, NOW, WINDOW);
    }

    private static List<String> lines(RankDiff diff) {
        return diff.due().stream()
                .map(change -> change.user() + " " + change.previousRank() + "/" + change.previousValue() + " -> "
                        + change.rank() + "/" + change.value())
                .toList();
    }

    @Test
    void shouldFindUsersWhoPassedAndUsersWhoWerePassed() {
        assertEquals(
                List.of("cem 3/10 -> 1/40", "ann 1/30 -> 2/30", "bob 2/20 -> 3/20"),
                lines(diff(ranking("cem 40", "ann 30", "bob 20"), toldBefore("ann 30", "bob 20", "cem 10"))));
    }

    @Test
    void shouldFindUsersWhoEnteredAndUsersWhoLeft() {
        assertEquals(
                List.of("dot null/null -> 1/50", "ann 2/30 -> 0/null"),
                lines(diff(
                        ranking("dot 50", "bob 20"),
                        Map.of(
                                new UserId("ann"),
                                told(2, "30", FormerRank.NEVER),
                                new UserId("bob"),
                                told(2, "20", FormerRank.NEVER)))));
    }

    @Test
    void shouldNotNotifyOfAnotherValueAlone() {
        RankDiff diff = diff(ranking("ann 35", "bob 20"), toldBefore("ann 30", "bob 20"));

        assertEquals(List.of(), lines(diff));
        assertEquals(RankDiff.NOTHING, diff.nextMs());
    }

    @Test
    void shouldWaitForTheEndOfTheWindow() {
        var told = new HashMap<>(toldBefore("ann 30", "bob 20"));
        told.put(new UserId("bob"), told(2, "20", NOW - 400));
        RankDiff diff = diff(ranking("bob 40", "ann 30"), told);

        assertEquals(List.of("ann 1/30 -> 2/30"), lines(diff));
        assertEquals(NOW + 600, diff.nextMs());
        assertEquals(
                List.of("bob 2/20 -> 1/40", "ann 1/30 -> 2/30"),
                lines(RankDiff.of(ranking("bob 40", "ann 30"), told, NOW + 600, WINDOW)));
    }

    @Test
    void shouldForgetNotifiedRanksOnlyAfterTheWindow() {
        var ann = new UserId("ann");
        var bob = new UserId("bob");
        RankDiff young = diff(ranking("bob 20"), Map.of(ann, told(0, null, NOW - 400), bob, told(1, "20", NOW - 200)));
        assertEquals(List.of(), young.expired());
        assertEquals(NOW + 600, young.expiryMs());
        assertEquals(RankDiff.NOTHING, young.nextMs());

        RankDiff old = diff(ranking("bob 20"), Map.of(ann, told(0, null, NOW - WINDOW), bob, told(1, "20", NOW - 200)));
        assertEquals(List.of(ann), old.expired());
        assertEquals(NOW + 800, old.expiryMs());
        assertEquals(List.of(), old.due());
    }

    @Test
    void shouldNotifyOfTheSameRankInAnotherGroup() {
        var elsewhere = new FormerRank(1, new BigDecimal("25"), FormerRank.NEVER, true);
        RankDiff diff = diff(ranking("ann 30"), Map.of(new UserId("ann"), elsewhere));

        assertEquals(List.of("ann 1/25 -> 1/30"), lines(diff));
    }

    // The ranking of a group before.

    private static Move move(String user, int previousRank, String previousValue) {
        return new Move(
                new UserId(user), previousRank, previousValue == null ? null : new BigDecimal(previousValue), false);
    }

    @Test
    void shouldUndoMovesReceivedSince() {
        // ann 30, bob 20, cem 10: cem moves to 40, dot enters with 35, ann leaves.
        Map<UserId, FormerRank> before = RankDiff.before(
                ranking("cem 40", "dot 35", "bob 20"),
                List.of(move("cem", 3, "10"), move("dot", 0, null), move("ann", 3, "30")));

        assertEquals(toldBefore("ann 30", "bob 20", "cem 10"), before);
    }

    @Test
    void shouldReconstructAnEmptyRanking() {
        assertEquals(
                Map.of(),
                RankDiff.before(ranking("bob 40", "ann 30"), List.of(move("ann", 0, null), move("bob", 0, null))));
    }

    @Test
    void shouldUseThePresentAfterTooManyMoves() {
        var moves = new ArrayList<Move>();
        for (int i = 0; i < RankDiff.MAX_MOVES; i++) {
            moves.add(move("ann", 0, null));
        }

        assertEquals(toldBefore("ann 30"), RankDiff.before(ranking("ann 30"), moves));
    }

    /** The first move of ann is known, and the second one is not: bob was first when cem passed. */
    @Test
    void shouldOrderUsersByTheirFormerValuesIfOneHasMovedTwice() {
        assertEquals(
                toldBefore("bob 20", "cem 15", "ann 10"),
                RankDiff.before(
                        ranking("ann 40", "cem 30", "bob 20"), List.of(move("ann", 3, "10"), move("cem", 3, "15"))));
    }

    @Test
    void shouldNotContainUsersWhoAreElsewhereNow() {
        assertEquals(
                toldBefore("ann 30"),
                RankDiff.before(
                        ranking("ann 30"), List.of(new Move(new UserId("bob"), 2, new BigDecimal("20"), true))));
    }
}
