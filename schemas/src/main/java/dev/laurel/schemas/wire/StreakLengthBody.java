package dev.laurel.schemas.wire;

import java.time.Instant;

/** {@code GET /streaks}. @param extended when the streak was extended last, null without one */
public record StreakLengthBody(String userId, int streakLength, Instant extended) {}
