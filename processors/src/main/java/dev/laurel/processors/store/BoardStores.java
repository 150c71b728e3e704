package dev.laurel.processors.store;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.DayClose;
import dev.laurel.processors.core.leaderboard.Ranking.Participant;
import dev.laurel.processors.store.BoardCodecs.StoredDayEnd;
import dev.laurel.processors.store.BoardCodecs.StoredPlace;
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
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;

/** The stores of the leaderboards of one partition, read and written by their task. One thread. */
public final class BoardStores {

    /**
     * What was heard from a partition of the log.
     *
     * @param offset the newest one that anything followed from, -1 if none
     * @param clockMs the time it has come to, {@code Long.MIN_VALUE} if it never said
     */
    public record Heard(long offset, long clockMs) {

        public static final Heard NOTHING = new Heard(-1, Long.MIN_VALUE);
    }

    /**
     * A group that may still change.
     *
     * @param closedDay the last UTC day whose end is recorded, {@link DayClose#NEVER} if none is
     * @param hasChanged since then
     * @param maxParticipants that it was last held to
     */
    public record OpenGroup(int closedDay, boolean hasChanged, int maxParticipants) {}

    /**
     * Where a user takes part, or took part last.
     *
     * @param isIn false after the user has left
     * @param offset in the user's partition of the log, from which it came or left
     * @param previousRank before the user left; 0 while in
     */
    public record Place(BoardGroup group, boolean isIn, long offset, int previousRank) {}

    private static final ByteArraySerializer AS_IT_IS = new ByteArraySerializer();
    private static final byte[] PRESENT = {1};

    private final KeyValueStore<Bytes, byte[]> entries;
    private final KeyValueStore<Bytes, byte[]> runs;
    private final KeyValueStore<Bytes, byte[]> days;

    /** @param storeOf finds the task's store by name */
    public BoardStores(Function<String, KeyValueStore<Bytes, byte[]>> storeOf) {
        this.entries = storeOf.apply(StoreNames.LEADERBOARD_ENTRIES);
        this.runs = storeOf.apply(StoreNames.LEADERBOARD_RUNS);
        this.days = storeOf.apply(StoreNames.LEADERBOARD_DAYS);
    }

    /**
     * The stores of the boards application: RocksDB, each with a changelog topic of its own. Nothing is held back in a
     * record cache, which would reorder what is written: how far the log was heard must never be ahead of what followed.
     */
    public static Set<StoreBuilder<?>> builders() {
        return Stream.of(StoreNames.LEADERBOARD_ENTRIES, StoreNames.LEADERBOARD_RUNS, StoreNames.LEADERBOARD_DAYS)
                .map(name -> LedgerStores.builder(name, false)).collect(Collectors.toUnmodifiableSet());
    }

    // Participants.

    public List<Participant> participants(BoardGroup group) {
        var participants = new ArrayList<Participant>();
        try (var found = entries.prefixScan(BoardKeys.ofGroup(BoardKeys.PARTICIPANT, group), AS_IT_IS)) {
            found.forEachRemaining(entry -> participants.add(BoardCodecs.PARTICIPANT.decode(entry.value)));
        }
        return participants;
    }

    public void putParticipant(BoardGroup group, Participant participant) {
        entries.put(BoardKeys.participant(group, participant.standing().user()),
                BoardCodecs.PARTICIPANT.encode(participant));
    }

    public void deleteParticipant(BoardGroup group, UserId user) {
        entries.delete(BoardKeys.participant(group, user));
    }

    /** Where the user takes part in a run; else where it took part last; null if nowhere ever. */
    public Place place(TenantId tenant, UserId user, int board, int run) {
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

    /** Every place of a user, in all runs. */
    public List<Place> places(TenantId tenant, UserId user) {
        return placesAfter(BoardKeys.placesOf(tenant, user));
    }

    private List<Place> placesAfter(byte[] prefix) {
        var places = new ArrayList<Place>();
        try (var found = entries.prefixScan(prefix, AS_IT_IS)) {
            found.forEachRemaining(entry -> {
                StoredPlace stored = BoardCodecs.PLACE.decode(entry.value);
                places.add(new Place(BoardKeys.groupOfPlace(entry.key), stored.isIn(), stored.offset(),
                        stored.previousRank()));
            });
        }
        return places;
    }

    public void putPlace(UserId user, Place place) {
        entries.put(BoardKeys.place(place.group(), user),
                BoardCodecs.PLACE.encode(new StoredPlace(place.isIn(), place.offset(), place.previousRank())));
    }

    /** Deletes whatever is kept of a user in a group: place, standing, day ends. */
    public void forget(BoardGroup group, UserId user) {
        deleteParticipant(group, user);
        var dayEnds = new ArrayList<Bytes>();
        try (var found = days.prefixScan(BoardKeys.daysOf(group, user), AS_IT_IS)) {
            found.forEachRemaining(entry -> dayEnds.add(entry.key));
        }
        dayEnds.forEach(days::delete);
        var last = new ArrayList<>(lastClose(group));
        if (last.removeIf(place -> place.user().equals(user))) {
            putLastClose(group, last);
        }
        // Last: it is what finds the others, should this be interrupted and repeated.
        entries.delete(BoardKeys.place(group, user));
    }

    // How far the log was heard: in the store of participants, and written after them, so that it is never ahead of them.

    public Heard heard(int logPartition) {
        Heard heard = BoardCodecs.HEARD.decode(entries.get(BoardKeys.heard(logPartition)));
        return heard == null ? Heard.NOTHING : heard;
    }

    public void putHeard(int logPartition, Heard heard) {
        entries.put(BoardKeys.heard(logPartition), BoardCodecs.HEARD.encode(heard));
    }

    /** The ruleset versions that the partitions of the log go by, by tenant. */
    public Map<TenantId, long[]> versions() {
        var versions = new HashMap<TenantId, long[]>();
        try (KeyValueIterator<Bytes, byte[]> found = entries.range(BoardKeys.first(BoardKeys.RULES),
                BoardKeys.afterAll(BoardKeys.RULES))) {
            found.forEachRemaining(
                    entry -> versions.put(BoardKeys.tenantOf(entry.key), BoardCodecs.VERSIONS.decode(entry.value)));
        }
        return versions;
    }

    public void putVersions(TenantId tenant, long[] versions) {
        entries.put(BoardKeys.rules(tenant), BoardCodecs.VERSIONS.encode(versions));
    }

    // Groups and runs.

    /** Null if it is final, or nobody has ever taken part. */
    public OpenGroup openGroup(BoardGroup group) {
        return BoardCodecs.OPEN_GROUP.decode(runs.get(Bytes.wrap(BoardKeys.ofGroup(BoardKeys.OPEN, group))));
    }

    public boolean isFinal(BoardGroup group) {
        return runs.get(Bytes.wrap(BoardKeys.ofGroup(BoardKeys.FINAL, group))) != null;
    }

    public void putOpenGroup(BoardGroup group, OpenGroup open) {
        runs.put(Bytes.wrap(BoardKeys.ofGroup(BoardKeys.OPEN, group)), BoardCodecs.OPEN_GROUP.encode(open));
    }

    /** Nothing of it changes any more. */
    public void putFinal(BoardGroup group) {
        runs.put(Bytes.wrap(BoardKeys.ofGroup(BoardKeys.FINAL, group)), PRESENT);
        runs.delete(Bytes.wrap(BoardKeys.ofGroup(BoardKeys.OPEN, group)));
        days.delete(Bytes.wrap(BoardKeys.ofGroup(BoardKeys.LAST_CLOSE, group)));
    }

    /** A group that is open, and what is kept of it. */
    public record Found(BoardGroup group, OpenGroup open) {}

    /** The open groups that come after this one, in the order of their keys. @param after null: from the first */
    public List<Found> openGroupsAfter(BoardGroup after, int count) {
        var groups = new ArrayList<Found>();
        Bytes from = after == null
                ? BoardKeys.first(BoardKeys.OPEN)
                : StoreKeys.after(Bytes.wrap(BoardKeys.ofGroup(BoardKeys.OPEN, after)));
        try (KeyValueIterator<Bytes, byte[]> found = runs.range(from, BoardKeys.afterAll(BoardKeys.OPEN))) {
            while (found.hasNext() && groups.size() < count) {
                var entry = found.next();
                groups.add(new Found(BoardKeys.groupOf(entry.key), BoardCodecs.OPEN_GROUP.decode(entry.value)));
            }
        }
        return groups;
    }

    /** The newest run of a leaderboard that was told to have begun, null if none was. */
    public Integer toldRun(TenantId tenant, int board) {
        return BoardCodecs.RUN.decode(runs.get(BoardKeys.told(tenant, board)));
    }

    public void putToldRun(TenantId tenant, int board, int run) {
        runs.put(BoardKeys.told(tenant, board), BoardCodecs.RUN.encode(run));
    }

    // Days.

    /** The participants at the time when the group's last day was closed. */
    public List<DayClose.RankedUser> lastClose(BoardGroup group) {
        List<DayClose.RankedUser> last = BoardCodecs.LAST_CLOSE
                .decode(days.get(Bytes.wrap(BoardKeys.ofGroup(BoardKeys.LAST_CLOSE, group))));
        return last == null ? List.of() : last;
    }

    public void putLastClose(BoardGroup group, List<DayClose.RankedUser> participants) {
        days.put(Bytes.wrap(BoardKeys.ofGroup(BoardKeys.LAST_CLOSE, group)),
                BoardCodecs.LAST_CLOSE.encode(participants));
    }

    public void putDayEnd(BoardGroup group, int day, DayClose.RankedUser user) {
        days.put(BoardKeys.day(group, user.user(), day), BoardCodecs.DAY_END
                .encode(user.rank() == 0 ? new StoredDayEnd(null, null) : new StoredDayEnd(user.rank(), user.value())));
    }
}
