package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.notice.BoardWatch;
import dev.laurel.processors.core.notice.BoardWatch.Ranks;
import dev.laurel.processors.core.notice.RankBaseline;
import dev.laurel.processors.core.notice.RankDiff;
import dev.laurel.processors.core.notice.RankDiff.Change;
import dev.laurel.processors.core.notice.ToldRank;
import dev.laurel.processors.delivery.Lookups;
import dev.laurel.processors.delivery.Lookups.NotNow;
import dev.laurel.processors.delivery.throttle.BoardEvents.RunGroup;
import dev.laurel.processors.store.ThrottleStores;
import dev.laurel.processors.store.ThrottleStores.Elsewhere;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import dev.laurel.schemas.wire.UserBody;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Tells each user's leaderboard.rank_changed: compares a group with what was told of it, and keeps what is told now. One task,
 * one thread.
 */
final class RankTelling {

    /** In one look at a group; the rest is told in the next. */
    static final int MAX_TOLD = 250;

    private final ThrottleStores stores;
    private final Lookups lookups;
    private final Handover handover;

    RankTelling(ThrottleStores stores, Lookups lookups, Handover handover) {
        this.stores = stores;
        this.lookups = lookups;
        this.handover = handover;
    }

    /** What came of it. @param told how many events */
    record Result(Ranks ranks, int told) {}

    /**
     * @param key of the leaderboard in the outbox
     * @param ranking of now, with exact values
     */
    Result tell(byte[] key, BoardGroup group, BoardWatch watch, BoardEvents events, List<RankingBody> ranking,
            long nowMs) {
        if (!watch.ranks().hasBaseline()) {
            RankBaseline.of(ranking, watch.ranks().moves()).forEach((user, told) -> stores.putTold(group, user, told));
        }
        RankDiff diff = RankDiff.of(ranking, stores.toldRanks(group), elsewhere(group, events), nowMs,
                ThrottleStep.WINDOW_MS);
        diff.forgettable().forEach(user -> stores.deleteTold(group, user));
        long nextMs = diff.nextMs();
        int told = 0;
        for (Change change : diff.due()) {
            if (told == MAX_TOLD) {
                return new Result(watch.ranks().lookedAt(true, nextMs), told);
            }
            try {
                tell(key, group, watch, events, change, nowMs);
            } catch (NotNow _) {
                // Stays due, with all that come after it.
                return new Result(watch.ranks().lookedAt(true, nextMs), told);
            }
            told++;
            if (change.rank() == 0) {
                nextMs = Math.min(nextMs, nowMs + ThrottleStep.WINDOW_MS);
            }
        }
        return new Result(watch.ranks().lookedAt(false, nextMs), told);
    }

    private Function<UserId, ToldRank> elsewhere(BoardGroup group, BoardEvents events) {
        if (!events.board().isBrokenDown()) {
            return _ -> null;
        }
        return user -> {
            Elsewhere other = stores.toldElsewhere(group, user);
            return other == null ? null : other.told();
        };
    }

    private void tell(byte[] key, BoardGroup group, BoardWatch watch, BoardEvents events, Change change, long nowMs)
            throws NotNow {
        Optional<UserBody> user = lookups.user(new UserKey(group.tenant(), change.user()));
        if (user.isEmpty()) {
            // Erased: there is nobody to tell of.
            stores.deleteTold(group, change.user());
            return;
        }
        if (change.rank() == 0 && isInOtherGroup(group, watch, events, user.get())) {
            // The look at that group tells of it, as one change from here to there.
            return;
        }
        var run = new RunGroup(watch.runStart(), watch.runEnd(), group.values());
        handover.keep(key, events.rankChanged(run, user.get(), change, Instant.ofEpochMilli(nowMs)));
        stores.putTold(group, change.user(), new ToldRank(change.rank(), change.value(), nowMs));
    }

    private boolean isInOtherGroup(BoardGroup group, BoardWatch watch, BoardEvents events, UserBody user)
            throws NotNow {
        List<String> values = events.board().isBrokenDown() ? events.board().groupOf(user.attributes()) : null;
        if (values == null || values.equals(group.values())) {
            return false;
        }
        return lookups.ranking(group.tenant(), events.board().board().key(), watch.runStart(), values).stream()
                .anyMatch(place -> place.userId().equals(user.id()));
    }

    /** Nobody is to be told any more. */
    void forget(BoardGroup group) {
        Map<UserId, ToldRank> told = stores.toldRanks(group);
        told.keySet().forEach(user -> stores.deleteTold(group, user));
    }
}
