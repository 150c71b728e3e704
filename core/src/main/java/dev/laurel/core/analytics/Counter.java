package dev.laurel.core.analytics;

import dev.laurel.core.view.PointsRanges;
import org.jspecify.annotations.Nullable;

/**
 * A kind of counters (docs/analytics.md §2). The counters of a kind are distinguished by the number of an object, by the segment and by
 * the cell, which is a local day unless stated otherwise. The order of the constants is durable data.
 */
public enum Counter {

    /** Users created, by the segment at the creation. No object. */
    NEW_USERS,
    /** Users active on a day: with any event (object 0), or with one of a metric. */
    ACTIVE,
    /** Users active in the 7 days that end with the day. No object. */
    ACTIVE_7,
    /** Users active in the 30 days that end with the day. No object. */
    ACTIVE_30,
    /** Events of a metric. */
    EVENTS,
    /** The sum of the values of a metric's events. */
    VALUE,
    /** {@link #ACTIVE}, of new users only. */
    EARLY_ACTIVE,
    /** {@link #VALUE}, of new users only. */
    EARLY_VALUE,
    /** What became of the users who were created on a day, see {@link Cohorts}. Any event (object 0), or those of a metric. */
    COHORT,
    /** Completions of an achievement. */
    COMPLETIONS,
    /** Streaks that began. No object, as for all counters of streaks. */
    STREAKS_STARTED,
    /** Streaks that grew, beyond a length of 1. */
    STREAKS_EXTENDED,
    /** Streaks that ended. */
    STREAKS_LOST,
    /** Freezes that covered a missed period. */
    STREAKS_SAVED,
    /** Streaks given back by an operator. */
    STREAKS_RESTORED,
    /** Present users. No object; the cell is 0. Those with attributes also count under all of these together. */
    USERS,
    /** Present users who have completed an achievement. No object; the cell is the number of the achievement. */
    COMPLETED,
    /** Users by the present length of their streak. The cell is the length. */
    STREAK_LENGTHS,
    /** Users by the greatest length that their streak ever had. The cell is the length. */
    LONGEST_STREAKS,
    /** Points of a system that awards added. */
    POINTS_AWARDED,
    /** Points of a system that awards took. */
    POINTS_TAKEN,
    /** The net points of a trigger. */
    POINTS_OF_TRIGGER,
    /** The net points of a system that users got as new users, by the day of their creation. */
    EARLY_POINTS,
    /** Present users by the highest achievement of a metric that they have completed. The cell is the number of the achievement. */
    HIGHEST_ACHIEVEMENTS,
    /** Present users by the level of a points system that they hold. The cell is the number of the level. */
    LEVELS,
    /**
     * Copies of messages that were handed to delivery. The object is the number of the template, and the day is that of the due time in the
     * tenant's default zone, as for all counters of messages. They count outside the control group, which gets no messages.
     */
    MESSAGES_DUE,
    /** Copies of messages that were sent. */
    MESSAGES_SENT,
    /** Copies of messages that were not sent, or may not have been. */
    MESSAGES_FAILED,
    /** Those of which the service said that there is no such address. */
    MESSAGES_BOUNCED,
    /**
     * Attempts to deliver to a webhook. The object is the number of the webhook, and the day is that of the end of the attempt in the
     * tenant's default zone, as for all counters of webhooks.
     */
    WEBHOOK_ATTEMPTS,
    /** Deliveries that a webhook has accepted. */
    WEBHOOK_DELIVERED,
    /** Deliveries whose last attempt has failed. */
    WEBHOOK_FAILED,
    /** Answers of a webhook by the time that they took. The cells are those of {@link AnswerTimes}. */
    WEBHOOK_ANSWERS,
    /** Copies of messages after which the user had an event within two days. */
    MESSAGES_RETURNED,
    /** Emails that were opened. */
    MESSAGES_OPENED,
    /** Emails with a link that was clicked. */
    MESSAGES_CLICKED,
    /**
     * Present users by their value on a leaderboard that ranks all of them. The segment is the group in a run, see
     * {@link ScoreRanges#segmentOf}, and the cell is the range of the value.
     */
    SCORES,
    /**
     * Present users with points in a system. The cell is the range of their points, see {@link PointsRanges}. They are also divided by all
     * of their attributes together, as {@link #USERS} are, see {@link Segment#ofAttributes}.
     */
    POINTS_RANGES;

    /** Counters are stored in blocks of so many consecutive cells. */
    static final int CELLS = 32;

    /** Whether the counters are decimal numbers. */
    public boolean isDecimal() {
        return this == VALUE || this == EARLY_VALUE;
    }

    /** Whether blocks of old days are deleted: not those of which a report shows the sum of all days. */
    public boolean expires() {
        return switch (this) {
            case NEW_USERS,
                    COMPLETIONS,
                    USERS,
                    COMPLETED,
                    STREAK_LENGTHS,
                    LONGEST_STREAKS,
                    HIGHEST_ACHIEVEMENTS,
                    LEVELS,
                    SCORES,
                    POINTS_RANGES -> false;
            default -> true;
        };
    }

    /**
     * Whether a change is written at once, not before the next commit: counts that a user reads right after it has changed them. They
     * change seldom.
     */
    public boolean isWrittenAtOnce() {
        return this == USERS || this == COMPLETED;
    }

    /** The number of consecutive cells that belong to a day. */
    public int cellsOfDay() {
        return switch (this) {
            case COHORT -> Cohorts.CELLS;
            case WEBHOOK_ANSWERS -> AnswerTimes.CELLS;
            default -> 1;
        };
    }

    /** The number of cells in a block. */
    public int cells() {
        return this == SCORES ? ScoreRanges.BLOCK : cellsOfDay() == 1 ? CELLS : cellsOfDay();
    }

    /**
     * The cells of {@link #COHORT}: for the users who were created on the same day, how many were active <i>n</i> days later, and how
     * many were last active <i>n</i> days later, for <i>n</i> from 0 to {@value #LAST_DAY}. Users who were last active after that count in
     * the last cell.
     */
    public static final class Cohorts {

        /** The greatest distance from the day of creation that is counted. */
        public static final int LAST_DAY = 90;

        private static final int DAYS = LAST_DAY + 1;

        /** The cells of one day of creation. */
        static final int CELLS = 2 * DAYS;

        private Cohorts() {}

        /** The cell of the users who were active {@code n} days later. */
        public static int active(int firstSeen, int n) {
            return firstSeen * CELLS + n;
        }

        /** The cell of the users who were last active {@code n} days later. */
        public static int lastActive(int firstSeen, int n) {
            return firstSeen * CELLS + DAYS + Math.min(n, LAST_DAY);
        }
    }

    /**
     * The cells of {@link #WEBHOOK_ANSWERS}: how many answers took how long. Times are divided into ranges, each at most an eighth of
     * its lowest time wide: eight between two powers of two, and one for each time below {@value #EXACT_MS} ms. So the distribution of any
     * number of days is the sum of those of the days, and a percentile is found in it with an error of at most a sixteenth.
     */
    public static final class AnswerTimes {

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
}
