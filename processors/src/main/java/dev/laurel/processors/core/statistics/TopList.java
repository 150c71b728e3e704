package dev.laurel.processors.core.statistics;

import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The users with the highest values of one kind. A user has one or several values, such as those of windows that end on different days;
 * they are the columns of the list. It contains every user who is better in some column than the best one ever left out of that column,
 * with the exact values of all columns, so that its memory does not grow with the users. It shrinks when users fall, since the next ones
 * were left out, and must be rebuilt at some time.
 *
 * <p>A list with several columns also knows the values of some users below. Otherwise the days of a user who comes near the best would have
 * to be read for each event. Not thread-safe.
 */
final class TopList {

    /** How many users below are known, as a multiple of those who are kept at least. */
    private static final int BELOW = 3;

    private final int columns;
    private final int kept;
    private final Map<UserId, Row> rows = new HashMap<>();

    /** Users who do not belong to the list. The one who was added first is forgotten first. */
    private final SequencedMap<UserId, Row> below = new LinkedHashMap<>();

    /** By column, the best user ever left out; null if all users with a value are in the list. */
    private final @Nullable RankedUser[] leftOut;

    /** The lowest of {@link #leftOut}; null if some column has left out nobody. */
    private @Nullable RankedUser lowest;

    /** With more rows, some are left out. That takes a sort, so it is done for many at once. */
    private int maxRows;

    /** How many rows may have fallen below their {@link #leftOut} since at least {@link #kept} rows were above. */
    private int lost;

    /** The values of a user who belongs to the list or is known below it. */
    static final class Row {

        private final UserId user;

        /** By column; null where the user has none. No array changes. */
        private @Nullable BigDecimal[] values;
        private boolean belongs;

        private Row(UserId user, @Nullable BigDecimal[] values) {
            this.user = user;
            this.values = values;
        }

        /** The values of all columns, which must not be changed. */
        @Nullable
        BigDecimal[] values() {
            return values;
        }
    }

    /** @param kept how many of the best users of each column are kept at least */
    TopList(int columns, int kept) {
        this.columns = columns;
        this.kept = kept;
        this.maxRows = 2 * kept;
        this.leftOut = new RankedUser[columns];
    }

    /** The values of a user; null: they are not known, and the user does not belong to the list. */
    @Nullable
    Row find(UserId user) {
        Row row = rows.get(user);
        return row == null && columns > 1 ? below.get(user) : row;
    }

    /** Whether a user may belong to the list whose values are not higher than this. */
    boolean mayContain(UserId user, BigDecimal highest) {
        return lowest == null || RankedUser.compare(highest, user, lowest) < 0;
    }

    private boolean isAbove(int column, @Nullable BigDecimal value, UserId user) {
        RankedUser best = leftOut[column];
        return value != null && (best == null || RankedUser.compare(value, user, best) < 0);
    }

    private boolean belongs(Row row) {
        for (int column = 0; column < columns; column++) {
            if (isAbove(column, row.values[column], row.user)) {
                return true;
            }
        }
        return false;
    }

    /** Sets the values of a user, who may be new. @param values of all columns; the caller must not change them any more */
    void put(UserId user, @Nullable BigDecimal... values) {
        Row row = find(user);
        if (row != null) {
            set(row, values);
            return;
        }
        row = new Row(user, values);
        if (belongs(row)) {
            keep(row);
        } else {
            keepBelow(row);
        }
    }

    /** Sets the values of a user whose row was {@link #find found}. @param values as for {@link #put} */
    void set(Row row, @Nullable BigDecimal... values) {
        @Nullable
        BigDecimal[] before = row.values;
        row.values = values;
        if (!row.belongs) {
            if (belongs(row)) {
                below.remove(row.user);
                keep(row);
            }
        } else if (falls(before, values)) {
            lost++;
            if (!belongs(row)) {
                rows.remove(row.user);
                keepBelow(row);
            }
        }
    }

    private boolean falls(@Nullable BigDecimal[] before, @Nullable BigDecimal[] after) {
        for (int column = 0; column < columns; column++) {
            BigDecimal from = before[column];
            BigDecimal to = after[column];
            if (from != null && (to == null || to.compareTo(from) < 0)) {
                return true;
            }
        }
        return false;
    }

    void remove(UserId user) {
        if (rows.remove(user) != null) {
            lost++;
        }
        below.remove(user);
    }

    private void keep(Row row) {
        row.belongs = true;
        rows.put(row.user, row);
        if (rows.size() > maxRows) {
            leaveOut();
        }
    }

    private void keepBelow(Row row) {
        row.belongs = false;
        if (columns > 1) {
            below.put(row.user, row);
            if (below.size() > BELOW * kept) {
                below.pollFirstEntry();
            }
        }
    }

    /** Leaves out all users who are not among the best of any column. */
    private void leaveOut() {
        Set<UserId> best = new HashSet<>();
        for (int column = 0; column < columns; column++) {
            if (column > 0 && isEqualToPrevious(column)) {
                continue;
            }
            List<RankedUser> ranked = ranked(column);
            for (RankedUser user : ranked.subList(0, Math.min(kept, ranked.size()))) {
                best.add(user.user());
            }
        }
        rows.values().removeIf(row -> {
            boolean isLeftOut = !best.contains(row.user);
            for (int column = 0; isLeftOut && column < columns; column++) {
                BigDecimal value = row.values[column];
                if (isAbove(column, value, row.user) && value != null) {
                    leftOut[column] = new RankedUser(row.user, value);
                }
            }
            if (isLeftOut) {
                keepBelow(row);
            }
            return isLeftOut;
        });
        lowest = lowestLeftOut();
        maxRows = Math.max(2 * kept, rows.size() + kept);
        lost = kept - leastAbove();
    }

    private @Nullable RankedUser lowestLeftOut() {
        RankedUser found = leftOut[0];
        for (int column = 1; column < columns && found != null; column++) {
            RankedUser other = leftOut[column];
            found = other == null || other.compareTo(found) > 0 ? other : found;
        }
        return found;
    }

    /** Whether all users have the same objects in a column as in the one before, as in windows that contain the same days. */
    private boolean isEqualToPrevious(int column) {
        return rows.values().stream().allMatch(row -> row.values[column] == row.values[column - 1]);
    }

    private List<RankedUser> ranked(int column) {
        var ranked = new ArrayList<RankedUser>(rows.size());
        for (Row row : rows.values()) {
            BigDecimal value = row.values[column];
            if (value != null) {
                ranked.add(new RankedUser(row.user, value));
            }
        }
        ranked.sort(null);
        return ranked;
    }

    /** The smallest number of users above the one left out, of all columns that have left out some. */
    private int leastAbove() {
        int least = Integer.MAX_VALUE;
        for (int column = 0; column < columns; column++) {
            if (leftOut[column] != null) {
                int above = 0;
                for (Row row : rows.values()) {
                    above += isAbove(column, row.values[column], row.user) ? 1 : 0;
                }
                least = Math.min(least, above);
            }
        }
        return Math.min(least, kept);
    }

    /** Whether the list has lost so many users that it should be rebuilt. */
    boolean isShort() {
        if (lost < kept / 2) {
            return false;
        }
        lost = kept - leastAbove();
        return lost >= kept / 2;
    }

    /** A copy. @param firstEnd see {@link Contenders} */
    Contenders contenders(int firstEnd) {
        Map<UserId, @Nullable BigDecimal[]> values = HashMap.newHashMap(rows.size());
        for (Row row : rows.values()) {
            values.put(row.user, row.values);
        }
        return new Contenders(firstEnd, values, Arrays.copyOf(leftOut, columns));
    }
}
