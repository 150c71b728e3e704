package dev.laurel.processors.store.users;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.leaderboard.LeaderboardSchedule;
import dev.laurel.core.statistics.UserValue;
import dev.laurel.core.statistics.UserValue.Bound;
import dev.laurel.core.statistics.UserValue.RankedUser;
import dev.laurel.core.statistics.UserValue.Ranking;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.MetricState.RecentDays;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.KeyWriter;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The users of a partition who do most, by tenant, {@link Ranking} and object: lists of all users above a floor. A list begins without a
 * floor. When it has more than {@value #MAX_USERS} users, the floor rises to the best of those who are then left out, so that the
 * {@value #KEPT} best stay. So a change of a user costs two comparisons, unless the user comes above the floor or falls below it. A
 * stored list has no values: they are in the states of its users. In memory, it has the values that it was told since. Changes of lists
 * are collected in memory and written before each commit.
 *
 * <p>A ranking of recent days has a list for each epoch, which has the users whose newest event is in that epoch, or was. A list of a
 * later epoch has no floor at first, so that floors are never those of a busier time.
 *
 * <pre>
 * 'x' tenant ranking object epoch bucket    some users of the list
 * 'x' tenant ranking object epoch 255       the floor
 * </pre>
 *
 * <p>One task, one thread; any thread reads.
 */
public final class TopUserStore {

    /**
     * More than are kept, so that the floor rises rarely. Not many more: where users are about equally active, all of them pass the floor
     * again and again, and the longer a list is, the more users enter it each time.
     */
    public static final int MAX_USERS = 300;

    public static final int KEPT = 150;

    private static final char KIND = 'x';

    /** The users of a list are in several entries, so that a change of one writes few of them. */
    private static final int BUCKETS = 64;

    private static final int FLOOR = 255;

    /** The epochs before one in which a window of recent days may begin that ends in it. */
    private static final int EPOCHS = 3;

    private static final int EPOCH_BYTES = 4 + 1;

    /** A power of two. */
    private static final int LAST_OBJECTS = 8;

    /** Memory is released at a commit that finds more. */
    private static final int MAX_LISTS_IN_MEMORY = 10_000;

    private static final int MAX_USERS_IN_MEMORY = 200_000;

    static final Codec<RankedUser> RANKED = Codec.of("floor of top users", 1, RankedUser.class);
    static final Codec<List<UserId>> USERS = Codec.ofList("list of top users", 1, UserId.class);

    private final KeyValueStore<Bytes, byte[]> store;
    private final BiFunction<TenantId, UserId, @Nullable UserState> users;
    private final LongSupplier nowMs;
    private final int maxUsers;
    private final int kept;
    private final Map<ListKey, TopList> lists = new HashMap<>();

    /** For each ranking, the last lists of some objects: most events are of the same few. */
    private final @Nullable TopList[] last = new @Nullable TopList[Ranking.values().length * LAST_OBJECTS];

    private record ListKey(TenantId tenant, Ranking ranking, int object, int epoch) {

        Bytes part(int part) {
            return ofEpoch(tenant, ranking, object, epoch).letter(part).toKey();
        }
    }

    private static KeyWriter ofEpoch(TenantId tenant, Ranking ranking, int object, int epoch) {
        return KeyWriter.ofKind(KIND)
                .tenant(tenant)
                .letter(ranking.ordinal())
                .ordered(object)
                .ordered(epoch);
    }

    /**
     * The users among whom the best are.
     *
     * @param floor who is not worse than any user that is not listed; null: all users with a value are listed, or {@code lacksOthers}
     * @param lacksOthers whether users may not be listed who are better than the floor: of very many whose events are dated days ahead
     */
    public record Listed(Set<UserId> users, @Nullable RankedUser floor, boolean lacksOthers) {

        /** Whether no other user is among the best. @param last the worst of the best listed users; null: there are fewer than wanted */
        public boolean contains(@Nullable RankedUser last) {
            return !lacksOthers && (floor == null || last != null && last.compareTo(floor) < 0);
        }
    }

    /**
     * @param partitionState the store that contains the lists
     * @param users finds the present state of a user; null: the user does not exist
     * @param nowMs the time of the log; {@link LeaderboardSchedule#NEVER_SET} before its first tick
     * @param maxUsers of a list, {@link #MAX_USERS} but in tests
     * @param kept users when a list has more, {@link #KEPT} but in tests
     */
    public TopUserStore(
            KeyValueStore<Bytes, byte[]> partitionState,
            BiFunction<TenantId, UserId, @Nullable UserState> users,
            LongSupplier nowMs,
            int maxUsers,
            int kept) {
        this.store = partitionState;
        this.users = users;
        this.nowMs = nowMs;
        this.maxUsers = maxUsers;
        this.kept = kept;
    }

    /** Reads the lists for local dates around one in UTC, as of the last commit. */
    static Listed read(
            ReadOnlyKeyValueStore<Bytes, byte[]> store, TenantId tenant, Ranking ranking, int object, int today) {
        var listed = new HashSet<UserId>();
        RankedUser best = null;
        boolean lacksOthers = false;
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(
                ofEpoch(tenant, ranking, object, ranking.firstEpoch(today)).toKey(),
                ofEpoch(tenant, ranking, object, Integer.MAX_VALUE).toKey())) {
            while (entries.hasNext()) {
                var entry = entries.next();
                byte[] key = entry.key.get();
                if (key[key.length - 1] == (byte) FLOOR) {
                    RankedUser floor = RANKED.decode(entry.value);
                    best = best == null || floor.compareTo(best) < 0 ? floor : best;
                    lacksOthers |= epochOf(key) > ranking.lastEpoch(today);
                } else {
                    listed.addAll(USERS.decode(entry.value));
                }
            }
        }
        return new Listed(listed, best, lacksOthers);
    }

    private static int epochOf(byte[] key) {
        return StoreKeys.ordered(ByteBuffer.wrap(key).getInt(key.length - EPOCH_BYTES));
    }

    /**
     * Follows a change of a user, which is stored.
     *
     * @param before null: the user is new
     * @param after null: the user was erased
     */
    public void follow(TenantId tenant, @Nullable UserState before, @Nullable UserState after) {
        IntKeyedMap<MetricState> hadMetrics = before == null ? IntKeyedMap.empty() : before.metrics();
        IntKeyedMap<MetricState> metrics = after == null ? IntKeyedMap.empty() : after.metrics();
        if (hadMetrics != metrics) {
            follow(tenant, Ranking.EVENTS, 0, before, after);
            follow(tenant, Ranking.RECENT_EVENTS, 0, before, after);
            forEachChanged(hadMetrics, metrics, metric -> {
                follow(tenant, Ranking.VALUE, metric, before, after);
                follow(tenant, Ranking.RECENT_VALUE, metric, before, after);
            });
        }
        IntKeyedMap<PointsState> hadPoints = before == null ? IntKeyedMap.empty() : before.points();
        IntKeyedMap<PointsState> points = after == null ? IntKeyedMap.empty() : after.points();
        if (hadPoints != points) {
            forEachChanged(hadPoints, points, system -> follow(tenant, Ranking.POINTS, system, before, after));
        }
    }

    private static <T> void forEachChanged(IntKeyedMap<T> before, IntKeyedMap<T> after, IntConsumer changed) {
        int had = 0;
        int has = 0;
        while (had < before.size() || has < after.size()) {
            boolean isOld = had < before.size() && (has == after.size() || before.numberAt(had) <= after.numberAt(has));
            boolean isNew = has < after.size() && (had == before.size() || after.numberAt(has) <= before.numberAt(had));
            if (!isOld || !isNew || before.valueAt(had) != after.valueAt(has)) {
                changed.accept(isNew ? after.numberAt(has) : before.numberAt(had));
            }
            had += isOld ? 1 : 0;
            has += isNew ? 1 : 0;
        }
    }

    private void follow(
            TenantId tenant, Ranking ranking, int object, @Nullable UserState before, @Nullable UserState after) {
        Bound from = UserValue.boundOf(ranking, object, before);
        Bound to = UserValue.boundOf(ranking, object, after);
        if (to != null) {
            UserId user = requireNonNull(after).id();
            TopList list = list(tenant, ranking, object, to.epoch());
            boolean is = list.isAboveFloor(user, to);
            boolean hasRisen = from != null && from.most().compareTo(to.most()) <= 0;
            boolean was = from != null
                    && from.epoch() == to.epoch()
                    && (is || !hasRisen) // Most users are below the floor, and rise: one comparison.
                    && list.isAboveFloor(user, from);
            if (from != null && to.epoch() - from.epoch() > EPOCHS) {
                leave(tenant, ranking, object, from.epoch(), user);
            } else if (from != null && to.epoch() != from.epoch()) {
                list(tenant, ranking, object, from.epoch()).follow(user, null);
            }
            if (was && is) {
                list.follow(user, to.most());
            } else if (is) {
                list.add(user, to.most());
                if (ranking.isRecent() && list.isOnlyMember(user)) {
                    deleteOld(list.key);
                }
            } else if (was) {
                list.remove(user);
            }
        } else if (from != null) {
            leave(tenant, ranking, object, from.epoch(), requireNonNull(before).id());
        }
    }

    private void leave(TenantId tenant, Ranking ranking, int object, int newest, UserId user) {
        for (int epoch = ranking.isRecent() ? newest - EPOCHS : newest; epoch <= newest; epoch++) {
            list(tenant, ranking, object, epoch).remove(user);
        }
    }

    /** Deletes the lists of epochs that are over. What that does depends on the log alone, not on when lists are written. */
    private void deleteOld(ListKey key) {
        long atMs = nowMs.getAsLong();
        if (atMs == LeaderboardSchedule.NEVER_SET) {
            return;
        }
        int oldest = RecentDays.blockOf(LocalDays.dayOf(atMs, ZoneOffset.UTC)) - EPOCHS;
        Arrays.fill(last, null);
        lists.keySet()
                .removeIf(other -> other.epoch < oldest
                        && other.object == key.object
                        && other.ranking == key.ranking
                        && other.tenant.equals(key.tenant));
        StoreScans.keys(
                        store,
                        ofEpoch(key.tenant, key.ranking, key.object, Integer.MIN_VALUE)
                                .toKey(),
                        ofEpoch(key.tenant, key.ranking, key.object, oldest).toKey(),
                        StoreScans.ALL)
                .forEach(store::delete);
    }

    private TopList list(TenantId tenant, Ranking ranking, int object, int epoch) {
        int place = ranking.ordinal() * LAST_OBJECTS + (object & LAST_OBJECTS - 1);
        TopList known = last[place];
        if (known != null
                && known.key.object == object
                && known.key.epoch == epoch
                && known.key.tenant.equals(tenant)) {
            return known;
        }
        TopList found = lists.computeIfAbsent(new ListKey(tenant, ranking, object, epoch), TopList::new);
        last[place] = found;
        return found;
    }

    /** Writes what has changed since the last call. Called before each commit. */
    public void write() {
        int inMemory = 0;
        for (TopList list : lists.values()) {
            list.write();
            inMemory += list.members == null ? 0 : list.members.size();
        }
        if (inMemory > MAX_USERS_IN_MEMORY || lists.size() > MAX_LISTS_IN_MEMORY) {
            lists.clear();
            Arrays.fill(last, null);
        }
    }

    private final class TopList {

        private final ListKey key;
        private @Nullable RankedUser floor;

        /** With their bounds, as far as these are known; null until a user enters or leaves. */
        private @Nullable Map<UserId, @Nullable BigDecimal> members;

        private final BitSet changed = new BitSet();

        TopList(ListKey key) {
            this.key = key;
            this.floor = RANKED.get(store, key.part(FLOOR));
        }

        boolean isAboveFloor(UserId user, Bound bound) {
            return floor == null || RankedUser.compare(bound.most(), user, floor) < 0;
        }

        private Map<UserId, @Nullable BigDecimal> members() {
            if (members == null) {
                members = new HashMap<>();
                for (int bucket = 0; bucket < BUCKETS; bucket++) {
                    USERS.get(store, key.part(bucket), List.of()).forEach(user -> members.put(user, null));
                }
            }
            return members;
        }

        /** Takes note of the bound of a user who stays. @param most null: unknown */
        void follow(UserId user, @Nullable BigDecimal most) {
            if (members != null) {
                members.replace(user, most);
            }
        }

        void add(UserId user, BigDecimal most) {
            Map<UserId, @Nullable BigDecimal> all = members();
            if (all.put(user, most) == null) {
                changed.set(bucketOf(user)); // At worst, the same list is written again.
            }
            if (all.size() > maxUsers) {
                raiseFloor(all);
            }
        }

        void remove(UserId user) {
            if (members().keySet().remove(user)) {
                changed.set(bucketOf(user));
            }
        }

        boolean isOnlyMember(UserId user) {
            return floor == null && members().size() == 1 && members().containsKey(user);
        }

        private void raiseFloor(Map<UserId, @Nullable BigDecimal> all) {
            var ranked = new ArrayList<RankedUser>(all.size());
            all.forEach((user, known) -> {
                BigDecimal most = known == null ? read(user) : known;
                if (most != null) {
                    ranked.add(new RankedUser(user, most));
                }
            });
            Collections.sort(ranked);
            all.keySet().forEach(user -> changed.set(bucketOf(user)));
            all.clear();
            for (RankedUser user : ranked.subList(0, Math.min(kept, ranked.size()))) {
                all.put(user.user(), user.value());
            }
            if (ranked.size() > kept) {
                floor = ranked.get(kept);
                changed.set(FLOOR);
            }
        }

        private @Nullable BigDecimal read(UserId user) {
            Bound bound = UserValue.boundOf(key.ranking, key.object, users.apply(key.tenant, user));
            return bound == null || bound.epoch() != key.epoch ? null : bound.most();
        }

        /** The floor comes first, and readers read it last, so that they see one that is too high rather than too low. */
        void write() {
            if (changed.get(FLOOR)) {
                RANKED.put(store, key.part(FLOOR), requireNonNull(floor));
                changed.clear(FLOOR);
            }
            if (!changed.isEmpty()) {
                var some = new TreeMap<Integer, List<UserId>>();
                changed.stream().forEach(bucket -> some.put(bucket, new ArrayList<>()));
                members().keySet().stream()
                        .filter(user -> changed.get(bucketOf(user)))
                        .forEach(
                                user -> requireNonNull(some.get(bucketOf(user))).add(user));
                some.forEach((bucket, users) -> store.put(
                        key.part(bucket),
                        users.isEmpty()
                                ? null
                                : USERS.encode(users.stream().sorted().toList())));
                changed.clear();
            }
        }
    }

    private static int bucketOf(UserId user) {
        return Math.floorMod(user.value().hashCode(), BUCKETS);
    }
}
