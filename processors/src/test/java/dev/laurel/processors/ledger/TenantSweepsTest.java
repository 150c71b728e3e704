package dev.laurel.processors.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.processors.store.users.Sweeps;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sweeps of several tenants, which share what a tick may do. */
class TenantSweepsTest {

    private static final int LARGE =
            Integer.getInteger("laurel.sweep.users", Boolean.getBoolean("laurel.full") ? 100_000 : 2_600);
    private static final int SMALL = Math.min(1_000, LARGE / 10);

    private static final TenantId NONE = TenantId.NONE;
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId CLUB = new TenantId("club");
    private static final String AT = "2026-01-01T12:00:00Z";
    private static final String LATER = "2026-01-01T13:00:00Z";
    private static final String PLAIN = "{metrics: {laps: {}}, streak: {enabled: false}}";

    private final Published published = new Published();

    @AutoClose
    private LedgerDriver ledger = new LedgerDriver(published);

    private final Map<TenantId, Ruleset> rules = new HashMap<>();
    private int achievements;

    private void publish(TenantId tenant, String yaml) {
        Ruleset next = published.add(
                TestRulesets.next(rules.getOrDefault(tenant, Ruleset.empty(tenant)), yaml, Instant.parse(AT)));
        rules.put(tenant, next);
        ledger.publish(next, AT);
    }

    /** Publishes rules by which every user of the tenant with an event has one more achievement. */
    private void publishAchievement(TenantId tenant) {
        publish(
                tenant,
                "{metrics: {laps: {}}, streak: {enabled: false}, achievements: {a" + achievements++
                        + ": {trigger: metric, metric: laps, value: 1}}}");
    }

    private static UserKey key(TenantId tenant, String id) {
        return new UserKey(tenant, new UserId(id));
    }

    private void swim(TenantId tenant, String id) {
        ledger.produce(
                key(tenant, id).text(),
                "{\"type\":\"event\",\"metric\":\"laps\",\"value\":1,\"user\":{\"id\":\"" + id + "\"}}",
                AT);
    }

    private void swim(TenantId tenant, int users) {
        IntStream.range(0, users).forEach(i -> swim(tenant, "user-" + i));
    }

    private boolean isUpToDate(TenantId tenant, String id) {
        return ledger.reader().user(key(tenant, id).bytes()).rulesVersion()
                == rules.get(tenant).version();
    }

    /** Users are reached in the order of their keys. */
    private boolean isSwept(TenantId tenant, int users) {
        String last = IntStream.range(0, users)
                .mapToObj(i -> "user-" + i)
                .max(String::compareTo)
                .orElseThrow();
        return isUpToDate(tenant, last);
    }

    private int ticksUntilSwept(TenantId tenant, int users) {
        int ticks = 0;
        while (!isSwept(tenant, users)) {
            ledger.askTick(LATER);
            ticks++;
        }
        return ticks;
    }

    private KeyValueStore<Bytes, byte[]> partitionState() {
        @SuppressWarnings("unchecked") // all stores of the ledger have these types
        var store = (KeyValueStore<Bytes, byte[]>) ledger.stores().get("partition-state");
        return store;
    }

    /** Whether a sweep, or whose turn is next, is stored. */
    private boolean areSweeping() {
        return ledger.contents().get("partition-state").keySet().stream()
                .anyMatch(key -> key.startsWith("53") || key.startsWith("54"));
    }

    @Test
    void shouldReadTheUsersOfTheTenantOnly() {
        List.of(NONE, ACME, CLUB).forEach(tenant -> publish(tenant, PLAIN));
        swim(NONE, TimerSweeper.MAX_SWEPT + 10);
        swim(ACME, TimerSweeper.MAX_SWEPT + 10);
        swim(CLUB, 5);
        publishAchievement(CLUB);

        assertFalse(ledger.askTick(LATER), "one tick is enough");
        assertTrue(isSwept(CLUB, 5));
        assertFalse(areSweeping());
    }

    @Test
    void shouldSkipTenantsAmongUsersWithoutOne() {
        List.of(NONE, ACME, CLUB).forEach(tenant -> publish(tenant, PLAIN));
        swim(ACME, TimerSweeper.MAX_SWEPT + 10);
        swim(CLUB, TimerSweeper.MAX_SWEPT + 10);
        List<String> ids = List.of("a", "acme", "acme0", "b", "club-", "club0", "z", "a/b", "%");
        ids.forEach(id -> swim(NONE, id));
        publishAchievement(NONE);

        assertFalse(ledger.askTick(LATER), "one tick is enough");
        ids.forEach(id -> assertTrue(isUpToDate(NONE, id), id));
        assertFalse(areSweeping());
    }

    @Test
    void shouldNotHoldUpATenantWithFewUsersByOneWithMany() {
        List.of(ACME, CLUB).forEach(tenant -> publish(tenant, PLAIN));
        swim(ACME, LARGE);
        swim(CLUB, SMALL);
        publishAchievement(ACME);
        // Until it is a long sweep.
        for (int tick = 0; tick <= Sweeps.MAX_SHORT / TimerSweeper.MAX_WOKEN; tick++) {
            assertTrue(ledger.askTick(LATER));
        }
        publishAchievement(CLUB);
        int ticks = ticksUntilSwept(CLUB, SMALL);
        int alone = Math.ceilDiv(SMALL, TimerSweeper.MAX_WOKEN);
        System.out.printf(
                "A sweep of %,d users took %d ticks during one of %,d users, and would take %d alone.%n",
                SMALL, ticks, LARGE, alone);

        assertTrue(ticks <= alone + 3, ticks + " ticks");
        assertTrue(areSweeping());
        long startedNs = System.nanoTime();
        int rest = ticksUntilSwept(ACME, LARGE);
        System.out.printf("%d ticks for the others took %,d ms.%n", rest, (System.nanoTime() - startedNs) / 1_000_000);
        assertTrue(rest <= Math.ceilDiv(LARGE, TimerSweeper.MAX_WOKEN), rest + " ticks");
        ledger.askTick(LATER);
        assertFalse(areSweeping());
    }

    /** A sweep of many users who need no update. */
    @Test
    void shouldKeepAPartOfEachTickForLongSweeps() {
        List.of(ACME, CLUB).forEach(tenant -> publish(tenant, PLAIN));
        swim(ACME, LARGE);
        swim(CLUB, SMALL);
        publishAchievement(ACME);
        int ticks = 0;
        while (ledger.askTick(LATER)) {
            ticks++;
            publishAchievement(CLUB);
            assertTrue(ticks < LARGE, "the short sweeps never end");
            if (isSwept(ACME, LARGE)) {
                break;
            }
        }
        assertTrue(isSwept(ACME, LARGE));
    }

    @Test
    void shouldGiveEachOfManyTenantsATurn() {
        List<TenantId> tenants = IntStream.range(0, 60)
                .mapToObj(i -> new TenantId("tenant-" + i))
                .toList();
        tenants.forEach(tenant -> {
            publish(tenant, PLAIN);
            swim(tenant, 3);
        });
        tenants.forEach(this::publishAchievement);
        // 180 users to update, at most 100 at a tick.
        assertTrue(ledger.askTick(LATER));
        long begun =
                tenants.stream().filter(tenant -> isUpToDate(tenant, "user-0")).count();
        assertTrue(begun > 30, begun + " tenants");
        assertFalse(ledger.askTick(LATER));

        tenants.forEach(tenant -> assertTrue(isSwept(tenant, 3), tenant.value()));
        assertFalse(areSweeping());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldReachEveryUserWhateverHappensAndFollowFromTheLog(long seed) {
        var random = new Random(seed);
        List<TenantId> tenants = List.of(NONE, ACME, CLUB, new TenantId("a"), new TenantId("zoo/1"));
        tenants.forEach(tenant -> publish(tenant, PLAIN));
        for (int step = 0; step < 250; step++) {
            TenantId tenant = tenants.get(random.nextInt(tenants.size()));
            switch (random.nextInt(20)) {
                case 0, 1 -> publishAchievement(tenant);
                case 2, 3, 4 -> ledger.askTick(LATER);
                case 5 -> swim(tenant, random.nextInt(120));
                default -> swim(tenant, "user-" + random.nextInt(400));
            }
        }
        try (var again = new LedgerDriver(published)) {
            ledger.log().forEach(again::pipe);
            assertEquals(ledger.contents(), again.contents());
        }
        ledger = ledger.restarted();
        ledger.tickUntilQuiet(LATER);

        assertFalse(areSweeping());
        for (UserKey user : ledger.users()) {
            assertEquals(
                    rules.get(user.tenant()).version(),
                    ledger.reader().user(user.bytes()).rulesVersion(),
                    user.text());
        }
    }
}
