package dev.laurel.processors.store;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.throttle.GroupNotificationState;
import dev.laurel.processors.core.throttle.RankDiff.NotifiedRank;
import dev.laurel.processors.store.Codec.StoredFormatException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The throttled events of one partition of the outbox, and when they are due; read and written by the partition's task. Times
 * are of the instance's clock. One thread.
 *
 * <p>It is one store, and the order of writes matters: a crash may lose the last of them, never one in between. Everything that
 * waits therefore has a due entry; a due entry may find nothing.
 */
public final class ThrottleStore {

    /** An entry whose time has come. @param place in the order of all, to go on from */
    public record Due(Position position, Subject subject) {

        public long atMs() {
            return ThrottleKeys.timeOf(position.key());
        }
    }

    /** The position of a due entry. */
    public record Position(Bytes key) {}

    /** What is due. */
    public sealed interface Subject {

        /** The window of a user's points ends. @param key of the outbox */
        record Points(UUID system, byte[] key) implements Subject {}

        record Group(BoardGroup group) implements Subject {}

        /** An event that was held back until now. */
        record Held(OutboxEvent handed) implements Subject {}

        /** The note that a run started empty has expired. */
        record OldRun(TenantId tenant, int board, int run) implements Subject {}
    }

    private static final ByteArraySerializer AS_IT_IS = new ByteArraySerializer();
    private static final byte[] PRESENT = {1};

    private final KeyValueStore<Bytes, byte[]> events;

    /** @param storeOf finds the task's store by name */
    public ThrottleStore(Function<String, KeyValueStore<Bytes, byte[]>> storeOf) {
        this.events = storeOf.apply(StoreNames.THROTTLED_EVENTS);
    }

    public static Set<StoreBuilder<?>> builders() {
        return Set.of(LedgerStores.builder(StoreNames.THROTTLED_EVENTS, false));
    }

    // Points.

    /** Null if no window is open. */
    public @Nullable PointsWindow points(UUID system, byte[] key) {
        return ThrottleCodecs.POINTS.decode(events.get(ThrottleKeys.points(system, key)));
    }

    /** @param former as it is in the store, null if it is not */
    public void putPoints(UUID system, byte[] key, PointsWindow former, PointsWindow window) {
        Bytes what = ThrottleKeys.points(system, key);
        boolean isMoved = former == null || former.endMs() != window.endMs();
        if (isMoved) {
            events.put(ThrottleKeys.due(window.endMs(), what), PRESENT);
        }
        events.put(what, ThrottleCodecs.POINTS.encode(window));
        if (isMoved && former != null) {
            events.delete(ThrottleKeys.due(former.endMs(), what));
        }
    }

    public void deletePoints(UUID system, byte[] key, PointsWindow former) {
        Bytes what = ThrottleKeys.points(system, key);
        events.delete(what);
        events.delete(ThrottleKeys.due(former.endMs(), what));
    }

    /** The points systems with an open window. */
    public List<UUID> pointsOf(byte[] key) {
        var systems = new ArrayList<UUID>();
        byte[] prefix = ThrottleKeys.pointsOf(key);
        try (var found = events.range(Bytes.wrap(prefix), StoreKeys.afterAllWith(prefix.clone()))) {
            found.forEachRemaining(entry -> systems.add(ThrottleKeys.systemOf(entry.key)));
        }
        return systems;
    }

    // Groups of leaderboards.

    /** Null if nothing is stored of the group. */
    public @Nullable GroupNotificationState state(BoardGroup group) {
        return ThrottleCodecs.WATCH.decode(events.get(ThrottleKeys.group(group)));
    }

    /** @param former as it is in the store, null if it is not */
    public void putState(BoardGroup group, GroupNotificationState former, GroupNotificationState watch) {
        if (watch.equals(former)) {
            return;
        }
        Bytes what = ThrottleKeys.group(group);
        boolean isMoved = former == null || former.dueMs() != watch.dueMs();
        if (isMoved && watch.dueMs() != GroupNotificationState.NOT_DUE) {
            events.put(ThrottleKeys.due(watch.dueMs(), what), PRESENT);
        }
        events.put(what, ThrottleCodecs.WATCH.encode(watch));
        if (isMoved) {
            forgetDue(what, former);
        }
    }

    public void deleteState(BoardGroup group, GroupNotificationState former) {
        Bytes what = ThrottleKeys.group(group);
        events.delete(what);
        forgetDue(what, former);
    }

    private void forgetDue(Bytes what, GroupNotificationState former) {
        if (former != null && former.dueMs() != GroupNotificationState.NOT_DUE) {
            events.delete(ThrottleKeys.due(former.dueMs(), what));
        }
    }

    /** The groups that come after this one, in the order of their keys. @param after null: from the first */
    public List<BoardGroup> groupsAfter(BoardGroup after, int count) {
        var groups = new ArrayList<BoardGroup>();
        Bytes from = after == null
                ? BoardKeys.first(ThrottleKeys.GROUP)
                : StoreKeys.after(ThrottleKeys.group(after));
        try (KeyValueIterator<Bytes, byte[]> found = events.range(from, BoardKeys.afterAll(ThrottleKeys.GROUP))) {
            while (found.hasNext() && groups.size() < count) {
                groups.add(BoardKeys.groupOf(found.next().key));
            }
        }
        return groups;
    }

    /** Whether the run started, empty, while webhooks asked for ranks. */
    public boolean hasStartedEmpty(BoardGroup group) {
        return events.get(ThrottleKeys.fromNothing(group.tenant(), group.board(), group.run())) != null;
    }

    /** @param untilMs when the note expires; {@link Long#MAX_VALUE} for never */
    public void putStartedEmpty(TenantId tenant, int board, int run, long untilMs) {
        Bytes what = ThrottleKeys.fromNothing(tenant, board, run);
        if (untilMs != Long.MAX_VALUE) {
            events.put(ThrottleKeys.due(untilMs, what), PRESENT);
        }
        events.put(what, PRESENT);
    }

    public void deleteStartedEmpty(TenantId tenant, int board, int run) {
        events.delete(ThrottleKeys.fromNothing(tenant, board, run));
    }

    // Ranks that were sent.

    public Map<UserId, NotifiedRank> notifiedRanks(BoardGroup group) {
        byte[] prefix = ThrottleKeys.toldOf(group);
        var told = new HashMap<UserId, NotifiedRank>();
        try (var found = events.prefixScan(prefix, AS_IT_IS)) {
            found.forEachRemaining(entry -> told.put(ThrottleKeys.userOf(entry.key, prefix.length),
                    ThrottleCodecs.TOLD.decode(entry.value)));
        }
        return told;
    }

    /** What was sent of a user in another group of the same run; null if nothing was. */
    public Elsewhere notifiedElsewhere(BoardGroup group, UserId user) {
        List<String> values = ThrottleCodecs.VALUES.decode(events.get(ThrottleKeys.where(group, user)));
        if (values == null || values.equals(group.values())) {
            return null;
        }
        var other = new BoardGroup(group.tenant(), group.board(), group.run(), values);
        NotifiedRank told = ThrottleCodecs.TOLD.decode(events.get(ThrottleKeys.told(other, user)));
        return told == null ? null : new Elsewhere(other, told);
    }

    /** What was sent of a user in this group. */
    public record Elsewhere(BoardGroup group, NotifiedRank told) {}

    /** Stores it in this group, and in no other of the run any more. */
    public void putNotified(BoardGroup group, UserId user, NotifiedRank told) {
        if (!group.values().isEmpty()) {
            Elsewhere before = notifiedElsewhere(group, user);
            if (before != null) {
                events.delete(ThrottleKeys.told(before.group(), user));
            }
            events.put(ThrottleKeys.where(group, user), ThrottleCodecs.VALUES.encode(group.values()));
        }
        events.put(ThrottleKeys.told(group, user), ThrottleCodecs.TOLD.encode(told));
    }

    public void deleteNotified(BoardGroup group, UserId user) {
        events.delete(ThrottleKeys.told(group, user));
        if (!group.values().isEmpty() && notifiedElsewhere(group, user) == null) {
            events.delete(ThrottleKeys.where(group, user));
        }
    }

    // Events that are held back, and events that were forwarded.

    public void hold(long untilMs, OutboxEvent handed) {
        events.put(ThrottleKeys.due(untilMs, ThrottleKeys.held(handed.event().id())),
                ThrottleCodecs.HANDED.encode(handed));
    }

    public void putForwarded(OutboxEvent handed) {
        events.put(ThrottleKeys.sent(handed.event().id()), ThrottleCodecs.HANDED.encode(handed));
    }

    /** Null if it was not forwarded a moment ago. */
    public @Nullable OutboxEvent forwarded(UUID id) {
        return ThrottleCodecs.HANDED.decode(events.get(ThrottleKeys.sent(id)));
    }

    public void deleteForwarded(UUID id) {
        events.delete(ThrottleKeys.sent(id));
    }

    /** In no order. */
    public List<OutboxEvent> allForwarded() {
        var sent = new ArrayList<OutboxEvent>();
        try (var found = events.range(BoardKeys.first(ThrottleKeys.SENT), BoardKeys.afterAll(ThrottleKeys.SENT))) {
            found.forEachRemaining(entry -> sent.add(ThrottleCodecs.HANDED.decode(entry.value)));
        }
        return sent;
    }

    // Due entries.

    /** Entries due by this time, in order. @param after null: from the first */
    public List<Due> dueAfter(Position after, long nowMs, int count) {
        var found = new ArrayList<Due>();
        Bytes to = ThrottleKeys.afterDues(nowMs);
        Bytes from = after == null ? ThrottleKeys.afterDues(Long.MIN_VALUE) : StoreKeys.after(after.key());
        if (from.compareTo(to) >= 0) {
            return found;
        }
        try (KeyValueIterator<Bytes, byte[]> range = events.range(from, to)) {
            while (range.hasNext() && found.size() < count) {
                var entry = range.next();
                found.add(new Due(new Position(entry.key), subject(ThrottleKeys.whatOf(entry.key), entry.value)));
            }
        }
        return found;
    }

    /** It was processed, or found nothing. */
    public void deleteDue(Due due) {
        events.delete(due.position().key());
    }

    private static Subject subject(Bytes what, byte[] value) {
        return switch (ThrottleKeys.kindOf(what)) {
            case ThrottleKeys.POINTS -> new Subject.Points(ThrottleKeys.systemOf(what), ThrottleKeys.outboxKeyOf(what));
            case ThrottleKeys.GROUP -> new Subject.Group(BoardKeys.groupOf(what));
            case ThrottleKeys.HELD -> new Subject.Held(ThrottleCodecs.HANDED.decode(value));
            case ThrottleKeys.FROM_NOTHING -> {
                BoardGroup run = BoardKeys.runOf(what);
                yield new Subject.OldRun(run.tenant(), run.board(), run.run());
            }
            default -> throw new StoredFormatException(
                    "a due entry has the unknown kind '" + ThrottleKeys.kindOf(what) + "'");
        };
    }

    /** An event as it goes to webhooks. @param key of the outbox */
    public record OutboxEvent(byte[] key, HookEvent event) {}

    /**
     * What a user's points.changed of one system waits for.
     *
     * @param endMs until when nothing more is told, by the instance's clock
     * @param heardOffset of the newest record that went into it; what is read again up to it changes nothing
     * @param sentOffset of the record that was sent on at once, and is again if it is read again; -1 if none was
     * @param merged what goes out at the end; null if nothing has come since
     */
    public record PointsWindow(long endMs, long heardOffset, long sentOffset, HookEvent merged) {

        public static final int NO_OFFSET = -1;
    }
}
