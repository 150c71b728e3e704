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
        int[] lengths = chain.lengths(first, current);
        for (int period = first; period <= current; period++) {
            StreakVerdict verdict = chain.verdict(period);
            // Dates ahead that were met before a flight west belong to the present length.
            shown.add(new Period(periods.firstDay(period), periods.lastDay(period),
                    period == current ? length : lengths[period - first], verdict == StreakVerdict.FROZEN,
                    verdict == StreakVerdict.PAUSED));
        }
        return shown;
    }
}
