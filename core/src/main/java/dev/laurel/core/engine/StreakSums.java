package dev.laurel.core.engine;

import dev.laurel.core.rules.Periods;
import dev.laurel.core.rules.StreakRules.Conditions;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.StreakState;
import dev.laurel.core.user.UserHistory;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.math.BigDecimal;
import java.util.function.IntFunction;

/**
 * Adds up the events of a period for the thresholds of a streak (docs/semantics.md §5). {@link StreakState} keeps the sums of
 * the present week or month, so that an event does not have to read the buckets of its days.
 */
final class StreakSums {

    private final UserTransaction user;
    private StreakState streak;

    StreakSums(UserTransaction user) {
        this.user = user;
        this.streak = user.streak();
    }

    /** The streak with the sums after the event. */
    StreakState streak() {
        return streak;
    }

    /**
     * Whether an event, which its bucket already contains, meets its unmet period. New conditions count from the next event
     * on, whatever its metric, so the current period is always compared to them. A past period keeps its verdict unless the
     * event changes a sum of a condition.
     *
     * @param day local date
     * @param isCurrent whether the period of this day is the current one
     */
    boolean isMetBy(int metric, int day, BigDecimal value, boolean isCurrent) {
        Conditions conditions = user.rules()
                .streak()
                .conditions(user.preferences().streakMode(), user.preferences().streakMetrics());
        if (conditions.isAnyEvent()) {
            return value.signum() > 0;
        }
        if (!isCurrent && !conditions.counts(metric)) {
            return false;
        }
        Periods periods = streak.periods();
        if (periods.frequency() == StreakFrequency.DAILY) {
            return conditions.areMet(m -> changeOn(m, day));
        }
        int period = periods.of(day);
        return period < streak.sumsPeriod()
                ? conditions.areMet(m -> changeWithin(m, period))
                : isMetByNewest(conditions, metric, period, value);
    }

    private boolean isMetByNewest(Conditions conditions, int metric, int period, BigDecimal value) {
        var sums = new NewestSums(period, period == streak.sumsPeriod() ? streak.sums() : IntKeyedMap.empty());
        BigDecimal sum = sums.known.get(metric);
        if (sum != null) {
            sums.known = sums.known.with(metric, Amounts.canonical(sum.add(value)));
        }
        boolean isMet = conditions.areMet(sums);
        // A period that is met needs no sums.
        IntKeyedMap<BigDecimal> kept = isMet ? IntKeyedMap.empty() : sums.known;
        if (period != streak.sumsPeriod() || kept != streak.sums()) {
            streak = streak.withSums(period, kept);
        }
        return isMet;
    }

    /** Computes sums when they are first needed, and keeps them. */
    private final class NewestSums implements IntFunction<BigDecimal> {
        private final int period;
        private IntKeyedMap<BigDecimal> known;

        NewestSums(int period, IntKeyedMap<BigDecimal> known) {
            this.period = period;
            this.known = known;
        }

        @Override
        public BigDecimal apply(int metric) {
            BigDecimal sum = known.get(metric);
            if (sum == null) {
                sum = changeWithin(metric, period);
                known = known.with(metric, sum);
            }
            return sum;
        }
    }

    private BigDecimal changeOn(int metric, int day) {
        MetricState counted = user.metrics().get(metric);
        if (counted == null || counted.day() < day) {
            return BigDecimal.ZERO;
        }
        DayBucket bucket =
                counted.day() == day ? counted.bucket() : user.history().day(metric, day);
        return bucket == null ? BigDecimal.ZERO : bucket.change();
    }

    private BigDecimal changeWithin(int metric, int period) {
        MetricState counted = user.metrics().get(metric);
        int first = streak.periods().firstDay(period);
        if (counted == null || counted.day() < first) {
            return BigDecimal.ZERO;
        }
        int last = streak.periods().lastDay(period);
        BigDecimal sum = counted.day() >= first && counted.day() <= last
                ? counted.bucket().change()
                : BigDecimal.ZERO;
        for (UserHistory.Day day : user.history().days(metric, first, last)) {
            sum = sum.add(day.bucket().change());
        }
        return Amounts.canonical(sum);
    }
}
