package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether a ranking that was read has the newest change that was heard of. It need not: a change is told before it is kept and
 * shown, and the node that shows it may be behind. A group changes in the order in which it is told, so the newest is enough.
 * Not kept over a restart: then nothing is as fresh as what was heard before it. One task, one thread.
 */
final class Freshness {

    /**
     * Later rules may have made a leaderboard another one, on which what was heard never comes: after so many looks in vain, the
     * ranking is taken as it is.
     */
    static final int MAX_LOOKS = 20;

    private static final int MAX_GROUPS = 10_000;

    /** @param value null if the user has left */
    private record Expected(String user, BigDecimal value, int looks) {}

    private final Map<BoardGroup, Expected> newest = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<BoardGroup, Expected> eldest) {
            return size() > MAX_GROUPS;
        }
    };

    void hear(BoardGroup group, Effect.LeaderboardChanged fact) {
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
        if (isThere || expected.looks() >= MAX_LOOKS) {
            newest.remove(group);
            return true;
        }
        newest.put(group, new Expected(expected.user(), expected.value(), expected.looks() + 1));
        return false;
    }
}
