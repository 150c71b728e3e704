package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.Periods;
import java.util.List;

/**
 * The periods of a user's streak and what became of them (semantics.md §5): the newest block of verdicts and, when they are
 * asked for, the older ones in the history. A change costs the blocks behind it whose length it changes, not the periods.
 *
 * <p>Pauses are not written into the blocks: so a pause also counts where a late event leads a chain over it.
 */
final class StreakChain {

    private final Periods periods;
    private final HistoryDraft history;
    private final List<Pause> pauses;
    private StreakBlock newest;
    private int judgedTo;
    private int longest;

    StreakChain(StreakState streak, HistoryDraft history) {
        this(streak.periods(), streak.newest(), streak.judgedTo(), streak.pauses(), history);
    }

    StreakChain(Periods periods, StreakBlock newest, int judgedTo, List<Pause> pauses, HistoryDraft history) {
        this.periods = periods;
        this.newest = newest;
        this.judgedTo = judgedTo;
        this.pauses = pauses;
        this.history = history;
    }

    Periods periods() {
        return periods;
    }

    StreakBlock newest() {
        return newest;
    }

    int judgedTo() {
        return judgedTo;
    }

    /** The greatest length that any walk has come across. */
    int longest() {
        return longest;
    }

    boolean isEmpty() {
        return newest == StreakBlock.EMPTY;
    }

    /** Periods up to here are over: those that are neither met nor protected are missed. */
    void judgeTo(int period) {
        judgedTo = period;
    }

    /** Null if nothing is known of its periods. */
    private StreakBlock block(int number) {
        if (number >= newest.number()) {
            return number == newest.number() ? newest : null;
        }
        StreakBlock block = history.streakBlock(periods.frequency(), number);
        return block == null || block.isBlank() ? null : block;
    }

    private void put(StreakBlock block) {
        if (block.number() < newest.number()) {
            history.putStreakBlock(periods.frequency(), block);
            return;
        }
        if (block.number() > newest.number() && !isEmpty()) {
            history.putStreakBlock(periods.frequency(), newest);
        }
        newest = block;
    }

    /** As it is written: remembered pauses are not looked at. */
    StreakVerdict written(int period) {
        StreakBlock block = block(StreakBlock.numberOf(period));
        return block == null ? StreakVerdict.NONE : block.verdict(period);
    }

    StreakVerdict verdict(int period) {
        StreakVerdict written = written(period);
        return written == StreakVerdict.NONE && pauseOver(period) != null ? StreakVerdict.PAUSED : written;
    }

    /** A pause that protects a day of this period; null if none does. */
    private Pause pauseOver(int period) {
        if (pauses.isEmpty()) {
            return null;
        }
        int firstDay = periods.firstDay(period);
        int lastDay = periods.lastDay(period);
        for (Pause pause : pauses) {
            if (pause.covers(firstDay, lastDay)) {
                return pause;
            }
        }
        return null;
    }

    /** The first period from this one on that is neither met nor protected. */
    int firstOpen(int from) {
        int period = from;
        while (true) {
            if (written(period) != StreakVerdict.NONE) {
                period++;
                continue;
            }
            Pause pause = pauseOver(period);
            if (pause == null) {
                return period;
            }
            period = periods.of(pause.coversTo()) + 1;
        }
    }

    /** Lengths behind it are as they were until {@link #recount}. @param metOn day of the period, 0 unless it is met */
    void mark(int period, StreakVerdict verdict, int metOn) {
        put(blockFor(period).with(period, verdict, metOn));
    }

    void markMet(int period, int day) {
        mark(period, StreakVerdict.MET, day - periods.firstDay(period));
    }

    /** Lengths behind it are as they were until {@link #recount}. */
    void pin(int period, int change) {
        put(blockFor(period).withPin(period, change));
    }

    /** Lengths behind it are as they were until {@link #recount}. */
    void unpin(int period) {
        put(blockFor(period).withoutPin(period));
    }

    private StreakBlock blockFor(int period) {
        int number = StreakBlock.numberOf(period);
        StreakBlock block = block(number);
        return block != null
                ? block
                : new StreakBlock(number, 0, 0, 0, new byte[0], List.of()).enteredWith(walkInto(number));
    }

    /** A walk that comes into the first period of a block, which need not exist. */
    private StreakWalk walkInto(int number) {
        StreakBlock itself = block(number);
        if (itself != null) {
            return itself.entry();
        }
        // Back to where the length is known: over blocks of which nothing is known but that nothing of them was missed.
        for (int before = number - 1; !isEmpty(); before--) {
            StreakBlock block = block(before);
            if (block != null) {
                StreakWalk walk = block.entry();
                pass(walk, block, StreakBlock.lastOf(before));
                return walk;
            }
            if (isMissedIn(StreakBlock.firstOf(before), StreakBlock.lastOf(before))) {
                break;
            }
        }
        return new StreakWalk();
    }

    /** Whether one of these periods, of which nothing is written, is over and not paused. */
    private boolean isMissedIn(int first, int last) {
        return firstOpen(first) <= Math.min(last, judgedTo);
    }

    private void pass(StreakWalk walk, StreakBlock block, int last) {
        for (int period = StreakBlock.firstOf(block.number()); period <= last; period++) {
            step(walk, block, period);
        }
        longest = Math.max(longest, walk.longest);
    }

    private void step(StreakWalk walk, StreakBlock block, int period) {
        StreakBlock.Pin pin = block.pinAt(period);
        if (pin != null) {
            walk.shift(pin.change());
        }
        switch (block.verdict(period)) {
            case MET -> walk.meet(walk.kept == 0 ? periods.firstDay(period) + block.metOn(period) : 0);
            case RESTORED -> {
                // The one in which the restore took place shows what was restored, those before it what they did.
                if (pin == null) {
                    walk.restore();
                }
            }
            case FROZEN, EXCUSED, PAUSED -> {
                // The length stays.
            }
            case NONE -> {
                if (period <= judgedTo && pauseOver(period) == null) {
                    walk.miss();
                }
            }
        }
    }

    /** Brings the lengths up to a change of this period: block by block, until one is entered as it was before. */
    void recount(int period) {
        if (isEmpty()) {
            return;
        }
        int number = StreakBlock.numberOf(period);
        StreakWalk walk = walkInto(number);
        for (; number < newest.number(); number++) {
            StreakBlock block = block(number);
            if (block != null) {
                if (!block.isEnteredWith(walk)) {
                    block = block.enteredWith(walk);
                    put(block);
                }
                pass(walk, block, StreakBlock.lastOf(number));
            } else if (isMissedIn(StreakBlock.firstOf(number), StreakBlock.lastOf(number))) {
                return;
            }
            StreakBlock next = block(number + 1);
            if (next != null && next.isEnteredWith(walk)) {
                return;
            }
        }
        if (number == newest.number() && !newest.isEnteredWith(walk)) {
            newest = newest.enteredWith(walk);
        }
    }

    /** The walk at its end: the present. */
    StreakWalk present() {
        if (isEmpty()) {
            return new StreakWalk();
        }
        StreakWalk walk = newest.entry();
        int last = StreakBlock.lastOf(newest.number());
        pass(walk, newest, last);
        if (walk.kept > 0 && judgedTo > last && isMissedIn(last + 1, judgedTo)) {
            walk.miss();
        }
        return walk;
    }

    /** A walk that comes into this period. */
    StreakWalk entering(int period) {
        int number = StreakBlock.numberOf(period);
        StreakWalk walk = walkInto(number);
        StreakBlock block = block(number);
        if (block != null) {
            pass(walk, block, period - 1);
        } else if (period > StreakBlock.firstOf(number) && isMissedIn(StreakBlock.firstOf(number), period - 1)) {
            walk.miss();
        }
        return walk;
    }

    /** A stop at the end of a period. */
    interface Stop {

        /** @param walk to be looked at only, and only now */
        void at(int period, StreakWalk walk);
    }

    /** Stops at the end of each of these periods. */
    void walk(int first, int last, Stop stop) {
        StreakWalk walk = entering(first);
        StreakBlock block = block(StreakBlock.numberOf(first));
        for (int period = first; period <= last; period++) {
            if (period == StreakBlock.firstOf(StreakBlock.numberOf(period))) {
                block = block(StreakBlock.numberOf(period));
            }
            if (block != null) {
                step(walk, block, period);
            } else if (period <= judgedTo && pauseOver(period) == null) {
                walk.miss();
            }
            stop.at(period, walk);
        }
    }

    /** The lengths shown at the end of each of these periods. */
    int[] lengths(int first, int last) {
        var lengths = new int[last - first + 1];
        walk(first, last, (period, walk) -> lengths[period - first] = walk.shown);
        return lengths;
    }
}
