package dev.laurel.schemas.wire;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.UUID;

/** application-api.md §2 "Points": a boost. */
public record BoostBody(UUID id, String name, String status, LocalDate start, LocalDate end, BigDecimal multiplier,
        String rounding) {}
