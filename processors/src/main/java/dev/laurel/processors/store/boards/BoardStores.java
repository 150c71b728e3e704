package dev.laurel.processors.store.boards;

import dev.laurel.core.analytics.CounterBlock;
import dev.laurel.core.leaderboard.BoardGroup;
import dev.laurel.core.leaderboard.DayClose;
import dev.laurel.core.leaderboard.Ranking.Participant;
import dev.laurel.core.leaderboard.RunFigures.DayChanges;
import dev.laurel.processors.store.PreCommitStore;
import dev.laurel.processors.store.StoreBuilders;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.processors.store.boards.BoardCodecs.StoredDayEnd;
import dev.laurel.processors.store.boards.BoardCodecs.StoredPlace;
import dev.laurel.processors.store.counters.CounterStore.CounterCodecs;
import dev.laurel.processors.store.users.TenantSchedule;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/** The stores of the leaderboards of one partition, read and written by their task. One thread. */
public final class BoardStores {

    /**
     * The position up to which a partition of the log was processed.
     *
     * @param offset of the newest record that had consequences; -1 if there was none
     * @param clockMs the time that the partition has reported; {@code Long.MIN_VALUE} if it has reported none
     */
    public record LogPosition(long offset, long clockMs) {

        public static final LogPosition NONE = new LogPosition(-1, Long.MIN_VALUE);
    }

    /**
     * A group that may still change.
     *
     * @param closedDay the last UTC day whose end is recorded; {@link DayClose#NEVER} if none is
     * @param hasChanged since then
     * @param maxParticipants the limit that was last applied to the group
     */
    public record OpenGroup(int closedDay, boolean hasChanged, int maxParticipants) {}

    /**
     * A group in which a user takes part, or took part last.
     *
     * @param isIn false after the user has left
     * @param offset of the record by which the user entered or left, in the user's partition of the log
     * @param previousRank before the user left; 0 while the user takes part
     */
    public record Place(BoardGroup group, boolean isIn, long offset, int previousRank) {}

    private static final byte[] PRESENT = {1};

    private final KeyValueStore<Bytes, byte[]> entries;
    private final KeyValueStore<Bytes, byte[]> runs;
    private final KeyValueStore<Bytes, byte[]> days;
    private final RankChangeStore rankChanges;
    private final TenantSchedule schedule;

    /** @param storeOf finds the task's store by name */
    public BoardStores(Function<String, KeyValueStore<Bytes, byte[]>> storeOf) {
        this.entries = storeOf.apply(StoreNames.LEADERBOARD_ENTRIES);
        this.runs = storeOf.apply(StoreNames.LEADERBOARD_RUNS);
        this.days = storeOf.apply(StoreNames.LEADERBOARD_DAYS);
        this.rankChanges = new RankChangeStore(runs);
        this.schedule = new TenantSchedule(runs);
    }

    /**
     * The stores of the boards application: RocksDB, each with a changelog topic of its own. They have no record cache, which would
     * reorder writes: the position in the log must never be ahead of its consequences.
     */
    public static Set<StoreBuilder<?>> builders() {
        return Stream.of(StoreNames.LEADERBOARD_ENTRIES, StoreNames.LEADERBOARD_RUNS, StoreNames.LEADERBOARD_DAYS)
                .map(name -> StoreBuilders.logged(name, name.equals(StoreNames.LEADERBOARD_ENTRIES), false))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Sets what runs before each commit of the task. */
    public void beforeCommit(Runnable action) {
        PreCommitStore.beforeCommit(entries, action);
    }

    // Participants.

    public List<Participant> participants(BoardGroup group) {
        return StoreScans.read(entries, BoardKeys.ofGroup(BoardKeys.PARTICIPANT, group), StoreScans.ALL,
                entry -> BoardCodecs.PARTICIPANT.decode(entry.value));
    }

    public void putParticipant(BoardGroup group, Participant participant) {
        entries.put(BoardKeys.participant(group, participant.standing().user()),
                BoardCodecs.PARTICIPANT.encode(participant));
    }

    public void deleteParticipant(BoardGroup group, UserId user) {
        entries.delete(BoardKeys.participant(group, user));
    }

    /** The user's place in a run, or else the last one that the user has left; null if the user never took part. */
    public @Nullable Place place(TenantId tenant, UserId user, int board, int run) {
        Place newest = null;
        for (Place place : placesAfter(BoardKeys.placesOfRun(tenant, user, board, run))) {
            if (place.isIn()) {
                return place;
            }
            if (newest == null || place.offset() > newest.offset()) {
                newest = place;
            }
        }
        return newest;
    }

    /** The user's place in a group, or the one that the user has left; null if the user never took part. */
    public @Nullable Place place(BoardGroup group, UserId user) {
        StoredPlace stored = BoardCodecs.PLACE.decodeIfPresent(entries.get(BoardKeys.place(group, user)));
        return stored == null ? null : new Place(group, stored.isIn(), stored.offset(), stored.previousRank());
    }

    /** Every place of a user, in all runs. */
    public List<Place> places(TenantId tenant, UserId user) {
        return placesAfter(BoardKeys.placesOf(tenant, user));
    }

    private List<Place> placesAfter(byte[] prefix) {
        return StoreScans.read(entries, prefix, StoreScans.ALL, entry -> {
            StoredPlace stored = BoardCodecs.PLACE.decode(entry.value);
            return new Place(BoardKeys.groupOfPlace(entry.key), stored.isIn(), stored.offset(), stored.previousRank());
        });
    }

    public void putPlace(UserId user, Place place) {
        entries.put(BoardKeys.place(place.group(), user),
                BoardCodecs.PLACE.encode(new StoredPlace(place.isIn(), place.offset(), place.previousRank())));
    }

    /** Deletes everything that is stored about a user in a group: place, standing, day ends. */
    public void forget(BoardGroup group, UserId user) {
        deleteParticipant(group, user);
        StoreScans.read(days, BoardKeys.daysOf(group, user), StoreScans.ALL, entry -> entry.key).forEach(days::delete);
        var last = new ArrayList<>(lastClose(group));
        if (last.removeIf(place -> place.user().equals(user))) {
            putLastClose(group, last);
        }
        // The last one: after an interruption the others are found by it.
        entries.delete(BoardKeys.place(group, user));
    }

    // The position in the log is in the store of participants, and written after them, so that it is never ahead of them.

    public LogPosition logPosition(int logPartition) {
        LogPosition position = BoardCodecs.LOG_POSITION
                .decodeIfPresent(entries.get(BoardKeys.logPosition(logPartition)));
        return position == null ? LogPosition.NONE : position;
    }

    public void putLogPosition(int logPartition, LogPosition position) {
        entries.put(BoardKeys.logPosition(logPartition), BoardCodecs.LOG_POSITION.encode(position));
    }

    /** The ruleset versions of a tenant that are in force in the partitions of the log; null if there are none. */
    public long @Nullable [] versions(TenantId tenant) {
        return BoardCodecs.VERSIONS.decodeIfPresent(entries.get(BoardKeys.rules(tenant)));
    }

    /** Tenants that have rulesets, in the order of their keys, at most {@code limit}. @param last whom they follow; null: from the first */
    public List<TenantId> tenantsAfter(@Nullable TenantId last, int limit) {
        Bytes from = last == null ? BoardKeys.first(BoardKeys.RULES) : StoreKeys.after(BoardKeys.rules(last));
        return StoreScans.read(entries, from, BoardKeys.afterAll(BoardKeys.RULES), limit,
                entry -> BoardKeys.tenantOf(entry.key));
    }

    /** When runs of leaderboards begin. */
    public TenantSchedule schedule() {
        return schedule;
    }

    public void putVersions(TenantId tenant, long[] versions) {
        entries.put(BoardKeys.rules(tenant), BoardCodecs.VERSIONS.encode(versions));
    }

    // Groups and runs.

    /** Null if the group is final, or nobody has ever taken part. */
    public @Nullable OpenGroup openGroup(BoardGroup group) {
        return BoardCodecs.OPEN_GROUP.decodeIfPresent(runs.get(key(BoardKeys.OPEN, group)));
    }

    public boolean isFinal(BoardGroup group) {
        return runs.get(key(BoardKeys.FINAL, group)) != null;
    }

    public void putOpenGroup(BoardGroup group, OpenGroup open) {
        runs.put(key(BoardKeys.OPEN, group), BoardCodecs.OPEN_GROUP.encode(open));
    }

    /** Makes a group final: nothing of it changes any more. */
    public void putFinal(BoardGroup group) {
        runs.put(key(BoardKeys.FINAL, group), PRESENT);
        runs.delete(key(BoardKeys.OPEN, group));
        days.delete(key(BoardKeys.LAST_CLOSE, group));
    }

    /** An open group, and what is stored about it. */
    public record Found(BoardGroup group, OpenGroup open) {}

    /** The open groups that come after this one, in the order of their keys. @param after null: from the first */
    public List<Found> openGroupsAfter(@Nullable BoardGroup after, int count) {
        Bytes from = after == null ? BoardKeys.first(BoardKeys.OPEN) : StoreKeys.after(key(BoardKeys.OPEN, after));
        return StoreScans.read(runs, from, BoardKeys.afterAll(BoardKeys.OPEN), count, BoardStores::found);
    }

    /** Works like {@link #openGroupsAfter}, for the groups of one tenant. */
    public List<Found> openGroupsOf(TenantId tenant, @Nullable BoardGroup after, int count) {
        byte[] prefix = BoardKeys.ofTenant(BoardKeys.OPEN, tenant);
        Bytes from = after == null ? Bytes.wrap(prefix) : StoreKeys.after(key(BoardKeys.OPEN, after));
        return StoreScans.read(runs, from, StoreKeys.afterAllWith(prefix.clone()), count, BoardStores::found);
    }

    private static Found found(KeyValue<Bytes, byte[]> entry) {
        return new Found(BoardKeys.groupOf(entry.key), BoardCodecs.OPEN_GROUP.decode(entry.value));
    }

    private static Bytes key(char kind, BoardGroup group) {
        return Bytes.wrap(BoardKeys.ofGroup(kind, group));
    }

    /** The newest run of a leaderboard whose start was announced; null if there is none. */
    public @Nullable Integer announcedRun(TenantId tenant, int board) {
        return BoardCodecs.RUN.decodeIfPresent(runs.get(BoardKeys.announcedRun(tenant, board)));
    }

    public void putAnnouncedRun(TenantId tenant, int board, int run) {
        runs.put(BoardKeys.announcedRun(tenant, board), BoardCodecs.RUN.encode(run));
    }

    /**
     * Counts a change of rank, which is stored by the next {@link #writeRankChanges}.
     *
     * @param day in days since 1970
     * @param retentionDays for how many days the counts are kept
     */
    public void countRankChange(BoardGroup group, int day, int retentionDays) {
        rankChanges.count(group.tenant(), group.board(), group.run(), day, retentionDays);
    }

    public void writeRankChanges() {
        rankChanges.write();
    }

    // Days.

    /** The participants when the group's last day was closed. */
    public List<DayClose.RankedUser> lastClose(BoardGroup group) {
        List<DayClose.RankedUser> last = BoardCodecs.LAST_CLOSE
                .decodeIfPresent(days.get(key(BoardKeys.LAST_CLOSE, group)));
        return last == null ? List.of() : last;
    }

    public void putLastClose(BoardGroup group, List<DayClose.RankedUser> participants) {
        days.put(key(BoardKeys.LAST_CLOSE, group), BoardCodecs.LAST_CLOSE.encode(participants));
    }

    public void putDayEnd(BoardGroup group, int day, DayClose.RankedUser user) {
        days.put(BoardKeys.day(group, user.user(), day),
                BoardCodecs.DAY_END.encode(new StoredDayEnd(user.rank(), user.value())));
    }

    /**
     * The number of changes of rank in each run by day, in blocks of {@value #DAYS} days. Changes are collected in memory and written by
     * {@link #write}, so that a block that many scores change is written once. One task, one thread.
     */
    static final class RankChangeStore {

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
                    new Place(place.tenant, place.board, place.run, block).key(), StoreScans.ALL)
                    .forEach(store::delete);
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
}
