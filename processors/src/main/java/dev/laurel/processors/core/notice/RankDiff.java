package dev.laurel.processors.core.notice;

import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Where a ranking differs from what webhooks were told of it (webhooks.md §3): whoever has another rank, also for being passed
 * by others, has come, or has left. A value alone is no reason. Pure.
 *
 * @param due what can be told now: those who are on it by rank, then those who have left by the rank they had
 * @param nextMs when more can be told, or forgotten; {@link #NOTHING} if nothing is left
 * @param forgettable who has left, and was told to, so long ago that it does not matter any more
 */
public record RankDiff(List<Change> due, long nextMs, List<UserId> forgettable) {

    public static final long NOTHING = Long.MAX_VALUE;

    private static final Comparator<Change> BY_FORMER_RANK = Comparator.comparingInt(change -> change.before().rank());

    /**
     * @param before null if nothing was told of the user
     * @param rank 0 if the user is not on it
     * @param value null then
     */
    public record Change(UserId user, ToldRank before, int rank, BigDecimal value) {

        /** Null if the user was not on it, or nothing was told. */
        public Integer previousRank() {
            return before == null || before.rank() == 0 ? null : before.rank();
        }

        /** Null if the user was not on it, or nothing was told. */
        public BigDecimal previousValue() {
            return before == null ? null : before.value();
        }
    }

    /**
     * @param told of this group
     * @param elsewhere what was told of a user in another group of the same run; null if nothing was
     * @param windowMs how long a user is not told of again
     */
    public static RankDiff of(List<RankingBody> ranking, Map<UserId, ToldRank> told,
            Function<UserId, ToldRank> elsewhere, long nowMs, long windowMs) {
        var left = new HashMap<>(told);
        var changes = new ArrayList<Change>();
        for (RankingBody place : ranking) {
            var user = new UserId(place.userId());
            ToldRank before = left.remove(user);
            if (before == null) {
                before = elsewhere.apply(user);
                changes.add(new Change(user, before, place.rank(), place.value()));
            } else if (before.rank() != place.rank()) {
                changes.add(new Change(user, before, place.rank(), place.value()));
            }
        }
        var forgettable = new ArrayList<UserId>();
        var leavers = new ArrayList<Change>();
        long nextMs = NOTHING;
        for (Map.Entry<UserId, ToldRank> gone : left.entrySet()) {
            ToldRank before = gone.getValue();
            if (before.rank() > 0) {
                leavers.add(new Change(gone.getKey(), before, 0, null));
            } else if (before.silentUntilMs(windowMs) <= nowMs) {
                forgettable.add(gone.getKey());
            } else {
                nextMs = Math.min(nextMs, before.silentUntilMs(windowMs));
            }
        }
        leavers.sort(BY_FORMER_RANK);
        changes.addAll(leavers);
        var due = new ArrayList<Change>();
        for (Change change : changes) {
            long untilMs = change.before() == null ? ToldRank.NEVER : change.before().silentUntilMs(windowMs);
            if (untilMs <= nowMs) {
                due.add(change);
            } else {
                nextMs = Math.min(nextMs, untilMs);
            }
        }
        return new RankDiff(due, nextMs, forgettable);
    }
}
