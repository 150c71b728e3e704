package dev.laurel.processors.ledger;

import dev.laurel.processors.StatisticsFigures;
import dev.laurel.processors.core.statistics.CountedUser;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.store.LedgerStores;
import dev.laurel.processors.store.UserStores;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.util.Collection;
import java.util.List;
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
        return new StatisticsUpdater(context, users, views, 0, 0);
    }

    private MockProcessorContext.CapturedPunctuator steps() {
        return context.scheduledPunctuators().getLast();
    }

    private void step() {
        steps().getPunctuator().punctuate(0);
    }

    /** @param feed null before the start */
    private void put(StatisticsUpdater feed, CountedUser user) {
        byte[] key = UserKey.of(user.id()).bytes();
        UserState before = states.put(user.id(), user.state());
        users.save(key, user.state());
        if (feed != null) {
            feed.change(key, TenantId.NONE, before, user.state(), null);
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
        assertEquals(StatisticsFigures.recounted(all), StatisticsFigures.shown(views.find(0), TenantId.NONE, all));
    }

    /** A user who leaves a sample is replaced only in the next index. */
    private void assertEqualsARecountButForTheSample() {
        Collection<UserState> all = states.values();
        assertEquals(StatisticsFigures.recounted(all).withoutSample(),
                StatisticsFigures.shown(views.find(0), TenantId.NONE, all).withoutSample());
    }

    @Test
    void shouldCompleteTheIndexOfNoUsersAtOnce() {
        start();

        assertNotNull(views.find(0));
        assertTrue(steps().cancelled());
    }

    @Test
    void shouldCompleteTheIndexOfFewUsersAtOnce() {
        put(null, user(1, 5));
        start();

        assertEqualsARecount();
        assertTrue(steps().cancelled());
    }

    @Test
    void shouldBuildTheIndexOfManyUsersInStepsWhileTheyChange() {
        var random = new Random(5);
        for (int i = 0; i < USERS; i++) {
            put(null, user(i, i % 50));
        }
        StatisticsUpdater feed = start();
        int taken = 1;
        while (views.find(0) == null) {
            assertFalse(steps().cancelled());
            for (int i = 0; i < 30; i++) {
                put(feed, user(random.nextInt(USERS + 20), random.nextInt(100)));
            }
            erase(feed, "user-" + random.nextInt(USERS));
            step();
            taken++;
        }

        assertTrue(taken >= USERS / StatisticsUpdater.PORTION, taken + " steps");
        assertTrue(steps().cancelled());
        assertEqualsARecount();
        put(feed, user(3, 77));
        assertEqualsARecount();
    }

    @Test
    void shouldServeTheFormerIndexUntilTheNextIsComplete() {
        for (int i = 0; i < 1_100; i++) {
            put(null, CountedUser.of("user-" + i).streak(2, 2, i));
        }
        StatisticsUpdater feed = start();
        while (views.find(0) == null) {
            step();
        }
        var first = views.find(0);
        for (int i = 0; i < 700; i++) {
            erase(feed, "user-" + i);
        }
        assertEquals(3, context.scheduledPunctuators().size(), "one more is being made, however short it is");
        assertEquals(first, views.find(0));
        assertEqualsARecountButForTheSample();
        while (!steps().cancelled()) {
            step();
            assertEqualsARecountButForTheSample();
        }
        assertEqualsARecount();

        assertTrue(first != views.find(0));
        assertEquals(List.of(400), List.of(states.size()));
    }

    @Test
    void shouldShowNothingOfAStoppedPartition() {
        StatisticsUpdater feed = start();
        feed.stop();

        assertNull(views.find(0));
    }

    @Test
    void shouldTakeNoMoreStepsForAStoppedPartition() {
        for (int i = 0; i < USERS; i++) {
            put(null, user(i, 1));
        }
        StatisticsUpdater feed = start();
        feed.stop();

        assertTrue(steps().cancelled());
    }
}
