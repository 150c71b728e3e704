package dev.laurel.core.leaderboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.TeamRanking.Team;
import dev.laurel.core.leaderboard.TeamRanking.TeamPart;
import dev.laurel.core.leaderboard.TeamRanking.TeamScore;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.Teams;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TeamRankingTest {

    private static Standing standing(String user, String value, long changedMs) {
        return new Standing(new UserId(user), null, new BigDecimal(value), changedMs);
    }

    private static Team team(String name, String value, long changedMs) {
        return new Team(name, 1, new BigDecimal(value), changedMs);
    }

    // Parts.

    @Test
    void shouldFollowUsers() {
        TeamPart one = TeamPart.NONE.changed(null, standing("ann", "2.5", 100), 100);
        assertEquals(new TeamPart(1, 1, new BigDecimal("2.5"), 100), one);
        TeamPart two = one.changed(null, standing("bea", "1.5", 90), 90);
        assertEquals(new TeamPart(2, 2, new BigDecimal("4"), 100), two, "a late event");
        TeamPart less = two.changed(standing("ann", "2.5", 100), standing("ann", "0.5", 120), 120);
        assertEquals(new TeamPart(3, 2, new BigDecimal("2"), 120), less);
        TeamPart gone =
                less.changed(standing("ann", "0.5", 120), null, 130).changed(standing("bea", "1.5", 90), null, 140);
        assertEquals(new TeamPart(5, 0, BigDecimal.ZERO, 140), gone, "the time of the last departure stays");
    }

    @Test
    void shouldTakeNewerPartsOnly() {
        var old = new TeamPart(3, 1, BigDecimal.ONE, 100);
        var next = new TeamPart(4, 2, BigDecimal.TEN, 110);
        TeamScore known = TeamScore.NONE.with(2, old);

        assertEquals(List.of(TeamPart.NONE, TeamPart.NONE, old), known.parts());
        assertSame(known, known.with(2, old));
        assertSame(known, known.with(2, new TeamPart(2, 9, BigDecimal.TEN, 200)));
        assertEquals(List.of(next, TeamPart.NONE, old), known.with(0, next).parts());
        assertEquals(next, known.with(2, next).parts().getLast());
    }

    // Scores.

    @ParameterizedTest
    @CsvSource({
        "SUM,, 1, 20",
        "AVERAGE,, 1, 6.6666666667",
        "AVERAGE,, 3, 6.6666666667",
        "AVERAGE,, 4,",
        "MAX,, 1, 9",
        "TOP, 1, 1, 9",
        "TOP, 2, 1, 16",
        "TOP, 3, 1, 16"
    })
    void shouldScoreTeams(Leaderboard.TeamScore score, Integer top, int minMembers, BigDecimal expected) {
        Ranking participants = Ranking.of(List.of(standing("ann", "9", 1), standing("bea", "7", 1)));
        TeamScore scored = TeamScore.NONE
                .with(0, new TeamPart(1, 1, new BigDecimal("9"), 100))
                .with(3, new TeamPart(5, 2, new BigDecimal("11"), 90))
                .scored(new Teams("club", score, top, minMembers), "Otters", participants);

        assertEquals(expected == null ? null : new Team("Otters", 3, expected, 100), scored.ranked());
    }

    @Test
    void shouldNotRankTeamsWithoutMembers() {
        TeamScore nobody = TeamScore.NONE.with(0, new TeamPart(2, 0, BigDecimal.ZERO, 100));
        for (Leaderboard.TeamScore score : Leaderboard.TeamScore.values()) {
            assertNull(nobody.scored(new Teams("club", score, 1, 1), "Otters", Ranking.EMPTY)
                    .ranked());
        }
    }

    // Ranks.

    @Test
    void shouldOrderTeams() {
        TeamRanking ranking = TeamRanking.of(
                List.of(
                        team("late", "5", 200),
                        team("low", "4.5", 1),
                        team("\uD83E\uDDA6", "5", 100),
                        team("\uFF21", "5.0", 100),
                        team("best", "6", 300)),
                5);

        assertEquals(
                List.of("best", "\uFF21", "\uD83E\uDDA6", "late", "low"),
                ranking.bestFirst().stream().map(Team::name).toList());
        assertEquals(4, ranking.rankOf("late"));
        assertEquals(0, ranking.rankOf("other"));
        assertEquals(5, ranking.rankOf(team("low", "4.5", 1)));
        assertEquals(0, ranking.rankOf(team("low", "4.6", 1)));
        assertEquals(0, ranking.rankOf((Team) null));
    }

    @Test
    void shouldChangeAsIfItWereMadeAnew() {
        var random = new Random(5);
        var teams = new Team[30];
        TeamRanking ranking = TeamRanking.EMPTY;
        for (int i = 0; i < 5_000; i++) {
            int which = random.nextInt(teams.length);
            Team next = random.nextInt(4) == 0
                    ? null
                    : team("t" + which, Integer.toString(1 + random.nextInt(5)), random.nextInt(3));
            ranking = ranking.with(teams[which], next);
            teams[which] = next;
            List<Team> all = Arrays.stream(teams).filter(one -> one != null).toList();
            assertEquals(TeamRanking.of(all, all.size()), ranking);
        }
    }

    @Test
    void shouldRankNoneOfTooMany() {
        var teams = new ArrayList<Team>();
        IntStream.range(0, TeamRanking.MAX_TEAMS).forEach(i -> teams.add(team("t" + i, "1", 1)));
        TeamRanking full = TeamRanking.of(teams, teams.size());
        Team more = team("more", "1", 1);

        TeamRanking tooMany = full.with(null, more);
        assertTrue(tooMany.areTooMany());
        assertEquals(0, tooMany.rankOf(more));
        assertEquals(List.of(), tooMany.bestFirst());
        assertTrue(tooMany.with(null, team("another", "1", 1)).areTooMany());
        assertTrue(tooMany.with(more, null).isIncomplete(), "it must be read again");
        assertTrue(full.with(teams.getFirst(), more).rankOf(more) > 0);
    }
}
