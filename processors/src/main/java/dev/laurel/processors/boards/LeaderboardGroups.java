package dev.laurel.processors.boards;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.leaderboard.DayClose;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardGroup.View;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.core.leaderboard.Ranking.Participant;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.RankingRules;
import dev.laurel.core.leaderboard.RankingRules.Placement;
import dev.laurel.core.leaderboard.TeamRanking;
import dev.laurel.core.leaderboard.TeamRanking.Team;
import dev.laurel.core.leaderboard.TeamRanking.TeamPart;
import dev.laurel.core.leaderboard.TeamRanking.TeamScore;
import dev.laurel.processors.store.boards.LeaderboardStores;
import dev.laurel.processors.store.boards.LeaderboardStores.OpenGroup;
import dev.laurel.processors.store.boards.LeaderboardStores.Place;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Leaderboard.Teams;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * The groups of one partition: all of them in the store, and those used last in memory. Changes are visible to reads at once, and stored
 * before each commit. One task, one thread.
 */
final class LeaderboardGroups {

    /** A group in the memory of the task; only {@link LeaderboardGroups} changes it. */
    static final class Group {

        private final LeaderboardGroup id;
        private final Map<UserId, Participant> participants = new HashMap<>();

        /** Those who stand behind the participants, and take the next free place. */
        private final Map<UserId, Participant> outside = new HashMap<>();

        /** Read by other threads. */
        private final ConcurrentSkipListSet<Standing> outsideOrder = new ConcurrentSkipListSet<>();

        /** The users with changes that are not stored, and where they are stored. */
        private final Map<UserId, Where> unsaved = new HashMap<>();

        /** The users among them who have entered since, and may have left again. */
        private final Set<UserId> entered = new HashSet<>();

        /** If the group is a team, its score; null: not read yet. */
        private @Nullable TeamScore score;

        private boolean isScoreUnsaved;

        /** The teams that are ranked in the group; null: it is not one of teams. */
        private @Nullable TeamRanking teams;

        private Ranking ranking = Ranking.EMPTY;
        private int changedRank;
        private int hidden;
        private @Nullable OpenGroup open;
        private boolean isFinal;

        private Group(LeaderboardGroup id) {
            this.id = id;
        }

        LeaderboardGroup id() {
            return id;
        }

        Ranking ranking() {
            return ranking;
        }

        /** Null if the user does not participate. */
        @Nullable
        Participant participant(UserId user) {
            return participants.get(user);
        }

        /** A user who stands outside; null: none is known. */
        @Nullable
        Participant outsider(UserId user) {
            return outside.get(user);
        }

        /** The best of those who stand outside; null: there is none. */
        @Nullable
        Standing firstOutside() {
            return outsideOrder.isEmpty() ? null : outsideOrder.first();
        }

        private Where where(UserId user) {
            return participants.containsKey(user)
                    ? Where.IN
                    : outside.containsKey(user) ? Where.OUTSIDE : Where.NOWHERE;
        }

        private void putIn(Participant next) {
            Participant before = participants.put(next.standing().user(), next);
            changedRank += weightOf(next) - weightOf(before);
            hidden += isHidden(next) - isHidden(before);
        }

        private @Nullable Participant takeIn(UserId user) {
            Participant before = participants.remove(user);
            changedRank -= weightOf(before);
            hidden -= isHidden(before);
            return before;
        }

        private void putOutside(Participant next) {
            takeOutside(next.standing().user());
            outside.put(next.standing().user(), next);
            outsideOrder.add(next.standing());
        }

        private void takeOutside(UserId user) {
            Participant before = outside.remove(user);
            if (before != null) {
                outsideOrder.remove(before.standing());
            }
        }

        private static int weightOf(@Nullable Participant participant) {
            return participant != null && participant.hasChangedRank() && isHidden(participant) == 0 ? 1 : 0;
        }

        private static int isHidden(@Nullable Participant participant) {
            return participant != null && participant.standing().visibility() == Visibility.HIDDEN ? 1 : 0;
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
    }

    private enum Where {
        IN,
        OUTSIDE,
        NOWHERE
    }

    private final LeaderboardStores stores;
    private final LeaderboardViews views;
    private final int partition;
    private final LinkedHashMap<LeaderboardGroup, Group> held = new LinkedHashMap<>(16, 0.75f, true);
    private final Set<Group> unsaved = new HashSet<>();

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
            group.putIn(participant);
            standings.add(participant.standing());
        }
        stores.outside(id).forEach(group::putOutside);
        group.ranking = Ranking.of(standings);
        group.open = stores.openGroup(id);
        group.isFinal = group.open == null && stores.isFinal(id);
        held.put(id, group);
        show(group);
        return group;
    }

    boolean isHeld(LeaderboardGroup id) {
        return held.containsKey(id);
    }

    void drop(LeaderboardGroup id) {
        Group dropped = held.remove(id);
        if (dropped != null) {
            save(dropped);
            if (dropped.teams != null) {
                save(); // the teams are stored one by one
            }
        }
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
        unsaved.clear();
        views.dropAll(partition);
    }

    /** @param next the ranking with the participant's standing */
    void put(Group group, Participant participant, Ranking next) {
        UserId user = participant.standing().user();
        change(group, user);
        group.takeOutside(user);
        if (group.participant(user) == null) {
            group.entered.add(user);
        }
        group.putIn(participant);
        group.ranking = next;
        show(group);
    }

    /** Removes a participant who leaves the group. */
    void remove(Group group, Placement left) {
        change(group, left.user());
        group.takeIn(left.user());
        group.ranking = left.ranking();
        show(group);
    }

    /** Takes note of a user who is no participant. */
    void putOutside(Group group, Participant outsider) {
        change(group, outsider.standing().user());
        group.putOutside(outsider);
        show(group);
    }

    void removeOutside(Group group, UserId user) {
        change(group, user);
        group.takeOutside(user);
        show(group);
    }

    /** Gives a free place to the first user outside, who must exist. */
    Placement admit(Group group) {
        Participant first = requireNonNull(group.outside.get(
                requireNonNull(group.firstOutside(), "nobody is outside").user()));
        Placement entered = RankingRules.enter(group.ranking, first.standing());
        put(group, new Participant(first.standing(), first.offset(), 0, first.hasChangedRank()), entered.ranking());
        return entered;
    }

    /** Takes the place of the last participant, who stands outside from now on. */
    Placement exclude(Group group) {
        Standing last = group.ranking.at(group.ranking.size());
        Placement left = RankingRules.leave(group.ranking, last);
        Participant participant = requireNonNull(group.participants.get(last.user()));
        remove(group, left);
        putOutside(group, participant);
        return left;
    }

    /** Takes over what a partition of the log adds to the score of a team, unless a newer part is known. */
    void putPart(Group team, Teams rules, int logPartition, TeamPart part) {
        rank(team, rules, scoreOf(team).with(logPartition, part));
    }

    /** Ranks a team after a change of its members. */
    void rankTeam(Group team, Teams rules) {
        rank(team, rules, scoreOf(team));
    }

    private void rank(Group team, Teams rules, TeamScore parts) {
        // Read before the change is stored, which it would have already.
        Group group = withTeams(team.id.ofTeams());
        TeamScore before = scoreOf(team);
        TeamScore next = parts.scored(rules, team.id.team(), team.ranking);
        if (next.equals(before)) {
            return;
        }
        team.score = next;
        team.isScoreUnsaved = true;
        unsaved.add(team);
        if (!Objects.equals(before.ranked(), next.ranked())) {
            TeamRanking ranked = requireNonNull(group.teams).with(before.ranked(), next.ranked());
            group.teams = ranked.isIncomplete() ? readTeams(group.id) : ranked;
            show(group);
        }
    }

    private TeamScore scoreOf(Group team) {
        if (team.score == null) {
            team.score = stores.teamScore(team.id);
        }
        return team.score;
    }

    private Group withTeams(LeaderboardGroup id) {
        Group group = held.get(id);
        if (group == null) {
            group = new Group(id);
            group.teams = readTeams(id);
            held.put(id, group);
            show(group);
        }
        return group;
    }

    private TeamRanking readTeams(LeaderboardGroup id) {
        save();
        return stores.teams(id);
    }

    /** The ranking of a team and its like. */
    TeamRanking teamsBeside(Group team) {
        return requireNonNull(withTeams(team.id.ofTeams()).teams);
    }

    /** The team as it is ranked; null: it is not. */
    @Nullable
    Team ranked(Group team) {
        return scoreOf(team).ranked();
    }

    /** Deletes everything that the group has stored of the user, history included. */
    void forget(Group group, UserId user) {
        Participant participant = group.takeIn(user);
        group.takeOutside(user);
        group.unsaved.remove(user);
        group.entered.remove(user);
        stores.forget(group.id, user);
        if (participant != null) {
            group.ranking = group.ranking.without(group.ranking.rankOf(participant.standing()));
        }
        show(group);
    }

    /** Shows a user of the group otherwise. */
    void show(Group group, UserId user, Visibility visibility) {
        Participant participant = group.participant(user);
        Participant outsider = group.outsider(user);
        if (participant != null) {
            int rank = group.ranking.rankOf(participant.standing());
            Participant next = shown(participant, visibility);
            put(group, next, group.ranking.moved(rank, next.standing()));
        } else if (outsider != null) {
            putOutside(group, shown(outsider, visibility));
        }
    }

    private static Participant shown(Participant participant, Visibility visibility) {
        return Records.with(participant, "standing", Records.with(participant.standing(), "visibility", visibility));
    }

    private void show(Group group) {
        Ranking shown = group.hidden == 0 ? group.ranking : group.ranking.shown();
        TeamRanking teams = group.teams == null ? TeamRanking.EMPTY : group.teams;
        views.show(
                partition,
                group.id,
                new View(shown, group.outsideOrder, group.changedRank, teams),
                group.outside.size());
    }

    private void change(Group group, UserId user) {
        group.unsaved.computeIfAbsent(user, group::where);
        unsaved.add(group);
    }

    /** Stores the changes of users. Called before each commit. */
    void save() {
        unsaved.forEach(this::save);
        unsaved.clear();
    }

    private void save(Group group) {
        group.unsaved.forEach((user, former) -> {
            Where now = group.where(user);
            if (former == Where.OUTSIDE && now != Where.OUTSIDE) {
                stores.deleteOutside(group.id, user);
            }
            if (former == Where.IN && now != Where.IN) {
                stores.deleteParticipant(group.id, user);
            }
            if (now != Where.IN && (former == Where.IN || group.entered.contains(user))) {
                stores.putPlace(user, new Place(group.id, false));
            }
            switch (now) {
                case IN -> {
                    if (former != Where.IN) {
                        stores.putPlace(user, new Place(group.id, true));
                    }
                    stores.putParticipant(group.id, requireNonNull(group.participants.get(user)));
                }
                case OUTSIDE -> stores.putOutside(group.id, requireNonNull(group.outside.get(user)));
                case NOWHERE -> {
                    // It is deleted.
                }
            }
        });
        group.unsaved.clear();
        group.entered.clear();
        if (group.isScoreUnsaved) {
            stores.putTeamScore(group.id, scoreOf(group));
            group.isScoreUnsaved = false;
        }
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

    /** Makes a group final. Who stands outside is of no interest any more. */
    void makeFinal(Group group) {
        for (UserId user : List.copyOf(group.outside.keySet())) {
            removeOutside(group, user);
        }
        stores.putFinal(group.id);
        group.open = null;
        group.isFinal = true;
    }
}
