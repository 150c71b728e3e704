package dev.laurel.processors.boards;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.topology.LeaderboardsDriver;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.outbox.Outgoing.LeaderboardEvent;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import dev.laurel.schemas.ruleset.Ruleset;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The events that the boards application forwards to delivery: only those that a webhook wants. */
class LeaderboardEventTest {

    private static final LeaderboardGroup ALL = new LeaderboardGroup(TenantId.NONE, 11, Runs.PERPETUAL, List.of());

    private final LedgerDriver.Published published = new LedgerDriver.Published();

    @AutoClose
    private LeaderboardsDriver boards = new LeaderboardsDriver(published, 1);

    private static Ruleset asking(long version, String webhooks) {
        Ruleset rules = TestLeaderboard.first("metrics: {laps: {}}\n" + webhooks);
        return TestLeaderboard.on(
                rules,
                version,
                Instant.EPOCH,
                TestLeaderboard.ofMetric(11, "laps").from("2026-03-01").to("2026-03-05"));
    }

    private static String hook(String events, String status) {
        return "webhooks: {crm: {name: CRM, url: 'https://example.net/hook', events: [" + events + "], status: "
                + status
                + "}}";
    }

    private static Scored scored(String user, String value) {
        long atMs = Instant.parse("2026-03-04T09:00:00Z").toEpochMilli();
        return new Scored(
                TenantId.NONE,
                1,
                ALL.board(),
                ALL.run(),
                true,
                new UserId(user),
                null,
                Visibility.PUBLIC,
                List.of(),
                new BigDecimal(value),
                atMs,
                Score.Kind.CHANGED,
                atMs,
                false);
    }

    /** A whole run. */
    private void play() {
        boards.clock(1, "2026-03-01T00:00:00Z");
        boards.round();
        boards.pipe(0, 2, scored("ann", "30"));
        boards.pipe(0, 3, scored("bob", "40"));
        boards.clock(4, "2026-03-06T12:00:00Z");
        boards.round();
    }

    private List<LeaderboardEvent> news() {
        return boards.outbox().stream()
                .map(record -> (LeaderboardEvent) record.value)
                .toList();
    }

    private Set<String> kinds() {
        var kinds = new TreeSet<String>();
        news().forEach(news -> kinds.add(
                switch (news.fact()) {
                    case Effect.LeaderboardStarted _ -> "started";
                    case Effect.LeaderboardChanged _ -> "changed";
                    case Effect.LeaderboardFinished _ -> "finished";
                }));
        return kinds;
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
        leaderboard.started,      [started]
        leaderboard.changed,      '[changed, finished]'
        leaderboard.rank_changed, '[changed, finished, started]'
        leaderboard.finished,     [finished]
        points.changed,           []\
        """)
    void shouldForwardEventsThatAWebhookWants(String event, String told) {
        boards.publish(asking(1, hook(event, "active")), 0);

        play();

        assertEquals(told, kinds().toString());
    }

    @Test
    void shouldForwardNothingToAnInactiveWebhook() {
        boards.publish(asking(1, hook("leaderboard.changed", "inactive")), 0);

        play();

        assertEquals(Set.of(), kinds());
    }

    @Test
    void shouldForwardTheEffectWithTheKeyOfTheLeaderboard() {
        boards.publish(asking(1, hook("leaderboard.changed", "active")), 0);
        boards.pipe(0, 1, scored("ann", "30"));

        var told = boards.outbox().getFirst();
        var news = (LeaderboardEvent) told.value;
        assertEquals("//board-11", told.key);
        assertEquals(1, news.rulesVersion());
        assertEquals(Instant.parse("2026-03-04T09:00:00Z"), news.at());
        assertEquals(boards.effectKeys().getFirst(), told.key);
        var fact = (Effect.LeaderboardChanged) news.fact();
        assertEquals("ann", fact.user().value());
        assertEquals(1, fact.rank());
    }

    @Test
    void shouldRepeatAnEventWithTheSameIdAfterACrash() {
        boards.publish(asking(1, hook("leaderboard.changed", "active")), 0);
        boards.pipe(0, 1, scored("ann", "30"));
        List<UUID> first = news().stream().map(LeaderboardEvent::id).toList();

        boards.lose(StoreNames.LEADERBOARD_ENTRIES, "");
        boards = boards.restarted();
        boards.publish(asking(1, hook("leaderboard.changed", "active")), 0);
        boards.pipe(0, 1, scored("ann", "30"));
        boards.pipe(0, 2, scored("ann", "31"));

        List<UUID> repeated = news().stream().map(LeaderboardEvent::id).toList();
        assertEquals(2, repeated.size());
        assertEquals(first.getFirst(), repeated.getFirst());
        assertNotEquals(first.getFirst(), repeated.getLast());
    }

    @Test
    void shouldForwardEventsFromTheVersionThatWantsThem() {
        boards.publish(asking(1, ""), 0);
        boards.pipe(0, 1, scored("ann", "30"));
        assertTrue(news().isEmpty());

        boards.publish(asking(2, hook("leaderboard.changed", "active")), 2);
        boards.pipe(0, 3, scored("bob", "40"));

        List<LeaderboardEvent> told = news();
        assertEquals(1, told.size());
        assertEquals(2, told.getFirst().rulesVersion());
    }
}
