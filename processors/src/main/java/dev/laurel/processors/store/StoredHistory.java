package dev.laurel.processors.store;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.BoardState;
import dev.laurel.processors.core.user.DayBucket;
import dev.laurel.processors.core.user.PointsState.Award;
import dev.laurel.processors.core.user.StreakBlock;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.schemas.ruleset.StreakFrequency;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.LongFunction;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** One user's history, read from the stores when needed. */
final class StoredHistory implements UserHistory {

    private final byte[] user;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> days;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> periods;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> ledger;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> idempotencyKeys;
    private final LongFunction<CompiledRuleset> rulesOf;

    StoredHistory(byte[] user, ReadOnlyKeyValueStore<Bytes, byte[]> days,
            ReadOnlyKeyValueStore<Bytes, byte[]> periods, ReadOnlyKeyValueStore<Bytes, byte[]> ledger,
            ReadOnlyKeyValueStore<Bytes, byte[]> idempotencyKeys, LongFunction<CompiledRuleset> rulesOf) {
        this.user = user;
        this.days = days;
        this.periods = periods;
        this.ledger = ledger;
        this.idempotencyKeys = idempotencyKeys;
        this.rulesOf = rulesOf;
    }

    @Override
    public DayBucket day(int number, int day) {
        return HistoryCodecs.DAY.decode(days.get(StoreKeys.day(user, number, day)));
    }

    @Override
    public List<Day> days(int number, int first, int last) {
        if (last < first) {
            return List.of();
        }
        var found = new ArrayList<Day>();
        try (KeyValueIterator<Bytes, byte[]> entries = days.range(StoreKeys.day(user, number, first),
                StoreKeys.day(user, number, last))) {
            while (entries.hasNext()) {
                var entry = entries.next();
                found.add(new Day(StoreKeys.dayOf(entry.key), HistoryCodecs.DAY.decode(entry.value)));
            }
        }
        return found;
    }

    @Override
    public StreakBlock streakBlock(StreakFrequency frequency, int block) {
        return HistoryCodecs.STREAK_BLOCK.decode(periods.get(StoreKeys.streakBlock(user, frequency, block)));
    }

    @Override
    public List<Award> ledgerPage(int system, int page) {
        List<Award> awards = HistoryCodecs.LEDGER_PAGE.decode(ledger.get(StoreKeys.ledgerPage(user, system, page)));
        return awards == null ? List.of() : awards;
    }

    @Override
    public BoardState boardRun(int board, int run) {
        return HistoryCodecs.BOARD_RUN.decode(days.get(StoreKeys.day(user, board, run)));
    }

    @Override
    public UUID eventWith(int metric, String idempotencyKey) {
        return HistoryCodecs.EVENT_ID
                .decode(idempotencyKeys.get(StoreKeys.idempotencyKey(user, metric, idempotencyKey)));
    }

    @Override
    public CompiledRuleset rules(long version) {
        return version <= 0 ? null : rulesOf.apply(version);
    }
}
