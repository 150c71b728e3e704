package dev.laurel.query.read;

import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.core.leaderboard.Standing;
import dev.laurel.schemas.key.UserId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/** Several groups of a leaderboard as one ranking. */
final class MergedGroups {

    /** How far the merging has come in a ranking: at its best participant who is not yet taken. */
    private record Place(Ranking ranking, int rank) {

        Standing standing() {
            return ranking.at(rank);
        }
    }

    private MergedGroups() {}

    /**
     * The best of all groups, ranked anew. Each group is in order already, so only as many places are looked at as are shown.
     *
     * @param limit the most participants that are shown
     */
    static Ranking best(Collection<Ranking> groups, int limit) {
        var next = new PriorityQueue<Place>(Comparator.comparing(Place::standing, Standing.BEST_FIRST));
        for (Ranking group : groups) {
            if (group.size() > 0) {
                next.add(new Place(group, 1));
            }
        }
        List<Standing> best = new ArrayList<>();
        // The groups were read one after the other: who moved in between may be in two of them.
        Set<UserId> taken = new HashSet<>();
        while (best.size() < limit && !next.isEmpty()) {
            Place place = next.poll();
            if (taken.add(place.standing().user())) {
                best.add(place.standing());
            }
            if (place.rank() < place.ranking().size()) {
                next.add(new Place(place.ranking(), place.rank() + 1));
            }
        }
        return Ranking.of(best);
    }
}
