package dev.laurel.query.analytics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.core.statistics.UserValue.Ranking;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.LeaderboardQuery;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.PartitionQuery.Values;
import dev.laurel.query.partition.UserQuery;
import dev.laurel.query.partition.UserQuery.RankUsers;
import dev.laurel.query.partition.UserQuery.RankUsers.Place;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopUserListsTest {

    private final List<RankUsers> asked = new ArrayList<>();
    private List<Place> known = List.of(new Place(new UserId("ann"), "Ann", BigDecimal.valueOf(7)));

    private final TopUserLists lists = new TopUserLists(
            new Nodes() {

                @Override
                @SuppressWarnings("unchecked") // the result of this query
                public <R extends Record> R ask(UserQuery<R> query) {
                    asked.add((RankUsers) query);
                    if (known == null) {
                        throw new NotReadyException("a node is away");
                    }
                    return (R) new Values<>(known);
                }

                @Override
                public <R extends Record> R ask(LeaderboardQuery<R> query) {
                    throw new AssertionError(query);
                }
            },
            Duration.ofHours(1));

    @Test
    void shouldAskTheNodesOnceForEachList() {
        for (int i = 0; i < 3; i++) {
            assertEquals(known, lists.best(TenantId.NONE, Ranking.EVENTS, 0));
            assertEquals(known, lists.best(new TenantId("club"), Ranking.EVENTS, 0));
            assertEquals(7, lists.mostPoints(TenantId.NONE, 5));
        }

        assertEquals(
                List.of(
                        new RankUsers(TenantId.NONE, Ranking.EVENTS, 0, 100),
                        new RankUsers(new TenantId("club"), Ranking.EVENTS, 0, 100),
                        new RankUsers(TenantId.NONE, Ranking.POINTS, 5, 1)),
                asked);
    }

    @Test
    void shouldAskAgainIfTheListWasNotKnown() {
        List<Place> places = known;
        known = null;
        assertThrows(NotReadyException.class, () -> lists.best(TenantId.NONE, Ranking.EVENTS, 0));
        known = places;

        assertEquals(places, lists.best(TenantId.NONE, Ranking.EVENTS, 0));
    }
}
