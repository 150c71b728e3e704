package dev.laurel.core.user;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.rules.Periods;
import dev.laurel.core.user.StreakBlock.Verdict;
import dev.laurel.core.user.StreakBlock.Walk;
import dev.laurel.core.user.StreakSnapshot.Change.Kind;
import dev.laurel.core.user.StreakState.Reset;
import dev.laurel.core.user.UserHistory.HistoryOverlay;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A read-only view of a user's streak as it is shown, at the moment of the state. */
public final class StreakSnapshot {

    /**
     * A past period or the current one.
     *
     * @param length at the end of the period, 0 if there was no streak
     * @param resetAtMs when the streak was reset last in this period; null: it was not
     */
    public record Period(
            int firstDay,
            int lastDay,
            int length,
            boolean usedFreeze,
            boolean usedPause,
            @Nullable Long resetAtMs) {}

    /**
     * The longest streak of a range, from its first period to the one in which it reached its length.
     *
     * @param startedDay when its first period was met
     */
    public record LongestStreak(int length, int startedDay, int firstDay, int lastDay) {}

    /**
     * What happened to the streak in a period, as its verdicts have it now.
     *
     * @param day the local date on which the period was met; its last one if it was missed, its first one if the streak was restored
     * @param length after the change; of a lost streak before it
     */
    public record Change(Kind kind, int period, int day, int length) {

        /** What happened. An extension to 1 is the start of a streak. */
        public enum Kind {
            EXTENDED,
            RESTORED,
            FROZEN,
            LOST
        }
    }

    private final Periods periods;
    private final StreakChain chain;
    private final List<Reset> resets;
    private final int current;
    private final int length;

    /** @param today the user's local day */
    public StreakSnapshot(UserState state, CompiledRuleset rules, UserHistory history, int today) {
        this.periods = state.streak().periods();
        this.chain = new StreakChain(state.streak(), new HistoryOverlay(history));
        this.resets = state.streak().resets();
        this.current = periods.of(today);
        this.length = lengthOf(state, rules);
    }

    /** The length shown: 0 while streaks are off for the ruleset or the user. */
    public static int lengthOf(UserState state, CompiledRuleset rules) {
        return rules.streak().isEnabled() && state.preferences().wantsStreak()
                ? state.streak().length()
                : 0;
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

    /** The newest {@code count} periods up to the current one, oldest first. */
    public List<Period> history(int count) {
        var shown = new ArrayList<Period>(count);
        if (count == 0) {
            return shown;
        }
        int first = current - count + 1;
        chain.walk(first, current, (period, walk) -> {
            Verdict verdict = chain.verdict(period);
            shown.add(new Period(
                    periods.firstDay(period),
                    periods.lastDay(period),
                    shownAt(period, walk),
                    verdict == Verdict.FROZEN,
                    verdict == Verdict.PAUSED,
                    resetIn(period)));
        });
        return shown;
    }

    /** The number of the current period. */
    public int current() {
        return current;
    }

    /** The changes in these periods up to the current one, newest first. Ends by resets, and by switching streaks off, are no changes. */
    public List<Change> changes(int first, int last) {
        var changes = new ArrayList<Change>();
        int end = Math.min(last, current);
        if (first <= end) {
            int[] before = {chain.lengthBefore(first)};
            chain.walk(first, end, (period, walk) -> {
                addChanges(period, before[0], walk, changes);
                before[0] = walk.shown;
            });
        }
        return changes.reversed();
    }

    private void addChanges(int period, int before, Walk walk, List<Change> changes) {
        Verdict verdict = chain.verdict(period);
        boolean isMet = verdict == Verdict.MET;
        int restored = isMet ? walk.shown - 1 : walk.shown;
        if (restored > before && verdict != Verdict.RESET) {
            changes.add(new Change(Kind.RESTORED, period, periods.firstDay(period), restored));
        }
        int met = verdict == Verdict.RESET ? walk.lost : walk.shown;
        if (met > 0 && (isMet || verdict == Verdict.RESET)) {
            changes.add(new Change(Kind.EXTENDED, period, chain.metDay(period), met));
        } else if (verdict == Verdict.FROZEN) {
            changes.add(new Change(Kind.FROZEN, period, periods.lastDay(period), walk.shown));
        } else if ((verdict == Verdict.NONE || verdict == Verdict.RESTORED)
                && before > 0
                && walk.shown == 0
                && walk.lost == 0
                && resetIn(period) == null) {
            changes.add(new Change(Kind.LOST, period, periods.lastDay(period), before));
        }
    }

    private @Nullable Long resetIn(int period) {
        Long atMs = null;
        for (Reset reset : resets) {
            if (periods.of(reset.day()) == period) {
                atMs = reset.atMs();
            }
        }
        return atMs;
    }

    /** The length shown in a period. Later dates, met before a move to the west, count in the current period. */
    private int shownAt(int period, Walk walk) {
        return period == current ? length : walk.shown;
    }

    /**
     * Returns the longest streak at the end of a period in this range of days, up to the current period. Of equal streaks it
     * returns the earliest. Null: there was no streak.
     */
    public @Nullable LongestStreak longest(int rangeFirst, int rangeLast) {
        int first = periods.of(rangeFirst);
        int last = Math.min(current, periods.of(rangeLast));
        if (first > last) {
            return null;
        }
        var search = new LongestSearch();
        chain.walk(first, last, search);
        return search.length == 0
                ? null
                : new LongestStreak(
                        search.length,
                        search.startedDay,
                        periods.firstDay(periods.of(search.startedDay)),
                        periods.lastDay(search.period));
    }

    /**
     * Finds the longest shown length. Lengths that were kept through restored periods need no search: they were shown at some
     * time, too.
     */
    private final class LongestSearch implements StreakChain.Stop {
        private int length;
        private int period;
        private int startedDay;

        @Override
        public void at(int at, Walk walk) {
            int shown = shownAt(at, walk);
            if (shown > length) {
                length = shown;
                period = at;
                startedDay = walk.startedDay;
            }
        }
    }
}
