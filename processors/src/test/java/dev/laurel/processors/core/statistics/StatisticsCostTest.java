package dev.laurel.processors.core.statistics;

import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.TenantId;
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
    private static final int ROUNDS = 10;

    @Test
    void shouldPrintWhatAChangeCosts() {
        measure("nothing that counts", i -> swimmer(i), i -> swimmer(i));
        measure("points, no attributes", i -> swimmer(i).with(1, i % 5_000), i -> swimmer(i).with(1, i % 5_000 + 1));
        measure("points, three attributes", i -> attributed(i).with(1, i % 5_000),
                i -> attributed(i).with(1, i % 5_000 + 1));
        measure("a streak of any length", i -> swimmer(i).streak(i % 100 + 1, 100, i),
                i -> swimmer(i).streak(i % 100 + 2, 101, i + USERS));
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

    private static void measure(String name, IntFunction<CountedUser> one, IntFunction<CountedUser> other) {
        List<byte[]> keys = IntStream.range(0, USERS).mapToObj(i -> ("user-" + i).getBytes(UTF_8)).toList();
        List<UserState> before = IntStream.range(0, USERS).mapToObj(i -> one.apply(i).state()).toList();
        List<UserState> after = IntStream.range(0, USERS).mapToObj(i -> other.apply(i).state()).toList();
        var index = new StatisticsIndex(0);
        index.complete();
        for (int i = 0; i < USERS; i++) {
            index.change(keys.get(i), TenantId.NONE, null, before.get(i), null, DayHistory.NONE);
        }
        double best = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long startedNs = System.nanoTime();
            for (int i = 0; i < USERS; i++) {
                index.change(keys.get(i), TenantId.NONE, before.get(i), after.get(i), null,
                        DayHistory.NONE);
            }
            best = Math.min(best, (double) (System.nanoTime() - startedNs) / USERS);
            List<UserState> swapped = before;
            before = after;
            after = swapped;
        }
        System.out.printf("%s: %.0f ns%n", name, best);
    }
}
