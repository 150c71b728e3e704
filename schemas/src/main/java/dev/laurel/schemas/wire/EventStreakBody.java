package dev.laurel.schemas.wire;

import java.time.LocalDate;

/** application-api.md §2 "Streak", in an event response. */
public record EventStreakBody(int length, String frequency, LocalDate started, LocalDate periodStart,
        LocalDate periodEnd, LocalDate expires, boolean extended) {}
