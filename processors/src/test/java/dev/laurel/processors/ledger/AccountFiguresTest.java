package dev.laurel.processors.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.core.statistics.RankedStreak.By;
import dev.laurel.core.statistics.UserValue;
import dev.laurel.core.statistics.UserValue.RankedUser;
import dev.laurel.core.statistics.UserValue.Ranking;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.StatisticsFigures;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.users.TopUserStore.Listed;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is counted and listed of all users of a task, through commands, ticks, erasures and restarts. */
class AccountFiguresTest {

    private static final String RULES = """
        metrics: {laps: {}}
        attributes: {user: {city: {}}}
        streak: {frequency: daily}
        points: {gems: {triggers: {lap: {type: metric, metric: laps, threshold: 1, points: 1}}}}
        """;

    private final Published published = new Published();
    private final Ruleset ruleset = published.add(TestRulesets.first(RULES));

    @AutoClose
    private LedgerDriver ledger = new LedgerDriver(published);

    @BeforeEach
    void publishRules() {
        ledger.publish(ruleset, "2026-01-01T00:00:00Z");
    }

    private void swim(String user, int laps, String at) {
        ledger.produce(
                user,
                "{\"type\":\"event\",\"metric\":\"laps\",\"value\":" + laps + ",\"user\":{\"id\":\"" + user
                        + "\",\"attributes\":{\"city\":\"" + (user.length() % 2 == 0 ? "Turku" : "Oulu") + "\"}}}",
                at);
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
        assertEquals(
                StatisticsFigures.recounted(users), StatisticsFigures.shown(ledger.reader(), ledger.counters(), users));
    }

    private List<String> longest() {
        return ledger.reader().index().streaks(TenantId.NONE, By.ACTIVE, 10).stream()
                .map(p -> p.user() + " " + p.length())
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

    /** Attributes may name a person. */
    @Test
    void shouldKeepNothingOfTheAttributesThatNoUserHasAnyMore() {
        swim("ann", 3, "2026-03-01T08:00:00Z");
        swim("bo", 5, "2026-03-01T09:00:00Z");
        assertTrue(keysOfCounters().contains("Oulu") && keysOfCounters().contains("Turku"));

        erase("ann", "2026-03-02T09:00:00Z");
        assertFalse(keysOfCounters().contains("Oulu"));
        assertTrue(keysOfCounters().contains("Turku"));
        assertEqualsARecount();
    }

    private String keysOfCounters() {
        var keys = new StringBuilder();
        try (var all = ledger.store(StoreNames.COUNTERS).all()) {
            all.forEachRemaining(entry -> keys.append(new String(entry.key.get(), StandardCharsets.ISO_8859_1)));
        }
        return keys.toString();
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
        var club = new TenantId("club");
        assertEquals(1, ledger.counters().sum(club, Counter.USERS, 0, SegmentGroup.ALL, 0, 0));
        assertEquals(List.of(), ledger.reader().index().streaks(club, By.ACTIVE, 10));
    }

    @Test
    void shouldKnowTheSameAfterARestart() {
        swim("ann", 3, "2026-03-01T08:00:00Z");
        swim("bo", 5, "2026-03-01T09:00:00Z");
        StatisticsFigures before = StatisticsFigures.shown(ledger.reader(), ledger.counters(), users());

        ledger = ledger.restarted();

        assertEquals(before, StatisticsFigures.shown(ledger.reader(), ledger.counters(), users()));
    }

    @Test
    void shouldListLongestStreaksOfUsersWhosePresentOnesAreShorter() {
        swim("ann", 3, "2026-03-01T08:00:00Z");
        swim("ann", 3, "2026-03-02T08:00:00Z");
        swim("ann", 3, "2026-03-03T08:00:00Z");
        swim("ann", 3, "2026-03-05T08:00:00Z");
        swim("bo", 3, "2026-03-04T08:00:00Z");
        swim("bo", 3, "2026-03-05T09:00:00Z");

        assertEquals(List.of("bo 2", "ann 1"), longest());
        assertEquals(
                List.of("ann 3", "bo 2"),
                ledger.reader().index().streaks(TenantId.NONE, By.LONGEST, 2).stream()
                        .map(place -> place.user() + " " + place.length())
                        .toList());
        assertEquals(
                List.of("ann 3"),
                ledger.reader().index().streaks(TenantId.NONE, By.LONGEST, 1).stream()
                        .map(place -> place.user() + " " + place.length())
                        .toList());
        assertEqualsARecount();
    }

    /** All users are listed, since there are few. */
    private List<String> top(Ranking ranking, int object) {
        int today = Math.toIntExact(Duration.ofMillis(ledger.nowMs()).toDays());
        var reader = ledger.reader();
        Listed listed = reader.topUsers(TenantId.NONE, ranking, object, today);
        assertTrue(listed.contains(null), "there is no floor");
        return listed.users().stream()
                .flatMap(id -> {
                    byte[] key = UserKey.of(id.value()).bytes();
                    BigDecimal value =
                            UserValue.of(ranking, object, reader.user(key), reader.historyOf(key, _ -> null), today);
                    return value == null ? Stream.empty() : Stream.of(new RankedUser(id, value));
                })
                .sorted()
                .map(place -> place.user() + " " + place.value().toPlainString())
                .toList();
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
