package dev.laurel.delivery.throttle;

import static dev.laurel.delivery.throttle.GroupNotices.NOT_DUE;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.delivery.throttle.RankDiff.FormerRank;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.Codec.StoredFormatException;
import dev.laurel.processors.store.KeyWriter;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.processors.store.boards.LeaderboardKeys;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * What waits under a key until a window ends, and the windows: of the points of users, of groups of leaderboards, and of ranks. An event
 * replaces what waits under its key. Part of the store of a partition's deliveries, read and written by the partition's task. Times are
 * of the instance's clock. One thread.
 *
 * <p>The order of writes matters: a crash may lose the last writes, but never an earlier write without the later ones. Everything that
 * waits therefore has a due entry; a due entry may find nothing.
 */
final class ThrottleStore {

    static final Codec<PointsWindow> POINTS = Codec.of("window of points", 2, PointsWindow.class);
    static final Codec<GroupNotices> GROUP = Codec.of("group of a leaderboard", 2, GroupNotices.class);
    static final Codec<FormerRank> RANK = Codec.of("notified rank", 2, FormerRank.class);

    private static final byte[] PRESENT = {1};

    private final KeyValueStore<Bytes, byte[]> store;

    /** The groups that have changed since the last {@link #write}: a group that changes often is written once. */
    private final Map<LeaderboardGroup, GroupNotices> unwritten = new LinkedHashMap<>();

    /** An entry whose time has come. @param key in the order of all entries */
    record Due(Bytes key, Subject subject) {

        long atMs() {
            return ThrottleKeys.timeOf(key);
        }
    }

    /** The subject of a due entry. */
    sealed interface Subject {

        /** The window of a user's points, which ends. @param key of the outbox */
        record Points(UUID system, byte[] key) implements Subject {}

        record Group(LeaderboardGroup group) implements Subject {}
    }

    /**
     * The window of a user's points.changed of one system.
     *
     * @param endMs the time, by the instance's clock, up to which no further event is sent
     * @param newestOffset of the newest record that was merged; records up to it change nothing when they are read again
     * @param sentOffset of the record that was sent at once, and is sent again when it is read again; {@link #NO_OFFSET} if there is
     *        none
     * @param isDated whether the merged event has the time of its sending, which has begun
     * @param merged the event for the end of the window; null: nothing happened since its start
     */
    record PointsWindow(
            long endMs,
            long newestOffset,
            long sentOffset,
            boolean isDated,
            @Nullable HookEvent merged) {

        static final int NO_OFFSET = -1;
    }

    /** @param store {@link StoreNames#DELIVERIES} */
    ThrottleStore(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    // Points.

    /** Null if no window is open. */
    @Nullable
    PointsWindow points(UUID system, byte[] key) {
        return POINTS.decodeIfPresent(store.get(ThrottleKeys.points(system, key)));
    }

    /** @param former the stored window; null if there is none */
    void putPoints(UUID system, byte[] key, @Nullable PointsWindow former, PointsWindow window) {
        put(
                ThrottleKeys.points(system, key),
                former == null ? NOT_DUE : former.endMs(),
                window.endMs(),
                POINTS.encode(window));
    }

    void deletePoints(UUID system, byte[] key, PointsWindow former) {
        delete(ThrottleKeys.points(system, key), former.endMs());
    }

    /** The points systems with an open window. */
    List<UUID> pointsOf(byte[] key) {
        return StoreScans.read(
                store, ThrottleKeys.pointsOf(key), StoreScans.ALL, entry -> StoreKeys.idAtEndOf(entry.key));
    }

    // Groups of leaderboards.

    /** Null if nothing waits of the group, and no window is open. */
    @Nullable
    GroupNotices notices(LeaderboardGroup group) {
        GroupNotices changed = unwritten.get(group);
        return changed != null ? changed : GROUP.decodeIfPresent(store.get(ThrottleKeys.group(group)));
    }

    /** Changes the notices of a group, which are stored by the next {@link #write}. */
    void change(LeaderboardGroup group, GroupNotices notices) {
        unwritten.put(group, notices);
    }

    /** Writes the groups that have changed. Called before each commit, and before due entries are read. */
    void write() {
        unwritten.forEach((group, notices) -> {
            GroupNotices former = GROUP.decodeIfPresent(store.get(ThrottleKeys.group(group)));
            if (!notices.equals(former)) {
                put(
                        ThrottleKeys.group(group),
                        former == null ? NOT_DUE : former.dueMs(),
                        notices.dueMs(),
                        GROUP.encode(notices));
            }
        });
        unwritten.clear();
    }

    void delete(LeaderboardGroup group, GroupNotices former) {
        delete(ThrottleKeys.group(group), former.dueMs());
    }

    // Ranks that webhooks were notified of, while their windows are open.

    Map<UserId, FormerRank> notifiedRanks(LeaderboardGroup group) {
        byte[] prefix = ThrottleKeys.ranksOf(group);
        var ranks = new HashMap<UserId, FormerRank>();
        StoreScans.read(store, prefix, StoreScans.ALL, entry -> entry)
                .forEach(entry -> ranks.put(ThrottleKeys.userOf(entry.key, prefix.length), RANK.decode(entry.value)));
        return ranks;
    }

    @Nullable
    FormerRank notifiedRank(LeaderboardGroup group, UserId user) {
        return RANK.decodeIfPresent(store.get(ThrottleKeys.rank(group, user)));
    }

    void putNotified(LeaderboardGroup group, UserId user, FormerRank rank) {
        store.put(ThrottleKeys.rank(group, user), RANK.encode(rank));
    }

    void deleteNotified(LeaderboardGroup group, UserId user) {
        store.delete(ThrottleKeys.rank(group, user));
    }

    // Due entries.

    /** Entries due by this time, in order. @param after the key of an entry; null: from the first */
    List<Due> dueAfter(@Nullable Bytes after, long nowMs, int count) {
        Bytes to = ThrottleKeys.afterDues(nowMs);
        Bytes from = after == null ? ThrottleKeys.afterDues(Long.MIN_VALUE) : StoreKeys.after(after);
        if (from.compareTo(to) >= 0) {
            return List.of();
        }
        return StoreScans.read(
                store, from, to, count, entry -> new Due(entry.key, subject(ThrottleKeys.subjectOf(entry.key))));
    }

    /** Deletes an entry that found nothing. */
    void deleteDue(Due due) {
        store.delete(due.key());
    }

    /** Writes a value with its due entry: writes the new entry before the value, and deletes the former entry after it. */
    private void put(Bytes key, long formerDueMs, long dueMs, byte[] value) {
        if (formerDueMs != dueMs) {
            store.put(ThrottleKeys.due(dueMs, key), PRESENT);
        }
        store.put(key, value);
        if (formerDueMs != dueMs && formerDueMs != NOT_DUE) {
            store.delete(ThrottleKeys.due(formerDueMs, key));
        }
    }

    private void delete(Bytes key, long dueMs) {
        store.delete(key);
        store.delete(ThrottleKeys.due(dueMs, key));
    }

    private static Subject subject(Bytes key) {
        return switch (ThrottleKeys.kindOf(key)) {
            case ThrottleKeys.POINTS -> new Subject.Points(StoreKeys.idAtEndOf(key), ThrottleKeys.outboxKeyOf(key));
            case ThrottleKeys.GROUP -> new Subject.Group(LeaderboardKeys.groupOf(key));
            default ->
                throw new StoredFormatException("a due entry has the unknown kind '" + ThrottleKeys.kindOf(key) + "'");
        };
    }

    /**
     * The layout of keys of what is throttled, in the store of deliveries: durable data. Each key begins with a letter for its kind;
     * groups, texts and numbers are laid out as in {@link LeaderboardKeys}.
     *
     * <pre>
     * p key system    the points of a user (key as in the outbox), in one system
     * g group         a group of a leaderboard
     * n group user    a rank that webhooks were notified of
     * w time, then    an entry that is due at this time:
     *   a key of p or g
     * </pre>
     */
    static final class ThrottleKeys {

        static final char POINTS = 'p';
        static final char GROUP = 'g';
        private static final char RANK = 'n';
        private static final char DUE = 'w';

        private static final int KEY_AT = 1 + Short.BYTES;
        private static final int SUBJECT_AT = 1 + Long.BYTES;

        private ThrottleKeys() {}

        static Bytes points(UUID system, byte[] key) {
            return KeyWriter.ofKind(POINTS).text(key).id(system).toKey();
        }

        /** The prefix of the keys of a user's points. */
        static byte[] pointsOf(byte[] key) {
            return KeyWriter.ofKind(POINTS).text(key).toBytes();
        }

        /** The key in the outbox, from a key of {@link #points}. */
        static byte[] outboxKeyOf(Bytes points) {
            return Arrays.copyOfRange(points.get(), KEY_AT, points.get().length - StoreKeys.ID_BYTES);
        }

        static Bytes group(LeaderboardGroup group) {
            return Bytes.wrap(LeaderboardKeys.ofGroup(GROUP, group));
        }

        static Bytes rank(LeaderboardGroup group, UserId user) {
            return LeaderboardKeys.withUser(ranksOf(group), user);
        }

        /** The prefix of the keys of a group's ranks. */
        static byte[] ranksOf(LeaderboardGroup group) {
            return LeaderboardKeys.ofGroup(RANK, group);
        }

        /** @param prefixLength length of the prefix of the group's ranks */
        static UserId userOf(Bytes rank, int prefixLength) {
            return new UserId(new String(rank.get(), prefixLength, rank.get().length - prefixLength, UTF_8));
        }

        /** @param subject a key of points or of a group */
        static Bytes due(long atMs, Bytes subject) {
            return KeyWriter.ofKind(DUE).ordered(atMs).bytes(subject.get()).toKey();
        }

        /** Above the keys of entries that are due by this time; not a key. */
        static Bytes afterDues(long atMs) {
            return KeyWriter.ofKind(DUE).ordered(atMs + 1).toKey();
        }

        static long timeOf(Bytes due) {
            return StoreKeys.ordered(ByteBuffer.wrap(due.get()).getLong(1));
        }

        static Bytes subjectOf(Bytes due) {
            return Bytes.wrap(Arrays.copyOfRange(due.get(), SUBJECT_AT, due.get().length));
        }

        static char kindOf(Bytes subject) {
            return (char) subject.get()[0];
        }
    }
}
