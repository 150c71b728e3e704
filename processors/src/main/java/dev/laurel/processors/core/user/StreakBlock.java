package dev.laurel.processors.core.user;

/** Verdicts of a stretch of periods. */
public record StreakBlock(int number) {

    public static final StreakBlock EMPTY = new StreakBlock(Integer.MIN_VALUE);
}
