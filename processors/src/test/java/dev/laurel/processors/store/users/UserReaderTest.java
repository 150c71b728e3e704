package dev.laurel.processors.store.users;

import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.Outcome;
import dev.laurel.core.engine.UserEngine;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.DayBucket.AttributeSums;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.UserHistory.HistoryOverlay;
import dev.laurel.core.user.UserHistory.HistoryWrite.PutDay;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;

class UserReaderTest {

    private static final TenantId SWIM = new TenantId("swim");

    @TempDir
    Path folder;

    private final Map<String, KeyValueStore<Bytes, byte[]>> stores = new HashMap<>();

    @BeforeEach
    void openStores() {
        var context = new MockProcessorContext<Void, Void>(new java.util.Properties(),
                new org.apache.kafka.streams.processor.TaskId(0, 0), folder.toFile());
        for (var builder : LedgerStores.builders(false)) {
            var store = Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(builder.name()), Serdes.Bytes(),
                    Serdes.ByteArray()).withLoggingDisabled().build();
            store.init(context.getStateStoreContext(), store);
            stores.put(builder.name(), store);
        }
        var users = new UserStores(stores::get, 1);
        for (UserKey user : new UserKey[]{UserKey.of("ann"), UserKey.of("b/c"), UserKey.of("swim"), UserKey.of("zoe"),
                new UserKey(SWIM, new UserId("ann")), new UserKey(SWIM, new UserId("d/e")),
                new UserKey(new TenantId("swim2"), new UserId("other")),
                new UserKey(new TenantId("swi/m"), new UserId("odd"))}) {
            var rules = new CompiledRuleset(Ruleset.empty(user.tenant()));
            var command = new IdentifyUser(UserChange.mention(user.user()), false);
            var created = (Outcome.Applied) UserEngine.apply(null, rules, command,
                    new CommandContext(user, 1, 0, 0, Long.MIN_VALUE),
                    new HistoryOverlay(null));
            users.save(user.bytes(), created.state());
        }
    }

    @Test
    void shouldVisitTheUsersOfOneTenantOnly() {
        assertEquals(Set.of("ann", "b/c", "swim", "zoe"), usersOf(TenantId.NONE));
        assertEquals(Set.of("ann", "d/e"), usersOf(SWIM));
        assertEquals(Set.of("odd"), usersOf(new TenantId("swi/m")));
        assertEquals(Set.of(), usersOf(new TenantId("sw")));
    }

    @Test
    void shouldCountTheEventsOfAUserOfTheFormerVersionFromTheDays() throws IOException {
        byte[] user = UserKey.of("swimmer-77").bytes();
        stores.get(StoreNames.USERS).put(Bytes.wrap(user), UserCodecsTest.stored("user-v7.hex"));
        var users = new UserStores(stores::get, 1);
        users.write(user, new PutDay(1, 20_510, bucket("2.5", 3)));
        users.write(user, new PutDay(1, 20_400, bucket("7", 5)));

        MetricState counted = users.load(user).metrics().get(1);
        assertEquals(85, counted.events());
        assertEquals(80, counted.recent().eventsFrom(20_505));
        assertEquals(new BigDecimal("2.75"), counted.recent().valueFrom(20_505));
        assertEquals(counted, new UserReader(stores::get).user(user).metrics().get(1));
        assertEquals(counted, new UserStores(stores::get, 1).after(UserKey.of("swim").bytes(), 10).stream()
                .filter(stored -> Arrays.equals(user, stored.key())).findFirst().orElseThrow().state().metrics()
                .get(1));
    }

    private static DayBucket bucket(String change, int events) {
        return new DayBucket(new BigDecimal(change), true, events, AttributeSums.NONE);
    }

    private Set<String> usersOf(TenantId tenant) {
        var found = new TreeSet<String>();
        new UserReader(stores::get).forEachUser(tenant, user -> found.add(user.id().value()));
        return found;
    }
}
