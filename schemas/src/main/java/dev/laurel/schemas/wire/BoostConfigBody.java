package dev.laurel.schemas.wire;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * admin-api.md A4: a boost.
 *
 * @param end null if open
 * @param userId of a boost of a single user, null for one of all
 * @param userAttributes only of a boost of all
 */
public record BoostConfigBody(UUID id, String name, String status, LocalDate start, LocalDate end,
        BigDecimal multiplier, String rounding, String userId,
        Optional<List<FilterConfigBody>> userAttributes) implements AdminBody {

    /** @param today in UTC */
    public static String statusOn(LocalDate today, LocalDate start, LocalDate end) {
        if (today.isBefore(start)) {
            return "scheduled";
        }
        return end != null && today.isAfter(end) ? "finished" : "active";
    }
}
