package dev.laurel.core.user;

import dev.laurel.core.rules.Periods;
import dev.laurel.core.user.StreakBlock.Verdict;
import dev.laurel.core.user.StreakBlock.Walk;
import dev.laurel.core.user.StreakState.DaysOff;
import dev.laurel.core.user.StreakState.Pause;
import dev.laurel.core.user.UserHistory.HistoryOverlay;
import dev.laurel.core.user.UserHistory.HistoryWrite;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The periods of a user's streak with their verdicts (docs/semantics.md §5): the newest block and, when needed, older blocks
 * of the history. A change rewrites only those later blocks whose length differs.
 *
 * <p>Pauses and days off are not written into the blocks, so that they also protect a chain that a late event creates later.
 */
public final class StreakChain {

    private final Periods periods;
    private final HistoryOverlay history;
    private final List<Pause> pauses;
    private final DaysOff daysOff;
    private StreakBlock newest;
    private int judgedTo;

    /** The greatest length of all walks so far. */
    private int longest;

    public StreakChain(StreakState streak, HistoryOverlay history) {
        this(streak.periods(), streak.newest(), streak.judgedTo(), streak.pauses(), streak.daysOff(), history);
    }

    public StreakChain(
            Periods periods,
            StreakBlock newest,
            int judgedTo,
            List<Pause> pauses,
            DaysOff daysOff,
            HistoryOverlay history) {
        this.periods = periods;
        this.newest = newest;
        this.judgedTo = judgedTo;
        this.pauses = pauses;
        this.daysOff = daysOff;
        this.history = history;
    }

    public Periods periods() {
        return periods;
    }

    public StreakBlock newest() {
        return newest;
    }

    public int judgedTo() {
        return judgedTo;
    }

    public boolean isEmpty() {
        return newest == StreakBlock.EMPTY;
    }

    /** Periods up to this one are over. Those that are neither met nor protected are missed. */
    public void judgeTo(int period) {
        judgedTo = period;
    }

    private @Nullable StreakBlock block(int number) {
        if (number >= newest.number()) {
            return number == newest.number() ? newest : null;
        }
        StreakBlock block = history.streakBlock(periods.frequency(), number);
        return block == null || block.isBlank() ? null : block;
    }

    private void put(StreakBlock block) {
        if (block.number() < newest.number()) {
            history.put(new HistoryWrite.PutStreakBlock(periods.frequency(), block));
            return;
        }
        if (block.number() > newest.number() && !isEmpty()) {
            history.put(new HistoryWrite.PutStreakBlock(periods.frequency(), newest));
        }
        newest = block;
    }

    /** The verdict in the block, which ignores days off, and pauses that are kept. */
    public Verdict written(int period) {
        StreakBlock block = block(StreakBlock.numberOf(period));
        return block == null ? Verdict.NONE : block.verdict(period);
    }

    public Verdict verdict(int period) {
        Verdict written = written(period);
        return written == Verdict.NONE && pauseOver(period) != null ? Verdict.PAUSED : written;
    }

    /** A pause that protects a day of this period. */
    private @Nullable Pause pauseOver(int period) {
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

    public boolean isDayOff(int period) {
        return !daysOff.isNone() && periods.frequency() == StreakFrequency.DAILY && daysOff.isOff(period);
    }

    /** Whether a period without a written verdict keeps the length. */
    private boolean isProtected(int period) {
        return pauseOver(period) != null || isDayOff(period);
    }

    /** The first period from this one on that is neither met nor protected. */
    public int firstOpen(int from) {
        int period = from;
        while (true) {
            if (written(period) != Verdict.NONE || isDayOff(period)) {
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

    /**
     * Writes a verdict. Later lengths are stale until {@link #recount}.
     *
     * @param metOn day of the period, 0 unless it is met
     */
    public void mark(int period, Verdict verdict, int metOn) {
        put(blockFor(period).with(period, verdict, metOn));
    }

    public void markMet(int period, int day) {
        mark(period, Verdict.MET, day - periods.firstDay(period));
    }

    /** Replaces the verdict of a met period, and keeps the day on which it was met. */
    public void markMetAs(int period, Verdict verdict) {
        StreakBlock block = blockFor(period);
        put(block.with(period, verdict, block.metOn(period)));
    }

    /** Whether any streak ends at the beginning of this period. */
    public boolean isCut(int period) {
        StreakBlock block = block(StreakBlock.numberOf(period));
        StreakBlock.Pin pin = block == null ? null : block.pinAt(period);
        return pin != null && pin.change() == StreakBlock.Pin.CUT;
    }

    /** The day on which a period was met, if it was. */
    public int metDay(int period) {
        return periods.firstDay(period) + blockFor(period).metOn(period);
    }

    /** Adds a jump of the length. Later lengths are stale until {@link #recount}. */
    public void pin(int period, int change) {
        put(blockFor(period).withPin(period, change));
    }

    /** Removes a jump of the length. Later lengths are stale until {@link #recount}. */
    public void unpin(int period) {
        put(blockFor(period).withoutPin(period));
    }

    private StreakBlock blockFor(int period) {
        int number = StreakBlock.numberOf(period);
        StreakBlock block = block(number);
        return block != null
                ? block
                : new StreakBlock(number, 0, 0, 0, new byte[0], List.of()).enteredWith(walkInto(number));
    }

    /** The walk up to the beginning of a block, which need not exist. */
    private Walk walkInto(int number) {
        StreakBlock itself = block(number);
        if (itself != null) {
            return itself.entry();
        }
        // The length is known in the block before, unless blocks are absent. Absent blocks keep it if no period was
        // missed.
        for (int before = number - 1; !isEmpty(); before--) {
            StreakBlock block = block(before);
            if (block != null) {
                Walk walk = block.entry();
                pass(walk, block, StreakBlock.lastOf(before));
                return walk;
            }
            if (isMissedIn(StreakBlock.firstOf(before), StreakBlock.lastOf(before))) {
                break;
            }
        }
        return new Walk();
    }

    /** Whether one of these periods without verdicts is over and not protected. */
    private boolean isMissedIn(int first, int last) {
        return firstOpen(first) <= Math.min(last, judgedTo);
    }

    private void pass(Walk walk, StreakBlock block, int last) {
        for (int period = StreakBlock.firstOf(block.number()); period <= last; period++) {
            step(walk, block, period);
        }
        longest = Math.max(longest, walk.longest);
    }

    private void step(Walk walk, StreakBlock block, int period) {
        StreakBlock.Pin pin = block.pinAt(period);
        Verdict verdict = block.verdict(period);
        if (pin != null) {
            walk.shift(pin.change(), verdict == Verdict.RESET);
        }
        switch (verdict) {
            case MET -> walk.meet(walk.kept == 0 ? periods.firstDay(period) + block.metOn(period) : 0);
            case RESTORED -> {
                // The period of the restore shows the restored length; the restored periods before it show 0.
                if (pin == null) {
                    walk.restore();
                }
            }
            case RESET -> {
                if (pin != null && pin.change() == StreakBlock.Pin.HIDE) {
                    walk.keep(periods.firstDay(period) + block.metOn(period));
                }
            }
            case FROZEN, EXCUSED, PAUSED -> {
                // The length stays.
            }
            case NONE -> {
                if (period <= judgedTo && !isProtected(period)) {
                    walk.miss();
                }
            }
        }
    }

    /**
     * Updates the lengths after a change in this period, block by block, until a block has the same length before it as so
     * far.
     */
    public void recount(int period) {
        if (isEmpty()) {
            return;
        }
        int number = StreakBlock.numberOf(period);
        Walk walk = walkInto(number);
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

    /** The walk through all periods. */
    Walk present() {
        if (isEmpty()) {
            return new Walk();
        }
        Walk walk = newest.entry();
        int last = StreakBlock.lastOf(newest.number());
        pass(walk, newest, last);
        if (walk.kept > 0 && judgedTo > last && isMissedIn(last + 1, judgedTo)) {
            walk.miss();
        }
        return walk;
    }

    /** The length shown before this period. */
    public int lengthBefore(int period) {
        return entering(period).shown;
    }

    /** The present length, counted through restored periods. */
    public int keptLength() {
        return present().kept;
    }

    /** The walk up to the beginning of this period. */
    Walk entering(int period) {
        int number = StreakBlock.numberOf(period);
        Walk walk = walkInto(number);
        StreakBlock block = block(number);
        if (block != null) {
            pass(walk, block, period - 1);
        } else if (period > StreakBlock.firstOf(number) && isMissedIn(StreakBlock.firstOf(number), period - 1)) {
            walk.miss();
        }
        return walk;
    }

    /** Visits the end of a period. */
    interface Stop {

        /** @param walk valid only during the call, not to be changed */
        void at(int period, Walk walk);
    }

    /** Visits the end of each of these periods. */
    void walk(int first, int last, Stop stop) {
        Walk walk = entering(first);
        StreakBlock block = block(StreakBlock.numberOf(first));
        for (int period = first; period <= last; period++) {
            if (period == StreakBlock.firstOf(StreakBlock.numberOf(period))) {
                block = block(StreakBlock.numberOf(period));
            }
            walk.lost = 0;
            if (block != null) {
                step(walk, block, period);
            } else if (period <= judgedTo && !isProtected(period)) {
                walk.miss();
            }
            stop.at(period, walk);
        }
    }

    /** The lengths shown at the end of each of these periods. */
    public int[] lengths(int first, int last) {
        var lengths = new int[last - first + 1];
        walk(first, last, (period, walk) -> lengths[period - first] = walk.shown);
        return lengths;
    }

    /** Finds the greatest length anew, from this period on: earlier walks did not know of later cuts. */
    public void findLongest(int first) {
        longest = 0;
        walk(first, StreakBlock.lastOf(newest.number()), (_, walk) -> longest = Math.max(longest, walk.longest));
    }

    /** The lengths lost by a cut in each of these periods. */
    public int[] lostLengths(int first, int last) {
        var lengths = new int[last - first + 1];
        walk(first, last, (period, walk) -> lengths[period - first] = walk.lost);
        return lengths;
    }

    /** The streak with these periods. @param longestEver without this chain */
    public StreakState in(StreakState streak, int longestEver) {
        Walk present = present();
        return new StreakState(
                periods,
                newest,
                judgedTo,
                present.shown,
                Math.max(longestEver, longest),
                present.kept == 0 ? 0 : present.startedDay,
                streak.extendedAtMs(),
                streak.sumsPeriod(),
                streak.sums(),
                streak.freezes(),
                streak.createdDay(),
                streak.earnedTo(),
                streak.zoneChangedMs(),
                streak.extendedIn(),
                streak.pauses(),
                streak.daysOff(),
                streak.resets());
    }
}
