package dev.laurel.processors.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.TestRulesets;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.leaderboard.LeaderboardMessage.RulesPublished;
import dev.laurel.core.leaderboard.LeaderboardMessage.UserForgotten;
import dev.laurel.processors.stream.LeaderboardLayout.ScoreKey;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.processors.topology.LedgerDriver.Told;
import dev.laurel.schemas.command.Command.RulesetPublished;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The messages that commands send to the two partitions of leaderboards. */
class LeaderboardEffectsTest {

    private static final String AT = "2026-03-04T10:00:00Z";
    private static final String LAPS = "{\"type\":\"event\",\"metric\":\"laps\",\"value\":4,\"user\":{\"id\":\"ann\"}}";
    private static final String ERASE = "{\"type\":\"erase-user\",\"user\":{\"id\":\"ann\"}}";

    private final Published published = new Published();
    private final Ruleset ruleset = published.add(TestRulesets.first("metrics: {laps: {}}"));

    @AutoClose
    private final LedgerDriver ledger = new LedgerDriver(published);

    @BeforeEach
    void publishRules() {
        ledger.publish(ruleset, AT);
    }

    private void assertToldToBoth(Told expected) {
        assertEquals(List.of(expected, expected), ledger.told());
    }

    @Test
    void shouldNotSendRulesWithoutLeaderboards() {
        assertEquals(List.of(), ledger.told());
    }

    @Test
    void shouldSendNewRulesToThePartitionsWhoseLeaderboardsTheyChange() {
        Ruleset both = published.add(TestLeaderboard.on(
                ruleset,
                2,
                Instant.parse(AT),
                TestLeaderboard.ofMetric(10, "laps"),
                TestLeaderboard.ofMetric(11, "laps"),
                TestLeaderboard.ofMetric(13, "laps")));
        ledger.told();
        ledger.publish(both, AT);

        assertEquals(
                List.of(new ScoreKey(TenantId.NONE, 10, 0), new ScoreKey(TenantId.NONE, 11, 0)),
                keys(ledger.told(), 2));

        ledger.publish(
                published.add(TestLeaderboard.on(
                        ruleset,
                        3,
                        Instant.parse(AT),
                        TestLeaderboard.ofMetric(10, "laps"),
                        TestLeaderboard.ofMetric(11, "laps"),
                        TestLeaderboard.ofMetric(13, "laps").to("2027-01-01"))),
                AT);

        assertEquals(List.of(new ScoreKey(TenantId.NONE, 13, 0)), keys(ledger.told(), 3));

        ledger.publish(
                published.add(TestLeaderboard.on(
                        ruleset,
                        4,
                        Instant.parse(AT),
                        TestLeaderboard.ofMetric(11, "laps"),
                        TestLeaderboard.ofMetric(13, "laps").to("2027-01-01"))),
                AT);

        assertEquals(List.of(new ScoreKey(TenantId.NONE, 10, 0)), keys(ledger.told(), 4));
    }

    @Test
    void shouldSendNewRulesOfASpreadLeaderboardToEveryPartition() {
        Ruleset spread = published.add(TestLeaderboard.on(
                ruleset,
                2,
                Instant.parse(AT),
                TestLeaderboard.ofMetric(10, "laps").by("city").spread()));
        ledger.told();
        ledger.publish(spread, AT);

        assertEquals(
                List.of(0, 1),
                keys(ledger.told(), 2).stream()
                        .map(key -> LedgerDriver.boards().partitionOf(key))
                        .sorted()
                        .toList());
    }

    /** The keys, in order, of messages that all bring this version. */
    private static List<ScoreKey> keys(List<Told> told, long version) {
        told.forEach(one -> assertEquals(new RulesPublished(TenantId.NONE, version), one.message()));
        return told.stream()
                .map(Told::key)
                .sorted(Comparator.comparing(ScoreKey::board))
                .toList();
    }

    @Test
    void shouldNotSendRejectedRules() {
        ledger.publish(published.add(TestRulesets.next(ruleset, "metrics: {litres: {}}", Instant.parse(AT))), AT);
        ledger.told();
        ledger.mark(new RulesetPublished(TenantId.NONE, 1), AT);
        ledger.mark(new RulesetPublished(TenantId.NONE, 99), AT);

        assertEquals(1, ledger.rejections().size());
        assertEquals(List.of(), ledger.told());
    }

    @Test
    void shouldSendAnErasedUserToEveryPartition() {
        ledger.ask("ann", LAPS, AT);
        ledger.told();
        ledger.ask("ann", ERASE, AT);

        assertToldToBoth(new Told(
                null, new Origin(0, 2), new UserForgotten(TenantId.NONE, new UserId("ann")), null, Instant.parse(AT)));
    }

    @Test
    void shouldNotSendAnUnknownUser() {
        ledger.told();
        assertEquals(404, ledger.ask("ann", ERASE, AT).status());

        assertEquals(List.of(), ledger.told());
    }

    @Test
    void shouldAnswerAnEventCompletelyWithoutLeaderboards() {
        ledger.told();
        var reply = ledger.ask("ann", LAPS, AT);

        assertEquals(List.of(), reply.awaits());
        assertTrue(reply.body().get("leaderboards").isEmpty());
        assertNull(reply.body().get("pending"));
        assertEquals(List.of(), ledger.told());
    }
}
