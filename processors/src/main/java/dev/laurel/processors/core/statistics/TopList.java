package dev.laurel.processors.core.statistics;

import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

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

    /** How many users belong to the list at most before some are left out, as a multiple. The more, the fewer sorts are needed. */
    private static final int ROOM = 4;

    private final Map<UserId, Member> members;
    private final int number;
    private final int columns;
    private final int kept;

    /** In no order. */
    private final List<Row> rows = new ArrayList<>();

    /** Users who do not belong to the list, up to {@link #maxBelow}; then each new one takes the place of the oldest. Null: a free place. */
    private final List<@Nullable Row> below = new ArrayList<>();
    private final int maxBelow;
    private int oldestBelow;

    /** By column, the best user ever left out; null if all users with a value are in the list. */
    private final @Nullable RankedUser[] leftOut;

    /** With more rows, some are left out. That takes a sort, so it is done for many at once. */
    private int maxRows;

    /** How many rows may have fallen below their {@link #leftOut} since at least {@link #kept} rows were above. */
    private int lost;

    /** A user with rows in lists. All lists of a tenant share their members, so that one search finds the rows of all. */
    static final class Member {

        private final UserId user;

        /** By number of the list. */
        private @Nullable Row[] rows = {};
        private int size;

        Member(UserId user) {
            this.user = user;
        }

        UserId user() {
            return user;
        }
    }

    /** The values of a user who belongs to the list or is known below it. */
    static final class Row {

        private final Member member;

        /** By column; null where the user has none. */
        private final @Nullable BigDecimal[] values;

        /** The index in {@link #rows} if the user belongs to the list, in {@link #below} otherwise. */
        private int index;
        private boolean belongs;
        private boolean isBest;

        private Row(Member member, @Nullable BigDecimal[] values) {
            this.member = member;
            this.values = values;
        }
    }

    /**
     * @param members of all lists that share them, by user
     * @param number of this list among them, from 0 on
     * @param kept how many of the best users of each column are kept at least
     */
    TopList(Map<UserId, Member> members, int number, int columns, int kept) {
        this.members = members;
        this.number = number;
        this.columns = columns;
        this.kept = kept;
        this.maxBelow = columns > 1 ? BELOW * kept : 0;
        this.maxRows = ROOM * kept;
        this.leftOut = new RankedUser[columns];
    }

    /** The values of a user; null: they are not known, and the user does not belong to the list. */
    @Nullable
    Row find(Member member) {
        return number < member.rows.length ? member.rows[number] : null;
    }

    /** Whether a user may belong to the list because of a value in one of these columns, none of which is higher than {@code highest}. */
    boolean mayContain(UserId user, BigDecimal highest, int firstColumn, int lastColumn) {
        for (int column = firstColumn; column <= lastColumn; column++) {
            RankedUser best = leftOut[column];
            if (best == null || RankedUser.compare(highest, user, best) < 0) {
                return true;
            }
        }
        return false;
    }

    private boolean isAbove(int column, Row row) {
        BigDecimal value = row.values[column];
        RankedUser best = leftOut[column];
        return value != null && (best == null || RankedUser.compare(value, row.member.user, best) < 0);
    }

    private boolean belongs(Row row) {
        for (int column = 0; column < columns; column++) {
            if (isAbove(column, row)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Sets the values of a user.
     *
     * @param member one of the members, or a new one, who becomes a member with the first row
     * @param values of all columns
     */
    void put(Member member, @Nullable BigDecimal... values) {
        Row row = find(member);
        if (row != null) {
            boolean falls = falls(row.values, values);
            System.arraycopy(values, 0, row.values, 0, columns);
            changed(row, falls);
            return;
        }
        row = new Row(member, values);
        boolean belongs = belongs(row);
        if (belongs || maxBelow > 0) {
            attach(row);
            place(row, belongs);
        }
    }

    /** Adds to some columns of a row. */
    void add(Row row, int firstColumn, int lastColumn, BigDecimal change) {
        add(row.values, firstColumn, lastColumn, change);
        changed(row, change.signum() < 0);
    }

    /** Adds to some columns; null counts as 0. Columns with the same object have the same one afterwards. */
    static void add(@Nullable BigDecimal[] values, int firstColumn, int lastColumn, BigDecimal change) {
        BigDecimal before = null;
        BigDecimal after = null;
        for (int column = firstColumn; column <= lastColumn; column++) {
            if (column == firstColumn || values[column] != before) {
                before = values[column];
                after = before == null ? change : Amounts.canonical(before.add(change));
            }
            values[column] = after;
        }
    }

    /** Moves a row to its place after its values have changed. @param falls whether a value is lower than before */
    private void changed(Row row, boolean falls) {
        if (row.belongs && falls) {
            lost++;
        }
        // Mostly, the values of a user rise: a user who belongs to the list belongs still, without a comparison with those left out.
        if (falls || !row.belongs) {
            boolean belongs = belongs(row);
            if (belongs != row.belongs) {
                displace(row);
                place(row, belongs);
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

    void remove(Member member) {
        Row row = find(member);
        if (row != null) {
            if (row.belongs) {
                lost++;
            }
            displace(row);
            detach(row);
        }
    }

    private void attach(Row row) {
        Member member = row.member;
        if (number >= member.rows.length) {
            member.rows = Arrays.copyOf(member.rows, number + 1);
        }
        member.rows[number] = row;
        if (member.size++ == 0) {
            members.put(member.user, member);
        }
    }

    private void detach(Row row) {
        Member member = row.member;
        member.rows[number] = null;
        if (--member.size == 0) {
            members.remove(member.user);
        }
    }

    private void place(Row row, boolean belongs) {
        if (!belongs) {
            placeBelow(row);
            return;
        }
        row.belongs = true;
        row.index = rows.size();
        rows.add(row);
        if (rows.size() > maxRows) {
            leaveOut();
        }
    }

    private void placeBelow(Row row) {
        row.belongs = false;
        if (maxBelow == 0) {
            detach(row);
            return;
        }
        if (below.size() < maxBelow) {
            row.index = below.size();
            below.add(row);
            return;
        }
        row.index = oldestBelow;
        Row oldest = below.set(oldestBelow, row);
        oldestBelow = (oldestBelow + 1) % maxBelow;
        if (oldest != null) {
            detach(oldest);
        }
    }

    /** Takes a row from its place. */
    private void displace(Row row) {
        if (row.belongs) {
            Row last = rows.removeLast();
            if (last != row) {
                rows.set(row.index, last);
                last.index = row.index;
            }
        } else {
            below.set(row.index, null);
        }
    }

    /** Leaves out all users who are not among the best of any column. */
    private void leaveOut() {
        for (int column = 0; column < columns; column++) {
            if (column == 0 || !isEqualToPrevious(column)) {
                markBest(column);
            }
        }
        List<Row> all = List.copyOf(rows);
        rows.clear();
        for (Row row : all) {
            if (row.isBest) {
                row.isBest = false;
                row.index = rows.size();
                rows.add(row);
            } else {
                leaveOut(row);
            }
        }
        maxRows = Math.max(ROOM * kept, rows.size() + kept);
        lost = kept - leastAbove();
    }

    private void markBest(int column) {
        Comparator<Row> best = Comparator.<Row, BigDecimal>comparing(row -> requireNonNull(row.values[column]))
                .reversed()
                .thenComparing(row -> row.member.user);
        rows.stream().filter(row -> row.values[column] != null).sorted(best).limit(kept)
                .forEach(row -> row.isBest = true);
    }

    private void leaveOut(Row row) {
        for (int column = 0; column < columns; column++) {
            if (isAbove(column, row)) {
                leftOut[column] = new RankedUser(row.member.user, requireNonNull(row.values[column]));
            }
        }
        placeBelow(row);
    }

    /** Whether all users have the same objects in a column as in the one before, as in windows that contain the same days. */
    private boolean isEqualToPrevious(int column) {
        return rows.stream().allMatch(row -> row.values[column] == row.values[column - 1]);
    }

    /** The smallest number of users above the one left out, of all columns that have left out some. */
    private int leastAbove() {
        int least = kept;
        for (int column = 0; column < columns; column++) {
            if (leftOut[column] != null) {
                int above = 0;
                for (Row row : rows) {
                    above += isAbove(column, row) ? 1 : 0;
                }
                least = Math.min(least, above);
            }
        }
        return least;
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
        for (Row row : rows) {
            values.put(row.member.user, row.values.clone());
        }
        return new Contenders(firstEnd, values, Arrays.copyOf(leftOut, columns));
    }
}
