package dev.laurel.schemas.wire;

import java.time.LocalDate;
import java.util.UUID;

/**
 * A pause as operators see it (admin-api.md A6).
 *
 * @param end inclusive
 * @param status {@code active} or {@code archived}
 */
public record PauseBody(UUID id, String userId, LocalDate start, LocalDate end, String status) {}
