package dev.laurel.processors.store.boards;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardGroup.View;
import dev.laurel.core.leaderboard.PartitionLeaderboards;
import dev.laurel.core.leaderboard.PartitionLeaderboards.DayEnd;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.core.leaderboard.Ranking.Participant;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.RunFigures;
import dev.laurel.core.leaderboard.TeamRanking;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.processors.store.boards.LeaderboardCodecs.StoredDayEnd;
import dev.laurel.processors.store.boards.LeaderboardStores.RankChangeStore;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Reads the leaderboards of one partition while its task writes them: rankings that the task holds in memory from there, everything
 * else from the stores. Thread-safe.
 *
 * @param stores finds this partition's store by name for each read; fails while the store is not open
 * @param held finds a group that the partition's task holds in memory; null if it does not
 */
public record LeaderboardReader(
        Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> stores, Function<LeaderboardGroup, @Nullable View> held)
        implements PartitionLeaderboards {

    /** The most participants of a group that are read: a group may have as many before it is cut to a lower limit. */
    private static final int MAX_READ = Leaderboard.MAX_PARTICIPANTS;

    /** Reads everything from the stores. */
    public LeaderboardReader(Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> stores) {
        this(stores, _ -> null);
    }

    private ReadOnlyKeyValueStore<Bytes, byte[]> entries() {
        return stores.apply(StoreNames.LEADERBOARD_ENTRIES);
    }

    @Override
    public Ranking ranking(LeaderboardGroup group, int limit) {
        return view(group).ranking().best(limit);
    }

    @Override
    public TeamRanking teams(LeaderboardGroup group) {
        View inMemory = held.apply(group);
        return inMemory == null
                ? LeaderboardStores.teams(entries(), group, TeamRanking.MAX_TEAMS + 1)
                : inMemory.teams();
    }

    public Ranking ranking(LeaderboardGroup group) {
        return stored(group).ranking();
    }

    private View view(LeaderboardGroup group) {
        View inMemory = held.apply(group);
        return inMemory == null ? stored(group) : inMemory;
    }

    private View stored(LeaderboardGroup group) {
        var standings = new ArrayList<Standing>();
        int changedRank = 0;
        for (Participant participant : read(LeaderboardKeys.PARTICIPANT, group, MAX_READ)) {
            if (participant.standing().visibility() != Visibility.HIDDEN) {
                changedRank += participant.hasChangedRank() ? 1 : 0;
                standings.add(participant.standing());
            }
        }
        return new View(Ranking.of(standings), List.of(), changedRank);
    }

    private List<Participant> read(char kind, LeaderboardGroup group, int limit) {
        return StoreScans.read(
                entries(),
                LeaderboardKeys.ofGroup(kind, group),
                limit,
                entry -> LeaderboardCodecs.PARTICIPANT.decode(entry.value));
    }

    @Override
    public Ranking outside(LeaderboardGroup group) {
        View inMemory = held.apply(group);
        return Ranking.of(
                inMemory != null
                        ? List.copyOf(inMemory.outside())
                        : read(LeaderboardKeys.OUTSIDE, group, StoreScans.ALL).stream()
                                .map(Participant::standing)
                                .toList());
    }

    @Override
    public RunFigures figures(TenantId tenant, int board, int run) {
        var count = new RunFigures.Count();
        forEachGroup(tenant, board, run, group -> count.include(view(group).ranking()));
        boolean isFinal = forEachGroup(tenant, board, run, group -> count.count(view(group)));
        return count.figures(RankChangeStore.read(runs(), tenant, board, run), isFinal);
    }

    @Override
    public List<Long> histogram(TenantId tenant, int board, int run, BigDecimal lowest, BigDecimal highest) {
        var count = new RunFigures.Count(lowest, highest);
        forEachGroup(tenant, board, run, group -> count.count(view(group)));
        return count.histogram();
    }

    /** Passes on each group of a run. The list of them may be too long to keep. @return whether all are final; false if there is none */
    private boolean forEachGroup(TenantId tenant, int board, int run, Consumer<LeaderboardGroup> visitor) {
        boolean hasOpen = false;
        boolean hasFinal = false;
        try (var open = runs().prefixScan(
                                LeaderboardKeys.ofRun(LeaderboardKeys.OPEN, tenant, board, run), StoreScans.PREFIX);
                var done = runs().prefixScan(
                                LeaderboardKeys.ofRun(LeaderboardKeys.FINAL, tenant, board, run), StoreScans.PREFIX)) {
            while (open.hasNext() || done.hasNext()) {
                // Both are in the order of the groups. A group that became final between the two scans is in both.
                int order = !open.hasNext()
                        ? 1
                        : !done.hasNext() ? -1 : LeaderboardKeys.compareGroups(open.peekNextKey(), done.peekNextKey());
                hasOpen |= order < 0;
                hasFinal |= order >= 0;
                Bytes next = order <= 0 ? open.next().key : done.next().key;
                if (order == 0) {
                    done.next();
                }
                visitor.accept(LeaderboardKeys.groupOf(next));
            }
        }
        return hasFinal && !hasOpen;
    }

    private ReadOnlyKeyValueStore<Bytes, byte[]> runs() {
        return stores.apply(StoreNames.LEADERBOARD_RUNS);
    }

    /** The groups of a run that are open, then those that are final. */
    @Override
    public List<List<String>> groups(TenantId tenant, int board, int run, int limit) {
        // A group that becomes final between the two scans is in both.
        var groups = new LinkedHashSet<List<String>>();
        for (char kind : new char[] {LeaderboardKeys.OPEN, LeaderboardKeys.FINAL}) {
            groups.addAll(StoreScans.read(
                    runs(),
                    LeaderboardKeys.ofRun(kind, tenant, board, run),
                    limit,
                    entry -> LeaderboardKeys.groupOf(entry.key).values()));
        }
        return groups.stream().limit(limit).toList();
    }

    /** The group of a run in which the user takes part; null if there is none. */
    @Override
    public @Nullable List<String> groupOf(TenantId tenant, int board, int run, UserId user) {
        byte[] prefix = LeaderboardKeys.placesOfRun(tenant, user, board, run).toBytes();
        return StoreScans.read(entries(), prefix, StoreScans.ALL, entry -> entry).stream()
                .filter(entry -> LeaderboardCodecs.IS_IN.decode(entry.value))
                .map(entry -> LeaderboardKeys.groupOfPlace(entry.key).values())
                .findFirst()
                .orElse(null);
    }

    /** The groups in which the user takes or took part in these runs, in the order of runs. */
    @Override
    public List<LeaderboardGroup> groupsOf(
            TenantId tenant, int board, UserId user, int firstRun, int lastRun, int limit) {
        return StoreScans.read(
                entries(),
                LeaderboardKeys.placesOfRun(tenant, user, board, firstRun).toKey(),
                LeaderboardKeys.afterPlacesOfRun(tenant, user, board, lastRun),
                limit,
                entry -> LeaderboardKeys.groupOfPlace(entry.key));
    }

    /** The user's newest day ends in a group, oldest first. */
    @Override
    public List<DayEnd> dayEnds(LeaderboardGroup group, UserId user, int count) {
        return dayEnds(group, user, Integer.MIN_VALUE, Integer.MAX_VALUE, count);
    }

    /** The user's day ends of these days in a group, and the newest one before them; oldest first. */
    @Override
    public List<DayEnd> dayEnds(LeaderboardGroup group, UserId user, int firstDay, int lastDay) {
        return dayEnds(group, user, firstDay, lastDay, Integer.MAX_VALUE);
    }

    private List<DayEnd> dayEnds(LeaderboardGroup group, UserId user, int firstDay, int lastDay, int count) {
        var newestFirst = new ArrayList<DayEnd>();
        try (var found = stores.apply(StoreNames.LEADERBOARD_DAYS)
                .reverseRange(
                        LeaderboardKeys.day(group, user, Integer.MIN_VALUE),
                        LeaderboardKeys.day(group, user, lastDay))) {
            while (found.hasNext()
                    && newestFirst.size() < count
                    && (newestFirst.isEmpty() || newestFirst.getLast().day() >= firstDay)) {
                var entry = found.next();
                StoredDayEnd end = LeaderboardCodecs.DAY_END.decode(entry.value);
                boolean tookPart = end.rank() != 0;
                newestFirst.add(new DayEnd(
                        StoreKeys.dayOf(entry.key), tookPart ? end.rank() : null, tookPart ? end.value() : null));
            }
        }
        Collections.reverse(newestFirst);
        return newestFirst;
    }
}
