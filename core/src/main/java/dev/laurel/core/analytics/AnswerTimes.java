package dev.laurel.core.analytics;

import org.jspecify.annotations.Nullable;

/**
 * The cells of {@link Counter#WEBHOOK_ANSWERS}: how many answers took how long. Times are divided into ranges, each at most an eighth of
 * its lowest time wide: eight between two powers of two, and one for each time below {@value #EXACT_MS} ms. So the distribution of any
 * number of days is the sum of those of the days, and a percentile is found in it with an error of at most a sixteenth.
 */
public final class AnswerTimes {

    private static final int RANGE_BITS = 3;

    /** The ranges between two powers of two. */
    private static final int RANGES = 1 << RANGE_BITS;

    /** Times below it have ranges of their own. */
    private static final int EXACT_MS = 2 * RANGES;

    /** No attempt takes longer; longer times would count in the last range. */
    private static final int MAX_MS = (1 << 16) - 1;

    /** The cells of one day. */
    public static final int CELLS = rangeOf(MAX_MS) + 1;

    private AnswerTimes() {}

    /** The cell of an answer on a day. */
    public static int cell(int day, long durationMs) {
        return first(day) + rangeOf(Math.clamp(durationMs, 0, MAX_MS));
    }

    /** The first cell of a day; those of consecutive days follow each other. */
    public static int first(int day) {
        return day * CELLS;
    }

    private static int rangeOf(int ms) {
        int shift = shiftOf(ms);
        return shift * RANGES + (ms >>> shift);
    }

    /** How many of the lowest bits of a time its range leaves out. */
    private static int shiftOf(int ms) {
        return ms < EXACT_MS ? 0 : Integer.SIZE - 1 - RANGE_BITS - Integer.numberOfLeadingZeros(ms);
    }

    /** The middle of a range. */
    private static int middleOf(int range) {
        int shift = Math.max(0, range / RANGES - 1);
        int lowest = range - shift * RANGES << shift;
        return lowest + ((1 << shift) - 1) / 2;
    }

    /**
     * The time that a share of the answers did not exceed, in milliseconds.
     *
     * @param cells those of consecutive days
     * @param percent from 1 to 100
     * @return null if there was no answer
     */
    public static @Nullable Integer percentile(long[] cells, int percent) {
        var ranges = new long[CELLS];
        long answers = 0;
        for (int i = 0; i < cells.length; i++) {
            ranges[i % CELLS] += cells[i];
            answers += cells[i];
        }
        long left = Math.ceilDiv(answers * percent, 100);
        for (int range = 0; range < CELLS; range++) {
            left -= ranges[range];
            if (left <= 0 && answers > 0) {
                return middleOf(range);
            }
        }
        return null;
    }
}
