package dev.laurel.core.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.leaderboard.TeamRanking;
import dev.laurel.core.leaderboard.TeamRanking.Team;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Leaderboard.TeamScore;
import dev.laurel.schemas.wire.LeaderboardBody;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeaderboardBodiesTest {

    private static final String RULES = "{metrics: {laps: {}}, attributes: {user: {club: {}, city: {}}}}";
    private static final LocalDate START = LocalDate.parse("2026-01-01");

    private final CompiledRuleset rules = new CompiledRuleset(TestLeaderboard.first(
            RULES,
            TestLeaderboard.ofMetric(1, "laps").by("city").inTeamsBy("club", TeamScore.SUM, null, 1),
            TestLeaderboard.ofMetric(2, "laps").by("city")));

    private LeaderboardRules board(int number) {
        return rules.board(number);
    }

    @Test
    void shouldNameTheTeamOfAGroupInWebhooks() {
        LeaderboardBody body =
                LeaderboardBodies.inRun(board(1), rules, START, null, List.of("Turku", "Otters"), Instant.EPOCH);
        assertEquals("Otters", body.team().orElseThrow().value());
        assertEquals(Optional.of("Turku"), body.breakdownAttributeValue());
        assertTrue(LeaderboardBodies.inRun(board(1), rules, START, null, List.of(), Instant.EPOCH)
                .team()
                .isEmpty());
        assertTrue(LeaderboardBodies.inRun(board(2), rules, START, null, List.of("Turku"), Instant.EPOCH)
                .team()
                .isEmpty());
    }

    @Test
    void shouldShowTheTeamInAnswersToEvents() {
        var seals = new Team("Seals", 1, new BigDecimal("9"), 1);
        var otters = new Team("Otters", 2, new BigDecimal("8.5"), 1);
        var group = new LeaderboardGroup(TenantId.NONE, 1, Runs.PERPETUAL, List.of("Turku", "Otters"));
        LeaderboardBody body = LeaderboardBodies.afterEvent(
                board(1),
                rules,
                group,
                0,
                2,
                BigDecimal.ZERO,
                TeamRanking.of(List.of(seals, otters), 2),
                otters,
                Instant.EPOCH);

        assertEquals("Otters", body.team().orElseThrow().value());
        assertEquals(2, body.teamRank().orElseThrow().value());
        assertEquals(new BigDecimal("8.5"), body.teamValue().orElseThrow().value());
        assertEquals(List.of("city"), body.breakdownAttributes());
        assertEquals(1, body.breakdownAttributeValues().orElseThrow().size());
    }
}
