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
import dev.laurel.schemas.key.UserId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Moves users on the leaderboards of one partition, as {@link RankingRules} decide, and writes the effects. One task, one thread. */
record Ranker(
        LeaderboardStores stores,
        LeaderboardGroups groups,
        LeaderboardMaintenance maintenance,
        FloorPublisher floors,
        LeaderboardEffects effects) {

    /**
     * The result of a score for the answer.
     *
     * @param group in which the user is, or was; null: none
     * @param previousRank 0 if the user did not participate
     * @param rank 0 if the user does not participate
     */
    record Result(@Nullable Group group, int previousRank, int rank) {}

    /** A participant of a group. */
    private record Member(Group group, Participant participant) {

        static @Nullable Member find(@Nullable Group group, UserId user) {
            if (group == null) {
                return null;
            }
            Participant participant = group.participant(user);
            return participant == null ? null : new Member(group, participant);
        }
    }

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
        Group target = scored.group() == null ? null : group(scored, scored.group());
        if (target != null) {
            maintenance.bringUpToDate(target, rules, board);
            if (target.needsFloor() && target.isOpen()) {
                setFloor(target, board);
            }
        }
        Group from = target;
        Member present = Member.find(target, scored.user());
        if (present == null && mayParticipate(target, scored, board, isAwaited)) {
            Place place = board.isSpread() && target != null
                    ? stores.place(target.id(), scored.user())
                    : stores.place(scored.tenant(), scored.user(), scored.board(), scored.run());
            if (place != null) {
                from = groups.of(place.group());
                maintenance.bringUpToDate(from, rules, board);
                present = Member.find(from, scored.user());
                if (!scored.isCurrent()) {
                    // In past runs, users do not move from group to group.
                    target = from;
                }
                if (present == null && !place.isIn() && origin.offset() <= place.offset()) {
                    return new Result(from, origin.offset() == place.offset() ? place.previousRank() : 0, 0);
                }
            }
        }
        // A final group stays final, even if the end of its run was changed.
        boolean isOver = maintenance.isOver(scored.tenant(), board, scored.run()) || isFinal(from) || isFinal(target);
        if (present == null) {
            return isNew
                            && !isOver
                            && target != null
                            && scored.value().signum() > 0
                            && scored.kind() == Score.Kind.CHANGED
                    ? enter(target, origin, scored, board, 0, false)
                    : new Result(target, 0, 0);
        }
        if (!isNew || isOver || origin.offset() < present.participant().offset()) {
            Result shown = shown(present);
            return origin.offset() == present.participant().offset()
                    ? new Result(shown.group(), present.participant().previousRank(), shown.rank())
                    : shown;
        }
        if (present.group() != target && scored.kind() != Score.Kind.CHANGED) {
            // Users move by changes only, since other scores come only if a client waits.
            return scored.kind() == Score.Kind.RENAMED ? move(present, origin, scored, board) : shown(present);
        }
        if (target == null || scored.value().signum() <= 0) {
            return leave(present, origin.offset(), scored, board);
        }
        if (present.group() == target) {
            return move(present, origin, scored, board);
        }
        if (!RankingRules.mayEnter(
                target.ranking(), scored.value(), board.board().maxParticipants())) {
            return leave(present, origin.offset(), scored, board);
        }
        // After a crash between the two steps, this record must still let the user enter the new group.
        Result left = leave(present, origin.offset() - 1, scored, board);
        return enter(
                target,
                origin,
                scored,
                board,
                left.previousRank(),
                present.participant().hasChangedRank());
    }

    private static Result shown(Member present) {
        int rank = present.group().ranking().rankOf(present.participant().standing());
        return new Result(present.group(), rank, rank);
    }

    private static boolean isFinal(@Nullable Group group) {
        return group != null && group.isFinal();
    }

    /** Whether it matters if a user who is not in the group of the score is or was in another one. */
    private static boolean mayParticipate(
            @Nullable Group target, Scored scored, LeaderboardRules board, boolean isAwaited) {
        return target == null
                || isAwaited
                || board.isBrokenDown() && !board.isSpread()
                || scored.kind() == Score.Kind.CHANGED
                        && RankingRules.mayEnter(
                                target.ranking(), scored.value(), board.board().maxParticipants());
    }

    private Group group(Scored scored, List<String> values) {
        return groups.of(new LeaderboardGroup(scored.tenant(), scored.board(), scored.run(), values));
    }

    /** The standing by a score. @param name that the entry shows */
    private static Standing standing(Scored scored, @Nullable String name) {
        return new Standing(scored.user(), name, scored.value(), scored.changedMs());
    }

    private Result move(Member member, Origin origin, Scored scored, LeaderboardRules board) {
        Group group = member.group();
        Participant present = member.participant();
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

    private Result leave(Member member, long offset, Scored scored, LeaderboardRules board) {
        Group group = member.group();
        Placement left =
                RankingRules.leave(group.ranking(), member.participant().standing());
        maintenance.mark(group);
        remove(group, left, offset, board, scored.atMs());
        setFloor(group, board);
        return new Result(group, left.previousRank(), 0);
    }

    /**
     * @param previousRank the rank in the group that the user leaves; 0: none
     * @param hasChangedRank whether the user changed rank there
     */
    private Result enter(
            Group group,
            Origin origin,
            Scored scored,
            LeaderboardRules board,
            int previousRank,
            boolean hasChangedRank) {
        Placement entered = RankingRules.enter(
                group.ranking(), standing(scored, scored.name()), board.board().maxParticipants());
        if (entered.rank() == 0) {
            return new Result(group, 0, 0);
        }
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
                new Participant(requireNonNull(entered.after()), origin.offset(), previousRank, hasChangedRank),
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
