package dev.laurel.schemas.wire;

import java.time.LocalDate;
import java.util.Optional;

/**
 * application-api.md §2 "Streak", the fields that all variants have.
 *
 * @param freezes there, with {@code maxFreezes}, while freezes are on
 * @param freezeAutoEarnInterval days; there, with the amount, while freezes are earned by themselves
 */
public record BaseStreakBody(int length, String frequency, LocalDate started, LocalDate periodStart,
        LocalDate periodEnd, LocalDate expires, Optional<Integer> freezes, Optional<Integer> maxFreezes,
        Optional<Integer> freezeAutoEarnInterval, Optional<Integer> freezeAutoEarnAmount) {}
