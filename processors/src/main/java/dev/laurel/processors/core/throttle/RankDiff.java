package dev.laurel.processors.core.throttle;

import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The differences of a ranking from the ranks that webhooks were notified of (docs/webhooks.md §3): users with another rank,
 * also because others have passed them, users who have entered and users who have left. Another value alone is no difference.
 * Pure.
 *
 * @param due the changes to notify now: participants by rank, then users who have left by their former rank
 * @param nextMs when more may be notified or forgotten; {@link #NOTHING} if nothing is left
 * @param forgettable users whose leaving was notified so long ago that it can be forgotten
 */
public record RankDiff(List<Change> due, long nextMs, List<UserId> forgettable) {

    public static final long NOTHING = Long.MAX_VALUE;

    private static final Comparator<Map.Entry<UserId, NotifiedRank>> BY_FORMER_RANK = Comparator
            .comparingInt(user -> user.getValue().rank());

    /**
     * @param before null if nothing was notified of the user
     * @param rank 0 if the user takes no part
     * @param value null then
     */
    public record Change(UserId user, @Nullable NotifiedRank before, int rank, @Nullable BigDecimal value) {

        /** The notified rank before, null if there is none. */
        public @Nullable Integer previousRank() {
            return before == null || before.rank() == 0 ? null : before.rank();
        }

        /** The notified value before, null if there is none. */
        public @Nullable BigDecimal previousValue() {
            return before == null ? null : before.value();
        }
    }

    /**
     * @param told the notified ranks of this group
     * @param elsewhere the notified rank of a user in another group of the same run, null if there is none
     * @param windowMs how long a user is not notified of again
     */
    public static RankDiff of(List<RankingBody> ranking, Map<UserId, NotifiedRank> told,
            Function<UserId, @Nullable NotifiedRank> elsewhere, long nowMs, long windowMs) {
        var left = new HashMap<>(told);
        var changes = new ArrayList<Change>();
        for (RankingBody place : ranking) {
            var user = new UserId(place.userId());
            NotifiedRank before = left.remove(user);
            if (before == null) {
                before = elsewhere.apply(user);
                changes.add(new Change(user, before, place.rank(), place.value()));
            } else if (before.rank() != place.rank()) {
                changes.add(new Change(user, before, place.rank(), place.value()));
            }
        }
        var forgettable = new ArrayList<UserId>();
        var leavers = new ArrayList<Map.Entry<UserId, NotifiedRank>>();
        long nextMs = NOTHING;
        for (Map.Entry<UserId, NotifiedRank> gone : left.entrySet()) {
            NotifiedRank before = gone.getValue();
            if (before.rank() > 0) {
                leavers.add(gone);
            } else if (before.silentUntilMs(windowMs) <= nowMs) {
                forgettable.add(gone.getKey());
            } else {
                nextMs = Math.min(nextMs, before.silentUntilMs(windowMs));
            }
        }
        leavers.sort(BY_FORMER_RANK);
        leavers.forEach(gone -> changes.add(new Change(gone.getKey(), gone.getValue(), 0, null)));
        var due = new ArrayList<Change>();
        for (Change change : changes) {
            long untilMs = change.before() == null ? NotifiedRank.NEVER : change.before().silentUntilMs(windowMs);
            if (untilMs <= nowMs) {
                due.add(change);
            } else {
                nextMs = Math.min(nextMs, untilMs);
            }
        }
        return new RankDiff(due, nextMs, forgettable);
    }

    /**
     * The rank of a user that webhooks were last notified of.
     *
     * @param rank 0 if webhooks were notified that the user has left
     * @param value null then
     * @param notifiedMs when, by the instance's clock; {@link #NEVER} if it is the baseline of a webhook that began to ask
     */
    public record NotifiedRank(int rank, @Nullable BigDecimal value, long notifiedMs) {

        public static final long NEVER = Long.MIN_VALUE;

        /** The time before which there is no further notification. @param windowMs the length of the window */
        public long silentUntilMs(long windowMs) {
            return notifiedMs == NEVER ? NEVER : notifiedMs + windowMs;
        }
    }
}
