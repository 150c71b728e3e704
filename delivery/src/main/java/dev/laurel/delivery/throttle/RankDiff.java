package dev.laurel.delivery.throttle;

import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The differences between a ranking and former ranks (docs/webhooks.md §3): users with another rank, users who have entered and users
 * who have left. Another value alone is no difference. Pure.
 *
 * @param due the changes to notify now: participants by rank, then users who have left by former rank
 * @param nextMs when the first window of a user with another change ends, or {@link #NOTHING}
 * @param expired users whose window has ended without a change
 * @param expiryMs when the next window ends, or {@link #NOTHING}
 */
record RankDiff(List<Change> due, long nextMs, List<UserId> expired, long expiryMs) {

    static final long NOTHING = Long.MAX_VALUE;

    /** The number of moves that are not undone: the present ranking is then the one before them. */
    static final int MAX_MOVES = Leaderboard.MAX_PARTICIPANTS;

    private static final Comparator<Map.Entry<UserId, FormerRank>> BY_FORMER_RANK =
            Comparator.comparingInt(user -> user.getValue().rank());
    private static final Comparator<Standing> BY_VALUE =
            Comparator.comparing(Standing::value).reversed();

    private record Standing(UserId user, BigDecimal value) {}

    /**
     * @param before null: the user did not take part
     * @param rank 0 if the user does not take part
     * @param value null: the user does not take part
     */
    record Change(
            UserId user,
            @Nullable FormerRank before,
            int rank,
            @Nullable BigDecimal value) {

        @Nullable
        Integer previousRank() {
            return before == null || before.rank() == 0 ? null : before.rank();
        }

        @Nullable
        BigDecimal previousValue() {
            return before == null ? null : before.value();
        }

        private long silentUntilMs(long windowMs) {
            return before == null ? FormerRank.NEVER : before.silentUntilMs(windowMs);
        }
    }

    /**
     * A user's first move in a group since the ranking was last compared.
     *
     * @param previousRank rank before it; 0 if the user did not take part
     * @param previousValue null: the user did not take part
     * @param isElsewhere whether the user is in another group of the run now, which has the notice of it
     */
    record Move(UserId user, int previousRank, @Nullable BigDecimal previousValue, boolean isElsewhere) {}

    /**
     * The rank that webhooks were notified of, or that a user had before a move.
     *
     * @param rank 0 if the user did not take part
     * @param value null: the user did not take part
     * @param notifiedMs by the instance's clock; {@link #NEVER} if webhooks were not notified of the rank
     * @param isElsewhere whether it was the rank in another group of the run
     */
    record FormerRank(int rank, @Nullable BigDecimal value, long notifiedMs, boolean isElsewhere) {

        static final long NEVER = Long.MIN_VALUE;

        /** The time of the next possible notice. */
        long silentUntilMs(long windowMs) {
            return notifiedMs == NEVER ? NEVER : notifiedMs + windowMs;
        }
    }

    /**
     * The ranks before moves, by undoing them. They are exact if no user has moved twice; else users of equal values may be in another
     * order.
     *
     * @param since in the order in which they happened
     */
    static Map<UserId, FormerRank> before(List<RankingBody> ranking, List<Move> since) {
        var standings = new ArrayList<Standing>(ranking.size());
        for (RankingBody place : ranking) {
            standings.add(new Standing(new UserId(place.userId()), place.value()));
        }
        List<Move> undone = since.size() < MAX_MOVES ? since.reversed() : List.of();
        for (Move move : undone) {
            standings.removeIf(standing -> standing.user().equals(move.user()));
            if (move.previousValue() != null) {
                standings.add(
                        Math.min(move.previousRank() - 1, standings.size()),
                        new Standing(move.user(), move.previousValue()));
            }
        }
        standings.sort(BY_VALUE);
        var before = new HashMap<UserId, FormerRank>();
        for (Standing standing : standings) {
            before.put(standing.user(), new FormerRank(before.size() + 1, standing.value(), FormerRank.NEVER, false));
        }
        undone.stream().filter(Move::isElsewhere).forEach(move -> before.remove(move.user()));
        return before;
    }

    /** @param windowMs the minimum time between two notices of a user */
    static RankDiff of(List<RankingBody> ranking, Map<UserId, FormerRank> former, long nowMs, long windowMs) {
        var left = new HashMap<>(former);
        var same = new HashMap<UserId, FormerRank>();
        var changes = new ArrayList<Change>();
        for (RankingBody place : ranking) {
            var user = new UserId(place.userId());
            FormerRank before = left.remove(user);
            if (before == null || before.isElsewhere() || before.rank() != place.rank()) {
                changes.add(new Change(user, before, place.rank(), place.value()));
            } else {
                same.put(user, before);
            }
        }
        left.entrySet().stream()
                .filter(gone -> gone.getValue().rank() > 0)
                .sorted(BY_FORMER_RANK)
                .forEach(gone -> changes.add(new Change(gone.getKey(), gone.getValue(), 0, null)));
        left.entrySet().stream()
                .filter(gone -> gone.getValue().rank() == 0)
                .forEach(gone -> same.put(gone.getKey(), gone.getValue()));
        var due = new ArrayList<Change>();
        long nextMs = NOTHING;
        for (Change change : changes) {
            long untilMs = change.silentUntilMs(windowMs);
            if (untilMs <= nowMs) {
                due.add(change);
            } else {
                nextMs = Math.min(nextMs, untilMs);
            }
        }
        var expired = new ArrayList<UserId>();
        long expiryMs = nextMs;
        for (var user : same.entrySet()) {
            long untilMs = user.getValue().silentUntilMs(windowMs);
            if (untilMs > nowMs) {
                expiryMs = Math.min(expiryMs, untilMs);
            } else if (untilMs != FormerRank.NEVER) {
                expired.add(user.getKey());
            }
        }
        return new RankDiff(due, nextMs, expired, expiryMs);
    }
}
