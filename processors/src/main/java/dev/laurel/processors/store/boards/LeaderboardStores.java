package dev.laurel.processors.store.boards;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.analytics.CounterBlock;
import dev.laurel.core.leaderboard.DayClose;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.Ranking.Participant;
import dev.laurel.core.leaderboard.RunFigures.DayChanges;
import dev.laurel.core.leaderboard.TeamRanking;
import dev.laurel.core.leaderboard.TeamRanking.Team;
import dev.laurel.core.leaderboard.TeamRanking.TeamScore;
import dev.laurel.processors.store.PreCommitStore;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.processors.store.boards.LeaderboardCodecs.StoredDayEnd;
import dev.laurel.processors.store.counters.CounterStore.CounterCodecs;
import dev.laurel.processors.store.users.TenantSchedule;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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
public final class LeaderboardStores {

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
     */
    public record Place(LeaderboardGroup group, boolean isIn) {}

    private final KeyValueStore<Bytes, byte[]> entries;
    private final KeyValueStore<Bytes, byte[]> runs;
    private final KeyValueStore<Bytes, byte[]> days;
    private final RankChangeStore rankChanges;
    private final TenantSchedule schedule;

    /** @param storeOf finds the task's store by name */
    public LeaderboardStores(Function<String, KeyValueStore<Bytes, byte[]>> storeOf) {
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
                .map(name -> PreCommitStore.builder(name, name.equals(StoreNames.LEADERBOARD_ENTRIES), false))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Sets what runs before each commit of the task. */
    public void beforeCommit(Runnable action) {
        PreCommitStore.beforeCommit(entries, action);
    }

    // Participants.

    public List<Participant> participants(LeaderboardGroup group) {
        return ofKind(LeaderboardKeys.PARTICIPANT, group);
    }

    private List<Participant> ofKind(char kind, LeaderboardGroup group) {
        return StoreScans.read(
                entries,
                LeaderboardKeys.ofGroup(kind, group),
                StoreScans.ALL,
                entry -> LeaderboardCodecs.PARTICIPANT.decode(entry.value));
    }

    public void putParticipant(LeaderboardGroup group, Participant participant) {
        LeaderboardCodecs.PARTICIPANT.put(
                entries,
                LeaderboardKeys.participant(group, participant.standing().user()),
                participant);
    }

    public void deleteParticipant(LeaderboardGroup group, UserId user) {
        entries.delete(LeaderboardKeys.participant(group, user));
    }

    /** Those who stand outside, since others are better. */
    public List<Participant> outside(LeaderboardGroup group) {
        return ofKind(LeaderboardKeys.OUTSIDE, group);
    }

    public void putOutside(LeaderboardGroup group, Participant outsider) {
        LeaderboardCodecs.PARTICIPANT.put(
                entries, LeaderboardKeys.outsider(group, outsider.standing().user()), outsider);
    }

    public void deleteOutside(LeaderboardGroup group, UserId user) {
        entries.delete(LeaderboardKeys.outsider(group, user));
    }

    public TeamScore teamScore(LeaderboardGroup team) {
        return LeaderboardCodecs.TEAM.get(entries, key(LeaderboardKeys.TEAM, team), TeamScore.NONE);
    }

    public void putTeamScore(LeaderboardGroup team, TeamScore score) {
        LeaderboardCodecs.TEAM.put(entries, key(LeaderboardKeys.TEAM, team), score);
    }

    /** The teams that are ranked in a group. */
    public TeamRanking teams(LeaderboardGroup group) {
        return teams(entries, group, StoreScans.ALL);
    }

    /** Reads the teams of a group. @param most teams that are counted, if there are so many */
    static TeamRanking teams(ReadOnlyKeyValueStore<Bytes, byte[]> entries, LeaderboardGroup group, int most) {
        var teams = new ArrayList<Team>();
        int count = 0;
        try (var all = entries.prefixScan(LeaderboardKeys.teamsOf(group), StoreScans.PREFIX)) {
            while (all.hasNext() && count < most) {
                Team team = LeaderboardCodecs.TEAM.decode(all.next().value).ranked();
                if (team != null && count++ < TeamRanking.MAX_TEAMS) {
                    teams.add(team);
                }
            }
        }
        return TeamRanking.of(teams, count);
    }

    /** Every place of a user, in all runs. */
    public List<Place> places(TenantId tenant, UserId user) {
        return StoreScans.read(
                entries,
                LeaderboardKeys.placesOf(tenant, user),
                StoreScans.ALL,
                entry -> new Place(
                        LeaderboardKeys.groupOfPlace(entry.key), LeaderboardCodecs.IS_IN.decode(entry.value)));
    }

    public void putPlace(UserId user, Place place) {
        LeaderboardCodecs.IS_IN.put(entries, LeaderboardKeys.place(place.group(), user), place.isIn());
    }

    /** Deletes everything that is stored about a user in a group: place, standing, day ends. */
    public void forget(LeaderboardGroup group, UserId user) {
        deleteParticipant(group, user);
        deleteOutside(group, user);
        StoreScans.read(days, LeaderboardKeys.daysOf(group, user), StoreScans.ALL, entry -> entry.key)
                .forEach(days::delete);
        var last = new ArrayList<>(lastClose(group));
        if (last.removeIf(place -> place.user().equals(user))) {
            putLastClose(group, last);
        }
        // The last one: after an interruption the others are found by it.
        entries.delete(LeaderboardKeys.place(group, user));
    }

    // The position in the log is in the store of participants, and written after them, so that it is never ahead of
    // them.

    public LogPosition logPosition(int logPartition) {
        return LeaderboardCodecs.LOG_POSITION.get(entries, LeaderboardKeys.logPosition(logPartition), LogPosition.NONE);
    }

    public void putLogPosition(int logPartition, LogPosition position) {
        LeaderboardCodecs.LOG_POSITION.put(entries, LeaderboardKeys.logPosition(logPartition), position);
    }

    /** The ruleset versions of a tenant that are in force in the partitions of the log; null if there are none. */
    public long @Nullable [] versions(TenantId tenant) {
        return LeaderboardCodecs.VERSIONS.get(entries, LeaderboardKeys.rules(tenant));
    }

    /** When runs of leaderboards begin. */
    public TenantSchedule schedule() {
        return schedule;
    }

    public void putVersions(TenantId tenant, long[] versions) {
        LeaderboardCodecs.VERSIONS.put(entries, LeaderboardKeys.rules(tenant), versions);
    }

    // Groups and runs.

    /** Null if the group is final, or nobody has ever taken part. */
    public @Nullable OpenGroup openGroup(LeaderboardGroup group) {
        return LeaderboardCodecs.OPEN_GROUP.get(runs, key(LeaderboardKeys.OPEN, group));
    }

    public boolean isFinal(LeaderboardGroup group) {
        return runs.get(key(LeaderboardKeys.FINAL, group)) != null;
    }

    public void putOpenGroup(LeaderboardGroup group, OpenGroup open) {
        LeaderboardCodecs.OPEN_GROUP.put(runs, key(LeaderboardKeys.OPEN, group), open);
    }

    /** Makes a group final: nothing of it changes any more. */
    public void putFinal(LeaderboardGroup group) {
        runs.put(key(LeaderboardKeys.FINAL, group), StoreKeys.PRESENT);
        runs.delete(key(LeaderboardKeys.OPEN, group));
        days.delete(key(LeaderboardKeys.LAST_CLOSE, group));
    }

    /** An open group, and what is stored about it. */
    public record Found(LeaderboardGroup group, OpenGroup open) {}

    /**
     * The open groups that come after one, in the order of their keys.
     *
     * @param tenant of the groups; null: all tenants
     * @param after null: from the first
     */
    public List<Found> openGroupsAfter(@Nullable TenantId tenant, @Nullable LeaderboardGroup after, int count) {
        byte[] prefix = tenant == null
                ? StoreKeys.kind(LeaderboardKeys.OPEN).get()
                : LeaderboardKeys.ofTenant(LeaderboardKeys.OPEN, tenant);
        return StoreScans.next(
                runs, prefix, after == null ? null : key(LeaderboardKeys.OPEN, after), count, LeaderboardStores::found);
    }

    private static Found found(KeyValue<Bytes, byte[]> entry) {
        return new Found(LeaderboardKeys.groupOf(entry.key), LeaderboardCodecs.OPEN_GROUP.decode(entry.value));
    }

    private static Bytes key(char kind, LeaderboardGroup group) {
        return Bytes.wrap(LeaderboardKeys.ofGroup(kind, group));
    }

    /** The newest run of a leaderboard whose start was announced; null if there is none. */
    public @Nullable Integer announcedRun(TenantId tenant, int board) {
        return LeaderboardCodecs.RUN.get(runs, LeaderboardKeys.announcedRun(tenant, board));
    }

    public void putAnnouncedRun(TenantId tenant, int board, int run) {
        LeaderboardCodecs.RUN.put(runs, LeaderboardKeys.announcedRun(tenant, board), run);
    }

    /**
     * Counts a change of rank, which is stored by the next {@link #writeRankChanges}.
     *
     * @param day in days since 1970
     * @param retentionDays for how many days the counts are kept
     */
    public void countRankChange(LeaderboardGroup group, int day, int retentionDays) {
        rankChanges.count(group.tenant(), group.board(), group.run(), day, retentionDays);
    }

    public void writeRankChanges() {
        rankChanges.write();
    }

    // Days.

    /** The participants when the group's last day was closed. */
    public List<DayClose.RankedUser> lastClose(LeaderboardGroup group) {
        return LeaderboardCodecs.LAST_CLOSE.get(days, key(LeaderboardKeys.LAST_CLOSE, group), List.of());
    }

    public void putLastClose(LeaderboardGroup group, List<DayClose.RankedUser> participants) {
        LeaderboardCodecs.LAST_CLOSE.put(days, key(LeaderboardKeys.LAST_CLOSE, group), participants);
    }

    public void putDayEnd(LeaderboardGroup group, int day, DayClose.RankedUser user) {
        LeaderboardCodecs.DAY_END.put(
                days, LeaderboardKeys.day(group, user.user(), day), new StoredDayEnd(user.rank(), user.value()));
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
        private final Map<Block, CounterBlock> counts = new HashMap<>();
        private final Set<Block> changed = new HashSet<>();

        private record Block(TenantId tenant, int board, int run, int number) {

            Bytes key() {
                return LeaderboardKeys.rankChanges(tenant, board, run, number);
            }

            Block withNumber(int other) {
                return new Block(tenant, board, run, other);
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
            var block = new Block(tenant, board, run, Math.floorDiv(day, DAYS));
            CounterBlock known = counts.get(block);
            if (known == null) {
                known = CounterCodecs.BLOCK.get(store, block.key());
                if (known == null) {
                    deleteBefore(block.withNumber(Math.floorDiv(day - retentionDays, DAYS)));
                    known = CounterBlock.ofSize(DAYS, false);
                }
                counts.put(block, known);
            }
            known.add(Math.floorMod(day, DAYS), 1);
            changed.add(block);
        }

        private void deleteBefore(Block block) {
            StoreScans.keys(store, block.withNumber(Integer.MIN_VALUE).key(), block.key(), StoreScans.ALL)
                    .forEach(store::delete);
            counts.keySet()
                    .removeIf(other -> other.number < block.number
                            && other.withNumber(block.number).equals(block));
            changed.retainAll(counts.keySet());
        }

        /** Writes what has changed since the last call. */
        void write() {
            changed.forEach(block -> CounterCodecs.BLOCK.put(store, block.key(), requireNonNull(counts.get(block))));
            changed.clear();
            if (counts.size() > MAX_KEPT_BLOCKS) {
                counts.clear();
            }
        }

        /** The days of a run with changes that are written, in their order. */
        static List<DayChanges> read(ReadOnlyKeyValueStore<Bytes, byte[]> store, TenantId tenant, int board, int run) {
            var days = new ArrayList<DayChanges>();
            StoreScans.entries(
                            store,
                            new Block(tenant, board, run, Integer.MIN_VALUE).key(),
                            StoreKeys.after(new Block(tenant, board, run, Integer.MAX_VALUE).key()),
                            StoreScans.ALL)
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
