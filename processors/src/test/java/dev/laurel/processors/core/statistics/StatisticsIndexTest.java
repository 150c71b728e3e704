package dev.laurel.processors.core.statistics;

import dev.laurel.processors.core.statistics.RankedStreak.By;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.AttributeFilter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class StatisticsIndexTest {

    private static final int GEMS = 3;
    private static final int XP = 8;
    private static final AttributeFilter TURKU = new AttributeFilter("city", "Turku");

    private final Map<String, CountedUser> users = new TreeMap<>();
    private StatisticsIndex index = complete(new StatisticsIndex(0, new GroupMemory()));

    private static StatisticsIndex complete(StatisticsIndex index) {
        index.proceedTo(null);
        return index;
    }

    /** Changes the user. @return whether the index should be rebuilt */
    private boolean put(CountedUser user) {
        CountedUser before = users.put(user.id(), user);
        return index.change(user.id().getBytes(UTF_8), before == null ? null : before.state(),
                user.state(), null, DayHistory.NONE);
    }

    private boolean erase(String id) {
        return index.change(id.getBytes(UTF_8), users.remove(id).state(), null, null, DayHistory.NONE);
    }

    private Map<Long, Long> totals(int system, AttributeFilter... filters) {
        var totals = new TreeMap<Long, Long>();
        assertTrue(index.forEachTotal(system, List.of(filters),
                (total, count) -> totals.merge(total, count, Long::sum)));
        return totals;
    }

    private List<String> best(By by, int limit) {
        return index.best(by, limit).stream().map(p -> p.user() + " " + p.length()).toList();
    }

    @Test
    void shouldBeEmptyAtFirst() {
        assertEquals(Map.of(), totals(GEMS));
        assertEquals(List.of(), index.best(By.ACTIVE, 10));
    }

    @Test
    void shouldCountUsersByTotalIncludingZero() {
        put(CountedUser.of("ann").with(GEMS, 5));
        put(CountedUser.of("bo").with(GEMS, 5).with(XP, 2));
        put(CountedUser.of("cy"));
        put(CountedUser.of("di").with(GEMS, 0));

        assertEquals(Map.of(5L, 2L, 0L, 2L), totals(GEMS));
        assertEquals(Map.of(2L, 1L, 0L, 3L), totals(XP));
        assertEquals(Map.of(0L, 4L), totals(99));
    }

    @Test
    void shouldFollowATotal() {
        put(CountedUser.of("ann").with(GEMS, 5));
        put(CountedUser.of("ann").with(GEMS, 6).with(XP, 1));
        assertEquals(Map.of(6L, 1L), totals(GEMS));
        assertEquals(Map.of(1L, 1L), totals(XP));

        put(CountedUser.of("ann").with(XP, 1));
        assertEquals(Map.of(0L, 1L), totals(GEMS));
    }

    @Test
    void shouldFollowASystemThatComesBeforeAnother() {
        put(CountedUser.of("ann").with(XP, 7));
        put(CountedUser.of("ann").with(GEMS, 1).with(XP, 9));

        assertEquals(Map.of(1L, 1L), totals(GEMS));
        assertEquals(Map.of(9L, 1L), totals(XP));
    }

    @Test
    void shouldCountByAttributesAllOfWhichMatch() {
        put(CountedUser.of("ann").with("city", "Turku").with(GEMS, 5));
        put(CountedUser.of("bo").with("city", "Turku").with("plan", "pro").with(GEMS, 6));
        put(CountedUser.of("cy").with("city", "Oulu").with("plan", "pro").with(GEMS, 7));

        assertEquals(Map.of(5L, 1L, 6L, 1L), totals(GEMS, TURKU));
        assertEquals(Map.of(6L, 1L), totals(GEMS, TURKU, new AttributeFilter("plan", "pro")));
        assertEquals(Map.of(), totals(GEMS, new AttributeFilter("city", "Pori")));
    }

    @Test
    void shouldMoveAUserWhoseAttributesChange() {
        put(CountedUser.of("ann").with("city", "Turku").with(GEMS, 5));
        put(CountedUser.of("ann").with("city", "Oulu").with(GEMS, 6));

        assertEquals(Map.of(), totals(GEMS, TURKU));
        assertEquals(Map.of(6L, 1L), totals(GEMS));
    }

    @Test
    void shouldForgetAnErasedUser() {
        put(CountedUser.of("ann").with("city", "Turku").with(GEMS, 5).streak(3, 3, 1));
        erase("ann");

        assertEquals(Map.of(), totals(GEMS));
        assertEquals(List.of(), best(By.LONGEST, 10));
    }

    @Test
    void shouldShareTheMemoryForGroupsUntilOneIsDetached() {
        var memory = new GroupMemory(1_000);
        index = complete(new StatisticsIndex(0, memory, 10, 100));
        put(CountedUser.of("ann").with("city", "Turku").with(GEMS, 5));
        put(CountedUser.of("bo").with("city", "Oulu").with(GEMS, 6));
        var other = complete(new StatisticsIndex(0, memory, 10, 100));
        var ofOther = CountedUser.of("cy").with("city", "Pori").with(GEMS, 7).state();
        other.change("other/cy".getBytes(UTF_8), null, ofOther, null, DayHistory.NONE);
        assertFalse(other.forEachTotal(GEMS, List.of(TURKU), (_, _) -> {}));

        index.detach();
        assertEquals(Map.of(5L, 1L), totals(GEMS, TURKU));
        var next = complete(new StatisticsIndex(0, memory, 10, 100));
        next.change("other/cy".getBytes(UTF_8), null, ofOther, null, DayHistory.NONE);
        assertTrue(next.forEachTotal(GEMS, List.of(TURKU), (_, _) -> {}));
    }

    @Test
    void shouldReportThatAttributesAreTooDiverseToCount() {
        index = complete(new StatisticsIndex(0, new GroupMemory(1_000), 10, 100));
        for (int i = 0; i < 10; i++) {
            put(CountedUser.of("user-" + i).with("city", "City " + i).with(GEMS, i));
        }
        assertFalse(index.forEachTotal(GEMS, List.of(TURKU), (_, _) -> {
            throw new AssertionError("visited");
        }));
        assertEquals(10, totals(GEMS).size());

        for (int i = 2; i < 10; i++) {
            erase("user-" + i);
        }
        put(CountedUser.of("ann").with("city", "City 1").with(GEMS, 1));
        assertEquals(Map.of(1L, 2L), totals(GEMS, new AttributeFilter("city", "City 1")));
    }

    @Test
    void shouldListTheLongestStreaksFirstThenTheEarlierThenById() {
        put(CountedUser.of("ann").streak(3, 9, 50));
        put(CountedUser.of("bo").streak(4, 4, 70));
        put(CountedUser.of("cy").streak(3, 3, 40));
        put(CountedUser.of("di").streak(3, 9, 40));
        put(CountedUser.of("ed").streak(0, 2, 10));

        assertEquals(List.of("bo 4", "cy 3", "di 3", "ann 3"), best(By.ACTIVE, 10));
        assertEquals(List.of("ann 9", "di 9", "bo 4"), best(By.LONGEST, 3));
    }

    @Test
    void shouldNotListAUserWhoHasSwitchedStreaksOff() {
        put(CountedUser.of("ann").streak(3, 9, 50));
        put(CountedUser.of("bo").streak(2, 2, 50));
        put(CountedUser.of("ann").streak(3, 9, 50).wantsStreak(false));

        assertEquals(List.of("bo 2"), best(By.ACTIVE, 10));
        assertEquals(List.of("bo 2"), best(By.LONGEST, 10));

        put(CountedUser.of("ann").streak(3, 9, 50));
        assertEquals(List.of("ann 3", "bo 2"), best(By.ACTIVE, 10));
    }

    @Test
    void shouldReturnNullRatherThanTooFewStreaks() {
        index = complete(new StatisticsIndex(0, new GroupMemory(1_000), 4, 100));
        for (int i = 0; i < 8; i++) {
            put(CountedUser.of("user-" + i).streak(10 - i, 10, 100));
        }
        assertEquals(List.of("user-0 10", "user-1 9"), best(By.ACTIVE, 2));
        assertNull(index.best(By.ACTIVE, 5));

        assertFalse(put(CountedUser.of("user-0").streak(0, 10, 100)));
        assertFalse(put(CountedUser.of("user-1").streak(0, 10, 100)));
        assertEquals(List.of("user-2 8", "user-3 7"), best(By.ACTIVE, 2));
        assertTrue(put(CountedUser.of("user-2").streak(0, 10, 100)), "it is short of streaks");
        assertNull(index.best(By.ACTIVE, 2));
    }

    @Test
    void shouldListAUserWhoRisesAgainAfterBeingLeftOut() {
        index = complete(new StatisticsIndex(0, new GroupMemory(1_000), 2, 100));
        put(CountedUser.of("ann").streak(5, 5, 1));
        put(CountedUser.of("bo").streak(4, 4, 1));
        put(CountedUser.of("cy").streak(3, 3, 1));
        put(CountedUser.of("cy").streak(6, 6, 2));

        assertEquals(List.of("cy 6", "ann 5"), best(By.ACTIVE, 2));
    }

    @Test
    void shouldIgnoreChangesOfUsersNotYetAdded() {
        index = new StatisticsIndex(0, new GroupMemory());
        index.add("bo".getBytes(UTF_8), CountedUser.of("bo").with(GEMS, 5).state(), DayHistory.NONE);
        users.put("bo", CountedUser.of("bo").with(GEMS, 5));
        put(CountedUser.of("ann").with(GEMS, 1));
        put(CountedUser.of("bo").with(GEMS, 6));
        put(CountedUser.of("cy").with(GEMS, 2));
        assertEquals(Map.of(1L, 1L, 6L, 1L), totals(GEMS));

        index.add("cy".getBytes(UTF_8), users.get("cy").state(), DayHistory.NONE);
        index.proceedTo(null);
        put(CountedUser.of("di").with(GEMS, 3));
        assertEquals(Map.of(1L, 1L, 6L, 1L, 2L, 1L, 3L, 1L), totals(GEMS));
    }

    private List<String> sample() {
        var sample = new UserSample();
        index.addSampleTo(sample);
        return sample.users().stream().map(UserId::value).sorted().toList();
    }

    @Test
    void shouldSampleTheUsersOfATenantUntilTheyAreErased() {
        put(CountedUser.of("ann"));
        put(CountedUser.of("bo"));
        put(CountedUser.of("bo").with(GEMS, 1));
        assertEquals(List.of("ann", "bo"), sample());

        erase("ann");
        assertEquals(List.of("bo"), sample());
    }

    @Test
    void shouldNeedARebuildWhenHalfOfTheSampleIsErased() {
        for (int i = 0; i <= UserSample.CAPACITY; i++) {
            put(CountedUser.of("user-" + i));
        }
        List<String> sampled = sample();
        int half = UserSample.CAPACITY / 2;
        sampled.subList(0, half).forEach(id -> assertFalse(erase(id)));

        assertTrue(erase(sampled.get(half)));
    }

    @Test
    void shouldOrderKeysAsStoresDo() {
        index = new StatisticsIndex(0, new GroupMemory());
        index.add(UserKey.of("é").bytes(), CountedUser.of("é").state(), DayHistory.NONE);
        index.change(UserKey.of("z").bytes(), null, CountedUser.of("z").state(), null,
                DayHistory.NONE);

        assertEquals(Map.of(0L, 2L), totals(GEMS));
    }
}
