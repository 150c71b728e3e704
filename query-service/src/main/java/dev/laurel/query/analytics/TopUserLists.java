package dev.laurel.query.analytics;

import dev.laurel.core.statistics.UserValue.Ranking;
import dev.laurel.query.locate.AgedValues;
import dev.laurel.query.locate.AgedValues.Limits;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.UserQuery.RankUsers;
import dev.laurel.query.partition.UserQuery.RankUsers.Place;
import dev.laurel.schemas.key.TenantId;
import java.time.Duration;
import java.util.List;

/**
 * The users with the highest values of a kind, of all nodes. The nodes are asked for a list about once a second at most, however often it
 * is read. Thread-safe.
 */
final class TopUserLists {

    /** With the time until a change is committed, not more than a second. */
    static final Duration AGE = Duration.ofMillis(400);

    private static final int MAX_LISTS = 300;

    /** The longest list. */
    static final int MAX_PLACES = 100;

    private final AgedValues<RankUsers, List<Place>> lists;

    /** @param age the greatest age of a list */
    TopUserLists(Nodes nodes, Duration age) {
        this.lists = new AgedValues<>(
                Limits.of(age, MAX_LISTS), query -> nodes.ask(query).values());
    }

    /**
     * The users with the highest values, at most {@value #MAX_PLACES}, the highest first, then by id.
     *
     * @param object the number of a metric or a points system; 0 for a ranking without
     * @throws NotReadyException while the list is not known
     */
    List<Place> best(TenantId tenant, Ranking ranking, int object) {
        return lists.get(new RankUsers(tenant, ranking, object, MAX_PLACES));
    }

    /** The most points of a single user; 0 if there is no user. @param system its number */
    long mostPoints(TenantId tenant, int system) {
        List<Place> first = lists.get(new RankUsers(tenant, Ranking.POINTS, system, 1));
        return first.isEmpty() ? 0 : first.getFirst().value().longValueExact();
    }
}
