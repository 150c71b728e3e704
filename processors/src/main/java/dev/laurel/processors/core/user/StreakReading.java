package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.rules.Periods;
import java.util.ArrayList;
import java.util.List;

/** A user's streak as it is to be shown, at the moment that the state stands for. Changes nothing. */
public final class StreakReading {

    /**
     * One period of the past or the current one.
     *
     * @param length at its end, 0 if there was no streak then
     */
    public record Period(int firstDay, int lastDay, int length, boolean usedFreeze, boolean usedPause) {}

    /**
     * A streak from its beginning to the period in which it came to this length.
     *
     * @param startedDay when its first period was met
     */
    public record Stretch(int length, int startedDay, int firstDay, int lastDay) {}

    private final Periods periods;
    private final StreakChain chain;
    private final int current;
    private final int length;

    /** @param today the user's local day */
    public StreakReading(UserState state, CompiledRuleset rules, UserHistory history, int today) {
        this.periods = state.streak().periods();
        this.chain = new StreakChain(state.streak(), new HistoryDraft(history));
        this.current = periods.of(today);
        this.length = lengthOf(state, rules);
    }

    /** The length that is shown: none while streaks are off for the ruleset or the user. */
    public static int lengthOf(UserState state, CompiledRuleset rules) {
        return rules.streak().isEnabled() && state.preferences().wantsStreak() ? state.streak().length() : 0;
    }

    public int length() {
        return length;
    }

    /** The first day of the current period. */
    public int firstDay() {
        return periods.firstDay(current);
    }

    public int lastDay() {
        return periods.lastDay(current);
    }

    /** The last day of the first period, from the current one on, that is neither met nor protected. */
    public int expiryDay() {
        return periods.lastDay(chain.firstOpen(current));
    }

    /** @param count how many periods, the last one the current; oldest first */
    public List<Period> history(int count) {
        var shown = new ArrayList<Period>(count);
        if (count == 0) {
            return shown;
        }
        int first = current - count + 1;
        chain.walk(first, current, (period, walk) -> {
            StreakVerdict verdict = chain.verdict(period);
            shown.add(new Period(periods.firstDay(period), periods.lastDay(period), shownAt(period, walk),
                    verdict == StreakVerdict.FROZEN, verdict == StreakVerdict.PAUSED));
        });
        return shown;
    }

    /** Dates ahead that were met before a flight west belong to the present length. */
    private int shownAt(int period, StreakWalk walk) {
        return period == current ? length : walk.shown;
    }

    /**
     * The longest streak shown at the end of any period that has a day in this range, the current one included; of equal ones
     * the earliest. Null if there was none.
     */
    public Stretch longest(int rangeFirst, int rangeLast) {
        int first = periods.of(rangeFirst);
        int last = Math.min(current, periods.of(rangeLast));
        if (first > last) {
            return null;
        }
        var search = new LongestSearch();
        chain.walk(first, last, search);
        return search.length == 0
                ? null
                : new Stretch(search.length, search.startedDay, periods.firstDay(periods.of(search.startedDay)),
                        periods.lastDay(search.period));
    }

    /** What is kept through restored periods began no later than what was shown then, and was at some time shown itself. */
    private final class LongestSearch implements StreakChain.Stop {
        private int length;
        private int period;
        private int startedDay;

        @Override
        public void at(int at, StreakWalk walk) {
            int shown = shownAt(at, walk);
            if (shown > length) {
                length = shown;
                period = at;
                startedDay = walk.startedDay;
            }
        }
    }
}
