package dev.laurel.processors.boards;

import dev.laurel.processors.boards.BoardGroups.Group;
import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardMessage.Origin;
import dev.laurel.processors.core.leaderboard.BoardMessage.Scored;
import dev.laurel.processors.core.leaderboard.BoardMessage.UserForgotten;
import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.core.leaderboard.Ranking.Participant;
import dev.laurel.processors.core.leaderboard.Ranking.Standing;
import dev.laurel.processors.core.leaderboard.RankingRules.Placement;
import dev.laurel.processors.core.leaderboard.RankingRules;
import dev.laurel.processors.core.leaderboard.Score;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.store.BoardStores.Place;
import dev.laurel.processors.store.BoardStores;
import java.util.List;

/**
 * Moves users on the leaderboards of one partition: asks {@link RankingRules} what a score comes to, writes it, and tells of it. One
 * task, one thread.
 */
final class Ranker {

    private final BoardStores stores;
    private final BoardGroups groups;
    private final LeaderboardMaintenance upkeep;
    private final FloorPublisher floors;
    private final LeaderboardEffects facts;

    Ranker(BoardStores stores, BoardGroups groups, LeaderboardMaintenance upkeep, FloorPublisher floors,
            LeaderboardEffects facts) {
        this.stores = stores;
        this.groups = groups;
        this.upkeep = upkeep;
        this.floors = floors;
        this.facts = facts;
    }

    /** The result of a score for the answer. @param group in which the user is, or was */
    record Result(Group group, int previousRank, int rank) {}

    /**
     * Ranks a user by a score.
     *
     * @param isNews false if a later record is known: then nothing changes, and only the answer matters
     * @param isAwaited whether a client waits for the answer
     */
    Result rank(Origin origin, Scored scored, CompiledRuleset rules, BoardRules board, boolean isNews,
            boolean isAwaited) {
        Group target = scored.group() == null ? null : group(scored, scored.group());
        if (target != null) {
            upkeep.bringUp(target, rules, board);
            if (!target.isFloorTold() && target.open() != null) {
                tellFloor(target, board);
            }
        }
        Group from = target;
        Participant present = target == null ? null : target.participant(scored.user());
        if (present == null && isWorthALook(target, scored, board, isAwaited)) {
            Place place = stores.place(scored.tenant(), scored.user(), scored.board(), scored.run());
            if (place != null) {
                from = groups.of(place.group());
                upkeep.bringUp(from, rules, board);
                present = from.participant(scored.user());
                if (!scored.isCurrent()) {
                    // In runs of the past nobody moves from group to group.
                    target = from;
                }
                if (present == null && !place.isIn() && origin.offset() <= place.offset()) {
                    return new Result(from, origin.offset() == place.offset() ? place.previousRank() : 0, 0);
                }
            }
        }
        // What is final stays so, even if its end was moved after all, or if the store forgot how far time had come.
        boolean isOver = upkeep.isOver(scored.tenant(), board, scored.run()) || isFinal(from) || isFinal(target);
        if (present != null && (!isNews || isOver || origin.offset() < present.offset())) {
            int rank = from.ranking().rankOf(present.standing());
            return new Result(from, origin.offset() == present.offset() ? present.previousRank() : rank, rank);
        }
        if (!isNews || isOver) {
            return new Result(target, 0, 0);
        }
        boolean isOut = target == null || scored.value().signum() <= 0;
        if (present == null) {
            boolean mayEnter = !isOut && scored.kind() == Score.Kind.CHANGED;
            return mayEnter ? enter(target, origin, scored, board, 0) : new Result(target, 0, 0);
        }
        if (isOut) {
            return leave(from, present, origin.offset(), scored, board);
        }
        if (from == target) {
            return move(from, present, origin, scored, board);
        }
        if (!RankingRules.mayEnter(target.ranking(), scored.value(), board.board().maxParticipants())) {
            return leave(from, present, origin.offset(), scored, board);
        }
        // Two steps, and a crash may come between them: then this very record must still bring the user into the new group.
        Result left = leave(from, present, origin.offset() - 1, scored, board);
        return enter(target, origin, scored, board, left.previousRank());
    }

    private static boolean isFinal(Group group) {
        return group != null && group.isFinal();
    }

    /** Whether it matters where a user is or was who takes no part in the group of the score. */
    private static boolean isWorthALook(Group target, Scored scored, BoardRules board, boolean isAwaited) {
        return target == null || isAwaited || board.isBrokenDown() || scored.kind() == Score.Kind.CHANGED
                && RankingRules.mayEnter(target.ranking(), scored.value(), board.board().maxParticipants());
    }

    private Group group(Scored scored, List<String> values) {
        return groups.of(new BoardGroup(scored.tenant(), scored.board(), scored.run(), values));
    }

    private static Standing standing(Scored scored) {
        return new Standing(scored.user(), scored.name(), scored.value(), scored.changedMs());
    }

    private Result move(Group group, Participant present, Origin origin, Scored scored, BoardRules board) {
        Placement moved = RankingRules.move(group.ranking(), present.standing(), standing(scored));
        if (moved.ranking() == group.ranking()) {
            boolean isRepeated = origin.offset() == present.offset();
            if (isRepeated) {
                // The stores are not written in one: this may have been lost when the participant was kept.
                upkeep.mark(group);
            }
            return new Result(group, isRepeated ? present.previousRank() : moved.rank(), moved.rank());
        }
        if (moved.isMove()) {
            upkeep.mark(group);
        }
        if (moved.isMove()) {
            tell(group, board, moved, scored.atMs());
        }
        groups.put(group, new Participant(moved.after(), origin.offset(), moved.previousRank()), moved.ranking());
        tellFloor(group, board);
        return new Result(group, moved.previousRank(), moved.rank());
    }

    /** @param offset up to which nothing brings the user back */
    private Result leave(Group group, Participant present, long offset, Scored scored, BoardRules board) {
        Placement left = RankingRules.leave(group.ranking(), present.standing());
        upkeep.mark(group);
        tell(group, board, left, scored.atMs());
        groups.remove(group, scored.user(), offset, left.previousRank(), left.ranking());
        tellFloor(group, board);
        return new Result(group, left.previousRank(), 0);
    }

    /** @param previousRank in the group that the user comes from, 0 if from none */
    private Result enter(Group group, Origin origin, Scored scored, BoardRules board, int previousRank) {
        Placement entered = RankingRules.enter(group.ranking(), standing(scored), board.board().maxParticipants());
        if (entered.rank() == 0) {
            return new Result(group, 0, 0);
        }
        if (group.open() == null) {
            upkeep.open(group, board);
        }
        upkeep.mark(group);
        if (entered.evicted() != null) {
            evict(group, entered.evicted(), board, scored.atMs());
        }
        tell(group, board, entered, scored.atMs());
        groups.put(group, new Participant(entered.after(), origin.offset(), previousRank), entered.ranking());
        tellFloor(group, board);
        return new Result(group, previousRank, entered.rank());
    }

    private void evict(Group group, Standing evicted, BoardRules board, long atMs) {
        int rank = group.ranking().size();
        long offset = group.participant(evicted.user()).offset();
        facts.changed(board, group.id(), evicted.user(), evicted, rank, null, 0, atMs);
        groups.remove(group, evicted.user(), offset, rank, group.ranking().without(rank));
    }

    /**
     * Before the store is written: what the store has may be read again without being told again, so after a crash something
     * may be told twice, but is not missing.
     */
    private void tell(Group group, BoardRules board, Placement placement, long atMs) {
        Standing known = placement.after() == null ? placement.before() : placement.after();
        facts.changed(board, group.id(), known.user(), placement.before(), placement.previousRank(), placement.after(),
                placement.rank(), atMs);
    }

    private void tellFloor(Group group, BoardRules board) {
        floors.set(group.id(), RankingRules.floor(group.ranking(), board.board().maxParticipants()));
    }

    /** Takes the user out of every group, final ones too. */
    void forget(UserForgotten forgotten, long atMs) {
        for (Place place : stores.places(forgotten.tenant(), forgotten.user())) {
            boolean isHeld = groups.isHeld(place.group());
            Group group = groups.of(place.group());
            CompiledRuleset rules = upkeep.rulesOf(forgotten.tenant());
            BoardRules board = rules.board(place.group().board());
            if (board != null) {
                upkeep.bringUp(group, rules, board);
            }
            Participant participant = group.participant(forgotten.user());
            int rank = participant == null ? 0 : group.ranking().rankOf(participant.standing());
            if (rank > 0 && group.open() != null) {
                upkeep.mark(group);
            }
            boolean isTold = rank > 0 && board != null && !group.isFinal();
            if (isTold) {
                facts.changed(board, group.id(), forgotten.user(), participant.standing(), rank, null, 0, atMs);
            }
            groups.forget(group, forgotten.user());
            if (isTold) {
                tellFloor(group, board);
            }
            if (!isHeld) {
                // Years of runs may be among them.
                groups.drop(place.group());
            }
        }
    }
}
