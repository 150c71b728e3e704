package dev.laurel.processors.store.users;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.StreakBlock;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserHistory.HistoryWrite;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.PreCommitStore;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.processors.store.users.UserIndexReader.UserIndexKeys;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A task's stores of users, for the processor that owns them. Every access names the user by its key, tenant included.
 * One thread.
 */
public final class UserStores {

    /** The names of the stores of the ledger application. */
    public static final List<String> NAMES = List.of(
            StoreNames.USERS,
            StoreNames.METRIC_DAYS,
            StoreNames.STREAK_PERIODS,
            StoreNames.POINTS_LEDGER,
            StoreNames.IDEMPOTENCY_KEYS,
            StoreNames.TIMERS,
            StoreNames.COUNTERS,
            StoreNames.PARTITION_STATE);

    private static final int MAX_ERASED_AT_ONCE = 1_000;
    private static final int MAX_CACHED_BYTES = 1_024;
    private static final int PER_DECODED = 8;

    /** @param key the user key's bytes */
    public record Stored(byte[] key, UserState state) {}

    private final KeyValueStore<Bytes, byte[]> users;

    /** A hit saves a search of the store. */
    private final Slots<byte[]> encoded;

    /** A hit saves the decoding, too. In memory, a decoded state takes a few times the bytes of its encoded form. */
    private final Slots<UserState> decoded;

    private final StoredHistory.Stores<KeyValueStore<Bytes, byte[]>> history;

    /**
     * What was read or written last for some users: of one user per slot, found by the hash of the key.
     *
     * @param <T> immutable
     */
    private static final class Slots<T> {

        private final @Nullable Slot<T>[] slots;

        private record Slot<T>(Bytes key, T value) {}

        @SuppressWarnings("unchecked") // an array of records of any type
        Slots(int slots) {
            this.slots = (Slot<T>[]) new Slot<?>[slots];
        }

        private int indexOf(Bytes key) {
            return Math.floorMod(key.hashCode(), slots.length);
        }

        @Nullable
        T find(Bytes key) {
            Slot<T> slot = slots[indexOf(key)];
            return slot != null && slot.key().equals(key) ? slot.value() : null;
        }

        void put(Bytes key, T value) {
            slots[indexOf(key)] = new Slot<>(key, value);
        }

        void remove(Bytes key) {
            if (find(key) != null) {
                slots[indexOf(key)] = null;
            }
        }
    }

    /**
     * @param storeOf finds a store by name, as a processor context does
     * @param cachedUsers how many users of up to a kilobyte are kept in memory, at least 1; one in {@value #PER_DECODED} also decoded
     */
    public UserStores(Function<String, KeyValueStore<Bytes, byte[]>> storeOf, int cachedUsers) {
        this.users = storeOf.apply(StoreNames.USERS);
        this.encoded = new Slots<>(cachedUsers);
        this.decoded = new Slots<>(Math.max(1, cachedUsers / PER_DECODED));
        this.history = StoredHistory.Stores.open(storeOf);
    }

    /**
     * The stores of the ledger application: RocksDB, each with a changelog topic of its own.
     *
     * @param cached whether they have a record cache
     */
    public static Set<StoreBuilder<?>> builders(boolean cached) {
        return NAMES.stream()
                .map(name -> PreCommitStore.builder(name, isPreCommit(name), cached))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean isPreCommit(String name) {
        return name.equals(StoreNames.COUNTERS) || name.equals(StoreNames.PARTITION_STATE);
    }

    /** The bytes of the key of the user that an entry belongs to; null if it belongs to no user. @param store a store of the ledger */
    public static byte @Nullable [] userOf(String store, Bytes key) {
        return switch (store) {
            case StoreNames.USERS -> key.get();
            case StoreNames.TIMERS -> StoreKeys.userOf(key);
            case StoreNames.METRIC_DAYS,
                    StoreNames.STREAK_PERIODS,
                    StoreNames.POINTS_LEDGER,
                    StoreNames.IDEMPOTENCY_KEYS -> {
                ByteBuffer bytes = ByteBuffer.wrap(key.get());
                var user = new byte[bytes.getShort()];
                bytes.get(user);
                yield user;
            }
            case StoreNames.COUNTERS -> null;
            case StoreNames.PARTITION_STATE -> UserIndexKeys.userOf(key);
            default -> throw new IllegalArgumentException("the ledger has no store " + store);
        };
    }

    /** The state of a user; null if the user is unknown. @param user the user key's bytes */
    public @Nullable UserState load(byte[] user) {
        Bytes key = Bytes.wrap(user);
        UserState known = decoded.find(key);
        if (known != null) {
            return known;
        }
        byte[] bytes = encoded.find(key);
        if (bytes == null) {
            bytes = users.get(key);
        }
        if (bytes == null) {
            return null;
        }
        UserState state = UserCodecs.USER.decode(bytes);
        keep(key, state, bytes);
        return state;
    }

    public void save(byte[] user, UserState state) {
        Bytes key = Bytes.wrap(user);
        byte[] bytes = UserCodecs.USER.encode(state);
        users.put(key, bytes);
        assert isReadBackAs(state, bytes) : "a user differs after it is written and read";
        keep(key, state, bytes);
    }

    private void keep(Bytes key, UserState state, byte[] bytes) {
        if (bytes.length > MAX_CACHED_BYTES) {
            forget(key);
        } else {
            encoded.put(key, bytes);
            decoded.put(key, state);
        }
    }

    private void forget(Bytes key) {
        encoded.remove(key);
        decoded.remove(key);
    }

    /** Whether it makes no difference if a state comes from the cache or from the store. */
    private static boolean isReadBackAs(UserState state, byte[] encoded) {
        UserState read = UserCodecs.USER.decode(encoded);
        return read.equals(state) && Arrays.equals(UserCodecs.USER.encode(read), encoded);
    }

    /** The user's history, read when needed. @param rulesOf finds a version of the rules of the user's tenant */
    public UserHistory historyOf(byte[] user, LongFunction<@Nullable CompiledRuleset> rulesOf) {
        return new StoredHistory(user, history, rulesOf);
    }

    /** The states of a user on leaderboards, by their numbers, in all runs that are stored. */
    public Map<Integer, List<LeaderboardState>> boardRuns(byte[] user, UserState state) {
        var runs = new HashMap<Integer, List<LeaderboardState>>();
        for (int i = 0; i < state.boards().size(); i++) {
            int number = state.boards().numberAt(i);
            LeaderboardState newest = state.boards().valueAt(i);
            List<LeaderboardState> all = StoreScans.read(
                    history.days(),
                    StoreKeys.day(user, number, Integer.MIN_VALUE),
                    StoreKeys.day(user, number, newest.run()),
                    StoreScans.ALL,
                    entry -> UserCodecs.BOARD_RUN.decode(entry.value));
            all.add(newest);
            runs.put(number, all);
        }
        return runs;
    }

    /** Removes all entries of a user, some at a time, since there may be very many. */
    public void erase(byte[] user) {
        users.delete(Bytes.wrap(user));
        forget(Bytes.wrap(user));
        for (var store : history.all()) {
            Bytes from = StoreKeys.firstOf(user);
            List<Bytes> keys;
            do {
                keys = StoreScans.keys(store, from, StoreKeys.afterAllOf(user), MAX_ERASED_AT_ONCE);
                keys.forEach(store::delete);
                if (!keys.isEmpty()) {
                    from = StoreKeys.after(keys.getLast());
                }
            } while (keys.size() == MAX_ERASED_AT_ONCE);
        }
    }

    /** Users of a tenant. @param next where the following ones begin; null: there are no more */
    public record Page<T>(List<T> users, @Nullable Bytes next) {}

    /**
     * The next users of a tenant in the order of keys.
     *
     * @param from {@link #firstOf}, or the {@code next} of a page before
     * @param limit of users, and of other tenants among users without one, together
     */
    public Page<Stored> ofTenant(TenantId tenant, Bytes from, int limit) {
        return TenantUsers.page(users, tenant, TenantUsers.prefixOf(tenant), from, limit, this::read);
    }

    /** Where the users of a tenant begin. */
    public static Bytes firstOf(TenantId tenant) {
        return TenantUsers.firstOf(tenant);
    }

    private Stored read(KeyValue<Bytes, byte[]> entry) {
        return new Stored(entry.key.get(), UserCodecs.USER.decode(entry.value));
    }

    /** Whether a tenant has users in this partition; true for {@link TenantId#NONE}, which may always get one. */
    public boolean haveAnyOf(TenantId tenant) {
        return tenant.equals(TenantId.NONE)
                || !ofTenant(tenant, firstOf(tenant), 1).users().isEmpty();
    }

    public void write(byte[] user, HistoryWrite write) {
        switch (write) {
            case HistoryWrite.PutDay(int number, int day, DayBucket bucket) ->
                UserCodecs.DAY.put(history.days(), StoreKeys.day(user, number, day), bucket);
            case HistoryWrite.PutActiveDays(int block, long bits) ->
                UserCodecs.ACTIVE_DAYS.put(history.days(), StoreKeys.activeDays(user, block), bits);
            case HistoryWrite.PutStreakBlock(StreakFrequency frequency, StreakBlock block) ->
                UserCodecs.STREAK_BLOCK.put(
                        history.periods(), StoreKeys.streakBlock(user, frequency, block.number()), block);
            case HistoryWrite.PutLedgerPage(int system, int page, var awards) ->
                UserCodecs.LEDGER_PAGE.put(history.ledger(), StoreKeys.ledgerPage(user, system, page), awards);
            case HistoryWrite.PutBoardRun(int board, LeaderboardState state) ->
                UserCodecs.BOARD_RUN.put(history.days(), StoreKeys.day(user, board, state.run()), state);
            case HistoryWrite.UseIdempotencyKey(int metric, String key, UUID eventId) ->
                UserCodecs.EVENT_ID.put(
                        history.idempotencyKeys(), StoreKeys.idempotencyKey(user, metric, key), eventId);
        }
    }

    /** One user's history, read from the stores when needed. */
    record StoredHistory(byte[] user, Stores<?> stores, LongFunction<@Nullable CompiledRuleset> rulesOf)
            implements UserHistory {

        /** The stores that contain the history of users. */
        record Stores<S extends ReadOnlyKeyValueStore<Bytes, byte[]>>(S days, S periods, S ledger, S idempotencyKeys) {

            static <S extends ReadOnlyKeyValueStore<Bytes, byte[]>> Stores<S> open(Function<String, S> storeOf) {
                return new Stores<>(
                        storeOf.apply(StoreNames.METRIC_DAYS),
                        storeOf.apply(StoreNames.STREAK_PERIODS),
                        storeOf.apply(StoreNames.POINTS_LEDGER),
                        storeOf.apply(StoreNames.IDEMPOTENCY_KEYS));
            }

            List<S> all() {
                return List.of(days, periods, ledger, idempotencyKeys);
            }
        }

        @Override
        public @Nullable DayBucket day(int number, int day) {
            return UserCodecs.DAY.get(stores.days(), StoreKeys.day(user, number, day));
        }

        @Override
        public List<Day> days(int number, int first, int last) {
            if (last < first) {
                return List.of();
            }
            // The last day is included: its key exists.
            return StoreScans.read(
                    stores.days(),
                    StoreKeys.day(user, number, first),
                    StoreKeys.day(user, number, last),
                    StoreScans.ALL,
                    entry -> new Day(StoreKeys.dayOf(entry.key), UserCodecs.DAY.decode(entry.value)));
        }

        @Override
        public long activeDays(int block) {
            return UserCodecs.ACTIVE_DAYS.get(stores.days(), StoreKeys.activeDays(user, block), 0L);
        }

        @Override
        public @Nullable StreakBlock streakBlock(StreakFrequency frequency, int block) {
            return UserCodecs.STREAK_BLOCK.get(stores.periods(), StoreKeys.streakBlock(user, frequency, block));
        }

        @Override
        public List<Award> ledgerPage(int system, int page) {
            return UserCodecs.LEDGER_PAGE.get(stores.ledger(), StoreKeys.ledgerPage(user, system, page), List.of());
        }

        @Override
        public @Nullable LeaderboardState boardRun(int board, int run) {
            return UserCodecs.BOARD_RUN.get(stores.days(), StoreKeys.day(user, board, run));
        }

        @Override
        public @Nullable UUID eventWith(int metric, String idempotencyKey) {
            return UserCodecs.EVENT_ID.get(
                    stores.idempotencyKeys(), StoreKeys.idempotencyKey(user, metric, idempotencyKey));
        }

        @Override
        public CompiledRuleset rules(long version) {
            return Objects.requireNonNull(
                    rulesOf.apply(version), "the version has judged the user, so it was published");
        }
    }
}
