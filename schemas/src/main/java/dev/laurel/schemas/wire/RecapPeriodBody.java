package dev.laurel.schemas.wire;

import java.time.LocalDate;

/** What a recap is about (webhooks.md §2). @param periodEnd inclusive */
public record RecapPeriodBody(LocalDate periodStart, LocalDate periodEnd) {}
