package dev.laurel.processors.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.core.TestRulesets;
import dev.laurel.core.leaderboard.LeaderboardFloors;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage.ClockMoved;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.processors.store.boards.FloorRecords;
import dev.laurel.processors.topology.LeaderboardsDriver;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.processors.topology.LedgerDriver.Reply;
import dev.laurel.processors.topology.LedgerDriver.Told;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.KeyValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A full leaderboard whose floor falls before the ledgers hear of it (docs/semantics.md §7). Ann, Bea and Dan are in the first partition
 * of the log, Cid and Gus are in the second. Ann, Bea and Gus take part.
 */
class LaggingFloorsTest {

    private static final String NOON = "2026-03-04T12:00:00Z";
    private static final int ROUNDS = 6;

    private final Published published = new Published();
    private final List<LedgerDriver> logs =
            new ArrayList<>(List.of(new LedgerDriver(published), new LedgerDriver(published)));
    private final LeaderboardsDriver boards = new LeaderboardsDriver(published, 2);
    private final List<KeyValue<byte[], byte[]>> unheard = new ArrayList<>();
    private final Map<LeaderboardGroup, BigDecimal> floors = new HashMap<>();
    private long[] processed = {-1, -1};
    private final Ruleset rules = TestRulesets.first("""
        metrics: {laps: {}}
        streak: {enabled: false}
        leaderboards: {top: {status: active, rankBy: metric, metric: laps, maxParticipants: 3}}
        """);

    /** The floors that both ledgers know. */
    private final class Known implements LeaderboardFloors {

        private final int log;

        Known(int log) {
            this.log = log;
        }

        @Override
        public BigDecimal floorOf(LeaderboardGroup group) {
            return floors.get(group);
        }

        @Override
        public long processedTo(int boardPartition, int logPartition) {
            return processed[log];
        }
    }

    @BeforeEach
    void fill() {
        published.add(rules);
        for (int log = 0; log < logs.size(); log++) {
            logs.get(log).floors(new Known(log));
            logs.get(log).publish(rules, "2026-03-01T00:00:00Z");
            rank(log);
        }
        laps(0, "ann", "5");
        laps(0, "bea", "4");
        laps(0, "dan", "1");
        laps(1, "gus", "9");
        laps(1, "cid", "1");
        passChanges();
        hear();
        assertEquals(List.of("gus 10", "ann 5", "bea 5"), ranking());
    }

    /** Later changes of participants: the leaderboards know of all changes before them when they publish floors. */
    private void passChanges() {
        laps(0, "bea", "1");
        laps(1, "gus", "1");
    }

    @AfterEach
    void close() {
        boards.close();
        logs.forEach(LedgerDriver::close);
    }

    private static String event(String user, String laps) {
        return "{\"type\":\"event\",\"metric\":\"laps\",\"value\":" + laps + ",\"user\":{\"id\":\"" + user + "\"}}";
    }

    /** Processes an event of a direct producer in the ledger, and what the ledger sends in the leaderboards. */
    private void laps(int log, String user, String laps) {
        logs.get(log).produce(user, event(user, laps), NOON);
        rank(log);
    }

    private Reply ask(int log, String user, String laps) {
        Reply reply = logs.get(log).ask(user, event(user, laps), NOON);
        rank(log);
        return reply;
    }

    /** @return the number of messages of the ledger */
    private int rank(int log) {
        List<Told> told = logs.get(log).told().stream()
                .filter(LaggingFloorsTest::isForTheBoard)
                .toList();
        told.forEach(t -> boards.deliver(
                new Told(t.key(), new Origin(log, t.origin().offset()), t.message(), t.replyTo(), t.at())));
        boards.round();
        unheard.addAll(boards.floorRecords());
        return told.size();
    }

    /** There are two partitions of the leaderboards; the only leaderboard is in one of them. */
    private static boolean isForTheBoard(Told told) {
        return told.key() != null || !(told.message() instanceof ClockMoved);
    }

    /** The ledgers hear of all floors published so far. */
    private void hear() {
        for (var record : unheard) {
            switch (FloorRecords.KEY.decode(record.key)) {
                case FloorRecords.Key.OfGroup(LeaderboardGroup group) when record.value == null -> floors.remove(group);
                case FloorRecords.Key.OfGroup(LeaderboardGroup group) ->
                    floors.put(group, FloorRecords.FLOOR.decode(record.value).value());
                case FloorRecords.Key.OfPartition(int _) ->
                    processed = FloorRecords.PROGRESS.decode(record.value).offsets();
            }
        }
        unheard.clear();
    }

    /** Lets time pass until everything has arrived everywhere. */
    private void settle() {
        for (int round = 0; round < ROUNDS; round++) {
            hear();
            for (int log = 0; log < logs.size(); log++) {
                logs.get(log).passTime(Duration.ofMillis(100));
                rank(log);
            }
        }
    }

    private List<String> ranking() {
        return boards.ranking(new LeaderboardGroup(
                TenantId.NONE, rules.leaderboards().getFirst().number(), 0, List.of()));
    }

    /** Who enters the place of a participant that has fallen. Laps as partition, user and number; {@code settle} lets time pass. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        passes one who fell in another partition      | 0 ann -4.5, 1 cid 1, settle         | gus 10, bea 5, cid 2
        changes after one has left elsewhere          | 0 ann -5, 1 cid -0.5, settle        | gus 10, bea 5, cid 0.5
        passes one who fell in the same partition     | 0 ann -4.5, 0 dan 1                 | gus 10, bea 5, dan 2
        changed before one fell in the same partition | 0 dan 1, 0 ann -4.5, settle         | gus 10, bea 5, ann 0.5
        changed long before one fell                  | 1 cid 1, settle, 0 ann -4.5, settle | gus 10, bea 5, ann 0.5
        """)
    void shouldLetInWho(String what, String steps, String ranking) {
        for (String step : steps.split(", ")) {
            String[] words = step.split(" ");
            if (words.length == 1) {
                settle();
            } else {
                laps(Integer.parseInt(words[0]), words[1], words[2]);
            }
        }

        assertEquals(ranking, String.join(", ", ranking()), what);
    }

    @Test
    void shouldLetInWhoWasHeldBackWhenTheTaskEnded() {
        laps(0, "ann", "-4.5");
        Reply reply = ask(1, "cid", "1");
        LedgerDriver next = logs.get(1).restarted();
        logs.set(1, next);
        next.floors(new Known(1));
        settle();

        assertEquals(List.of("gus 10", "bea 5", "cid 2"), ranking());
        assertEquals(reply.requestId(), boards.parts().getFirst().requestId());
    }

    @Test
    void shouldAwaitTheVerdictOnWhoMayEnter() {
        laps(0, "ann", "-4.5");
        Reply reply = ask(1, "cid", "1");

        assertEquals(List.of("top"), reply.awaits());
        settle();
        var part = boards.parts().getFirst();
        assertEquals(reply.requestId(), part.requestId());
        assertEquals(3, part.body().get("rank").asInt());
    }
}
