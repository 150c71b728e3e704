package dev.laurel.processors.boards;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardMessage.UserForgotten;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Ranking.Participant;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.RankingRules;
import dev.laurel.core.leaderboard.RankingRules.Placement;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.processors.boards.LeaderboardGroups.Group;
import dev.laurel.processors.store.boards.LeaderboardStores;
import dev.laurel.processors.store.boards.LeaderboardStores.Place;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Moves users on the leaderboards of one partition, as {@link RankingRules} decide, and writes the effects. One task, one thread. */
final class Ranker {

    private final LeaderboardStores stores;
    private final LeaderboardGroups groups;
    private final LeaderboardMaintenance maintenance;
    private final FloorPublisher floors;
    private final LeaderboardEffects effects;

    /** By partition of the log, who left a group last: the next score may let the same user enter another group of the run. */
    private final Map<Integer, Left> left = new HashMap<>();

    /** What a user had in a group before leaving it. @param offset the place in the log of the command by which the user left */
    private record Left(Group group, Participant participant, int rank, long offset) {

        boolean isOfMove(Scored entering, long enteringOffset) {
            LeaderboardGroup id = group.id();
            return offset == enteringOffset
                    && entering.kind() == Score.Kind.CHANGED
                    && participant.standing().user().equals(entering.user())
                    && id.run() == entering.run()
                    && id.board() == entering.board()
                    && id.tenant().equals(entering.tenant());
        }
    }

    Ranker(
            LeaderboardStores stores,
            LeaderboardGroups groups,
            LeaderboardMaintenance maintenance,
            FloorPublisher floors,
            LeaderboardEffects effects) {
        this.stores = stores;
        this.groups = groups;
        this.maintenance = maintenance;
        this.floors = floors;
        this.effects = effects;
    }

    /**
     * The result of a score for the answer.
     *
     * @param group in which the user is, or was
     * @param previousRank 0 if the user did not participate
     * @param rank 0 if the user does not participate
     */
    record Result(Group group, int previousRank, int rank) {}

    /**
     * Ranks a user by a score.
     *
     * @param isNew false if a later record is known: then nothing changes, and only the answer matters
     * @param isAwaited whether a client waits for the answer
     */
    Result rank(
            Origin origin,
            Scored scored,
            CompiledRuleset rules,
            LeaderboardRules board,
            boolean isNew,
            boolean isAwaited) {
        Group group = groups.of(new LeaderboardGroup(scored.tenant(), scored.board(), scored.run(), scored.group()));
        maintenance.bringUpToDate(group, rules, board);
        if (group.needsFloor() && group.isOpen()) {
            setFloor(group, board);
        }
        boolean isOver = maintenance.isOver(scored.tenant(), board, scored.run()) || group.isFinal();
        Participant present = group.participant(scored.user());
        if (present == null) {
            boolean mayEnter = isNew
                    && !isOver
                    && scored.kind() == Score.Kind.CHANGED
                    && RankingRules.mayEnter(
                            group.ranking(), scored.value(), board.board().maxParticipants());
            Place place = mayEnter || isAwaited ? stores.place(group.id(), scored.user()) : null;
            if (place != null && !place.isIn() && origin.offset() <= place.offset()) {
                return new Result(group, origin.offset() == place.offset() ? place.previousRank() : 0, 0);
            }
            Left last = board.isSpread() ? null : left.get(origin.partition());
            Left former = last != null && last.isOfMove(scored, origin.offset()) ? last : null;
            if (mayEnter) {
                return enter(group, origin, scored, board, former);
            }
            return former == null ? new Result(group, 0, 0) : new Result(former.group(), former.rank(), 0);
        }
        if (!isNew || isOver || origin.offset() < present.offset()) {
            int rank = group.ranking().rankOf(present.standing());
            return new Result(group, origin.offset() == present.offset() ? present.previousRank() : rank, rank);
        }
        return scored.value().signum() <= 0
                ? leave(group, present, origin, scored, board)
                : move(group, present, origin, scored, board);
    }

    /** The standing by a score. @param name that the entry shows */
    private static Standing standing(Scored scored, @Nullable String name) {
        return new Standing(scored.user(), name, scored.value(), scored.changedMs());
    }

    private Result move(Group group, Participant present, Origin origin, Scored scored, LeaderboardRules board) {
        // In past runs, names do not change (docs/semantics.md §7).
        String name = scored.isCurrent() ? scored.name() : present.standing().name();
        Placement moved = RankingRules.move(group.ranking(), present.standing(), standing(scored, name));
        if (moved.ranking() == group.ranking()) {
            boolean isRepeated = origin.offset() == present.offset();
            if (isRepeated) {
                // The stores are not written atomically: the participant may be stored without the mark.
                maintenance.mark(group);
            }
            return new Result(group, isRepeated ? present.previousRank() : moved.rank(), moved.rank());
        }
        if (moved.isMove()) {
            maintenance.mark(group);
            writeEffect(group, board, moved, scored.atMs());
        }
        // One change for each record: if a record with two values is read again, both are.
        boolean isCounted = moved.isRankChange() && origin.offset() > present.offset();
        if (isCounted) {
            countRankChange(group, scored, board);
        }
        groups.put(
                group,
                new Participant(
                        requireNonNull(moved.after()),
                        origin.offset(),
                        moved.previousRank(),
                        present.hasChangedRank() || isCounted),
                moved.ranking());
        setFloor(group, board);
        return new Result(group, moved.previousRank(), moved.rank());
    }

    private void countRankChange(Group group, Scored scored, LeaderboardRules board) {
        stores.countRankChange(
                group.id(),
                board.runs().dayIn(group.id().run(), scored.atMs()),
                maintenance.rulesOf(scored.tenant()).document().settings().analyticsRetentionDays());
    }

    private Result leave(Group group, Participant present, Origin origin, Scored scored, LeaderboardRules board) {
        Placement placement = RankingRules.leave(group.ranking(), present.standing());
        left.put(origin.partition(), new Left(group, present, placement.previousRank(), origin.offset()));
        maintenance.mark(group);
        remove(group, placement, origin.offset(), board, scored.atMs());
        setFloor(group, board);
        return new Result(group, placement.previousRank(), 0);
    }

    /** @param former the group that the user leaves by the same command; null: none, or it is not known */
    private Result enter(Group group, Origin origin, Scored scored, LeaderboardRules board, @Nullable Left former) {
        Placement entered = RankingRules.enter(
                group.ranking(), standing(scored, scored.name()), board.board().maxParticipants());
        int previousRank = former == null ? 0 : former.rank();
        if (!group.isOpen()) {
            maintenance.open(group, board);
        }
        maintenance.mark(group);
        if (entered.evicted() != null) {
            evict(group, entered.evicted(), board, scored.atMs());
        }
        writeEffect(group, board, entered, scored.atMs());
        groups.put(
                group,
                new Participant(
                        requireNonNull(entered.after()),
                        origin.offset(),
                        previousRank,
                        former != null && former.participant().hasChangedRank()),
                entered.ranking());
        setFloor(group, board);
        return new Result(group, previousRank, entered.rank());
    }

    private void evict(Group group, Standing evicted, LeaderboardRules board, long atMs) {
        remove(group, RankingRules.leave(group.ranking(), evicted), group.offsetOf(evicted.user()), board, atMs);
    }

    /** @param offset in the user's partition of the log; no record up to it lets the user enter again */
    private void remove(Group group, Placement left, long offset, LeaderboardRules board, long atMs) {
        writeEffect(group, board, left, atMs);
        groups.remove(group, left, offset);
    }

    /**
     * Writes the effect. Called before the store is written: a record whose change is stored causes no second effect, so after a crash an
     * effect may be written twice, but is not missing.
     */
    private void writeEffect(Group group, LeaderboardRules board, Placement placement, long atMs) {
        effects.changed(board, group.id(), placement, atMs);
    }

    private void setFloor(Group group, LeaderboardRules board) {
        floors.set(group.id(), RankingRules.floor(group.ranking(), board.board().maxParticipants()));
    }

    /** Removes a user from every group, including final ones. */
    void forget(UserForgotten forgotten, long atMs) {
        for (Place place : stores.places(forgotten.tenant(), forgotten.user())) {
            boolean isHeld = groups.isHeld(place.group());
            Group group = groups.of(place.group());
            CompiledRuleset rules = maintenance.rulesOf(forgotten.tenant());
            LeaderboardRules board = rules.board(place.group().board());
            if (board != null) {
                maintenance.bringUpToDate(group, rules, board);
            }
            Participant participant = group.participant(forgotten.user());
            if (participant != null && group.isOpen()) {
                maintenance.mark(group);
            }
            if (participant != null && board != null && !group.isFinal()) {
                writeEffect(group, board, RankingRules.leave(group.ranking(), participant.standing()), atMs);
                groups.forget(group, forgotten.user());
                setFloor(group, board);
            } else {
                groups.forget(group, forgotten.user());
            }
            if (!isHeld) {
                // The groups of many past runs may be among them.
                groups.drop(place.group());
            }
        }
    }
}
