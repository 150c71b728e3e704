package dev.laurel.processors.core.throttle;

import dev.laurel.processors.core.throttle.RankBaseline.RankMove;
import dev.laurel.processors.core.throttle.RankDiff.NotifiedRank;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

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

    private static NotifiedRank told(int rank, String value, long atMs) {
        return new NotifiedRank(rank, value == null ? null : new BigDecimal(value), atMs);
    }

    private static Map<UserId, NotifiedRank> toldBefore(String... places) {
        var told = new HashMap<UserId, NotifiedRank>();
        for (RankingBody place : ranking(places)) {
            told.put(new UserId(place.userId()), new NotifiedRank(place.rank(), place.value(), NotifiedRank.NEVER));
        }
        return told;
    }

    private static RankDiff diff(List<RankingBody> ranking, Map<UserId, NotifiedRank> told) {
        return RankDiff.of(ranking, told, _ -> null, NOW, WINDOW);
    }

    private static List<String> lines(RankDiff diff) {
        return diff.due().stream()
                .map(change -> change.user() + " " + change.previousRank() + "/" + change.previousValue() + " -> "
                        + change.rank() + "/" + change.value())
                .toList();
    }

    @Test
    void shouldFindUsersWhoPassedAndUsersWhoWerePassed() {
        assertEquals(List.of("cem 3/10 -> 1/40", "ann 1/30 -> 2/30", "bob 2/20 -> 3/20"),
                lines(diff(ranking("cem 40", "ann 30", "bob 20"), toldBefore("ann 30", "bob 20", "cem 10"))));
    }

    @Test
    void shouldFindUsersWhoEnteredAndUsersWhoLeft() {
        assertEquals(List.of("dot null/null -> 1/50", "ann 2/30 -> 0/null"),
                lines(diff(ranking("dot 50", "bob 20"), Map.of(new UserId("ann"), told(2, "30", NotifiedRank.NEVER),
                        new UserId("bob"), told(2, "20", NotifiedRank.NEVER)))));
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
        assertEquals(List.of("bob 2/20 -> 1/40", "ann 1/30 -> 2/30"), lines(
                RankDiff.of(ranking("bob 40", "ann 30"), told, _ -> null, NOW + 600, WINDOW)));
    }

    @Test
    void shouldForgetUsersWhoLeftOnlyAfterTheWindow() {
        var ann = new UserId("ann");
        RankDiff young = diff(List.of(), Map.of(ann, told(0, null, NOW - 400)));
        assertEquals(List.of(), young.forgettable());
        assertEquals(NOW + 600, young.nextMs());

        RankDiff old = diff(List.of(), Map.of(ann, told(0, null, NOW - WINDOW)));
        assertEquals(List.of(ann), old.forgettable());
        assertEquals(List.of(), old.due());
    }

    @Test
    void shouldContainTheFormerGroupOfAMovedUser() {
        RankDiff diff = RankDiff.of(ranking("ann 30"), Map.of(),
                user -> user.value().equals("ann") ? told(4, "25", NotifiedRank.NEVER) : null, NOW, WINDOW);

        assertEquals(List.of("ann 4/25 -> 1/30"), lines(diff));
    }

    // The ranking of a group before.

    private static RankMove move(int number, String user, int previousRank, String previousValue) {
        return new RankMove(new UUID(0, number), new UserId(user), previousRank,
                previousValue == null ? null : new BigDecimal(previousValue));
    }

    @Test
    void shouldUndoMovesReceivedSince() {
        // ann 30, bob 20, cem 10: cem moves to 40, dot enters with 35, ann leaves.
        Map<UserId, NotifiedRank> before = RankBaseline.of(ranking("cem 40", "dot 35", "bob 20"),
                List.of(move(1, "cem", 3, "10"), move(2, "dot", 0, null), move(3, "ann", 3, "30")));

        assertEquals(toldBefore("ann 30", "bob 20", "cem 10"), before);
    }

    @Test
    void shouldReconstructAnEmptyRanking() {
        assertEquals(Map.of(), RankBaseline.of(ranking("bob 40", "ann 30"),
                List.of(move(1, "ann", 0, null), move(2, "bob", 0, null))));
    }

    @Test
    void shouldUseThePresentAfterTooManyMoves() {
        var moves = new ArrayList<RankMove>();
        for (int i = 0; i < RankBaseline.MAX_MOVES; i++) {
            moves.add(move(i, "ann", 0, null));
        }

        assertEquals(toldBefore("ann 30"), RankBaseline.of(ranking("ann 30"), moves));
    }
}
