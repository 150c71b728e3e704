package dev.laurel.schemas.wire;

import dev.laurel.schemas.wire.EditBody.VariantBody;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /users/{id}/streak}.
 *
 * @param rank rank among the current streaks of all users; null without a streak
 */
public record StreakBody(
        BaseStreakBody base,
        @Nullable Instant extended,
        @Nullable Long rank,
        List<StreakPeriodBody> streakHistory,
        List<StreakPauseBody> pauses)
        implements VariantBody {

    /**
     * @param usedFreeze present while freezes are on
     * @param resetAt present if the streak was reset in this period
     */
    public record StreakPeriodBody(
            LocalDate periodStart,
            LocalDate periodEnd,
            int length,
            Optional<Boolean> usedFreeze,
            boolean usedPause,
            Optional<Instant> resetAt) {}

    /** A pause that is active or upcoming. */
    public record StreakPauseBody(UUID id, LocalDate start, LocalDate end) {}

    /**
     * docs/application-api.md §2 "Streak", the fields of all variants.
     *
     * @param freezes present, with {@code maxFreezes}, while freezes are on
     * @param freezeAutoEarnInterval in days; present, with the amount, while users earn freezes
     */
    public record BaseStreakBody(
            int length,
            String frequency,
            @Nullable LocalDate started,
            @Nullable LocalDate periodStart,
            @Nullable LocalDate periodEnd,
            @Nullable LocalDate expires,
            Optional<Integer> freezes,
            Optional<Integer> maxFreezes,
            Optional<Integer> freezeAutoEarnInterval,
            Optional<Integer> freezeAutoEarnAmount) {}

    /** {@code GET /streaks/rankings}. */
    public record RankedStreakBody(String userId, Optional<String> name, int streakLength) {}

    /** {@code GET /streaks}. @param extended time of the last extension; null without a streak */
    public record StreakLengthBody(
            String userId, int streakLength, @Nullable Instant extended) {}

    /**
     * A pause in the admin API (docs/admin-api.md A6).
     *
     * @param end inclusive
     * @param status {@code active} or {@code archived}
     */
    public record PauseBody(UUID id, String userId, LocalDate start, LocalDate end, String status) {}
}
