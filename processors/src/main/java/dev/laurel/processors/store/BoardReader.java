package dev.laurel.processors.store;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardReads.DayEnd;
import dev.laurel.processors.core.leaderboard.BoardReads;
import dev.laurel.processors.core.leaderboard.Ranking.Standing;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.store.BoardCodecs.StoredDayEnd;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/** Reads the leaderboards of one partition while its task writes them: from memory what the task holds there, else from the stores. Thread-safe. */
public final class BoardReader implements BoardReads {

    /** The most of a group that are read: a group that is about to be cut to fewer participants may have as many. */
    private static final int MAX_READ = Leaderboard.MAX_PARTICIPANTS;

    private static final ByteArraySerializer AS_IT_IS = new ByteArraySerializer();

    private final Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> stores;
    private final Function<BoardGroup, @Nullable Ranking> held;

    /** @param stores finds this partition's store by name, at each read; fails while the store is not open */
    public BoardReader(Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> stores) {
        this(stores, _ -> null);
    }

    /** @param held finds the ranking of a group that the partition's task holds in memory; null if it holds none */
    public BoardReader(Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> stores,
            Function<BoardGroup, @Nullable Ranking> held) {
        this.stores = stores;
        this.held = held;
    }

    private ReadOnlyKeyValueStore<Bytes, byte[]> entries() {
        return stores.apply(StoreNames.LEADERBOARD_ENTRIES);
    }

    @Override
    public Ranking ranking(BoardGroup group, int limit) {
        Ranking inMemory = held.apply(group);
        return (inMemory == null ? ranking(group) : inMemory).best(limit);
    }

    public Ranking ranking(BoardGroup group) {
        var standings = new ArrayList<Standing>();
        try (var found = entries().prefixScan(BoardKeys.ofGroup(BoardKeys.PARTICIPANT, group), AS_IT_IS)) {
            while (found.hasNext() && standings.size() < MAX_READ) {
                standings.add(BoardCodecs.PARTICIPANT.decode(found.next().value).standing());
            }
        }
        return Ranking.of(standings);
    }

    /** The groups of a run that are open, then those that are final. */
    @Override
    public List<List<String>> groups(TenantId tenant, int board, int run, int limit) {
        // One that becomes final between the two looks is in both.
        var groups = new LinkedHashSet<List<String>>();
        ReadOnlyKeyValueStore<Bytes, byte[]> runs = stores.apply(StoreNames.LEADERBOARD_RUNS);
        for (char kind : new char[]{BoardKeys.OPEN, BoardKeys.FINAL}) {
            try (var found = runs.prefixScan(BoardKeys.ofRun(kind, tenant, board, run), AS_IT_IS)) {
                while (found.hasNext() && groups.size() < limit) {
                    groups.add(BoardKeys.groupOf(found.next().key).values());
                }
            }
        }
        return List.copyOf(groups);
    }

    /** The group of a run in which the user takes part, null if in none. */
    @Override
    public List<String> groupOf(TenantId tenant, int board, int run, UserId user) {
        try (var found = entries().prefixScan(BoardKeys.placesOfRun(tenant, user, board, run), AS_IT_IS)) {
            while (found.hasNext()) {
                var entry = found.next();
                if (BoardCodecs.PLACE.decode(entry.value).isIn()) {
                    return BoardKeys.groupOfPlace(entry.key).values();
                }
            }
        }
        return null;
    }

    /** The groups in which the user takes or took part in these runs, in the order of runs. */
    @Override
    public List<BoardGroup> groupsOf(TenantId tenant, int board, UserId user, int firstRun, int lastRun, int limit) {
        var groups = new ArrayList<BoardGroup>();
        Bytes from = Bytes.wrap(BoardKeys.placesOfRun(tenant, user, board, firstRun));
        Bytes to = BoardKeys.afterPlacesOfRun(tenant, user, board, lastRun);
        try (var found = entries().range(from, to)) {
            while (found.hasNext() && groups.size() < limit) {
                groups.add(BoardKeys.groupOfPlace(found.next().key));
            }
        }
        return groups;
    }

    /** The user's newest day ends in a group, oldest first. */
    @Override
    public List<DayEnd> dayEnds(BoardGroup group, UserId user, int count) {
        return dayEnds(group, user, Integer.MIN_VALUE, Integer.MAX_VALUE, count);
    }

    /** The user's day ends of these days in a group, and the newest one before them; oldest first. */
    @Override
    public List<DayEnd> dayEnds(BoardGroup group, UserId user, int firstDay, int lastDay) {
        return dayEnds(group, user, firstDay, lastDay, Integer.MAX_VALUE);
    }

    private List<DayEnd> dayEnds(BoardGroup group, UserId user, int firstDay, int lastDay, int count) {
        var newestFirst = new ArrayList<DayEnd>();
        try (var found = stores.apply(StoreNames.LEADERBOARD_DAYS).reverseRange(
                BoardKeys.day(group, user, Integer.MIN_VALUE),
                BoardKeys.day(group, user, lastDay))) {
            while (found.hasNext() && newestFirst.size() < count
                    && (newestFirst.isEmpty() || newestFirst.getLast().day() >= firstDay)) {
                var entry = found.next();
                StoredDayEnd end = BoardCodecs.DAY_END.decode(entry.value);
                newestFirst.add(new DayEnd(StoreKeys.dayOf(entry.key), end.rank(), end.value()));
            }
        }
        Collections.reverse(newestFirst);
        return newestFirst;
    }
}
