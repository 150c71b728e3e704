package dev.laurel.query.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.core.statistics.UserValue.Ranking;
import dev.laurel.query.partition.UserQuery.RankUsers;
import dev.laurel.query.read.InMemoryUsers;
import dev.laurel.schemas.key.TenantId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RankUsersTest {

    /** More than the lists of both partitions keep. */
    private static final int USERS = 2_000;

    private static final String NOW = "2026-03-02T12:00:00Z";

    private final InMemoryUsers users = new InMemoryUsers();
    private final Map<String, Integer> values = new HashMap<>();

    @BeforeEach
    void fill() throws Exception {
        users.rules("2026-01-01T00:00:00Z", """
            {"metrics":{"laps":{}},"streak":{"enabled":false},
             "points":{"gems":{"triggers":{"lap":{"type":"metric","metric":"laps","threshold":1,"points":1}}}}}\
            """).now(NOW);
        for (int i = 0; i < USERS; i++) {
            swim("user-" + i, 1_000 + i % 1_500);
        }
    }

    private void swim(String user, int laps) throws Exception {
        users.event(user, "laps", laps, NOW);
        values.merge(user, laps, Integer::sum);
    }

    private List<String> ranked(Ranking ranking, int limit) {
        int laps =
                users.rulesets().newest(TenantId.NONE).referencedMetric("laps").number();
        int gems =
                users.rulesets().newest(TenantId.NONE).referencedSystem("gems").number();
        return users
                .localNode()
                .ask(new RankUsers(TenantId.NONE, ranking, ranking == Ranking.POINTS ? gems : laps, limit))
                .values()
                .stream()
                .map(place -> place.user() + " " + place.value())
                .toList();
    }

    private List<String> expected(int limit) {
        return values.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<String, Integer> user) -> -user.getValue())
                        .thenComparing(Map.Entry::getKey))
                .limit(limit)
                .map(user -> user.getKey() + " " + user.getValue())
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"VALUE", "RECENT_VALUE", "POINTS"})
    void shouldListTheBestOfAllPartitions(Ranking ranking) {
        assertEquals(expected(100), ranked(ranking, 100));
    }

    @ParameterizedTest
    @EnumSource(names = {"VALUE", "RECENT_VALUE"})
    void shouldReadAllUsersIfTooManyOfTheBestHaveFallen(Ranking ranking) throws Exception {
        for (int i = 500; i < 1_500; i++) {
            swim("user-" + i, -900);
        }

        assertEquals(expected(100), ranked(ranking, 100));
    }
}
