package dev.laurel.core.user;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The verdicts of {@value #SIZE} consecutive periods, and the length of the streak before the first of them, so that lengths
 * can be computed without older blocks. Immutable; equal by content.
 *
 * @param shown see {@link Walk}, as for {@code kept}
 * @param verdicts one byte per period; periods beyond the end of the array have no verdict
 */
public record StreakBlock(int number, int shown, int kept, int startedDay, byte[] verdicts, List<Pin> pins) {

    /** Periods per block. */
    public static final int SIZE = 32;

    /** The block of a streak without verdicts. Its number belongs to no period. */
    public static final StreakBlock EMPTY = new StreakBlock(Integer.MIN_VALUE, 0, 0, 0, new byte[0], List.of());

    /** The lower three bits are the verdict, the others the day of the period on which it was met. */
    private static final int VERDICT_BITS = 3;

    private static final int VERDICT_MASK = (1 << VERDICT_BITS) - 1;
    private static final int SHIFT = 5;

    /**
     * A jump of the length: to the restored length at a restore, to 0 at a reset and when the user switches streaks off.
     *
     * @param change added to {@link Walk#kept} at the beginning of the period. The result, at least 0, becomes both lengths.
     */
    public record Pin(int period, int change) {

        /** The change that ends any chain. */
        public static final int CUT = Integer.MIN_VALUE;

        /** Takes the place of {@link #CUT} once a restore has undone it: the length shown stays 0, the kept one goes on. */
        public static final int HIDE = Integer.MIN_VALUE + 1;
    }

    public StreakBlock {
        startedDay = kept == 0 ? 0 : startedDay;
        verdicts = trimmed(verdicts);
        pins = List.copyOf(pins);
        for (byte verdict : verdicts) {
            if ((verdict & VERDICT_MASK) > Verdict.RESET.ordinal()) {
                throw new IllegalArgumentException("unknown verdict " + verdict);
            }
        }
        if (verdicts.length > SIZE || shown < 0 || kept < 0) {
            throw new IllegalArgumentException("invalid block " + number + " of " + verdicts.length
                    + " verdicts: shown=" + shown + ", kept=" + kept);
        }
    }

    private static byte[] trimmed(byte[] verdicts) {
        int length = verdicts.length;
        while (length > 0 && verdicts[length - 1] == 0) {
            length--;
        }
        return Arrays.copyOf(verdicts, length);
    }

    /** The number of the block of a period. */
    public static int numberOf(int period) {
        return period >> SHIFT;
    }

    public static int firstOf(int number) {
        return number << SHIFT;
    }

    public static int lastOf(int number) {
        return firstOf(number) + SIZE - 1;
    }

    @Override
    public byte[] verdicts() {
        return verdicts.clone();
    }

    /** Whether the block has no verdict and no pin. A blank block is equivalent to no block. */
    public boolean isBlank() {
        return verdicts.length == 0 && pins.isEmpty();
    }

    private int at(int period) {
        int index = period & (SIZE - 1);
        return index < verdicts.length ? verdicts[index] & 0xff : 0;
    }

    public Verdict verdict(int period) {
        return Verdict.of(at(period) & VERDICT_MASK);
    }

    /** The day of a met period on which it was met; 0 is the first. */
    public int metOn(int period) {
        return at(period) >>> VERDICT_BITS;
    }

    StreakBlock with(int period, Verdict verdict, int metOn) {
        byte[] changed = Arrays.copyOf(verdicts, SIZE);
        changed[period & (SIZE - 1)] = (byte) (metOn << VERDICT_BITS | verdict.ordinal());
        return new StreakBlock(number, shown, kept, startedDay, changed, pins);
    }

    @Nullable
    Pin pinAt(int period) {
        for (int i = 0; i < pins.size(); i++) {
            if (pins.get(i).period() == period) {
                return pins.get(i);
            }
        }
        return null;
    }

    StreakBlock withPin(int period, int change) {
        var changed = new ArrayList<>(withoutPin(period).pins);
        changed.add(new Pin(period, change));
        return new StreakBlock(number, shown, kept, startedDay, verdicts, changed);
    }

    StreakBlock withoutPin(int period) {
        return new StreakBlock(
                number,
                shown,
                kept,
                startedDay,
                verdicts,
                pins.stream().filter(pin -> pin.period() != period).toList());
    }

    boolean isEnteredWith(Walk walk) {
        return shown == walk.shown && kept == walk.kept && (kept == 0 || startedDay == walk.startedDay);
    }

    StreakBlock enteredWith(Walk walk) {
        return new StreakBlock(number, walk.shown, walk.kept, walk.startedDay, verdicts, pins);
    }

    /** A walk at the beginning of the first period. */
    Walk entry() {
        var walk = new Walk();
        walk.shown = shown;
        walk.kept = kept;
        walk.startedDay = startedDay;
        return walk;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StreakBlock that
                && number == that.number
                && shown == that.shown
                && kept == that.kept
                && startedDay == that.startedDay
                && Arrays.equals(verdicts, that.verdicts)
                && pins.equals(that.pins);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * number + kept) + Arrays.hashCode(verdicts);
    }

    @Override
    public String toString() {
        return "StreakBlock[" + number + ", shown=" + shown + ", kept=" + kept + ", startedDay=" + startedDay
                + ", verdicts=" + Arrays.toString(verdicts) + ", pins=" + pins + "]";
    }

    /**
     * The lengths of a streak during a walk through its periods. {@link #shown} is the length shown at the time, which a later
     * restore does not change; {@link #kept} continues through restored periods. Both are equal again at the pin of the
     * restore.
     */
    static final class Walk {

        int shown;
        int kept;
        int startedDay;

        /** The largest {@link #shown} so far. */
        int longest;

        /** The length lost by a cut in this period. */
        int lost;

        /**
         * Applies a pin.
         *
         * @param isUsed whether the period was met before it was cut
         */
        void shift(int change, boolean isUsed) {
            if (change == Pin.HIDE) {
                shown = 0;
                return;
            }
            if (change == Pin.CUT) {
                lost = isUsed ? shown + 1 : shown;
                longest = Math.max(longest, lost);
            }
            kept = (int) Math.max(0, (long) kept + change);
            shown = kept;
            longest = Math.max(longest, shown);
        }

        void meet(int day) {
            if (kept == 0) {
                startedDay = day;
            }
            kept++;
            shown++;
            longest = Math.max(longest, shown);
        }

        /** Meets a period whose own length stays 0. */
        void keep(int day) {
            if (kept == 0) {
                startedDay = day;
            }
            kept++;
        }

        void restore() {
            shown = 0;
        }

        void miss() {
            shown = 0;
            kept = 0;
        }
    }

    /** The verdict about a period of a streak (docs/semantics.md §5). The order is durable data. */
    public enum Verdict {

        /** Not met so far; missed once it is over. */
        NONE,
        MET,
        /** Missed, covered by a freeze. */
        FROZEN,
        /** Missed, covered by a restore. */
        RESTORED,
        /** Skipped by a change of zone, or a day off of a change that has been dropped. */
        EXCUSED,
        /** Covered by a pause that has been dropped. Pauses that are kept are not written into blocks. */
        PAUSED,
        /** Met before a reset in the same period, so that it can start no other streak. */
        RESET;

        private static final Verdict[] VALUES = values();

        static Verdict of(int ordinal) {
            return VALUES[ordinal];
        }
    }
}
