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
 * The differences between a ranking and the ranks of which webhooks were last notified (docs/webhooks.md §3): users with
 * another rank, users who have entered and users who have left. Another value alone is no difference. Pure.
 *
 * @param due the changes to notify now: participants by rank, then users who have left by former rank
 * @param nextMs when more changes may be notified or forgotten, or {@link #NOTHING}
 * @param forgettable users of whose leaving webhooks were notified so long ago that it can be forgotten
 */
public record RankDiff(List<Change> due, long nextMs, List<UserId> forgettable) {

    public static final long NOTHING = Long.MAX_VALUE;

    private static final Comparator<Map.Entry<UserId, NotifiedRank>> BY_FORMER_RANK = Comparator
            .comparingInt(user -> user.getValue().rank());

    /**
     * @param before null: webhooks were never notified of the user
     * @param rank 0 if the user does not take part
     * @param value null: the user does not take part
     */
    public record Change(UserId user, @Nullable NotifiedRank before, int rank, @Nullable BigDecimal value) {

        public @Nullable Integer previousRank() {
            return before == null || before.rank() == 0 ? null : before.rank();
        }

        public @Nullable BigDecimal previousValue() {
            return before == null ? null : before.value();
        }
    }

    /**
     * @param notified the last notified ranks of this group
     * @param elsewhere the last notified rank of a user in another group of the same run
     * @param windowMs the minimum time between two notifications of a user
     */
    public static RankDiff of(List<RankingBody> ranking, Map<UserId, NotifiedRank> notified,
            Function<UserId, @Nullable NotifiedRank> elsewhere, long nowMs, long windowMs) {
        var left = new HashMap<>(notified);
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
     * @param rank 0 if the user has left
     * @param value null: the user has left
     * @param notifiedMs by the instance's clock; {@link #NEVER} if the rank is a baseline
     */
    public record NotifiedRank(int rank, @Nullable BigDecimal value, long notifiedMs) {

        public static final long NEVER = Long.MIN_VALUE;

        /** The time of the next possible notification. */
        public long silentUntilMs(long windowMs) {
            return notifiedMs == NEVER ? NEVER : notifiedMs + windowMs;
        }
    }
}
