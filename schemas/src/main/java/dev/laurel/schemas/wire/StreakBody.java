package dev.laurel.schemas.wire;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * {@code GET /users/{id}/streak}.
 *
 * @param rank among all users' present streaks, null without one
 * @param freezes there, with {@code maxFreezes}, while freezes are on
 * @param freezeAutoEarnInterval days; there, with the amount, while freezes are earned by themselves
 */
public record StreakBody(int length, String frequency, LocalDate started, LocalDate periodStart, LocalDate periodEnd,
        LocalDate expires, Optional<Integer> freezes, Optional<Integer> maxFreezes,
        Optional<Integer> freezeAutoEarnInterval, Optional<Integer> freezeAutoEarnAmount, Instant extended,
        Long rank, List<StreakPeriodBody> streakHistory, List<StreakPauseBody> pauses) {

    /** @param usedFreeze there while freezes are on */
    public record StreakPeriodBody(LocalDate periodStart, LocalDate periodEnd, int length,
            Optional<Boolean> usedFreeze, boolean usedPause) {}

    /** A pause that is active or upcoming. */
    public record StreakPauseBody(UUID id, LocalDate start, LocalDate end) {}
}
