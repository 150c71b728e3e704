package dev.laurel.processors.core.statistics;

import dev.laurel.processors.core.engine.Outcome.CountedEvent;
import dev.laurel.processors.core.user.DayBucket;
import dev.laurel.processors.core.user.MetricState;
import dev.laurel.processors.core.user.RecentDays;
import dev.laurel.processors.core.user.UserState;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Measures what the statistics cost per event. Runs only with {@code -Dlaurel.account.cost=true}, and prints the result. */
@EnabledIfSystemProperty(named = "laurel.account.cost", matches = "true")
class StatisticsCostTest {

    private static final int USERS = 100_000;
    private static final int ROUNDS = 2_000;

    /** So few that their states stay in the cache of the processor, as those of users whose commands are processed are. */
    private static final int CHANGED = 500;
    private static final int TODAY = 20_500;

    @Test
    void shouldPrintWhatAChangeCosts() {
        measure("nothing that counts", i -> swimmer(i), i -> swimmer(i));
        measure("points, no attributes", i -> swimmer(i).with(1, i % 5_000), i -> swimmer(i).with(1, i % 5_000 + 1));
        measure("points, three attributes", i -> attributed(i).with(1, i % 5_000),
                i -> attributed(i).with(1, i % 5_000 + 1));
        measure("a streak of any length", i -> swimmer(i).streak(i % 100 + 1, 100, i),
                i -> swimmer(i).streak(i % 100 + 2, 101, i + USERS));
        var event = new CountedEvent(1, TODAY, BigDecimal.ONE, false, TODAY, null);
        measureStates("an event of a user below the top", event, i -> active(i, i >= USERS - 1_000 ? 500 : i % 100),
                i -> active(i, i >= USERS - 1_000 ? 500 : i % 100 + 1));
        measureStates("an event of one of the top users", event, i -> active(i % 200, i % 200 + 1_000),
                i -> active(i % 200, i % 200 + 1_001));
        measure("a streak of the longest", i -> swimmer(i).streak(i + 1, i + 1, i),
                i -> swimmer(i).streak(i + 2, i + 2, i + USERS));
    }

    private static CountedUser swimmer(int i) {
        return CountedUser.of("user-" + i);
    }

    /** A state with its own strings, like one that was read from a store. */
    private static CountedUser attributed(int i) {
        return swimmer(i).with("city", "City " + i % 20).with("plan", "Plan " + i % 3).with("team", "Team " + i % 10);
    }

    /** A user with so many events of value 1 on each of the last 30 days. */
    private static UserState active(int i, int events) {
        var metric = new MetricState(BigDecimal.valueOf(30 * events), 30 * events, TODAY,
                new DayBucket(BigDecimal.valueOf(events), true, events, DayBucket.AttributeSums.NONE),
                MetricState.NEVER, recent(events));
        return swimmer(i).state(metric);
    }

    private static RecentDays recent(int events) {
        RecentDays recent = RecentDays.NONE;
        var bucket = new DayBucket(BigDecimal.valueOf(events), true, events, DayBucket.AttributeSums.NONE);
        for (int day = TODAY - 29; day <= TODAY; day++) {
            recent = recent.plus(day, DayBucket.NONE, bucket, day);
        }
        return recent;
    }

    private static void measure(String name, IntFunction<CountedUser> one, IntFunction<CountedUser> other) {
        measureStates(name, null, i -> one.apply(i).state(), i -> other.apply(i).state());
    }

    private static void measureStates(String name, CountedEvent event, IntFunction<UserState> one,
            IntFunction<UserState> other) {
        List<byte[]> keys = IntStream.range(0, USERS).mapToObj(i -> ("user-" + i).getBytes(UTF_8)).toList();
        List<UserState> before = IntStream.range(0, USERS).mapToObj(one).toList();
        List<UserState> after = IntStream.range(0, USERS).mapToObj(other).toList();
        var index = new StatisticsIndex(TODAY, new GroupMemory());
        index.proceedTo(null);
        for (int i = 0; i < USERS; i++) {
            index.change(keys.get(i), null, before.get(i), null, DayHistory.NONE);
        }
        double best = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long startedNs = System.nanoTime();
            for (int i = 0; i < CHANGED; i++) {
                index.change(keys.get(i), before.get(i), after.get(i), event, DayHistory.NONE);
            }
            best = Math.min(best, (double) (System.nanoTime() - startedNs) / CHANGED);
            List<UserState> swapped = before;
            before = after;
            after = swapped;
        }
        System.out.printf("%s: %.0f ns%n", name, best);
    }
}
