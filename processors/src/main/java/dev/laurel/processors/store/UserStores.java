package dev.laurel.processors.store;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.BoardState;
import dev.laurel.processors.core.user.DayBucket;
import dev.laurel.processors.core.user.StreakBlock;
import dev.laurel.processors.core.user.UserHistory.HistoryWrite;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.ruleset.StreakFrequency;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A task's stores of users, for the processor that owns them. Every access names the user by its key, tenant included.
 * One thread.
 */
public final class UserStores {

    private static final UserStateCodec USER = new UserStateCodec();
    private static final int ERASED_AT_ONCE = 1_000;

    /** @param key the user key's bytes */
    public record Stored(byte[] key, UserState state) {}

    private final KeyValueStore<Bytes, byte[]> users;
    private final KeyValueStore<Bytes, byte[]> days;
    private final KeyValueStore<Bytes, byte[]> periods;
    private final KeyValueStore<Bytes, byte[]> ledger;
    private final KeyValueStore<Bytes, byte[]> idempotencyKeys;

    /** @param storeOf finds a store by name, as a processor context does */
    public UserStores(Function<String, KeyValueStore<Bytes, byte[]>> storeOf) {
        this.users = storeOf.apply(StoreNames.USERS);
        this.days = storeOf.apply(StoreNames.METRIC_DAYS);
        this.periods = storeOf.apply(StoreNames.STREAK_PERIODS);
        this.ledger = storeOf.apply(StoreNames.POINTS_LEDGER);
        this.idempotencyKeys = storeOf.apply(StoreNames.IDEMPOTENCY_KEYS);
    }

    /** The state of a user, null if the user is unknown. @param user the user key's bytes */
    public UserState load(byte[] user) {
        return USER.decode(users.get(Bytes.wrap(user)));
    }

    public void save(byte[] user, UserState state) {
        users.put(Bytes.wrap(user), USER.encode(state));
    }

    static UserState decodeUser(byte[] stored) {
        return USER.decode(stored);
    }

    /** The user's history, read when needed. @param rulesOf finds a version of the user's tenant */
    public UserHistory historyOf(byte[] user, LongFunction<CompiledRuleset> rulesOf) {
        return new StoredHistory(user, days, periods, ledger, idempotencyKeys, rulesOf);
    }

    /** Removes all entries of a user, some at a time, since there may be very many. */
    public void erase(byte[] user) {
        users.delete(Bytes.wrap(user));
        for (var store : List.of(days, periods, ledger, idempotencyKeys)) {
            Bytes from = StoreKeys.firstOf(user);
            List<Bytes> keys;
            do {
                keys = keys(store, from, StoreKeys.afterAllOf(user), ERASED_AT_ONCE);
                keys.forEach(store::delete);
                if (!keys.isEmpty()) {
                    from = StoreKeys.after(keys.getLast());
                }
            } while (keys.size() == ERASED_AT_ONCE);
        }
    }

    private static List<Bytes> keys(KeyValueStore<Bytes, byte[]> store, Bytes from, Bytes to, int limit) {
        var keys = new ArrayList<Bytes>();
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(from, to)) {
            while (entries.hasNext() && keys.size() < limit) {
                keys.add(entries.next().key);
            }
        }
        return keys;
    }

    /** The users whose keys come next after this one, in the order of their keys, at most {@code limit}. */
    public List<Stored> after(byte[] user, int limit) {
        var found = new ArrayList<Stored>();
        try (KeyValueIterator<Bytes, byte[]> entries = users.range(StoreKeys.after(Bytes.wrap(user)), null)) {
            while (entries.hasNext() && found.size() < limit) {
                var entry = entries.next();
                found.add(new Stored(entry.key.get(), USER.decode(entry.value)));
            }
        }
        return found;
    }

    public void write(byte[] user, HistoryWrite write) {
        switch (write) {
            case HistoryWrite.PutDay(int number, int day, DayBucket bucket) ->
                days.put(StoreKeys.day(user, number, day), HistoryCodecs.DAY.encode(bucket));
            case HistoryWrite.PutStreakBlock(StreakFrequency frequency, StreakBlock block) ->
                periods.put(StoreKeys.streakBlock(user, frequency, block.number()),
                        HistoryCodecs.STREAK_BLOCK.encode(block));
            case HistoryWrite.PutLedgerPage(int system, int page, var awards) ->
                ledger.put(StoreKeys.ledgerPage(user, system, page), HistoryCodecs.LEDGER_PAGE.encode(awards));
            case HistoryWrite.PutBoardRun(int board, BoardState state) -> days.put(
                    StoreKeys.day(user, board, state.run()), HistoryCodecs.BOARD_RUN.encode(state));
            case HistoryWrite.UseIdempotencyKey(int metric, String key, UUID eventId) -> idempotencyKeys
                    .put(StoreKeys.idempotencyKey(user, metric, key), HistoryCodecs.EVENT_ID.encode(eventId));
        }
    }
}
