package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.Periods;
import dev.laurel.processors.core.rules.StreakConditions;
import dev.laurel.schemas.command.Amounts;
import dev.laurel.schemas.ruleset.StreakFrequency;
import java.math.BigDecimal;
import java.util.function.IntFunction;

/**
 * What the events of a period add up to, for the thresholds of a streak (semantics.md §5). A day has its buckets; the sums
 * of the present week or month are kept in {@link StreakState}, so that an event need not add up its days.
 */
final class StreakSums {

    private final UserTurn turn;

    StreakSums(UserTurn turn) {
        this.turn = turn;
    }

    /** Whether an event that lies in its bucket already meets its period, which is not met so far. @param day local */
    boolean isMetBy(int metric, int day, BigDecimal value) {
        StreakConditions conditions = turn.rules.streak().conditions(turn.preferences.streakMode(),
                turn.preferences.streakMetrics());
        if (conditions.isAnyEvent()) {
            return value.signum() > 0;
        }
        if (!conditions.counts(metric)) {
            return false;
        }
        Periods periods = turn.streak.periods();
        if (periods.frequency() == StreakFrequency.DAILY) {
            return conditions.areMet(m -> changeOn(m, day));
        }
        int period = periods.of(day);
        return period < turn.streak.sumsPeriod()
                ? conditions.areMet(m -> changeWithin(m, period))
                : isMetByNewest(conditions, metric, period, value);
    }

    private boolean isMetByNewest(StreakConditions conditions, int metric, int period, BigDecimal value) {
        var sums = new NewestSums(period,
                period == turn.streak.sumsPeriod() ? turn.streak.sums() : Numbered.empty());
        BigDecimal sum = sums.known.get(metric);
        if (sum != null) {
            sums.known = sums.known.with(metric, Amounts.canonical(sum.add(value)));
        }
        boolean isMet = conditions.areMet(sums);
        // Once it is met nobody asks for them any more.
        turn.streak = turn.streak.withSums(period, isMet ? Numbered.empty() : sums.known);
        return isMet;
    }

    /** Sums that are added up when they are asked for first, and remembered. */
    private final class NewestSums implements IntFunction<BigDecimal> {
        private final int period;
        private Numbered<BigDecimal> known;

        NewestSums(int period, Numbered<BigDecimal> known) {
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
        MetricState counted = turn.metrics.get(metric);
        if (counted == null) {
            return BigDecimal.ZERO;
        }
        DayBucket bucket = counted.day() == day ? counted.bucket() : turn.history.day(metric, day);
        return bucket == null ? BigDecimal.ZERO : bucket.change();
    }

    private BigDecimal changeWithin(int metric, int period) {
        MetricState counted = turn.metrics.get(metric);
        if (counted == null) {
            return BigDecimal.ZERO;
        }
        int first = turn.streak.periods().firstDay(period);
        int last = turn.streak.periods().lastDay(period);
        BigDecimal sum = counted.day() >= first && counted.day() <= last ? counted.bucket().change() : BigDecimal.ZERO;
        for (UserHistory.Day day : turn.history.days(metric, first, last)) {
            sum = sum.add(day.bucket().change());
        }
        return Amounts.canonical(sum);
    }
}
