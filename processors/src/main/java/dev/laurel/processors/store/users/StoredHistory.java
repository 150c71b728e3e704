package dev.laurel.processors.store.users;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.BoardState;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.StreakBlock;
import dev.laurel.core.user.UserHistory;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/** One user's history, read from the stores when needed. */
record StoredHistory(byte[] user, Stores<?> stores,
        LongFunction<@Nullable CompiledRuleset> rulesOf) implements UserHistory {

    /** The stores that contain the history of users. */
    record Stores<S extends ReadOnlyKeyValueStore<Bytes, byte[]>>(S days, S periods, S ledger, S idempotencyKeys) {

        static <S extends ReadOnlyKeyValueStore<Bytes, byte[]>> Stores<S> open(Function<String, S> storeOf) {
            return new Stores<>(storeOf.apply(StoreNames.METRIC_DAYS), storeOf.apply(StoreNames.STREAK_PERIODS),
                    storeOf.apply(StoreNames.POINTS_LEDGER), storeOf.apply(StoreNames.IDEMPOTENCY_KEYS));
        }

        List<S> all() {
            return List.of(days, periods, ledger, idempotencyKeys);
        }
    }

    @Override
    public @Nullable DayBucket day(int number, int day) {
        return UserCodecs.DAY.decodeIfPresent(stores.days().get(StoreKeys.day(user, number, day)));
    }

    @Override
    public List<Day> days(int number, int first, int last) {
        if (last < first) {
            return List.of();
        }
        // The last day is included: its key exists.
        return StoreScans.read(stores.days(), StoreKeys.day(user, number, first), StoreKeys.day(user, number, last),
                StoreScans.ALL,
                entry -> new Day(StoreKeys.dayOf(entry.key), UserCodecs.DAY.decode(entry.value)));
    }

    @Override
    public long activeDays(int block) {
        Long bits = UserCodecs.ACTIVE_DAYS.decodeIfPresent(stores.days().get(StoreKeys.activeDays(user, block)));
        return bits == null ? 0 : bits;
    }

    @Override
    public @Nullable StreakBlock streakBlock(StreakFrequency frequency, int block) {
        return UserCodecs.STREAK_BLOCK
                .decodeIfPresent(stores.periods().get(StoreKeys.streakBlock(user, frequency, block)));
    }

    @Override
    public List<Award> ledgerPage(int system, int page) {
        byte[] stored = stores.ledger().get(StoreKeys.ledgerPage(user, system, page));
        return stored == null ? List.of() : UserCodecs.LEDGER_PAGE.decode(stored);
    }

    @Override
    public @Nullable BoardState boardRun(int board, int run) {
        return UserCodecs.BOARD_RUN.decodeIfPresent(stores.days().get(StoreKeys.day(user, board, run)));
    }

    @Override
    public @Nullable UUID eventWith(int metric, String idempotencyKey) {
        return UserCodecs.EVENT_ID.decodeIfPresent(
                stores.idempotencyKeys().get(StoreKeys.idempotencyKey(user, metric, idempotencyKey)));
    }

    @Override
    public CompiledRuleset rules(long version) {
        return Objects.requireNonNull(rulesOf.apply(version), "the version has judged the user, so it was published");
    }
}
