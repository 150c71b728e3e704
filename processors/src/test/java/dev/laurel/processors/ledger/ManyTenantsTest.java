package dev.laurel.processors.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.TestRulesets;
import dev.laurel.core.leaderboard.LeaderboardMessage.ClockMoved;
import dev.laurel.processors.store.users.TenantSchedule;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A task with the rules of many tenants, of which some have boosts or a leaderboard: what it reads of them when it starts, when it looks
 * at the time, and at a tick. The wall clock starts in 1970.
 */
class ManyTenantsTest {

    private static final int TENANTS =
            Integer.getInteger("laurel.account.tenants", Boolean.getBoolean("laurel.full") ? 10_000 : 45);
    private static final int CHECKS = 1_000;
    private static final String START = "1970-01-01T00:00:01Z";
    private static final String PLAIN = "{metrics: {laps: {}}}";

    private final CountingRulesets published = new CountingRulesets();

    @AutoClose
    private LedgerDriver ledger = new LedgerDriver(published.published);

    /** Published rulesets that know how many of them were read. */
    private static final class CountingRulesets {

        private int read;
        private final Published published = new Published() {

            @Override
            public Ruleset version(TenantId tenant, long version) {
                read++;
                return super.version(tenant, version);
            }

            /** Only what the partition knows itself counts here. */
            @Override
            public boolean haveTenants() {
                return false;
            }
        };
    }

    @BeforeEach
    void publishRules() {
        for (int i = 0; i < TENANTS; i++) {
            publish(new TenantId("tenant-" + i), i % 3 == 0 ? boost(5 + i % 10) : PLAIN);
        }
    }

    private void publish(TenantId tenant, String yaml) {
        publish(TestRulesets.next(published.published.newest(tenant), yaml, Instant.parse(START)));
    }

    private void publish(Ruleset rules) {
        ledger.publish(published.published.add(rules), START);
    }

    private static String boost(int day) {
        return ("{metrics: {laps: {}}, points: {gems: {name: Gems, boosts: {b: {start: '1970-01-%02d', "
                        + "end: '1970-01-%02d', multiplier: 2}}}}}")
                .formatted(day, day);
    }

    private void restart() {
        ledger = ledger.restarted();
        published.read = 0;
    }

    private List<String> announced() {
        return ledger.rawEffects().stream()
                .map(record -> new String(record.key()) + " " + record.getRecordTime())
                .sorted()
                .toList();
    }

    @Test
    void shouldReadNoRulesAtAStartOrWhileNothingIsDue() {
        long startedNs = System.nanoTime();
        restart();
        long restartedNs = System.nanoTime();
        for (int i = 0; i < CHECKS; i++) {
            ledger.passTime(Duration.ofMillis(250));
        }

        assertEquals(0, published.read);
        assertEquals(List.of(), ledger.ticksSent());
        System.out.printf(
                "With %,d tenants, a task with %,d entries was copied and started in %,d ms.%n",
                TENANTS, ledger.contents().get("partition-state").size(), (restartedNs - startedNs) / 1_000_000);
        measureChecks();
    }

    /** Measures what the tenants cost in a check of the time. */
    private void measureChecks() {
        var schedule = new TenantSchedule(partitionState());
        var partition = new PartitionState(partitionState());
        var clock = new LeaderboardClock(partition, schedule, () -> false);
        var boosts = new BoostAnnouncer(
                partition,
                schedule,
                _ -> true,
                _ -> {
                    throw new AssertionError("rules are read");
                },
                (_, _) -> {});
        long nowMs = Instant.parse(START).toEpochMilli();
        long firstNs = System.nanoTime();
        assertFalse(clock.isDue(nowMs) || boosts.isDue(nowMs));
        long idleNs = System.nanoTime();
        for (int i = 0; i < CHECKS; i++) {
            assertFalse(clock.isDue(nowMs + i) || boosts.isDue(nowMs + i));
        }
        long endNs = System.nanoTime();
        System.out.printf(
                "The first check took %,d us, each of the next ones %,d ns.%n",
                (idleNs - firstNs) / 1_000, (endNs - idleNs) / CHECKS);
    }

    private KeyValueStore<Bytes, byte[]> partitionState() {
        @SuppressWarnings("unchecked") // all stores of the ledger have these types
        var store = (KeyValueStore<Bytes, byte[]>) ledger.stores().get("partition-state");
        return store;
    }

    @Test
    void shouldReadTheRulesOfTheTenantsForWhomSomethingIsDue() {
        restart();
        ledger.passTime(Duration.ofDays(4));
        assertEquals(1, ledger.ticksSent().size());
        published.read = 0;
        ledger.tickUntilQuiet("1970-01-04T12:00:00Z");

        long due = IntStream.range(0, TENANTS)
                .filter(i -> i % 3 == 0 && i % 10 == 0)
                .count();
        assertEquals(due, announced().size());
        assertTrue(published.read <= due, published.read + " rulesets");
    }

    @Test
    void shouldMoveTheTimeOfLeaderboardsWhileATenantHasAny() {
        restart();
        ledger.told();
        ledger.passTimeTo("1970-01-03T00:00:00Z");
        assertEquals(List.of(), ledger.ticksSent(), "nobody has one");

        publish(TestLeaderboard.next(
                published.published.newest(new TenantId("tenant-7")),
                PLAIN,
                Instant.parse(START),
                TestLeaderboard.ofMetric(900, "laps").from("1970-01-01").to("1970-01-03")));
        ledger.passTime(Duration.ofMillis(250));
        assertEquals(1, ledger.ticksSent().size());
        ledger.tickUntilQuiet("1970-01-03T00:00:00Z");
        assertEquals(1, clockMoves());
        restart();
        ledger.passTimeTo("1970-01-03T11:00:00Z");
        assertEquals(1, ledger.ticksSent().size());
        ledger.tickUntilQuiet("1970-01-04T12:00:00Z");
        ledger.passTimeTo("1970-01-04T13:00:00Z");
        assertEquals(1, ledger.ticksSent().size(), "it is over");
    }

    private long clockMoves() {
        return ledger.told().stream()
                        .filter(told -> told.message() instanceof ClockMoved)
                        .count()
                / LedgerDriver.boards().partitions();
    }
}
