package dev.laurel.core.statistics;

import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;

/** A user and the value by which users are ranked: the highest value first, then the id. */
public record RankedUser(UserId user, BigDecimal value) implements Comparable<RankedUser> {

    @Override
    public int compareTo(RankedUser other) {
        return compare(value, user, other);
    }

    /** Compares a user with another one, without an object for the former. */
    public static int compare(BigDecimal value, UserId user, RankedUser other) {
        int byValue = other.value.compareTo(value);
        return byValue != 0 ? byValue : user.compareTo(other.user);
    }
}
