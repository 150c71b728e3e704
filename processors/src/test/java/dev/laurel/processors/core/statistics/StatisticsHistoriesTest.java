package dev.laurel.processors.core.statistics;

import dev.laurel.processors.core.statistics.RankedStreak.By;
import dev.laurel.schemas.ruleset.AttributeFilter;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Adds, changes and erases users at random while an index is filled and sometimes rebuilt. A complete index must equal a
 * recount.
 */
class StatisticsHistoriesTest {

    private static final int USERS = 40;
    private static final int STEPS = 2_000;
    private static final int KEPT = 8;
    private static final int LISTED = 4;

    private final TreeMap<String, CountedUser> users = new TreeMap<>();
    private Random random;
    private StatisticsIndex shown;
    private StatisticsIndex made;

    /** The last user added to the index that is being made. */
    private String added = "";
    private int timesMade;
    private int timesUnknown;
    private int timesTooVarious;

    static Stream<Integer> seeds() {
        return IntStream.range(0, 8).boxed();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldEqualARecount(int seed) {
        random = new Random(seed);
        // Every other history has memory for a few groups only.
        long room = seed % 2 == 0 ? 1_000_000 : 3_000;
        made = new StatisticsIndex(0, new GroupMemory(room), KEPT, KEPT);
        for (int step = 0; step < STEPS; step++) {
            if (made != null && random.nextInt(4) == 0) {
                fill(room);
            } else {
                change(room);
            }
            if (shown != null && step % 10 == 0) {
                compare(seed + " " + step);
            }
        }
        assertTrue(timesMade > 1, "never short of streaks");
        assertTrue(timesUnknown < STEPS / 10 / 4, () -> "lists were not known " + timesUnknown + " times");
        assertEquals(seed % 2 != 0, timesTooVarious > 0);
    }

    private void fill(long room) {
        var next = users.tailMap(added, false).values().stream().limit(3).toList();
        next.forEach(user -> made.add(user.id().getBytes(UTF_8), user.state(), DayHistory.NONE));
        added = next.isEmpty() ? added : next.getLast().id();
        if (next.size() < 3) {
            added = "";
            made.proceedTo(null);
            shown = made;
            made = null;
            timesMade++;
        }
    }

    private void change(long room) {
        String id = "user-" + random.nextInt(USERS);
        CountedUser before = users.get(id);
        CountedUser after = random.nextInt(30) == 0
                ? null
                : changed(before == null ? CountedUser.of(id) : before);
        if (before == null && after == null) {
            return;
        }
        if (after == null) {
            users.remove(id);
        } else {
            users.put(id, after);
        }
        if (made != null) {
            tell(made, id, before, after);
        }
        if (shown != null && tell(shown, id, before, after) && made == null) {
            made = new StatisticsIndex(0, new GroupMemory(room), KEPT, KEPT);
        }
    }

    private static boolean tell(StatisticsIndex index, String id, CountedUser before, CountedUser after) {
        return index.change(id.getBytes(UTF_8), before == null ? null : before.state(),
                after == null ? null : after.state(), null, DayHistory.NONE);
    }

    private CountedUser changed(CountedUser user) {
        return switch (random.nextInt(12)) {
            case 0 -> user.with("city", "city " + random.nextInt(4));
            case 1 -> user.with("plan", "plan " + random.nextInt(3));
            case 2 -> user.wantsStreak(random.nextBoolean());
            case 3, 4 -> user.streak(0, user.longest(), user.extendedAtMs());
            case 5, 6, 7, 8 -> user.streak(user.length() + 1, Math.max(user.longest(), user.length() + 1),
                    random.nextInt(1_000_000));
            case 9 -> user;
            default -> user.with(random.nextInt(3), random.nextInt(20));
        };
    }

    private void compare(String about) {
        for (int system = 0; system < 3; system++) {
            assertEquals(recount(users.values(), system), totals(system, List.of()), about);
            for (var filters : List.of(List.of(new AttributeFilter("city", "city 1")),
                    List.of(new AttributeFilter("city", "city 2"), new AttributeFilter("plan", "plan 0")))) {
                Map<Long, Long> counted = totals(system, filters);
                if (counted != null) {
                    assertEquals(recount(matching(filters), system), counted, about);
                } else {
                    timesTooVarious++;
                }
            }
        }
        for (By by : By.values()) {
            List<RankedStreak> listed = shown.best(by, LISTED);
            if (listed != null) {
                assertEquals(places(by).stream().limit(LISTED).toList(), listed, about + " " + by);
            } else {
                assertTrue(places(by).size() > LISTED, about);
                timesUnknown++;
            }
        }
    }

    private List<CountedUser> matching(List<AttributeFilter> filters) {
        return users.values().stream()
                .filter(user -> filters.stream().allMatch(f -> f.value().equals(user.attributes().get(f.attribute()))))
                .toList();
    }

    private static Map<Long, Long> recount(Collection<CountedUser> of, int system) {
        var totals = new TreeMap<Long, Long>();
        of.forEach(user -> totals.merge(user.totals().getOrDefault(system, 0L), 1L, Long::sum));
        return totals;
    }

    /** Null: unknown. */
    private Map<Long, Long> totals(int system, List<AttributeFilter> filters) {
        var totals = new TreeMap<Long, Long>();
        boolean isKnown = shown.forEachTotal(system, filters,
                (total, count) -> totals.merge(total, count, Long::sum));
        return isKnown ? totals : null;
    }

    private List<RankedStreak> places(By by) {
        return users.values().stream().map(user -> RankedStreak.of(user.state(), by)).filter(p -> p != null)
                .sorted(RankedStreak.BEST_FIRST).toList();
    }
}
