package dev.laurel.processors.store;

import dev.laurel.processors.core.user.DayBucket;
import dev.laurel.processors.core.user.HistoryWrite;
import dev.laurel.processors.core.user.StreakPeriod;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A task's stores of users, for the processor that owns them. Every access names the user by its key, tenant included.
 * One thread.
 */
public final class UserStores {

    private static final UserStateCodec USER = new UserStateCodec();

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

    /** Null if the user is unknown. @param user the user key's bytes */
    public UserState load(byte[] user) {
        return USER.decode(users.get(Bytes.wrap(user)));
    }

    public void save(byte[] user, UserState state) {
        users.put(Bytes.wrap(user), USER.encode(state));
    }

    static UserState decodeUser(byte[] stored) {
        return USER.decode(stored);
    }

    /** The user's history, read when asked. */
    public UserHistory historyOf(byte[] user) {
        return new UserHistory() {
            @Override
            public DayBucket day(int metric, int day) {
                return HistoryCodecs.DAY.decode(days.get(StoreKeys.day(user, metric, day)));
            }

            @Override
            public StreakPeriod streakPeriod(int day) {
                return HistoryCodecs.STREAK_PERIOD.decode(periods.get(StoreKeys.streakPeriod(user, day)));
            }

            @Override
            public UUID eventWith(int metric, String idempotencyKey) {
                return HistoryCodecs.EVENT_ID
                        .decode(idempotencyKeys.get(StoreKeys.idempotencyKey(user, metric, idempotencyKey)));
            }
        };
    }

    public void write(byte[] user, HistoryWrite write) {
        switch (write) {
            case HistoryWrite.PutDay(int metric, int day, DayBucket bucket) ->
                days.put(StoreKeys.day(user, metric, day), HistoryCodecs.DAY.encode(bucket));
            case HistoryWrite.PutStreakPeriod(int day, StreakPeriod period) ->
                periods.put(StoreKeys.streakPeriod(user, day), HistoryCodecs.STREAK_PERIOD.encode(period));
            case HistoryWrite.PutLedgerPage(int system, int page, var awards) ->
                ledger.put(StoreKeys.ledgerPage(user, system, page), HistoryCodecs.LEDGER_PAGE.encode(awards));
            case HistoryWrite.UseIdempotencyKey(int metric, String key, UUID eventId) -> idempotencyKeys
                    .put(StoreKeys.idempotencyKey(user, metric, key), HistoryCodecs.EVENT_ID.encode(eventId));
        }
    }
}
