package dev.laurel.schemas.wire;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.UUID;

/** A boost of one user's own as operators see it (admin-api.md A4 "boosts"). */
public record UserBoostBody(UUID id, String name, String status, LocalDate start, LocalDate end, BigDecimal multiplier,
        String rounding, String userId) implements AdminBody {}
