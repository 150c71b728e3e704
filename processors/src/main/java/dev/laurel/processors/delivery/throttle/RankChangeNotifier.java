package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.throttle.GroupNotificationState.Ranks;
import dev.laurel.processors.core.throttle.GroupNotificationState;
import dev.laurel.processors.core.throttle.RankBaseline;
import dev.laurel.processors.core.throttle.RankDiff.Change;
import dev.laurel.processors.core.throttle.RankDiff.NotifiedRank;
import dev.laurel.processors.core.throttle.RankDiff;
import dev.laurel.processors.delivery.throttle.BoardEvents.RunGroup;
import dev.laurel.processors.delivery.throttle.NodeReads.NotNow;
import dev.laurel.processors.store.ThrottleStore.NotifiedElsewhere;
import dev.laurel.processors.store.ThrottleStore;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import dev.laurel.schemas.wire.UserBody;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends leaderboard.rank_changed for each user whose rank differs from the notified one, and stores the new notified rank. One
 * task, one thread.
 */
final class RankChangeNotifier {

    /** The most events of one check of a group; the next check sends the rest. */
    static final int MAX_SENT = 250;

    private final ThrottleStore store;
    private final NodeReads reads;
    private final EventForwarder forwarder;

    RankChangeNotifier(ThrottleStore store, NodeReads reads, EventForwarder forwarder) {
        this.store = store;
        this.reads = reads;
        this.forwarder = forwarder;
    }

    /** @param sent number of events */
    record Result(Ranks ranks, int sent) {}

    /**
     * @param key of the leaderboard in the outbox
     * @param ranking the present one, with exact values
     */
    Result send(byte[] key, BoardGroup group, GroupNotificationState state, BoardEvents events,
            List<RankingBody> ranking, long nowMs) {
        if (!state.ranks().hasBaseline()) {
            RankBaseline.of(ranking, state.ranks().moves())
                    .forEach((user, rank) -> store.putNotified(group, user, rank));
        }
        RankDiff diff = RankDiff.of(ranking, store.notifiedRanks(group), elsewhere(group, events), nowMs,
                ThrottleProcessor.WINDOW_MS);
        diff.forgettable().forEach(user -> store.deleteNotified(group, user));
        long nextMs = diff.nextMs();
        int sent = 0;
        for (Change change : diff.due()) {
            if (sent == MAX_SENT) {
                return new Result(state.ranks().compared(true, nextMs), sent);
            }
            try {
                notify(key, group, state, events, change, nowMs);
            } catch (NotNow _) {
                // Stays due, with all changes that follow.
                return new Result(state.ranks().compared(true, nextMs), sent);
            }
            sent++;
            if (change.rank() == 0) {
                nextMs = Math.min(nextMs, nowMs + ThrottleProcessor.WINDOW_MS);
            }
        }
        return new Result(state.ranks().compared(false, nextMs), sent);
    }

    private Function<UserId, @Nullable NotifiedRank> elsewhere(BoardGroup group, BoardEvents events) {
        if (!events.board().isBrokenDown()) {
            return _ -> null;
        }
        return user -> {
            NotifiedElsewhere other = store.notifiedElsewhere(group, user);
            return other == null ? null : other.rank();
        };
    }

    private void notify(byte[] key, BoardGroup group, GroupNotificationState state, BoardEvents events, Change change,
            long nowMs) throws NotNow {
        Optional<UserBody> user = reads.user(new UserKey(group.tenant(), change.user()));
        if (user.isEmpty()) {
            // The user was erased.
            store.deleteNotified(group, change.user());
            return;
        }
        if (change.rank() == 0 && isInOtherGroup(group, state, events, user.get())) {
            // The check of the other group sends one change from this group to that one.
            return;
        }
        var run = new RunGroup(state.runStart(), state.runEnd(), group.values());
        forwarder.forwardFromClock(key, events.rankChanged(run, user.get(), change, Instant.ofEpochMilli(nowMs)));
        store.putNotified(group, change.user(), new NotifiedRank(change.rank(), change.value(), nowMs));
    }

    private boolean isInOtherGroup(BoardGroup group, GroupNotificationState state, BoardEvents events, UserBody user)
            throws NotNow {
        List<String> values = events.board().isBrokenDown() ? events.board().groupOf(user.attributes()) : null;
        if (values == null || values.equals(group.values())) {
            return false;
        }
        return reads.ranking(group.tenant(), events.board().board().key(), state.runStart(), values).stream()
                .anyMatch(place -> place.userId().equals(user.id()));
    }

    /** Deletes the notified ranks of a group that no webhook asks for. */
    void forget(BoardGroup group) {
        store.notifiedRanks(group).keySet().forEach(user -> store.deleteNotified(group, user));
    }
}
