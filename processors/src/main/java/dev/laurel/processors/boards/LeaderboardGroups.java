package dev.laurel.processors.boards;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.leaderboard.DayClose;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardGroup.View;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.core.leaderboard.Ranking.Participant;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.RankingRules.Placement;
import dev.laurel.processors.store.boards.LeaderboardStores;
import dev.laurel.processors.store.boards.LeaderboardStores.OpenGroup;
import dev.laurel.processors.store.boards.LeaderboardStores.Place;
import dev.laurel.schemas.key.UserId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The groups of one partition: all of them in the store, and those used last in memory. Changes are visible to reads at once. One
 * task, one thread.
 */
final class LeaderboardGroups {

    /** A group in the memory of the task; only {@link LeaderboardGroups} changes it. */
    static final class Group {

        private final LeaderboardGroup id;
        private final Map<UserId, Participant> participants = new HashMap<>();
        private Ranking ranking = Ranking.EMPTY;
        private int changedRank;
        private @Nullable OpenGroup open;
        private boolean isFinal;
        private boolean isFloorSet;

        private Group(LeaderboardGroup id) {
            this.id = id;
        }

        LeaderboardGroup id() {
            return id;
        }

        Ranking ranking() {
            return ranking;
        }

        /** Sets a participant, or removes one. @param next null: the user does not participate any more @return the one before */
        private @Nullable Participant set(UserId user, @Nullable Participant next) {
            Participant before = next == null ? participants.remove(user) : participants.put(user, next);
            changedRank += weightOf(next) - weightOf(before);
            return before;
        }

        private static int weightOf(@Nullable Participant participant) {
            return participant != null && participant.hasChangedRank() ? 1 : 0;
        }

        /** Null if the user does not participate. */
        @Nullable
        Participant participant(UserId user) {
            return participants.get(user);
        }

        /** The offset of the record that gave a participant the current value. */
        long offsetOf(UserId participant) {
            return requireNonNull(participants.get(participant), "the user participates")
                    .offset();
        }

        /** False if it is final, or was never opened. */
        boolean isOpen() {
            return open != null;
        }

        OpenGroup open() {
            return requireNonNull(open, "the group is not open");
        }

        boolean isFinal() {
            return isFinal;
        }

        /** Returns true once: it is unknown whether the floor was published before the group was read from the store. */
        boolean needsFloor() {
            boolean needs = !isFloorSet;
            isFloorSet = true;
            return needs;
        }
    }

    private final LeaderboardStores stores;
    private final LeaderboardViews views;
    private final int partition;
    private final LinkedHashMap<LeaderboardGroup, Group> held = new LinkedHashMap<>(16, 0.75f, true);

    LeaderboardGroups(LeaderboardStores stores, LeaderboardViews views, int partition) {
        this.stores = stores;
        this.views = views;
        this.partition = partition;
        // A revived task does not know which rankings it showed before.
        views.dropAll(partition);
    }

    Group of(LeaderboardGroup id) {
        Group group = held.get(id);
        return group != null ? group : load(id);
    }

    private Group load(LeaderboardGroup id) {
        var group = new Group(id);
        var standings = new ArrayList<Standing>();
        for (Participant participant : stores.participants(id)) {
            group.set(participant.standing().user(), participant);
            standings.add(participant.standing());
        }
        group.ranking = Ranking.of(standings);
        group.open = stores.openGroup(id);
        group.isFinal = group.open == null && stores.isFinal(id);
        held.put(id, group);
        show(group, group.ranking);
        return group;
    }

    boolean isHeld(LeaderboardGroup id) {
        return held.containsKey(id);
    }

    void drop(LeaderboardGroup id) {
        held.remove(id);
        views.drop(partition, id);
    }

    /** Drops the groups unused for longest while there are too many; not to be called in the middle of a step. */
    void trim() {
        while (views.areTooMany() && held.size() > 1) {
            drop(held.firstEntry().getKey());
        }
    }

    void close() {
        held.clear();
        views.dropAll(partition);
    }

    // The entry by which a participant is found is written before the participant and deleted after it.

    /** @param next the ranking with the participant's standing */
    void put(Group group, Participant participant, Ranking next) {
        UserId user = participant.standing().user();
        if (!group.participants.containsKey(user)) {
            stores.putPlace(user, new Place(group.id, true, participant.offset(), 0));
        }
        stores.putParticipant(group.id, participant);
        group.set(user, participant);
        show(group, next);
    }

    /** Removes a user who leaves. @param offset in the user's partition of the log; no record up to it lets the user enter again */
    void remove(Group group, Placement left, long offset) {
        UserId user = left.user();
        stores.deleteParticipant(group.id, user);
        stores.putPlace(user, new Place(group.id, false, offset, left.previousRank()));
        group.set(user, null);
        show(group, left.ranking());
    }

    /** Deletes everything that the group has stored of the user, history included. */
    void forget(Group group, UserId user) {
        stores.forget(group.id, user);
        Participant participant = group.set(user, null);
        if (participant != null) {
            show(group, group.ranking.without(group.ranking.rankOf(participant.standing())));
        }
    }

    private void show(Group group, Ranking next) {
        group.ranking = next;
        views.show(partition, group.id, new View(next, group.changedRank));
    }

    /** Stores the state of an open group; usually it is unchanged. */
    void open(Group group, OpenGroup open) {
        if (!open.equals(group.open)) {
            stores.putOpenGroup(group.id, open);
            group.open = open;
        }
    }

    /** Marks the days up to this one as closed. */
    void closed(Group group, OpenGroup open, int lastDay) {
        group.open = new OpenGroup(lastDay, false, open.maxParticipants());
        if (open.hasChanged()) {
            stores.putOpenGroup(group.id, group.open);
        }
    }

    /** Records the participants whose rank or value at the end of a day differs from the close before. */
    void record(Group group, int day) {
        var changes = DayClose.changes(stores.lastClose(group.id), group.ranking);
        for (DayClose.RankedUser user : changes) {
            stores.putDayEnd(group.id, day, user);
        }
        if (!changes.isEmpty()) {
            stores.putLastClose(group.id, DayClose.participants(group.ranking));
        }
    }

    void makeFinal(Group group) {
        stores.putFinal(group.id);
        group.open = null;
        group.isFinal = true;
    }
}
