package dev.laurel.processors.store.users;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.statistics.UserValue.Ranking;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.processors.store.users.IssuedKeys.IssuedKeyReader;
import dev.laurel.processors.store.users.UserStores.StoredHistory;
import dev.laurel.schemas.key.TenantId;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Reads the users of one partition while its task writes them. Any thread; each call sees the newest state of each entry. Read
 * a user's state before the history: then the history is at least as new as the state.
 */
public final class UserReader {

    private static final int MAX_READ_AT_ONCE = 1_000;

    private final ReadOnlyKeyValueStore<Bytes, byte[]> users;
    private final StoredHistory.Stores<ReadOnlyKeyValueStore<Bytes, byte[]>> history;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> partitionState;
    private final Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> storeOf;

    /** @param storeOf finds this partition's store by name */
    public UserReader(Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> storeOf) {
        this.storeOf = storeOf;
        this.users = storeOf.apply(StoreNames.USERS);
        this.history = StoredHistory.Stores.open(storeOf);
        this.partitionState = storeOf.apply(StoreNames.PARTITION_STATE);
    }

    /** The counters of this partition's users; only those that {@code Counter.isWrittenAtOnce} names contain every change. */
    public AccountCounters counters() {
        return new AccountCounters(storeOf.apply(StoreNames.COUNTERS));
    }

    /** The state of a user; null if the user is unknown. */
    public @Nullable UserState user(byte[] user) {
        return UserCodecs.USER.get(users, Bytes.wrap(user));
    }

    /**
     * Passes the tenant's users of this partition to a visitor, in the order of their keys: a scan of all of them, and of no other
     * tenant. Each user is as last written, without what has become due since.
     */
    public void forEachUser(TenantId tenant, Consumer<UserState> visitor) {
        Bytes from = TenantUsers.firstOf(tenant);
        while (from != null) {
            UserStores.Page<UserState> page = TenantUsers.page(
                    users,
                    tenant,
                    TenantUsers.prefixOf(tenant),
                    from,
                    MAX_READ_AT_ONCE,
                    entry -> UserCodecs.USER.decode(entry.value));
            page.users().forEach(visitor);
            from = page.next();
        }
    }

    /** The user's history. @param rulesOf finds a version of the rules of the user's tenant */
    public UserHistory historyOf(byte[] user, LongFunction<@Nullable CompiledRuleset> rulesOf) {
        return new StoredHistory(user, history, rulesOf);
    }

    /** Receives idempotency keys that were used. */
    public interface IdempotencyKeys {

        /** @param metric its number */
        void use(int metric, String key, UUID eventId);
    }

    /** Passes the idempotency keys that the user has used to a visitor. */
    public void forEachIdempotencyKey(byte[] user, IdempotencyKeys visitor) {
        try (KeyValueIterator<Bytes, byte[]> entries =
                history.idempotencyKeys().range(StoreKeys.firstOf(user), StoreKeys.afterAllOf(user))) {
            while (entries.hasNext()) {
                var entry = entries.next();
                visitor.use(
                        StoreKeys.metricOf(entry.key, user),
                        StoreKeys.idempotencyKeyOf(entry.key, user),
                        UserCodecs.EVENT_ID.decode(entry.value));
            }
        }
    }

    /** The pauses and boosts of this partition's users. */
    public UserResourceReader owned() {
        return new UserResourceReader(partitionState);
    }

    /** The application keys of this partition's users. */
    public IssuedKeyReader keys() {
        return new IssuedKeyReader(partitionState);
    }

    /** The index of this partition's users. */
    public UserIndexReader index() {
        return new UserIndexReader(users, partitionState);
    }

    /** The users of this partition among whom are those with the highest values of a ranking, on local dates around one in UTC. */
    public TopUserStore.Listed topUsers(TenantId tenant, Ranking ranking, int object, int today) {
        return TopUserStore.read(partitionState, tenant, ranking, object, today);
    }
}
