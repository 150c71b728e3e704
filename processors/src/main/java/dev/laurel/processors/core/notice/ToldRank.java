package dev.laurel.processors.core.notice;

import java.math.BigDecimal;

/**
 * How a user stands on a leaderboard as far as webhooks were told.
 *
 * @param rank 0 if the user was told to have left
 * @param value null then
 * @param toldMs when, by the instance's clock; {@link #NEVER} if it was not told but found so when a webhook began to ask
 */
public record ToldRank(int rank, BigDecimal value, long toldMs) {

    public static final long NEVER = Long.MIN_VALUE;

    /** Before this time there is nothing more to be said. @param windowMs how long that is */
    public long silentUntilMs(long windowMs) {
        return toldMs == NEVER ? NEVER : toldMs + windowMs;
    }
}
