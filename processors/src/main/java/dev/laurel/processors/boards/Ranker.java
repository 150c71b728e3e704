package dev.laurel.processors.boards;

import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardMessage.TeamScores;
import dev.laurel.core.leaderboard.LeaderboardMessage.UserForgotten;
import dev.laurel.core.leaderboard.LeaderboardMessage.UserShown;
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
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard.Teams;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Moves users on the leaderboards of one partition, as {@link RankingRules} decide, and writes the effects. One task, one thread. */
final class Ranker {

    /** The offset of a change that no client waited for. */
    private static final long NOT_AWAITED = -1;

    private final LeaderboardStores stores;
    private final LeaderboardGroups groups;
    private final LeaderboardMaintenance maintenance;
    private final LeaderboardEffects effects;

    /** By partition of the log, what users have left by the newest command that a client waited for: its messages may be repeated. */
    private final Map<Integer, Departures> departures = new HashMap<>();

    Ranker(
            LeaderboardStores stores,
            LeaderboardGroups groups,
            LeaderboardMaintenance maintenance,
            LeaderboardEffects effects) {
        this.stores = stores;
        this.groups = groups;
        this.maintenance = maintenance;
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
     * A message with scores.
     *
     * @param isNew false if a later one is known: then nothing changes, and only the answer matters
     * @param isAwaited whether a client waits for the answer
     * @param left what users have left by it: a later score of it may let the same user enter another group of the run
     */
    record Message(long offset, boolean isNew, boolean isAwaited, Map<Runner, Left> left) {}

    /** A user in a run. */
    private record Runner(TenantId tenant, int board, int run, UserId user) {

        static Runner of(Scored scored) {
            return new Runner(scored.tenant(), scored.board(), scored.run(), scored.user());
        }
    }

    /** What a user had in a group before leaving it. */
    private record Left(Group group, Participant participant, int rank) {}

    /** What users have left by a command. @param offset its place in the log */
    private record Departures(long offset, Map<Runner, Left> left) {}

    /** Begins a message. Arguments as of {@link Message}. */
    Message begin(Origin origin, boolean isNew, boolean isAwaited) {
        Departures known = departures.get(origin.partition());
        if (!isNew || !isAwaited || known == null || known.offset != origin.offset()) {
            known = new Departures(origin.offset(), new HashMap<>());
        }
        if (isNew && isAwaited) {
            departures.put(origin.partition(), known);
        }
        return new Message(origin.offset(), isNew, isAwaited, known.left);
    }

    /** Takes over a part of the score of a team. */
    void rank(TeamScores.Team part, Origin origin, CompiledRuleset rules, LeaderboardRules board) {
        Group team = groups.of(part.group());
        maintenance.bringUpToDate(team, rules, board);
        Teams teams = board.board().teams();
        if (teams != null
                && !team.isFinal()
                && !maintenance.isOver(team.id().tenant(), board, team.id().run())) {
            groups.putPart(team, teams, origin.partition(), part.part());
        }
    }

    /** Ranks a user by a score. */
    Result rank(Message message, Scored scored, CompiledRuleset rules, LeaderboardRules board) {
        Group group = groups.of(scored.inGroup());
        maintenance.bringUpToDate(group, rules, board);
        Result result = rank(message, group, scored, board);
        rankTeam(group, board);
        return result;
    }

    /** Ranks a team again, of which the members may have changed. */
    private void rankTeam(Group team, LeaderboardRules board) {
        Teams teams = board.board().teams();
        if (teams != null && !team.isFinal()) {
            groups.rankTeam(team, teams);
        }
    }

    private Result rank(Message message, Group group, Scored scored, LeaderboardRules board) {
        boolean isOver = maintenance.isOver(scored.tenant(), board, scored.run()) || group.isFinal();
        Participant present = group.participant(scored.user());
        Left left = message.left.get(Runner.of(scored));
        // Groups of a spread leaderboard do not know of each other, even if they are in one partition.
        Left former = left != null && board.isSpread() && left.group != group ? null : left;
        if (present == null) {
            Result entered = message.isNew && !isOver ? rankOther(message, group, scored, board, former) : null;
            return entered != null
                    ? entered
                    : former == null ? new Result(group, 0, 0) : new Result(former.group, former.rank, 0);
        }
        boolean isRepeated = message.isAwaited && message.offset == present.offset();
        if (!message.isNew || isOver) {
            int rank = group.ranking().rankOf(present.standing());
            return new Result(group, isRepeated ? present.previousRank() : rank, rank);
        }
        Standing first = group.firstOutside();
        Standing next = scored.value().signum() <= 0 ? null : standing(scored, present);
        return next == null || first != null && first.compareTo(next) < 0
                ? leave(message, group, present, next, scored, board)
                : move(message, group, present, next, isRepeated, scored, board);
    }

    /** The standing by a score. @param present the user as known; null: not known */
    private static Standing standing(Scored scored, @Nullable Participant present) {
        // In past runs, names do not change (docs/semantics.md §7).
        String name = present == null || scored.isCurrent()
                ? scored.name()
                : present.standing().name();
        return new Standing(scored.user(), name, scored.visibility(), scored.value(), scored.changedMs());
    }

    /** Ranks a user who is no participant. @return null: the user is none now */
    private @Nullable Result rankOther(
            Message message, Group group, Scored scored, LeaderboardRules board, @Nullable Left former) {
        Participant known = group.outsider(scored.user());
        if (scored.value().signum() <= 0) {
            if (known != null) {
                groups.removeOutside(group, scored.user());
            }
            return null;
        }
        if (known == null && scored.kind() != Score.Kind.CHANGED) {
            return null;
        }
        Standing next = standing(scored, known);
        int max = board.board().maxParticipants();
        boolean hasChangedRank =
                former == null ? known != null && known.hasChangedRank() : former.participant.hasChangedRank();
        if (!RankingRules.isAmongFirst(group.ranking(), next, max)) {
            open(group, board);
            groups.putOutside(group, new Participant(next, NOT_AWAITED, 0, hasChangedRank));
            return null;
        }
        open(group, board);
        maintenance.mark(group);
        if (known != null) {
            groups.removeOutside(group, scored.user());
        }
        if (group.ranking().size() >= max) {
            write(group, board, groups.exclude(group), scored.atMs());
        }
        Placement entered = RankingRules.enter(group.ranking(), next);
        write(group, board, entered, scored.atMs());
        int previousRank = former == null ? 0 : former.rank;
        groups.put(group, new Participant(next, offset(message), previousRank, hasChangedRank), entered.ranking());
        return new Result(group, previousRank, entered.rank());
    }

    private static long offset(Message message) {
        return message.isAwaited ? message.offset : NOT_AWAITED;
    }

    private void open(Group group, LeaderboardRules board) {
        if (!group.isOpen()) {
            maintenance.open(group, board);
        }
    }

    private Result move(
            Message message,
            Group group,
            Participant present,
            Standing next,
            boolean isRepeated,
            Scored scored,
            LeaderboardRules board) {
        Placement moved = RankingRules.move(group.ranking(), present.standing(), next);
        if (moved.ranking() == group.ranking()) {
            return new Result(group, isRepeated ? present.previousRank() : moved.rank(), moved.rank());
        }
        if (moved.isMove()) {
            maintenance.mark(group);
            write(group, board, moved, scored.atMs());
        }
        if (moved.isRankChange()) {
            stores.countRankChange(
                    group.id(),
                    board.runs().dayIn(group.id().run(), scored.atMs()),
                    maintenance.rulesOf(scored.tenant()).document().settings().analyticsRetentionDays());
        }
        groups.put(
                group,
                new Participant(
                        next, offset(message), moved.previousRank(), present.hasChangedRank() || moved.isRankChange()),
                moved.ranking());
        return new Result(group, moved.previousRank(), moved.rank());
    }

    /** @param next the standing outside; null: the user has none in this group any more */
    private Result leave(
            Message message,
            Group group,
            Participant present,
            @Nullable Standing next,
            Scored scored,
            LeaderboardRules board) {
        Placement left = RankingRules.leave(group.ranking(), present.standing());
        message.left.put(Runner.of(scored), new Left(group, present, left.previousRank()));
        maintenance.mark(group);
        write(group, board, left, scored.atMs());
        groups.remove(group, left);
        if (next != null) {
            groups.putOutside(group, new Participant(next, NOT_AWAITED, 0, present.hasChangedRank()));
        }
        fill(group, board, scored.atMs());
        return new Result(group, left.previousRank(), 0);
    }

    /** Gives a free place to the first user outside. */
    private void fill(Group group, LeaderboardRules board, long atMs) {
        if (group.firstOutside() != null
                && group.ranking().size() < board.board().maxParticipants()) {
            write(group, board, groups.admit(group), atMs);
        }
    }

    private void write(Group group, LeaderboardRules board, Placement placement, long atMs) {
        effects.changed(board, group.id(), placement, atMs);
    }

    /** Shows a user otherwise in every group, including final ones. */
    void show(UserShown shown) {
        groups.save();
        for (Place place : stores.places(shown.tenant(), shown.user())) {
            boolean isHeld = groups.isHeld(place.group());
            groups.show(groups.of(place.group()), shown.user(), shown.visibility());
            if (!isHeld) {
                groups.drop(place.group());
            }
        }
    }

    /** Removes a user from every group, including final ones. */
    void forget(UserForgotten forgotten, long atMs) {
        groups.save();
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
                write(group, board, RankingRules.leave(group.ranking(), participant.standing()), atMs);
                groups.forget(group, forgotten.user());
                fill(group, board, atMs);
                rankTeam(group, board);
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
