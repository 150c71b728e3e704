package dev.laurel.processors.store;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.throttle.GroupNotificationState;
import dev.laurel.processors.core.throttle.RankDiff.NotifiedRank;
import dev.laurel.processors.store.Codec.StoredFormatException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

import static dev.laurel.processors.core.throttle.GroupNotificationState.NOT_DUE;

/**
 * The throttled events of one partition of the outbox, and the times at which they are due; read and written by the partition's
 * task. Times are of the instance's clock. One thread.
 *
 * <p>They are in one store, and the order of writes matters: a crash may lose the last writes, but never an earlier write without
 * the later ones. Everything that waits therefore has a due entry; a due entry may find nothing.
 */
public final class ThrottleStore {

    /** An entry whose time has come. @param position in the order of all entries */
    public record Due(Position position, Subject subject) {

        public long atMs() {
            return ThrottleKeys.timeOf(position.key());
        }
    }

    /** The position of a due entry. */
    public record Position(Bytes key) {}

    /** The subject of a due entry. */
    public sealed interface Subject {

        /** The window of a user's points, which ends. @param key of the outbox */
        record Points(UUID system, byte[] key) implements Subject {}

        record Group(BoardGroup group) implements Subject {}

        /** An event that was held back until now. */
        record Held(OutboxEvent event) implements Subject {}

        /** The note that a run started empty, which expires. */
        record OldRun(TenantId tenant, int board, int run) implements Subject {}
    }

    /** An event on its way to webhooks. @param key of the outbox */
    public record OutboxEvent(byte[] key, HookEvent event) {}

    /**
     * The window of a user's points.changed of one system.
     *
     * @param endMs the time, by the instance's clock, up to which no further event is sent
     * @param newestOffset of the newest record that was merged; records up to it change nothing when they are read again
     * @param sentOffset of the record that was forwarded at once, and is forwarded again when it is read again; {@link #NO_OFFSET}
     *        if there is none
     * @param merged the event for the end of the window; null: nothing happened since its start
     */
    public record PointsWindow(long endMs, long newestOffset, long sentOffset, @Nullable HookEvent merged) {

        public static final int NO_OFFSET = -1;
    }

    /** The rank of a user in another group that webhooks were notified of. */
    public record NotifiedElsewhere(BoardGroup group, NotifiedRank rank) {}

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
        return ThrottleCodecs.POINTS.decodeIfPresent(events.get(ThrottleKeys.points(system, key)));
    }

    /** @param former the stored window; null if there is none */
    public void putPoints(UUID system, byte[] key, @Nullable PointsWindow former, PointsWindow window) {
        put(ThrottleKeys.points(system, key), former == null ? NOT_DUE : former.endMs(), window.endMs(),
                ThrottleCodecs.POINTS.encode(window));
    }

    public void deletePoints(UUID system, byte[] key, PointsWindow former) {
        delete(ThrottleKeys.points(system, key), former.endMs());
    }

    /** The points systems with an open window. */
    public List<UUID> pointsOf(byte[] key) {
        return StoreScans.read(events, ThrottleKeys.pointsOf(key), StoreScans.ALL,
                entry -> StoreKeys.idAtEndOf(entry.key));
    }

    // Groups of leaderboards.

    /** Null if nothing is stored about the group. */
    public @Nullable GroupNotificationState state(BoardGroup group) {
        return ThrottleCodecs.GROUP.decodeIfPresent(events.get(ThrottleKeys.group(group)));
    }

    /** @param former the stored state; null if there is none */
    public void putState(BoardGroup group, @Nullable GroupNotificationState former, GroupNotificationState state) {
        if (!state.equals(former)) {
            put(ThrottleKeys.group(group), former == null ? NOT_DUE : former.dueMs(), state.dueMs(),
                    ThrottleCodecs.GROUP.encode(state));
        }
    }

    public void deleteState(BoardGroup group, GroupNotificationState former) {
        delete(ThrottleKeys.group(group), former.dueMs());
    }

    /** The groups that follow a group, in the order of their keys. @param after null: from the first */
    public List<BoardGroup> groupsAfter(@Nullable BoardGroup after, int count) {
        Bytes from = after == null
                ? BoardKeys.first(ThrottleKeys.GROUP)
                : StoreKeys.after(ThrottleKeys.group(after));
        return StoreScans.read(events, from, BoardKeys.afterAll(ThrottleKeys.GROUP), count,
                entry -> BoardKeys.groupOf(entry.key));
    }

    /** Works like {@link #groupsAfter}, for the groups of one tenant. */
    public List<BoardGroup> groupsOf(TenantId tenant, @Nullable BoardGroup after, int count) {
        byte[] prefix = BoardKeys.ofTenant(ThrottleKeys.GROUP, tenant);
        Bytes from = after == null ? Bytes.wrap(prefix) : StoreKeys.after(ThrottleKeys.group(after));
        return StoreScans.read(events, from, StoreKeys.afterAllWith(prefix.clone()), count,
                entry -> BoardKeys.groupOf(entry.key));
    }

    /** Whether the group's run started empty while webhooks asked for ranks. */
    public boolean hasStartedEmpty(BoardGroup group) {
        return events.get(ThrottleKeys.startedEmpty(group.tenant(), group.board(), group.run())) != null;
    }

    /** @param untilMs the time at which the note expires; {@link Long#MAX_VALUE} for never */
    public void putStartedEmpty(TenantId tenant, int board, int run, long untilMs) {
        Bytes key = ThrottleKeys.startedEmpty(tenant, board, run);
        if (untilMs != Long.MAX_VALUE) {
            events.put(ThrottleKeys.due(untilMs, key), PRESENT);
        }
        events.put(key, PRESENT);
    }

    public void deleteStartedEmpty(TenantId tenant, int board, int run) {
        events.delete(ThrottleKeys.startedEmpty(tenant, board, run));
    }

    // Ranks that webhooks were notified of.

    public Map<UserId, NotifiedRank> notifiedRanks(BoardGroup group) {
        byte[] prefix = ThrottleKeys.ranksOf(group);
        var ranks = new HashMap<UserId, NotifiedRank>();
        StoreScans.read(events, prefix, StoreScans.ALL, entry -> entry)
                .forEach(entry -> ranks.put(ThrottleKeys.userOf(entry.key, prefix.length),
                        ThrottleCodecs.RANK.decode(entry.value)));
        return ranks;
    }

    /** The notified rank of a user in another group of the same run; null if there is none. */
    public @Nullable NotifiedElsewhere notifiedElsewhere(BoardGroup group, UserId user) {
        List<String> values = ThrottleCodecs.VALUES.decodeIfPresent(events.get(ThrottleKeys.rankGroup(group, user)));
        if (values == null || values.equals(group.values())) {
            return null;
        }
        var other = new BoardGroup(group.tenant(), group.board(), group.run(), values);
        NotifiedRank rank = ThrottleCodecs.RANK.decodeIfPresent(events.get(ThrottleKeys.rank(other, user)));
        return rank == null ? null : new NotifiedElsewhere(other, rank);
    }

    /** Stores the notified rank of a user in this group, and deletes it in any other group of the run. */
    public void putNotified(BoardGroup group, UserId user, NotifiedRank rank) {
        if (!group.values().isEmpty()) {
            NotifiedElsewhere before = notifiedElsewhere(group, user);
            if (before != null) {
                events.delete(ThrottleKeys.rank(before.group(), user));
            }
            events.put(ThrottleKeys.rankGroup(group, user), ThrottleCodecs.VALUES.encode(group.values()));
        }
        events.put(ThrottleKeys.rank(group, user), ThrottleCodecs.RANK.encode(rank));
    }

    public void deleteNotified(BoardGroup group, UserId user) {
        events.delete(ThrottleKeys.rank(group, user));
        if (!group.values().isEmpty() && notifiedElsewhere(group, user) == null) {
            events.delete(ThrottleKeys.rankGroup(group, user));
        }
    }

    // Events that are held back, and events that were forwarded.

    public void hold(long untilMs, OutboxEvent event) {
        events.put(ThrottleKeys.due(untilMs, ThrottleKeys.held(event.event().id())),
                ThrottleCodecs.EVENT.encode(event));
    }

    public void putForwarded(OutboxEvent event) {
        events.put(ThrottleKeys.forwarded(event.event().id()), ThrottleCodecs.EVENT.encode(event));
    }

    /** An event that was forwarded recently; null if it was not. */
    public @Nullable OutboxEvent forwarded(UUID id) {
        return ThrottleCodecs.EVENT.decodeIfPresent(events.get(ThrottleKeys.forwarded(id)));
    }

    public void deleteForwarded(UUID id) {
        events.delete(ThrottleKeys.forwarded(id));
    }

    /** All events that were forwarded recently, in no order. */
    public List<OutboxEvent> allForwarded() {
        return StoreScans.read(events, BoardKeys.first(ThrottleKeys.FORWARDED),
                BoardKeys.afterAll(ThrottleKeys.FORWARDED), StoreScans.ALL,
                entry -> ThrottleCodecs.EVENT.decode(entry.value));
    }

    // Due entries.

    /** Entries due by this time, in order. @param after null: from the first */
    public List<Due> dueAfter(@Nullable Position after, long nowMs, int count) {
        Bytes to = ThrottleKeys.afterDues(nowMs);
        Bytes from = after == null ? ThrottleKeys.afterDues(Long.MIN_VALUE) : StoreKeys.after(after.key());
        if (from.compareTo(to) >= 0) {
            return List.of();
        }
        return StoreScans.read(events, from, to, count, entry -> new Due(new Position(entry.key),
                subject(ThrottleKeys.subjectOf(entry.key), entry.value)));
    }

    /** Deletes an entry that was processed, or found nothing. */
    public void deleteDue(Due due) {
        events.delete(due.position().key());
    }

    /** Writes a value with its due entry: writes the new entry before the value, and deletes the former entry after it. */
    private void put(Bytes key, long formerDueMs, long dueMs, byte[] value) {
        boolean isMoved = formerDueMs != dueMs;
        if (isMoved && dueMs != NOT_DUE) {
            events.put(ThrottleKeys.due(dueMs, key), PRESENT);
        }
        events.put(key, value);
        if (isMoved && formerDueMs != NOT_DUE) {
            events.delete(ThrottleKeys.due(formerDueMs, key));
        }
    }

    private void delete(Bytes key, long dueMs) {
        events.delete(key);
        if (dueMs != NOT_DUE) {
            events.delete(ThrottleKeys.due(dueMs, key));
        }
    }

    private static Subject subject(Bytes key, byte[] value) {
        return switch (ThrottleKeys.kindOf(key)) {
            case ThrottleKeys.POINTS -> new Subject.Points(StoreKeys.idAtEndOf(key), ThrottleKeys.outboxKeyOf(key));
            case ThrottleKeys.GROUP -> new Subject.Group(BoardKeys.groupOf(key));
            case ThrottleKeys.HELD -> new Subject.Held(ThrottleCodecs.EVENT.decode(value));
            case ThrottleKeys.STARTED_EMPTY -> {
                BoardGroup run = BoardKeys.runOf(key);
                yield new Subject.OldRun(run.tenant(), run.board(), run.run());
            }
            default -> throw new StoredFormatException(
                    "a due entry has the unknown kind '" + ThrottleKeys.kindOf(key) + "'");
        };
    }
}
