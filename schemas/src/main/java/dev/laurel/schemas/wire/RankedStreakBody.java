package dev.laurel.schemas.wire;

import java.util.Optional;

/** {@code GET /streaks/rankings}. */
public record RankedStreakBody(String userId, Optional<String> name, int streakLength) {}
