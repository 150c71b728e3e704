package dev.laurel.processors.ledger;

import dev.laurel.processors.StatisticsFigures;
import dev.laurel.processors.TestRulesets;
import dev.laurel.processors.core.statistics.RankedStreak.By;
import dev.laurel.processors.core.statistics.TopUsers.Ranking;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

/** The statistics of all users of a task, through commands, ticks, erasures and restarts. */
class StatisticsUpdaterTest {

    private static final String RULES = """
            metrics: {laps: {}}
            attributes: {user: {city: {}}}
            streak: {frequency: daily}
            points: {gems: {triggers: {lap: {type: metric, metric: laps, threshold: 1, points: 1}}}}
            """;

    private final Published published = new Published();
    private final Ruleset ruleset = published.add(TestRulesets.first(RULES));
    private LedgerDriver ledger = new LedgerDriver(published);

    @BeforeEach
    void publishRules() {
        ledger.publish(ruleset, "2026-01-01T00:00:00Z");
    }

    @AfterEach
    void closeLedger() {
        ledger.close();
    }

    private void swim(String user, int laps, String at) {
        ledger.produce(user, "{\"type\":\"event\",\"metric\":\"laps\",\"value\":" + laps + ",\"user\":{\"id\":\""
                + user + "\",\"attributes\":{\"city\":\"" + (user.length() % 2 == 0 ? "Turku" : "Oulu") + "\"}}}", at);
    }

    private void erase(String user, String at) {
        ledger.produce(user, "{\"type\":\"erase-user\",\"user\":{\"id\":\"" + user + "\"}}", at);
    }

    private List<UserState> users() {
        var users = new ArrayList<UserState>();
        ledger.reader().forEachUser(TenantId.NONE, users::add);
        return users;
    }

    private void assertEqualsARecount() {
        List<UserState> users = users();
        assertEquals(StatisticsFigures.recounted(users),
                StatisticsFigures.shown(ledger.account(TenantId.NONE), users));
    }

    private List<String> longest() {
        return ledger.account(TenantId.NONE).best(By.ACTIVE, 10).stream().map(p -> p.user() + " " + p.length())
                .toList();
    }

    @Test
    void shouldFollowCommandsAndErasures() {
        swim("ann", 3, "2026-03-01T08:00:00Z");
        swim("bo", 5, "2026-03-01T09:00:00Z");
        swim("ann", 1, "2026-03-02T08:00:00Z");
        assertEquals(List.of("ann 2", "bo 1"), longest());
        assertEqualsARecount();

        erase("ann", "2026-03-02T09:00:00Z");
        assertEquals(List.of("bo 1"), longest());
        assertEqualsARecount();
    }

    @Test
    void shouldFollowChangesByTicks() {
        swim("ann", 3, "2026-03-01T08:00:00Z");
        swim("bo", 5, "2026-03-03T09:00:00Z");
        assertEquals(List.of("bo 1", "ann 1"), List.copyOf(longest().reversed()));

        ledger.tickUntilQuiet("2026-03-03T10:00:00Z");

        assertEquals(List.of("bo 1"), longest());
        assertEqualsARecount();
    }

    @Test
    void shouldKeepTenantsApart() {
        swim("ann", 3, "2026-03-01T08:00:00Z");
        ledger.produce("club/ann", "{\"type\":\"identify\",\"user\":{\"id\":\"ann\"}}", "2026-03-01T08:00:00Z");

        assertEqualsARecount();
        var club = new ArrayList<Long>();
        ledger.account(new TenantId("club")).forEachTotal(1, List.of(), (_, users) -> club.add(users));
        assertEquals(List.of(1L), club);
    }

    @Test
    void shouldKnowTheSameAfterARestart() {
        swim("ann", 3, "2026-03-01T08:00:00Z");
        swim("bo", 5, "2026-03-01T09:00:00Z");
        StatisticsFigures before = StatisticsFigures.shown(ledger.account(TenantId.NONE), users());

        ledger = ledger.restarted();

        assertEquals(before, StatisticsFigures.shown(ledger.account(TenantId.NONE), users()));
    }

    @Test
    void shouldRebuildTheIndexWhenTooManyOfTheBestStreaksAreGone() {
        for (int i = 0; i < 1_200; i++) {
            swim("user-" + i, 1, "2026-03-01T08:00:" + (i % 60 < 10 ? "0" : "") + i % 60 + "Z");
        }
        List<String> ids = ledger.account(TenantId.NONE).best(By.ACTIVE, 950).stream()
                .map(place -> place.user().value()).toList();
        assertNull(ledger.account(TenantId.NONE).best(By.ACTIVE, 1_001), "the list is shorter");
        ids.forEach(id -> erase(id, "2026-03-01T09:00:00Z"));
        assertNull(ledger.account(TenantId.NONE).best(By.ACTIVE, 100), "users who moved up are not in the list yet");
        assertEquals(50, ledger.account(TenantId.NONE).best(By.ACTIVE, 50).size());

        for (int steps = 0; steps < 1_000 && ledger.account(TenantId.NONE).best(By.ACTIVE, 100) == null; steps++) {
            ledger.passTime(Duration.ofMillis(10));
        }

        assertNotNull(ledger.account(TenantId.NONE).best(By.ACTIVE, 100));
        assertEqualsARecount();
    }

    private List<String> top(Ranking ranking, int object) {
        int today = Math.toIntExact(Duration.ofMillis(ledger.nowMs()).toDays());
        return ledger.account(TenantId.NONE).contenders(ranking, object)
                .best(10, today - 1, today + 1, _ -> today).stream()
                .map(place -> place.user() + " " + place.value().toPlainString()).toList();
    }

    @Test
    void shouldKnowTheTopUsersAlsoAfterARestartAndOnTheNextDays() {
        int laps = ruleset.metrics().getFirst().number();
        swim("ann", 3, "2026-03-01T08:00:00Z");
        swim("bob", 5, "2026-03-20T09:00:00Z");
        swim("ann", 7, "2026-03-30T08:00:00Z");
        swim("bob", 1, "2026-02-20T09:00:00Z");
        swim("cyd", 9, "2026-03-30T08:00:00Z");
        erase("cyd", "2026-03-30T09:00:00Z");
        ledger.passTimeTo("2026-03-30T10:00:00Z");
        assertEquals(List.of("ann 10", "bob 6"), top(Ranking.VALUE, laps));

        ledger = ledger.restarted();
        ledger.passTimeTo("2026-03-30T10:00:00Z");
        assertEquals(List.of("ann 10", "bob 6"), top(Ranking.VALUE, laps));
        assertEquals(List.of("ann 2", "bob 2"), top(Ranking.EVENTS, 0));
        assertEquals(List.of("ann 10", "bob 5"), top(Ranking.RECENT_VALUE, laps));

        ledger.passTimeTo("2026-04-18T12:00:00Z");
        assertEquals(List.of("ann 7", "bob 5"), top(Ranking.RECENT_VALUE, laps));
        ledger.passTimeTo("2026-04-19T12:00:00Z");
        assertEquals(List.of("ann 1"), top(Ranking.RECENT_EVENTS, 0));
    }
}
