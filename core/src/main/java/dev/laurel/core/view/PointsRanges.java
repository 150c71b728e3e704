package dev.laurel.core.view;

import dev.laurel.schemas.wire.PointsSystemBody.PointsRangeBody;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts users by ranges of points (docs/application-api.md §6 "summary"): {@code 0-0}, then ten equal ranges from 1 to M,
 * the highest total rounded up to a power of ten, at least 10. Accepts cells in any order. Not thread-safe.
 *
 * <p>A total is in the cell of the lowest power of ten that is at least as large, and of its tenth of that power. The ranges of any
 * M follow from the users of the cells: totals under a lower power are all in the first range of M. The cells are durable data.
 */
public final class PointsRanges {

    private static final int RANGES = 10;
    private static final int POWERS = 18;

    private final long[][] tenths = new long[POWERS + 1][RANGES];
    private long zeros;

    /** The cell of a total, 0 for no points. @param total at least 0 */
    public static int cell(long total) {
        if (total == 0) {
            return 0;
        }
        int power = 1;
        long width = 1;
        while (total > width * RANGES && power < POWERS) {
            width *= RANGES;
            power++;
        }
        return (power - 1) * RANGES + (int) ((total - 1) / width) + 1;
    }

    /** Adds users to a cell. */
    public void add(int cell, long users) {
        if (cell == 0) {
            zeros += users;
        } else {
            tenths[(cell - 1) / RANGES + 1][(cell - 1) % RANGES] += users;
        }
    }

    public List<PointsRangeBody> toBodies() {
        int highest = POWERS;
        while (highest > 1 && usersUnder(highest) == 0) {
            highest--;
        }
        long lower = 0;
        long width = 1;
        for (int power = 1; power < highest; power++) {
            lower += usersUnder(power);
            width *= RANGES;
        }
        var bodies = new ArrayList<PointsRangeBody>(RANGES + 1);
        bodies.add(new PointsRangeBody(0, 0, zeros));
        for (int i = 0; i < RANGES; i++) {
            bodies.add(new PointsRangeBody(i * width + 1, (i + 1) * width, tenths[highest][i] + (i == 0 ? lower : 0)));
        }
        return bodies;
    }

    private long usersUnder(int power) {
        long users = 0;
        for (long count : tenths[power]) {
            users += count;
        }
        return users;
    }
}
