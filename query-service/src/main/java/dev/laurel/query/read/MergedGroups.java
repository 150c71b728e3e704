package dev.laurel.query.read;

import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.core.leaderboard.Standing;
import dev.laurel.schemas.key.UserId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Several groups of a leaderboard as one ranking. */
final class MergedGroups {

    private MergedGroups() {}

    /**
     * The best of two rankings, ranked anew. Both are in order already, so only as many places are looked at as are shown.
     *
     * @param limit the most participants that are shown
     */
    static Ranking best(Ranking one, Ranking other, int limit) {
        List<Standing> best = new ArrayList<>();
        // The groups were read one after the other: who moved in between may be in both of them.
        Set<UserId> taken = new HashSet<>();
        int inOne = 1;
        int inOther = 1;
        while (best.size() < limit && (inOne <= one.size() || inOther <= other.size())) {
            boolean isOne = inOther > other.size() || inOne <= one.size()
                    && Standing.BEST_FIRST.compare(one.at(inOne), other.at(inOther)) <= 0;
            Standing next = isOne ? one.at(inOne++) : other.at(inOther++);
            if (taken.add(next.user())) {
                best.add(next);
            }
        }
        return Ranking.of(best);
    }
}
