package dev.laurel.core.user;

import dev.laurel.core.user.UserHistory.Day;
import dev.laurel.schemas.input.Amounts;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * The state of one metric of one user. It contains the bucket of the newest day, so that most events read and write no other
 * store; the bucket moves to the {@code metric-days} store when a newer day begins.
 *
 * @param total the exact sum of all values
 * @param events the number of all events
 * @param day the newest local day with an event, as an epoch day
 * @param attributedFrom the oldest local day with an event that had attributes, {@link #NEVER} if there is none
 */
public record MetricState(
        BigDecimal total, long events, int day, DayBucket bucket, int attributedFrom, RecentDays recent) {

    public static final int NEVER = Integer.MAX_VALUE;

    /** Zero if the metric has no events. @param metric its number */
    public static BigDecimal totalOf(IntKeyedMap<MetricState> metrics, int metric) {
        MetricState counted = metrics.get(metric);
        return counted == null ? BigDecimal.ZERO : counted.total();
    }

    /** The number of events of all metrics. */
    public static long eventsOf(IntKeyedMap<MetricState> metrics) {
        long events = 0;
        for (int i = 0; i < metrics.size(); i++) {
            events += metrics.valueAt(i).events;
        }
        return events;
    }

    /** The days from {@code first} to {@code last} with events, ascending. @param number of the metric */
    public List<Day> days(int number, UserHistory history, int first, int last) {
        var days = new ArrayList<Day>();
        if (first < day && mayHaveOtherDaysFrom(first)) {
            days.addAll(history.days(number, first, Math.min(last, day - 1)));
        }
        if (day >= first && day <= last) {
            days.add(new Day(day, bucket));
        }
        return days;
    }

    /** Whether there may be days from {@code first} on with events, besides the newest one. */
    private boolean mayHaveOtherDaysFrom(int first) {
        return first < day - RecentDays.REACH || recent.eventsFrom(first) > bucket.events();
    }

    /**
     * What a user did of a metric on the newest days, in blocks of {@value #BLOCK_DAYS} days. It says how much the user can have at most in
     * a window of days without a read of the days: the events of the blocks that the window touches, and the sum of their days above 0. So
     * an event of a user who cannot be among the best of such a window costs one comparison.
     *
     * @param blocks by the number of the block: those that touch the newest day or one of the {@value #REACH} days before it
     */
    public record RecentDays(IntKeyedMap<Block> blocks) {

        /**
         * The days before the newest one that are covered: those of a window of 30 days which ends up to two days before the newest one.
         */
        public static final int REACH = 31;

        public static final RecentDays NONE = new RecentDays(IntKeyedMap.empty());

        /** Larger blocks are less exact, smaller ones take more space in every state. */
        private static final int BLOCK_DAYS = 15;

        /**
         * Some consecutive days.
         *
         * @param positive the sum of those of the days whose own sum is above 0
         */
        public record Block(int events, BigDecimal positive) {

            private static final Block EMPTY = new Block(0, BigDecimal.ZERO);

            private Block plus(int more, BigDecimal change) {
                return new Block(
                        events + more, change.signum() == 0 ? positive : Amounts.canonical(positive.add(change)));
            }
        }

        /** The number of the block of a day. */
        public static int blockOf(int day) {
            return Math.floorDiv(day, BLOCK_DAYS);
        }

        /** The first day of a window of 30 days that ends in the block of a day, at the earliest. */
        public static int firstDayBefore(int day) {
            return (blockOf(day) - REACH / BLOCK_DAYS) * BLOCK_DAYS;
        }

        /** The days with one more event. @param newest the newest day with an event, this one included */
        public RecentDays plus(int day, DayBucket before, DayBucket after, int newest) {
            return plus(
                    day,
                    after.events() - before.events(),
                    before.change().signum() <= 0 && after.change().signum() <= 0
                            ? BigDecimal.ZERO
                            : after.change()
                                    .max(BigDecimal.ZERO)
                                    .subtract(before.change().max(BigDecimal.ZERO)),
                    newest);
        }

        private RecentDays plus(int day, int events, BigDecimal change, int newest) {
            int number = blockOf(day);
            int first = blockOf(newest - REACH);
            if (number < first) {
                return this;
            }
            Block block = blocks.get(number);
            IntKeyedMap<Block> changed =
                    blocks.with(number, (block == null ? Block.EMPTY : block).plus(events, change));
            return new RecentDays(changed.numberAt(0) < first ? changed.retaining(one -> one >= first) : changed);
        }

        /** Not less than the number of events from a day on. */
        public int eventsFrom(int day) {
            int events = 0;
            for (int i = blocks.size() - 1; i >= 0 && blocks.numberAt(i) >= blockOf(day); i--) {
                events += blocks.valueAt(i).events();
            }
            return events;
        }

        /** Not less than the sum of any days from a day on. */
        public BigDecimal valueFrom(int day) {
            BigDecimal sum = BigDecimal.ZERO;
            for (int i = blocks.size() - 1; i >= 0 && blocks.numberAt(i) >= blockOf(day); i--) {
                sum = sum.add(blocks.valueAt(i).positive());
            }
            return sum;
        }
    }
}
