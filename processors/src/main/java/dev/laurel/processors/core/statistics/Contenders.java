package dev.laurel.processors.core.statistics;

import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * A copy of a list of users with the highest values of one kind, from which the best are chosen. A list of recent days has a column for
 * each day with which a window may end, of which a user's local date decides. Other lists have one column.
 *
 * @param firstEnd the day of the first column
 * @param rows by user, the values of the columns; null where the user has none
 * @param leftOut by column, a user who is not worse than any user without a row; null: there are none
 */
public record Contenders(int firstEnd, Map<UserId, @Nullable BigDecimal[]> rows, @Nullable RankedUser[] leftOut) {

    /** Finds the present local date of a user. */
    public interface Dates {

        /** Null if the user does not exist. */
        @Nullable
        Integer dateOf(UserId user);
    }

    private boolean isOfDays() {
        return leftOut.length > 1;
    }

    /** Whether there is a column for each of these dates, without which {@link #best} cannot be asked. */
    public boolean hasColumns(int first, int last) {
        return !isOfDays() || first >= firstEnd && last - firstEnd < leftOut.length;
    }

    /**
     * The best users, each with the value of the window that ends with the user's local date.
     *
     * @param first the earliest of the present local dates of all users
     * @param last the latest of them
     * @param dates asked about little more users than are returned
     * @return best first; null if users without a row may be among them, or if a user's date is not one of these
     */
    public @Nullable List<RankedUser> best(int limit, int first, int last, Dates dates) {
        boolean isOfDays = isOfDays();
        int from = isOfDays ? first - firstEnd : 0;
        int to = isOfDays ? last - firstEnd : 0;
        var best = new TreeSet<RankedUser>();
        for (RankedUser candidate : byHighest(from, to)) {
            if (best.size() == limit && candidate.compareTo(best.last()) > 0) {
                break;
            }
            Integer date = dates.dateOf(candidate.user());
            if (date != null) {
                int column = isOfDays ? date - firstEnd : 0;
                if (column < from || column > to) {
                    return null;
                }
                BigDecimal value = requireNonNull(rows.get(candidate.user()))[column];
                if (value != null) {
                    best.add(new RankedUser(candidate.user(), value));
                }
                if (best.size() > limit) {
                    best.pollLast();
                }
            }
        }
        for (int column = from; column <= to; column++) {
            RankedUser other = leftOut[column];
            if (other != null && (best.size() < limit || other.compareTo(best.last()) < 0)) {
                return null;
            }
        }
        return List.copyOf(best);
    }

    /** The users by their highest values in these columns. */
    private List<RankedUser> byHighest(int from, int to) {
        var all = new ArrayList<RankedUser>(rows.size());
        rows.forEach((user, values) -> {
            BigDecimal highest = null;
            for (int column = from; column <= to; column++) {
                BigDecimal value = values[column];
                if (value != null && (highest == null || value.compareTo(highest) > 0)) {
                    highest = value;
                }
            }
            if (highest != null) {
                all.add(new RankedUser(user, highest));
            }
        });
        all.sort(null);
        return all;
    }
}
