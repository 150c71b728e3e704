package dev.laurel.schemas.wire;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.UUID;

/**
 * A boost with its points system (webhooks.md §2 "boost").
 *
 * @param status {@code active} or {@code finished}
 * @param userId null for a boost of no single user
 * @param end inclusive, null if open
 */
public record SystemBoostBody(UUID id, String name, String status, String userId, UUID pointsSystemId,
        String pointsSystemKey, String pointsSystemName, LocalDate start, LocalDate end, BigDecimal multiplier,
        String rounding) {}
