package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.Periods;
import dev.laurel.processors.core.rules.StreakConditions;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts a streak of another frequency from the day buckets, day by day, under the present conditions (semantics.md §5).
 * Costs a walk over all days on which something happened, once per user and switch.
 */
final class StreakRecount {

    private record Change(int day, int metric, DayBucket bucket) {}

    private final UserTurn turn;
    private final Periods periods;
    private final StreakConditions conditions;

    /** Of days on which anything happened, whether it counts now or not: blocks of verdicts lie between them. */
    private int firstDay = Integer.MAX_VALUE;
    private int lastDay = Integer.MIN_VALUE;

    private StreakRecount(UserTurn turn) {
        this.turn = turn;
        this.periods = turn.rules.streak().periods();
        this.conditions = turn.rules.streak().conditions(turn.preferences.streakMode(),
                turn.preferences.streakMetrics());
    }

    /** Freezes are not spent for the past, old marks of freezes and restores are void, pauses protect. */
    static void recount(UserTurn turn, long atMs) {
        new StreakRecount(turn).recount(atMs);
    }

    private void recount(long atMs) {
        List<Change> changes = changes();
        int current = periods.of(turn.dayOf(atMs));
        var chain = new StreakChain(periods, StreakBlock.EMPTY, current - 1, turn.streak.pauses(), turn.history);
        int lastMetDay = 0;
        if (firstDay <= lastDay) {
            // Weeks that began on another day had other numbers, one more or less.
            forget(periods.of(firstDay) - 1, Math.max(current, periods.of(lastDay)) + 1);
            lastMetDay = meet(chain, changes);
        }
        judge(chain, current);
        turn.streak = turn.streak.with(chain, 0);
        if (chain.isEmpty()) {
            turn.streak = turn.streak.withExtendedAt(StreakState.NEVER);
        } else if (turn.streak.extendedAtMs() == StreakState.NEVER) {
            // A version that did not keep it: no later than the end of the day.
            turn.streak = turn.streak.withExtendedAt(
                    Math.min(turn.newestMs, LocalDays.startOf(lastMetDay + 1, turn.zone()) - 1));
        }
    }

    /** As timers would have done, which fired until the chain was lost: whoever looks at another time finds the same. */
    private static void judge(StreakChain chain, int current) {
        if (chain.isEmpty()) {
            chain.judgeTo(Integer.MIN_VALUE);
            return;
        }
        int last = StreakBlock.lastOf(chain.newest().number());
        while (chain.written(last) != StreakVerdict.MET) {
            last--;
        }
        int open = chain.firstOpen(last + 1);
        chain.judgeTo(open < current ? open : last);
    }

    /** Everything that could meet a period, by day. */
    private List<Change> changes() {
        var changes = new ArrayList<Change>();
        for (int i = 0; i < turn.metrics.size(); i++) {
            int metric = turn.metrics.numberAt(i);
            MetricState counted = turn.metrics.valueAt(i);
            List<UserHistory.Day> days = turn.history.days(metric, Integer.MIN_VALUE, Integer.MAX_VALUE);
            firstDay = Math.min(firstDay, days.isEmpty() ? counted.day() : days.getFirst().day());
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

    /** Blocks that lie in the store from an earlier time with this frequency. */
    private void forget(int first, int last) {
        for (int number = StreakBlock.numberOf(first); number <= StreakBlock.numberOf(last); number++) {
            StreakBlock old = turn.history.streakBlock(periods.frequency(), number);
            if (old != null && !old.isBlank()) {
                turn.history.putStreakBlock(periods.frequency(),
                        new StreakBlock(number, 0, 0, 0, new byte[0], List.of()));
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
