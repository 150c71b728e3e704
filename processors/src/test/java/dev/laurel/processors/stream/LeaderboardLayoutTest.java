package dev.laurel.processors.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.schemas.key.TenantId;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LeaderboardLayoutTest {

    private static final TenantId ACME = new TenantId("acme");
    private static final LeaderboardLayout EIGHT = new LeaderboardLayout(8);

    private static LeaderboardGroup group(int run, String... values) {
        return new LeaderboardGroup(ACME, 21, run, List.of(values));
    }

    @Test
    void shouldKeepTheGroupsOfALeaderboardAtItsHome() {
        assertEquals(EIGHT.partitionOf(ACME, 21), EIGHT.partitionOf(group(0, "Turku"), false));
        assertEquals(EIGHT.partitionOf(ACME, 21), EIGHT.partitionOf(group(9, "Oulu", "a"), false));
    }

    /** Where a group is must never change. */
    @Test
    void shouldKeepThePlacesOfGroups() {
        assertEquals(
                List.of(6, 2, 4, 6, 2, 1, 0, 3),
                IntStream.range(0, 8)
                        .map(i -> EIGHT.partitionOf(group(i, "city-" + i), true))
                        .boxed()
                        .toList());
        assertEquals(
                EIGHT.partitionOf(group(0, "city-1"), true),
                EIGHT.partitionOf(group(7, "city-1"), true),
                "all runs of a group are in one partition");
    }

    @Test
    void shouldSpreadGroupsEvenly() {
        for (String form : List.of("%d", "%d00", "city-%d", "%d, Turku")) {
            var counts = new int[8];
            IntStream.range(0, 8_000).forEach(i -> counts[EIGHT.partitionOf(group(0, form.formatted(i)), true)]++);
            for (int count : counts) {
                assertTrue(count > 850 && count < 1_150, form + " has " + count + " of 8,000 groups in a partition");
            }
        }
    }

    @Test
    void shouldReachEveryPartitionByShifts() {
        var tenant = new TenantId("a-tenant-whose-hash-is-any-number");
        for (int partitions : List.of(1, 3, 7, 12)) {
            var layout = new LeaderboardLayout(partitions);
            assertEquals(
                    partitions,
                    IntStream.range(0, partitions)
                            .map(shift -> layout.partitionOf(
                                    new LeaderboardLayout.ScoreKey(tenant, Integer.MAX_VALUE, shift)))
                            .distinct()
                            .count());
        }
    }
}
