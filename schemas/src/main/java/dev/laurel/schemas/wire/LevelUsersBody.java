package dev.laurel.schemas.wire;

/** {@code GET /points/{key}/level-summary}: how many users hold the level now. */
public record LevelUsersBody(LevelBody level, long users) {}
