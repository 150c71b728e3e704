package dev.laurel.bench;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class GrowthPlanTest {

    @Test
    void shouldMeasureTheDocumentedSizes() {
        GrowthBench.Plan plan = Bench.Plan.full().growth();

        assertEquals(List.of(1_000, 100_000, 1_000_000), plan.users());
        assertEquals(List.of(10, 100_000), plan.pasts());
        assertTrue(plan.pastSpacing().multipliedBy(100_000).toDays() > 3_600, "ten years");
    }

    @Test
    void shouldNotMeasureGrowthInAQuickRun() {
        assertNull(Bench.Plan.quick().growth());
    }

    @Test
    void shouldHaveEnoughUsersWithAShortPastThatNoneIsActiveTwice() {
        GrowthBench.Plan plan = Bench.Plan.full().growth();
        int measured = 2 * plan.rounds() * plan.eventsPerRound() + plan.eventsPerRound() / 2;

        assertEquals(measured / plan.eventsPerVisit(), plan.usersWithPast(10));
        assertEquals(plan.pastUsersAtOnce(), plan.usersWithPast(100_000));
    }

    @Test
    void shouldPrepareNoMorePastEventsThanTheLongestPastsHave() {
        GrowthBench.Plan plan = Bench.Plan.full().growth();

        assertEquals(plan.pastUsersAtOnce() * 100_000, plan.usersWithPast(1_000) * 1_000);
    }

    @Test
    void shouldRefuseSizesThatDoNotAscend() {
        assertThrows(IllegalArgumentException.class, () -> plan(List.of(100, 100), List.of(1)));
        assertThrows(IllegalArgumentException.class, () -> plan(List.of(100), List.of(2, 1)));
        assertThrows(IllegalArgumentException.class, () -> plan(List.of(9), List.of(1)));
    }

    private static GrowthBench.Plan plan(List<Integer> users, List<Integer> pasts) {
        return new GrowthBench.Plan(users, 10, pasts, 4, Duration.ofHours(1), 5, 1, 100, Duration.ofMinutes(1));
    }
}
