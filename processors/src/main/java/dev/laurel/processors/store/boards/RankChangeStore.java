package dev.laurel.processors.store.boards;

import dev.laurel.core.analytics.CounterBlock;
import dev.laurel.core.leaderboard.RunFigures.DayChanges;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.processors.store.counters.CounterCodecs;
import dev.laurel.schemas.key.TenantId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The number of changes of rank in each run by day, in blocks of {@value #DAYS} days. Changes are collected in memory and written by
 * {@link #write}, so that a block that many scores change is written once. One task, one thread.
 */
final class RankChangeStore {

    private static final int DAYS = 32;

    /** Memory is released by a {@link #write} that finds more. */
    private static final int MAX_KEPT_BLOCKS = 2_048;

    private final KeyValueStore<Bytes, byte[]> store;
    private final Map<Place, Entry> entries = new HashMap<>();

    private record Place(TenantId tenant, int board, int run, int block) {

        Bytes key() {
            return BoardKeys.rankChanges(tenant, board, run, block);
        }
    }

    private static final class Entry {

        private final CounterBlock counts;
        private boolean isChanged;

        Entry(CounterBlock counts) {
            this.counts = counts;
        }
    }

    RankChangeStore(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /**
     * Counts a change.
     *
     * @param retentionDays when a block begins, those of the run that are so many days older are deleted
     */
    void count(TenantId tenant, int board, int run, int day, int retentionDays) {
        var place = new Place(tenant, board, run, Math.floorDiv(day, DAYS));
        Entry entry = entries.get(place);
        if (entry == null) {
            CounterBlock stored = CounterCodecs.BLOCK.decodeIfPresent(store.get(place.key()));
            if (stored == null) {
                deleteBefore(place, Math.floorDiv(day - retentionDays, DAYS));
            }
            entry = new Entry(stored == null ? CounterBlock.ofSize(DAYS, false) : stored);
            entries.put(place, entry);
        }
        entry.counts.add(Math.floorMod(day, DAYS), 1);
        entry.isChanged = true;
    }

    private void deleteBefore(Place place, int block) {
        StoreScans.keys(store, new Place(place.tenant, place.board, place.run, Integer.MIN_VALUE).key(),
                new Place(place.tenant, place.board, place.run, block).key(), StoreScans.ALL).forEach(store::delete);
        entries.keySet().removeIf(other -> other.tenant.equals(place.tenant) && other.board == place.board
                && other.run == place.run && other.block < block);
    }

    /** Writes what has changed since the last call. */
    void write() {
        entries.forEach((place, entry) -> {
            if (entry.isChanged) {
                store.put(place.key(), CounterCodecs.BLOCK.encode(entry.counts));
                entry.isChanged = false;
            }
        });
        if (entries.size() > MAX_KEPT_BLOCKS) {
            entries.clear();
        }
    }

    /** The days of a run with changes that are written, in their order. */
    static List<DayChanges> read(ReadOnlyKeyValueStore<Bytes, byte[]> store, TenantId tenant, int board, int run) {
        var days = new ArrayList<DayChanges>();
        StoreScans.entries(store, new Place(tenant, board, run, Integer.MIN_VALUE).key(),
                StoreKeys.after(new Place(tenant, board, run, Integer.MAX_VALUE).key()), StoreScans.ALL)
                .forEach(entry -> {
                    CounterBlock block = CounterCodecs.BLOCK.decode(entry.value);
                    int first = StoreKeys.dayOf(entry.key) * DAYS;
                    for (int i = 0; i < block.size(); i++) {
                        if (!block.isZero(i)) {
                            days.add(new DayChanges(first + i, block.number(i)));
                        }
                    }
                });
        return days;
    }
}
