package dev.laurel.processors.boards;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.topology.LeaderboardsDriver;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The same changes of 64 groups in one partition and spread over eight. Rates are by processor time, so that they do not depend on what
 * else the machine does: as if each partition had a processor.
 */
class SpreadGroupsTest {

    private static final int UPDATES =
            Integer.getInteger("laurel.boards.updates", Boolean.getBoolean("laurel.full") ? 200_000 : 1_500);
    private static final int GROUPS = 64;
    private static final int USERS_OF_GROUP = 200;
    private static final int SPREAD = 11;
    private static final int TOGETHER = 12;
    private static final LeaderboardLayout LAYOUT = new LeaderboardLayout(8);
    private static final Instant AT = Instant.parse("2026-03-04T09:00:00Z");

    private final LedgerDriver.Published published = new LedgerDriver.Published();

    /** A change of a value, of a user in a group. */
    private record Update(int group, String user, int value) {}

    private static LeaderboardGroup group(int board, int group) {
        return new LeaderboardGroup(TenantId.NONE, board, Runs.PERPETUAL, List.of("city-" + group));
    }

    private static List<Update> updates() {
        var random = new Random(7);
        var values = new int[GROUPS][USERS_OF_GROUP];
        var updates = new ArrayList<Update>(UPDATES);
        for (int i = 0; i < UPDATES; i++) {
            int group = random.nextInt(GROUPS);
            int user = random.nextInt(USERS_OF_GROUP);
            values[group][user] += 1 + random.nextInt(5);
            updates.add(new Update(group, "user-" + group + "-" + user, values[group][user]));
        }
        return updates;
    }

    private LeaderboardsDriver driver() {
        var driver = new LeaderboardsDriver(published, 1);
        driver.publish(
                TestLeaderboard.first(
                        "metrics: {laps: {}}",
                        TestLeaderboard.ofMetric(SPREAD, "laps").by("city").spread(),
                        TestLeaderboard.ofMetric(TOGETHER, "laps").by("city")),
                0);
        return driver;
    }

    /** @return the processor time */
    private static long process(LeaderboardsDriver driver, int board, List<Update> updates) {
        long startNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < updates.size(); i++) {
            Update update = updates.get(i);
            driver.pipe(
                    0,
                    i + 1L,
                    new Scored(
                            TenantId.NONE,
                            1,
                            board,
                            Runs.PERPETUAL,
                            true,
                            new UserId(update.user),
                            null,
                            Visibility.PUBLIC,
                            group(board, update.group).values(),
                            BigDecimal.valueOf(update.value),
                            AT.toEpochMilli() + i,
                            Score.Kind.CHANGED,
                            AT.toEpochMilli() + i,
                            board == SPREAD));
        }
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - startNs;
    }

    @Test
    void shouldRankTheSameInSeveralPartitions() throws Exception {
        List<Update> updates = updates();
        List<Integer> partitions = IntStream.range(0, GROUPS)
                .mapToObj(group -> LAYOUT.partitionOf(group(SPREAD, group), true))
                .toList();
        var parts = new ArrayList<LeaderboardsDriver>();
        try (LeaderboardsDriver together = driver();
                var threads = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            long togetherNs = process(together, TOGETHER, updates);
            var running = new ArrayList<Future<Long>>();
            for (int partition = 0; partition < LAYOUT.partitions(); partition++) {
                LeaderboardsDriver part = driver();
                parts.add(part);
                int number = partition;
                List<Update> own = updates.stream()
                        .filter(update -> partitions.get(update.group) == number)
                        .toList();
                running.add(threads.submit((Callable<Long>) () -> process(part, SPREAD, own)));
            }
            var spreadNs = new long[parts.size()];
            for (int partition = 0; partition < spreadNs.length; partition++) {
                spreadNs[partition] = running.get(partition).get();
            }

            for (int group = 0; group < GROUPS; group++) {
                assertEquals(
                        together.ranking(group(TOGETHER, group)),
                        parts.get(partitions.get(group)).ranking(group(SPREAD, group)));
            }
            System.out.printf(
                    "%,d updates of %d groups: %,.0f/s in one partition, %,.0f/s in %d, %.1f and %.1f µs of a "
                            + "processor each%n",
                    UPDATES,
                    GROUPS,
                    UPDATES * 1e9 / togetherNs,
                    UPDATES * 1e9 / Arrays.stream(spreadNs).max().orElseThrow(),
                    parts.size(),
                    togetherNs / 1e3 / UPDATES,
                    Arrays.stream(spreadNs).sum() / 1e3 / UPDATES);
        } finally {
            parts.forEach(LeaderboardsDriver::close);
        }
    }
}
