package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a ranking contains the newest change of its group. It may not, because the event of a change is written before the
 * change is stored, and because the answering node may be behind. A group changes in the order of its events, so the newest event
 * is sufficient. Expected changes are in memory only: after a restart they are old. One task, one thread.
 */
final class ReadYourWritesGuard {

    /**
     * The number of checks after which a ranking is accepted as it is: under later rules the change may never appear on the
     * leaderboard.
     */
    static final int MAX_CHECKS = 20;

    private static final int MAX_GROUPS = 10_000;

    /** @param value null: the user has left the group */
    private record Expected(String user, @Nullable BigDecimal value, int checks) {}

    private final Map<BoardGroup, Expected> newest = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<BoardGroup, Expected> eldest) {
            return size() > MAX_GROUPS;
        }
    };

    void expect(BoardGroup group, Effect.LeaderboardChanged fact) {
        newest.put(group, new Expected(fact.user().value(), fact.value(), 0));
    }

    /** @param ranking with exact values */
    boolean isFresh(BoardGroup group, List<RankingBody> ranking) {
        Expected expected = newest.get(group);
        if (expected == null) {
            return true;
        }
        BigDecimal shown = ranking.stream().filter(place -> place.userId().equals(expected.user()))
                .map(RankingBody::value).findFirst().orElse(null);
        boolean isThere = expected.value() == null
                ? shown == null
                : shown != null && shown.compareTo(expected.value()) == 0;
        if (isThere || expected.checks() >= MAX_CHECKS) {
            newest.remove(group);
            return true;
        }
        newest.put(group, new Expected(expected.user(), expected.value(), expected.checks() + 1));
        return false;
    }
}
