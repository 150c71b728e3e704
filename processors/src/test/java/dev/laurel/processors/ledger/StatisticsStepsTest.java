package dev.laurel.processors.ledger;

import dev.laurel.processors.StatisticsFigures;
import dev.laurel.processors.core.statistics.CountedUser;
import dev.laurel.processors.core.statistics.StatisticsIndex;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.store.LedgerStores;
import dev.laurel.processors.store.UserStores;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Building the index in steps of one portion of users, while users change between the steps. */
class StatisticsStepsTest {

    private static final int USERS = 10 * StatisticsUpdater.PORTION;
    private static final int GEMS = 4;

    private final MockProcessorContext<Object, Object> context = new MockProcessorContext<>(new Properties());
    private final StatisticsViews views = new StatisticsViews();
    private final TreeMap<String, UserState> states = new TreeMap<>();
    private UserStores users;
    private long nowMs;

    @BeforeEach
    void openStores() {
        context.setCurrentSystemTimeMs(0);
        for (var builder : LedgerStores.builders(false)) {
            var store = Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(builder.name()), Serdes.Bytes(),
                    Serdes.ByteArray()).withLoggingDisabled().build();
            store.init(context.getStateStoreContext(), store);
            context.addStateStore(store);
        }
        users = new UserStores(context::getStateStore, 1);
    }

    private StatisticsUpdater start() {
        return new StatisticsUpdater(context, users, views, () -> nowMs, 0, 0);
    }

    private StatisticsIndex shown(TenantId tenant) {
        return views.request(0, tenant).getNow(null);
    }

    private StatisticsIndex shown() {
        return shown(TenantId.NONE);
    }

    /** Builds a portion of each index in turn. */
    private void step() {
        context.scheduledPunctuators().getFirst().getPunctuator().punctuate(0);
    }

    /** What a task does each minute. */
    private void check() {
        context.scheduledPunctuators().getLast().getPunctuator().punctuate(0);
    }

    /** @param feed null before the start */
    private void put(StatisticsUpdater feed, CountedUser user) {
        put(feed, TenantId.NONE, states, user);
    }

    private void put(StatisticsUpdater feed, TenantId tenant, Map<String, UserState> known, CountedUser user) {
        byte[] key = new UserKey(tenant, new UserId(user.id())).bytes();
        UserState before = known.put(user.id(), user.state());
        users.save(key, user.state());
        if (feed != null) {
            feed.change(key, tenant, before, user.state(), null);
        }
    }

    private void erase(StatisticsUpdater feed, String id) {
        byte[] key = UserKey.of(id).bytes();
        UserState before = states.remove(id);
        users.erase(key);
        if (before != null) {
            feed.change(key, TenantId.NONE, before, null, null);
        }
    }

    private static CountedUser user(int i, int total) {
        return CountedUser.of("user-" + i).with(GEMS, total).with("city", "City " + i % 3)
                .streak(total % 7, total % 9 + 7, i * 1_000L + total);
    }

    private void assertEqualsARecount() {
        Collection<UserState> all = states.values();
        assertEquals(StatisticsFigures.recounted(all), StatisticsFigures.shown(shown(), all));
    }

    /** A user who leaves a sample is replaced only in the next index. */
    private void assertEqualsARecountButForTheSample() {
        Collection<UserState> all = states.values();
        assertEquals(StatisticsFigures.recounted(all).withoutSample(),
                StatisticsFigures.shown(shown(), all).withoutSample());
    }

    @Test
    void shouldBuildNothingUntilARead() {
        put(null, user(1, 5));
        StatisticsUpdater feed = start();
        step();
        put(feed, user(1, 6));
        step();
        assertNull(shown(), "the first read asks for it");

        step();
        assertEqualsARecount();
    }

    @Test
    void shouldBuildTheIndexOfNoUsers() {
        start();
        assertNull(shown());
        step();

        assertEquals(0, shown().users());
    }

    @Test
    void shouldBuildTheIndexOfManyUsersInStepsWhileTheyChange() {
        var random = new Random(5);
        for (int i = 0; i < USERS; i++) {
            put(null, user(i, i % 50));
        }
        StatisticsUpdater feed = start();
        int taken = 0;
        while (shown() == null) {
            for (int i = 0; i < 30; i++) {
                put(feed, user(random.nextInt(USERS + 20), random.nextInt(100)));
            }
            erase(feed, "user-" + random.nextInt(USERS));
            step();
            taken++;
        }

        assertTrue(taken >= USERS / StatisticsUpdater.PORTION, taken + " steps");
        assertEqualsARecount();
        put(feed, user(3, 77));
        assertEqualsARecount();
    }

    /** Keys of users without a tenant lie before and after those of the tenants. */
    @Test
    void shouldReadTheUsersOfOneTenantOnlyWhileUsersAppearBetweenThoseOfOthers() {
        for (String tenant : List.of("a", "m", "z")) {
            for (int i = 0; i < USERS; i++) {
                put(null, new TenantId(tenant), new HashMap<>(), user(i, 1));
            }
        }
        put(null, CountedUser.of("b").with(GEMS, 1));
        StatisticsUpdater feed = start();
        assertNull(shown());
        step();
        assertNotNull(shown(), "tenants are skipped");
        assertEqualsARecount();

        put(feed, CountedUser.of("m-").with(GEMS, 2));
        put(feed, CountedUser.of("zz").with(GEMS, 3));
        assertEqualsARecount();
    }

    @Test
    void shouldNotLetATenantWithFewUsersWaitForOneWithMany() {
        var large = new TenantId("large");
        var small = new TenantId("small");
        for (int i = 0; i < USERS; i++) {
            put(null, large, new HashMap<>(), user(i, 1));
        }
        put(null, small, new HashMap<>(), user(1, 1));
        start();
        shown(large);
        step();
        shown(small);
        step();
        step();

        assertEquals(1, shown(small).users());
        assertNull(shown(large));
        while (shown(large) == null) {
            step();
        }
        assertEquals(USERS, shown(large).users());
    }

    @Test
    void shouldServeTheFormerIndexUntilTheNextIsComplete() {
        for (int i = 0; i < 1_100; i++) {
            put(null, CountedUser.of("user-" + i).streak(2, 2, i));
        }
        var other = new TenantId("other");
        put(null, other, new HashMap<>(), user(1, 1));
        StatisticsUpdater feed = start();
        while (shown() == null || shown(other) == null) {
            step();
        }
        StatisticsIndex first = shown();
        StatisticsIndex ofOther = shown(other);
        for (int i = 0; i < 700; i++) {
            erase(feed, "user-" + i);
        }
        assertEquals(first, shown());
        assertEqualsARecountButForTheSample();
        int taken = 0;
        while (shown() == first) {
            step();
            taken++;
            assertEqualsARecountButForTheSample();
        }
        assertEqualsARecount();

        assertTrue(taken > 5, "one more is built, however short it is");
        assertEquals(List.of(400), List.of(states.size()));
        assertEquals(ofOther, shown(other), "that of another tenant stays");
    }

    @Test
    void shouldBuildAnotherIndexOnTheNextDay() {
        put(null, user(1, 5));
        start();
        shown();
        step();
        StatisticsIndex first = shown();
        check();
        step();
        assertEquals(first, shown());

        nowMs = Duration.ofDays(1).toMillis();
        step();
        assertNotEquals(first, shown());
        assertEqualsARecount();
    }

    /** As a test clock does. */
    @Test
    void shouldMakeReadsWaitForTheDaysOfATimeThatJumps() {
        put(null, user(1, 5));
        start();
        shown();
        step();
        StatisticsIndex first = shown();

        nowMs = Duration.ofDays(1).toMillis();
        assertEquals(first, shown(), "it knows the next day, too");
        nowMs = Duration.ofDays(3).toMillis();
        var awaited = views.request(0, TenantId.NONE);
        assertFalse(awaited.isDone());
        step();
        assertEquals(shown(), awaited.getNow(null));
        assertNotEquals(first, shown());
        assertEqualsARecount();
    }

    @Test
    void shouldDropAnIndexForWhichNobodyAsks() {
        put(null, user(1, 5));
        start();
        shown();
        step();
        for (int minute = 0; minute < 100; minute++) {
            check();
            assertNotNull(shown(), "it is asked for");
        }
        for (int minute = 0; minute < 62; minute++) {
            check();
        }
        assertNull(shown());
        step();
        assertEqualsARecount();
    }

    @Test
    void shouldShowNothingOfAStoppedPartition() {
        put(null, user(1, 5));
        StatisticsUpdater feed = start();
        shown();
        step();
        assertNotNull(shown());
        var awaited = views.request(0, new TenantId("other"));
        feed.stop();

        assertNull(shown());
        assertNull(awaited.join());
        assertTrue(context.scheduledPunctuators().stream()
                .allMatch(MockProcessorContext.CapturedPunctuator::cancelled));
    }
}
