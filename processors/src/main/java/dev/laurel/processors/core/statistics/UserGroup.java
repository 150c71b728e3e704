package dev.laurel.processors.core.statistics;

import dev.laurel.processors.core.user.IntKeyedMap;
import dev.laurel.processors.core.user.PointsState;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts a group of users: all of them, and by total in each points system. Not thread-safe.
 */
final class UserGroup {

    private long users;

    /** Numbers of points systems. There are few, so that a linear search is fastest. */
    private int[] systems = {};
    private LongCounts[] totals = {};

    long users() {
        return users;
    }

    void join(IntKeyedMap<PointsState> points) {
        users++;
        for (int i = 0; i < points.size(); i++) {
            move(points.numberAt(i), 0, points.valueAt(i).total());
        }
    }

    void leave(IntKeyedMap<PointsState> points) {
        users--;
        for (int i = 0; i < points.size(); i++) {
            move(points.numberAt(i), points.valueAt(i).total(), 0);
        }
    }

    /** Applies the change of one user's totals. */
    void change(IntKeyedMap<PointsState> before, IntKeyedMap<PointsState> after) {
        for (int i = 0; i < before.size(); i++) {
            int system = before.numberAt(i);
            move(system, before.valueAt(i).total(), totalAt(after, i, system));
        }
        for (int i = 0; i < after.size(); i++) {
            int system = after.numberAt(i);
            if (!before.contains(system)) {
                move(system, 0, after.valueAt(i).total());
            }
        }
    }

    /** Whether all totals are the same, which is the usual case and needs no search. */
    static boolean isSame(IntKeyedMap<PointsState> before, IntKeyedMap<PointsState> after) {
        if (before == after) {
            return true;
        }
        if (before.size() != after.size()) {
            return false;
        }
        for (int i = 0; i < before.size(); i++) {
            if (before.numberAt(i) != after.numberAt(i) || before.valueAt(i).total() != after.valueAt(i).total()) {
                return false;
            }
        }
        return true;
    }

    /** @param index of the system, unless the user got points in further systems */
    private static long totalAt(IntKeyedMap<PointsState> points, int index, int system) {
        return index < points.size() && points.numberAt(index) == system
                ? points.valueAt(index).total()
                : PointsState.totalOf(points, system);
    }

    /** Moves a user from one total to another. Users with a total of 0 are not counted: they are all others. */
    private void move(int system, long from, long to) {
        if (from != to) {
            LongCounts counts = totalsOf(system);
            if (from != 0) {
                counts.remove(from);
            }
            if (to != 0) {
                counts.add(to);
            }
        }
    }

    private LongCounts totalsOf(int system) {
        LongCounts counts = find(system);
        if (counts == null) {
            counts = new LongCounts();
            systems = Arrays.copyOf(systems, systems.length + 1);
            totals = Arrays.copyOf(totals, systems.length);
            systems[systems.length - 1] = system;
            totals[systems.length - 1] = counts;
        }
        return counts;
    }

    private @Nullable LongCounts find(int system) {
        for (int i = 0; i < systems.length; i++) {
            if (systems[i] == system) {
                return totals[i];
            }
        }
        return null;
    }

    /** Visits all totals, 0 included. */
    void forEachTotal(int system, LongCounts.Visitor visitor) {
        LongCounts counts = find(system);
        long without = users;
        if (counts != null) {
            counts.forEach(visitor);
            without -= counts.sum();
        }
        if (without != 0) {
            visitor.visit(0, without);
        }
    }
}
