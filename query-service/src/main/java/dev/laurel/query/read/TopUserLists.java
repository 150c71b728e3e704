package dev.laurel.query.read;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.laurel.core.statistics.UserValue.Ranking;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.UserQuery.RankUsers.Place;
import dev.laurel.query.partition.UserQuery.RankUsers;
import dev.laurel.schemas.key.TenantId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The users with the highest values of a kind, of all nodes. The nodes are asked for a list about once a second at most, however often it
 * is read. Thread-safe.
 */
public final class TopUserLists {

    /** The longest list. */
    public static final int MAX_PLACES = 100;

    /** With the time until a change is committed, not more than a second. */
    private static final Duration AGE = Duration.ofMillis(400);
    private static final int MAX_LISTS = 300;

    private final Nodes nodes;
    private final AsyncLoadingCache<RankUsers, List<Place>> lists;

    public TopUserLists(Nodes nodes) {
        this(nodes, AGE);
    }

    /** @param age the greatest age of a list */
    TopUserLists(Nodes nodes, Duration age) {
        this.nodes = nodes;
        this.lists = Caffeine.newBuilder().maximumSize(MAX_LISTS).expireAfterWrite(age)
                .executor(task -> Thread.ofVirtual().name("laurel-rank").start(task)).buildAsync(this::ask);
    }

    private List<Place> ask(RankUsers query) {
        return nodes.ask(query).values();
    }

    /**
     * The users with the highest values, at most {@value #MAX_PLACES}, the highest first, then by id.
     *
     * @param object the number of a metric or a points system; 0 for a ranking without
     * @throws NotReadyException while the list is not known
     */
    public List<Place> best(TenantId tenant, Ranking ranking, int object) {
        return read(new RankUsers(tenant, ranking, object, MAX_PLACES));
    }

    /** The most points of a single user; 0 if there is no user. @param system its number */
    public long mostPoints(TenantId tenant, int system) {
        List<Place> first = read(new RankUsers(tenant, Ranking.POINTS, system, 1));
        return first.isEmpty() ? 0 : first.getFirst().value().longValueExact();
    }

    private List<Place> read(RankUsers query) {
        CompletableFuture<List<Place>> list = lists.get(query);
        try {
            return list.join();
        } catch (CompletionException e) {
            // The cache does so, too, but perhaps not before the next read.
            lists.asMap().remove(query, list);
            throw e.getCause() instanceof NotReadyException notReady ? notReady : e;
        }
    }
}
