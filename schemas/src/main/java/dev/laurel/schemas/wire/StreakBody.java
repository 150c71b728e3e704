package dev.laurel.schemas.wire;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/** {@code GET /users/{id}/streak}. */
public record StreakBody(int length, String frequency, LocalDate started, LocalDate periodStart, LocalDate periodEnd,
        LocalDate expires, Instant extended, Integer rank, List<StreakPeriodBody> streakHistory,
        List<PauseBody> pauses) {

    public record StreakPeriodBody(LocalDate periodStart, LocalDate periodEnd, int length, boolean usedPause) {}

    public record PauseBody(String id, LocalDate start, LocalDate end) {}
}
