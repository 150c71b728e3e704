package dev.laurel.core.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.compare.ComparisonTotals.ChangeRange;
import dev.laurel.core.compare.ComparisonTotals.Completions;
import dev.laurel.core.compare.ComparisonTotals.EntryMoves;
import dev.laurel.core.compare.ComparisonTotals.LevelMove;
import dev.laurel.core.compare.ComparisonTotals.MetricSums;
import dev.laurel.core.compare.ComparisonTotals.PointsSums;
import dev.laurel.core.compare.ComparisonTotals.StreakMoves;
import dev.laurel.core.compare.ComparisonTotals.TenantUsers;
import dev.laurel.core.compare.ComparisonTotals.TenantsKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ComparisonTotalsTest {

    private final ComparisonTotals totals = new ComparisonTotals(2);

    private void add(String user, String before, String after) {
        totals.add(
                UserKey.of(user),
                WrittenUsers.facts(WrittenUsers.yaml(before)),
                WrittenUsers.facts(WrittenUsers.yaml(after)));
    }

    private static TenantsKey key(String key) {
        return new TenantsKey(TenantId.NONE, key);
    }

    @Test
    void shouldSumPointsOfAllUsersAndCountDifferences() {
        add("same", "{points: {1: [gems, 10, null, 0]}}", "{points: {1: [gems, 10, null, 0]}}");
        add("more", "{points: {1: [gems, 20, null, 0]}}", "{points: {1: [gems, 50, minnow, 1]}}");
        add("less", "{points: {1: [gems, 60, minnow, 1]}}", "{}");

        assertEquals(
                Map.of(
                        key("gems"),
                        new PointsSums(90, 60, 2, List.of(new ChangeRange(-99, -50, 1), new ChangeRange(20, 49, 1)))),
                totals.sums().points());
        assertEquals(
                List.of(new LevelMove("gems", null, "minnow", 1), new LevelMove("gems", "minnow", null, 1)),
                totals.sums().levels());
        assertEquals(3, totals.sums().users());
        assertEquals(2, totals.sums().different());
    }

    @Test
    void shouldCountUsersByTheirChangeOfPoints() {
        int[] changes = {1, 2, 4, 5, 9, 10, 19, 20, 49, 50, 123_456, -1, -50, -99, -100};
        for (int i = 0; i < changes.length; i++) {
            add(
                    "user-" + i,
                    "{points: {1: [gems, 500, null, 0]}}",
                    "{points: {1: [gems, " + (500 + changes[i]) + ", null, 0]}}");
        }
        add("same", "{points: {1: [gems, 7, null, 0]}}", "{points: {1: [gems, 7, minnow, 1]}}");

        assertEquals(
                List.of(
                        new ChangeRange(-199, -100, 1),
                        new ChangeRange(-99, -50, 2),
                        new ChangeRange(-1, -1, 1),
                        new ChangeRange(1, 1, 1),
                        new ChangeRange(2, 4, 2),
                        new ChangeRange(5, 9, 2),
                        new ChangeRange(10, 19, 2),
                        new ChangeRange(20, 49, 2),
                        new ChangeRange(50, 99, 1),
                        new ChangeRange(100_000, 199_999, 1)),
                totals.sums().points().get(key("gems")).changes());
        assertEquals(Set.of(key("gems")), totals.sums().points().keySet());
    }

    @Test
    void shouldCountAchievementsStreaksAndMetrics() {
        add(
                "a",
                "{achievements: {1: forty}, streak: [3, DAILY, 2026-11-20, 2026-11-23]}",
                "{achievements: {2: legend}, streak: [5, DAILY, 2026-11-18, 2026-11-23]}");
        add(
                "b",
                "{metrics: {9: [laps, 1.5]}}",
                "{achievements: {2: legend}, streak: [1, DAILY, 2026-11-20, 2026-11-23], metrics: {9: [laps, 2]}}");
        add("c", "{streak: [4, DAILY, 2026-11-20, 2026-11-23]}", "{}");

        assertEquals(
                Map.of(key("forty"), new Completions(0, 1), key("legend"), new Completions(2, 0)),
                totals.sums().achievements());
        assertEquals(new StreakMoves(1, 1, 1, 0, 0), totals.sums().streaks());
        assertEquals(
                Map.of(key("laps"), new MetricSums(new BigDecimal("1.5"), new BigDecimal("2"), 1)),
                totals.sums().metrics());
    }

    @Test
    void shouldDistinguishOvertakenUsersFromUsersWhoMove() {
        add("mover", "{entries: {3: [club, [], 2, 10]}}", "{entries: {3: [club, [], 1, 30]}}");
        add("bystander", "{entries: {3: [club, [], 1, 20]}}", "{entries: {3: [club, [], 2, 20]}}");
        add("newcomer", "{}", "{entries: {3: [club, [], 3, 5]}}");

        assertEquals(
                Map.of(key("club"), new EntryMoves(1, 0, 1, 1)), totals.sums().leaderboards());
        assertEquals(2, totals.sums().different());
        assertEquals(1, totals.sums().onlyOtherRank());
    }

    @Test
    void shouldSeparateObjectsOfTenantsWithTheSameKey() {
        for (String tenant : List.of("a", "b")) {
            totals.add(
                    new UserKey(new TenantId(tenant), new UserId("ann")),
                    WrittenUsers.facts(WrittenUsers.yaml(
                            "{points: {1: [gems, 10, null, 0]}, entries: {3: [club, [], 1, 1]}, metrics: {9:"
                                    + " [laps, 1]}}")),
                    WrittenUsers.facts(WrittenUsers.yaml(
                            "{points: {1: [gems, 30, fish, 1]}, entries: {3: [club, [], 1, 2]}, metrics: {9:"
                                    + " [laps, 2]}, achievements: {2: legend}}")));
        }
        add("ann", "{points: {1: [gems, 5, null, 0]}}", "{points: {1: [gems, 5, null, 0]}}");

        var a = new TenantId("a");
        var b = new TenantId("b");
        assertEquals(
                Map.of(
                        key("gems"),
                        new PointsSums(5, 5, 0, List.of()),
                        new TenantsKey(a, "gems"),
                        new PointsSums(10, 30, 1, List.of(new ChangeRange(20, 49, 1))),
                        new TenantsKey(b, "gems"),
                        new PointsSums(10, 30, 1, List.of(new ChangeRange(20, 49, 1)))),
                totals.sums().points());
        assertEquals(
                Map.of(
                        new TenantsKey(a, "legend"),
                        new Completions(1, 0),
                        new TenantsKey(b, "legend"),
                        new Completions(1, 0)),
                totals.sums().achievements());
        assertEquals(
                List.of(new LevelMove("a/gems", null, "fish", 1), new LevelMove("b/gems", null, "fish", 1)),
                totals.sums().levels());
        assertEquals(
                List.of("a/club", "b/club"),
                totals.sums().leaderboards().keySet().stream()
                        .map(TenantsKey::toString)
                        .toList());
        assertEquals(
                List.of("a/laps", "b/laps"),
                totals.sums().metrics().keySet().stream()
                        .map(TenantsKey::toString)
                        .toList());
        assertEquals(
                Map.of("", new TenantUsers(1, 0, 0), "a", new TenantUsers(1, 1, 0), "b", new TenantUsers(1, 1, 0)),
                totals.sums().tenants());
    }

    @Test
    void shouldKeepOnlyTheLargestDifferences() {
        for (int points = 1; points <= 5; points++) {
            add("user-" + points, "{}", "{points: {1: [gems, " + points + ", null, 0]}}");
        }

        assertEquals(
                List.of("user-5", "user-4"),
                totals.sums().largest().stream().map(it -> it.user().text()).toList());
        assertEquals(5, totals.sums().different());
    }

    @Test
    void shouldAddUpPartsToTheSameSums() {
        for (int seed = 0; seed < 20; seed++) {
            var random = new Random(seed);
            var whole = new ComparisonTotals(7);
            var parts = Stream.generate(() -> new ComparisonTotals(7)).limit(5).toList();
            for (int user = 0; user < 200; user++) {
                var key = new UserKey(new TenantId(random.nextInt(3) == 0 ? "club" : ""), new UserId("user-" + user));
                ComparedUser before = WrittenUsers.random(random);
                ComparedUser after = random.nextInt(4) == 0 ? before : WrittenUsers.random(random);
                whole.add(key, before, after);
                parts.get(random.nextInt(parts.size())).add(key, before, after);
            }

            var oneByOne = new ComparisonTotals(7);
            parts.reversed().forEach(part -> oneByOne.add(part.sums()));
            var inGroups = new ComparisonTotals(7);
            for (List<ComparisonTotals> group : List.of(parts.subList(0, 2), parts.subList(2, 5))) {
                var sum = new ComparisonTotals(7);
                group.forEach(part -> sum.add(part.sums()));
                inGroups.add(sum.sums());
            }

            assertEquals(whole.sums(), oneByOne.sums(), "seed " + seed);
            assertEquals(whole.sums(), inGroups.sums(), "seed " + seed);
            assertTrue(
                    whole.sums().different() > 50
                            && whole.sums().onlyOtherRank() > 0
                            && whole.sums().onlyAfter() > 0,
                    "seed " + seed);
        }
    }

    @Test
    void shouldCountAllUsersIfPartsHaveTooManyPairsOfLevels() {
        for (int part = 0; part < 3; part++) {
            var levels = new ComparisonTotals(0);
            for (int level = 0; level < 600; level++) {
                levels.add(
                        UserKey.of("user-" + part + "-" + level),
                        WrittenUsers.facts(WrittenUsers.yaml("{points: {1: [gems, 10, null, 0]}}")),
                        WrittenUsers.facts(
                                WrittenUsers.yaml("{points: {1: [gems, 10, level-" + part + "-" + level + ", 1]}}")));
            }
            totals.add(levels.sums());
        }

        assertEquals(1_000, totals.sums().levels().size());
        assertEquals(800, totals.sums().otherLevelMoves());
    }

    @Test
    void shouldCountUsersWhoAreOnOneSideOnly() {
        add("only-after", "null", "{}");
        add("only-before", "{}", "null");

        assertEquals(1, totals.sums().onlyAfter());
        assertEquals(1, totals.sums().onlyBefore());
    }
}
