package dev.laurel.processors.store.users;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.leaderboard.LeaderboardSchedule;
import dev.laurel.core.leaderboard.Ranking.Standing;
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
import dev.laurel.processors.store.KeyReader;
import dev.laurel.processors.store.KeyWriter;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The users of a partition who do most, by tenant, {@link Ranking} and object: a {@link TopList} of each. Changes are written before each
 * commit.
 *
 * <p>A ranking of recent days has a list for each epoch, which has the users whose newest event is in that epoch, or was. A list of a
 * later epoch has no floor at first, so that floors are never those of a busier time.
 *
 * <pre>
 * 'x' tenant ranking object epoch    the prefix of a list
 * </pre>
 *
 * <p>One task, one thread; any thread reads.
 */
public final class TopUserStore {

    /**
     * The maximum is more than are kept, so that the floor rises rarely. Not many more: where users are about equally active, all of them
     * pass the floor again and again, and the longer a list is, the more users enter it each time.
     */
    public static final TopList.Size SIZE = new TopList.Size(300, 150);

    private static final char KIND = 'x';

    /** The epochs before one in which a window of recent days may begin that ends in it. */
    private static final int EPOCHS = 3;

    /** A power of two. */
    private static final int LAST_OBJECTS = 8;

    private final KeyValueStore<Bytes, byte[]> store;
    private final BiFunction<TenantId, UserId, @Nullable UserState> users;
    private final LongSupplier nowMs;
    private final TopList.Size size;
    private final Map<ListKey, TopList> lists = new HashMap<>();

    /** For each ranking, the last lists of some objects: most events are of the same few. */
    private final @Nullable Known[] last = new @Nullable Known[Ranking.values().length * LAST_OBJECTS];

    /** The lists used last: a list and what it is of. */
    private record Known(ListKey key, TopList list) {}

    private record ListKey(TenantId tenant, Ranking ranking, int object, int epoch) {}

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
     * @param size {@link #SIZE} but in tests
     */
    public TopUserStore(
            KeyValueStore<Bytes, byte[]> partitionState,
            BiFunction<TenantId, UserId, @Nullable UserState> users,
            LongSupplier nowMs,
            TopList.Size size) {
        this.store = partitionState;
        this.users = users;
        this.nowMs = nowMs;
        this.size = size;
    }

    /** Reads the lists for local dates around one in UTC, as of the last commit. */
    static Listed read(
            ReadOnlyKeyValueStore<Bytes, byte[]> store, TenantId tenant, Ranking ranking, int object, int today) {
        var listed = new HashSet<UserId>();
        Standing best = null;
        boolean lacksOthers = false;
        byte[] first =
                ofEpoch(tenant, ranking, object, ranking.firstEpoch(today)).toBytes();
        byte[] last = ofEpoch(tenant, ranking, object, Integer.MAX_VALUE).toBytes();
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(Bytes.wrap(first), Bytes.wrap(last))) {
            while (entries.hasNext()) {
                var entry = entries.next();
                if (TopList.isFloor(entry.key, first.length)) {
                    Standing floor = TopList.FLOOR.decode(entry.value);
                    best = best == null || floor.compareTo(best) < 0 ? floor : best;
                    int epoch = new KeyReader(entry.key, first.length - Integer.BYTES).orderedInt();
                    lacksOthers |= epoch > ranking.lastEpoch(today);
                } else {
                    listed.add(TopList.userOf(entry.key, first.length));
                }
            }
        }
        return new Listed(listed, best == null ? null : new RankedUser(best.user(), best.value()), lacksOthers);
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
            Standing next = standing(user, to);
            boolean is = list.isAboveFloor(next);
            boolean hasRisen = from != null && from.most().compareTo(to.most()) <= 0;
            boolean was = from != null
                    && from.epoch() == to.epoch()
                    && (is || !hasRisen) // Most users are below the floor, and rise: one comparison.
                    && list.isAboveFloor(standing(user, from));
            if (from != null && to.epoch() - from.epoch() > EPOCHS) {
                leave(tenant, ranking, object, from.epoch(), user);
            } else if (from != null && to.epoch() != from.epoch()) {
                list(tenant, ranking, object, from.epoch()).follow(user, null);
            }
            if (was && is) {
                list.follow(user, next);
            } else if (is) {
                list.add(next);
                if (ranking.isRecent() && !list.hasFloor() && list.count() == 1) {
                    deleteOld(new ListKey(tenant, ranking, object, to.epoch()));
                }
            } else if (was) {
                list.remove(user);
            }
        } else if (from != null) {
            leave(tenant, ranking, object, from.epoch(), requireNonNull(before).id());
        }
    }

    private static Standing standing(UserId user, Bound bound) {
        return new Standing(user, null, bound.most(), 0);
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
        Known known = last[place];
        if (known != null
                && known.key.object == object
                && known.key.epoch == epoch
                && known.key.tenant.equals(tenant)) {
            return known.list;
        }
        var key = new ListKey(tenant, ranking, object, epoch);
        TopList found = lists.computeIfAbsent(key, this::open);
        last[place] = new Known(key, found);
        return found;
    }

    private TopList open(ListKey key) {
        return new TopList(
                store,
                ofEpoch(key.tenant, key.ranking, key.object, key.epoch).toBytes(),
                user -> {
                    Bound bound = UserValue.boundOf(key.ranking, key.object, users.apply(key.tenant, user));
                    return bound == null || bound.epoch() != key.epoch ? null : standing(user, bound);
                },
                size);
    }

    /** Writes what has changed since the last call. Called before each commit. */
    public void write() {
        if (TopList.write(lists.values())) {
            lists.clear();
            Arrays.fill(last, null);
        }
    }
}
