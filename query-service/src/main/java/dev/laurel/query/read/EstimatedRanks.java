package dev.laurel.query.read;

import dev.laurel.core.analytics.ScoreRanges;
import dev.laurel.core.leaderboard.BoardRules;
import dev.laurel.core.user.BoardState;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.query.partition.PresentUsers.Present;
import dev.laurel.query.partition.PresentUsers;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.LeaderboardBody;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ranks among all users who have a value on a leaderboard that {@linkplain BoardRules#ranksAll ranks all users}, from the counters of the
 * account, which every node knows: no read asks another node for them. They follow a change within a second. Thread-safe.
 */
final class EstimatedRanks {

    private final PresentUsers users;
    private final Supplier<@Nullable AccountCounters> counters;

    private record Scored(BigDecimal value, List<String> group) {}

    EstimatedRanks(LocalNode node) {
        this.users = node.users();
        this.counters = node.counters();
    }

    /**
     * Adds the place of the user in a run to the user's body.
     *
     * @param rank of the user among the participants; null if the user is none
     * @throws NotReadyException while the counters are being read after a start
     */
    LeaderboardBody addTo(LeaderboardBody body, UserKey user, BoardRules board, int run, @Nullable Integer rank) {
        Scored scored = users.find(user, present -> scoredOf(present, board, run)).orElse(null);
        if (scored == null) {
            return body.estimated(null, null, null);
        }
        ScoreRanges.Counts counts;
        try (AccountCounters known = counters.get()) {
            if (known == null) {
                throw new NotReadyException("the counters of the account are being read");
            }
            counts = known.scores(user.tenant(), board.number(), run, scored.group, scored.value);
        }
        long all = counts.all();
        if (all <= 0) {
            return body.estimated(null, null, null);
        }
        long estimated = rank != null ? rank : counts.rankOf(scored.value, board.board().maxParticipants());
        long place = Math.clamp(estimated, 1, all);
        return body.estimated(place, BigDecimal.valueOf((all - place) * 100).divide(BigDecimal.valueOf(all), 2,
                RoundingMode.HALF_UP), all);
    }

    /** Null if the user is not ranked in this run. */
    private static @Nullable Scored scoredOf(Present present, BoardRules board, int run) {
        BoardState newest = present.state().boards().get(board.number());
        BoardState state = newest == null || newest.run() == run
                ? newest
                : newest.run() < run ? null : present.history().boardRun(board.number(), run);
        List<String> group = board.groupOf(present.state().profile().attributes());
        return state == null || group == null || state.value().signum() <= 0
                ? null
                : new Scored(state.value(), group);
    }
}
