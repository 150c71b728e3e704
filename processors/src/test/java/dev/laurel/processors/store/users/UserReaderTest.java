package dev.laurel.processors.store.users;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.Outcome;
import dev.laurel.core.engine.UserEngine;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.UserHistory.HistoryOverlay;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import java.nio.file.Path;
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

class UserReaderTest {

    private static final TenantId SWIM = new TenantId("swim");

    @TempDir
    Path folder;

    private final Map<String, KeyValueStore<Bytes, byte[]>> stores = new HashMap<>();

    @BeforeEach
    void openStores() {
        var context = new MockProcessorContext<Void, Void>(
                new java.util.Properties(), new org.apache.kafka.streams.processor.TaskId(0, 0), folder.toFile());
        for (var builder : UserStores.builders(false)) {
            var store = Stores.keyValueStoreBuilder(
                            Stores.inMemoryKeyValueStore(builder.name()), Serdes.Bytes(), Serdes.ByteArray())
                    .withLoggingDisabled()
                    .build();
            store.init(context.getStateStoreContext(), store);
            stores.put(builder.name(), store);
        }
        var users = new UserStores(stores::get, 1);
        for (UserKey user : new UserKey[] {
            UserKey.of("ann"),
            UserKey.of("b/c"),
            UserKey.of("swim"),
            UserKey.of("zoe"),
            new UserKey(SWIM, new UserId("ann")),
            new UserKey(SWIM, new UserId("d/e")),
            new UserKey(new TenantId("swim2"), new UserId("other")),
            new UserKey(new TenantId("swi/m"), new UserId("odd"))
        }) {
            var rules = new CompiledRuleset(Ruleset.empty(user.tenant()));
            var command = new IdentifyUser(UserChange.mention(user.user()), false);
            var created = (Outcome.Applied) UserEngine.apply(
                    null, rules, command, new CommandContext(user, 1, 0, 0, Long.MIN_VALUE), new HistoryOverlay(null));
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

    private Set<String> usersOf(TenantId tenant) {
        var found = new TreeSet<String>();
        new UserReader(stores::get)
                .forEachUser(tenant, user -> found.add(user.id().value()));
        return found;
    }
}
