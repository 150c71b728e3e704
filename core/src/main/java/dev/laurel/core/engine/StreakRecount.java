package dev.laurel.core.engine;

import dev.laurel.core.rules.Periods;
import dev.laurel.core.rules.StreakRules.Conditions;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.StreakBlock;
import dev.laurel.core.user.StreakBlock.Verdict;
import dev.laurel.core.user.StreakChain;
import dev.laurel.core.user.StreakState;
import dev.laurel.core.user.StreakState.DaysOff;
import dev.laurel.core.user.StreakState.Reset;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserHistory.HistoryWrite;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Recounts a streak from the day buckets after a change of the frequency, under the present conditions (docs/semantics.md §5).
 * Reads all days with events, once per user and change.
 */
final class StreakRecount {

    private record Change(int day, int metric, DayBucket bucket) {}

    private final UserTransaction user;
    private final Periods periods;
    private final Conditions conditions;

    /** The first and last day with events, whether they count now or not. All blocks lie between them. */
    private int firstDay = Integer.MAX_VALUE;

    private int lastDay = Integer.MIN_VALUE;

    private StreakRecount(UserTransaction user) {
        this.user = user;
        this.periods = user.rules().streak().periods();
        this.conditions = user.rules()
                .streak()
                .conditions(user.preferences().streakMode(), user.preferences().streakMetrics());
    }

    /**
     * Recounts the streak. Spends no freezes for the past; drops earlier freezes and restores; keeps pauses and resets. The present days
     * off apply to all dates.
     *
     * @return the streak under the present rules
     */
    static StreakState recount(UserTransaction user, long atMs) {
        return new StreakRecount(user).recount(atMs);
    }

    private StreakState recount(long atMs) {
        List<Change> changes = changes();
        int current = periods.of(user.dayOf(atMs));
        DaysOff daysOff =
                DaysOff.always(user.rules().streak().daysOff(user.preferences().streakDaysOff()));
        var chain = new StreakChain(
                periods, StreakBlock.EMPTY, current - 1, user.streak().pauses(), daysOff, user.history());
        int lastMetDay = 0;
        if (firstDay <= lastDay) {
            // The numbers of weeks that began on another day may differ by one.
            clearBlocks(periods.of(firstDay) - 1, Math.max(current, periods.of(lastDay)) + 1);
            lastMetDay = meet(chain, changes);
            cut(chain);
        }
        judge(chain, current);
        StreakState counted = chain.in(user.streak().withDaysOff(daysOff), 0);
        if (chain.isEmpty()) {
            return counted.withExtendedAt(StreakState.NEVER);
        }
        // Events that did not count at their time extend the streak now, at the latest at the end of the last day.
        return counted.extendedAtMs() == StreakState.NEVER
                ? counted.withExtendedAt(Math.min(user.newestMs(), LocalDays.startOf(lastMetDay + 1, user.zone()) - 1))
                : counted;
    }

    /** Ends the streaks before resets that no restore has undone. A period that was met by then stays used. */
    private void cut(StreakChain chain) {
        boolean isCut = false;
        for (Reset reset : user.streak().resets()) {
            if (reset.isUndone() || chain.isEmpty()) {
                continue;
            }
            int period = periods.of(reset.day());
            if (chain.written(period) == Verdict.MET && chain.metDay(period) <= reset.day()) {
                chain.markMetAs(period, Verdict.RESET);
            }
            chain.pin(period, StreakBlock.Pin.CUT);
            chain.recount(period);
            isCut = true;
        }
        if (isCut) {
            chain.findLongest(periods.of(firstDay));
        }
    }

    /** Judges like timers, which fire until the chain is lost, so that the result does not depend on the time. */
    private static void judge(StreakChain chain, int current) {
        if (chain.isEmpty()) {
            chain.judgeTo(Integer.MIN_VALUE);
            return;
        }
        int last = StreakBlock.lastOf(chain.newest().number());
        while (chain.written(last) != Verdict.MET && chain.written(last) != Verdict.RESET) {
            last--;
        }
        int open = chain.firstOpen(last + 1);
        chain.judgeTo(open < current ? open : last);
    }

    /** All changes that could meet a period, by day. */
    private List<Change> changes() {
        var changes = new ArrayList<Change>();
        for (int i = 0; i < user.metrics().size(); i++) {
            int metric = user.metrics().numberAt(i);
            MetricState counted = user.metrics().valueAt(i);
            List<UserHistory.Day> days = user.history().days(metric, Integer.MIN_VALUE, Integer.MAX_VALUE);
            firstDay = Math.min(
                    firstDay, days.isEmpty() ? counted.day() : days.getFirst().day());
            lastDay = Math.max(lastDay, counted.day());
            if (!conditions.isAnyEvent() && !conditions.counts(metric)) {
                continue;
            }
            for (UserHistory.Day day : days) {
                changes.add(new Change(day.day(), metric, day.bucket()));
            }
            changes.add(new Change(counted.day(), metric, counted.bucket()));
        }
        changes.sort(Comparator.comparingInt(Change::day));
        return changes;
    }

    /** Clears stored blocks of an earlier time with this frequency. */
    private void clearBlocks(int first, int last) {
        for (int number = StreakBlock.numberOf(first); number <= StreakBlock.numberOf(last); number++) {
            StreakBlock old = user.history().streakBlock(periods.frequency(), number);
            if (old != null && !old.isBlank()) {
                user.history()
                        .put(new HistoryWrite.PutStreakBlock(
                                periods.frequency(), new StreakBlock(number, 0, 0, 0, new byte[0], List.of())));
            }
        }
    }

    /** @return the day on which the last met period was met, 0 if none was */
    private int meet(StreakChain chain, List<Change> changes) {
        Map<Integer, BigDecimal> sums = new HashMap<>();
        int sumsPeriod = Integer.MIN_VALUE;
        int lastMetDay = 0;
        int lastMet = Integer.MIN_VALUE;
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            int period = periods.of(change.day());
            if (period == lastMet) {
                continue;
            }
            if (period != sumsPeriod) {
                sums.clear();
                sumsPeriod = period;
            }
            sums.merge(change.metric(), change.bucket().change(), BigDecimal::add);
            boolean isLastOfDay = i + 1 == changes.size() || changes.get(i + 1).day() != change.day();
            boolean isMet = conditions.isAnyEvent()
                    ? change.bucket().positive()
                    : isLastOfDay && conditions.areMet(metric -> sums.getOrDefault(metric, BigDecimal.ZERO));
            if (isMet) {
                chain.markMet(period, change.day());
                lastMet = period;
                lastMetDay = change.day();
            }
        }
        return lastMetDay;
    }
}
