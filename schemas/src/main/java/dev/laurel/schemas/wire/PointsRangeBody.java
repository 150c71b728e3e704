package dev.laurel.schemas.wire;

/** {@code GET /points/{key}/summary}: how many users have a total from {@code from} to {@code to}, both inclusive. */
public record PointsRangeBody(long from, long to, long users) {}
