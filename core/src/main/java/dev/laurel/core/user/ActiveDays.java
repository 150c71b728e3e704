package dev.laurel.core.user;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.UserHistory.HistoryOverlay;
import dev.laurel.core.user.UserHistory.HistoryWrite;
import dev.laurel.schemas.ruleset.Attribute;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The local days on which a user was active, which are the days with an event (docs/analytics.md §1). Days are kept as bits, in blocks
 * of {@value #BLOCK_DAYS}. The newest block is part of the user's state, so that most events read and write no other store; a block
 * moves to the {@code metric-days} store when a newer one begins.
 *
 * @param cohort the values that the analytics attributes had at the user's creation, by number of the attribute
 * @param block the number of the newest block; 0 before the first event
 * @param bits the active days of that block, lowest bit first; 0 before the first event
 */
public record ActiveDays(IntKeyedMap<String> cohort, int block, long bits) {

    /** Stands for a day that does not exist. Earlier than any day. */
    public static final int NO_DAY = Integer.MIN_VALUE;

    /** The days of a user who was never active. */
    public static final ActiveDays NONE = new ActiveDays(IntKeyedMap.empty(), 0, 0);

    /** How far the nearest active days are searched: the length of the longest trailing window, without the day itself. */
    public static final int REACH = 29;

    private static final int BLOCK_DAYS = Long.SIZE;

    /**
     * A day on which a user became active.
     *
     * @param previous the last active day before it, if that is within {@link #REACH} days; else {@link #NO_DAY}
     * @param next the first active day after it, if that is within {@link #REACH} days; else {@link #NO_DAY}
     * @param newestBefore the user's newest active day so far; {@link #NO_DAY} if there was none
     */
    public record Activation(int day, int previous, int next, int newestBefore) {}

    /** The days of a new user with these attributes. */
    public static ActiveDays ofNewUser(CompiledRuleset rules, Map<String, String> attributes) {
        IntKeyedMap<String> cohort = analyticsValues(rules, attributes);
        return cohort.size() == 0 ? NONE : new ActiveDays(cohort, 0, 0);
    }

    /** The values of analytics attributes among these attributes of a user, by the number of the attribute. */
    public static IntKeyedMap<String> analyticsValues(CompiledRuleset rules, Map<String, String> attributes) {
        IntKeyedMap<String> values = IntKeyedMap.empty();
        if (!attributes.isEmpty()) {
            for (Attribute attribute : rules.analyticsAttributes()) {
                String value = attributes.get(attribute.key());
                if (value != null) {
                    values = values.with(attribute.number(), value);
                }
            }
        }
        return values;
    }

    /** The newest active day; {@link #NO_DAY} if there is none. */
    int newest() {
        return bits == 0 ? NO_DAY : lastOf(block, bits);
    }

    /**
     * The days with one more, which may be old; then a write is added to the history.
     *
     * @return this object if the user was active on that day already
     */
    public ActiveDays with(int day, HistoryOverlay history) {
        int into = blockOf(day);
        long bit = bitOf(day);
        if (bits == 0 || into == block) {
            return (bits & bit) != 0 ? this : new ActiveDays(cohort, into, bits | bit);
        }
        if (into > block) {
            history.put(new HistoryWrite.PutActiveDays(block, bits));
            return new ActiveDays(cohort, into, bit);
        }
        long old = history.activeDays(into);
        if ((old & bit) == 0) {
            history.put(new HistoryWrite.PutActiveDays(into, old | bit));
        }
        return this;
    }

    /** The activation by an event on a day; null if the user was active on that day already. @param history before the event */
    public @Nullable Activation activation(int day, UserHistory history) {
        int newest = newest();
        if (newest < day) {
            return new Activation(day, newest >= day - REACH ? newest : NO_DAY, NO_DAY, newest);
        }
        int in = blockOf(day);
        long around = block(in, history);
        if ((around & bitOf(day)) != 0) {
            return null;
        }
        long lower = around & bitOf(day) - 1;
        int previous = lower != 0
                ? lastOf(in, lower)
                : in == blockOf(day - REACH) ? NO_DAY : lastOf(in - 1, block(in - 1, history));
        long higher = around & -bitOf(day);
        int next = higher != 0
                ? firstOf(in, higher)
                : in == blockOf(day + REACH) ? NO_DAY : firstOf(in + 1, block(in + 1, history));
        return new Activation(
                day, previous >= day - REACH ? previous : NO_DAY, next <= day + REACH ? next : NO_DAY, newest);
    }

    private long block(int number, UserHistory history) {
        return number == block ? bits : number > block ? 0 : history.activeDays(number);
    }

    private static int blockOf(int day) {
        return Math.floorDiv(day, BLOCK_DAYS);
    }

    private static long bitOf(int day) {
        return 1L << Math.floorMod(day, BLOCK_DAYS);
    }

    private static int lastOf(int block, long bits) {
        return bits == 0 ? NO_DAY : block * BLOCK_DAYS + BLOCK_DAYS - 1 - Long.numberOfLeadingZeros(bits);
    }

    private static int firstOf(int block, long bits) {
        return bits == 0 ? NO_DAY : block * BLOCK_DAYS + Long.numberOfTrailingZeros(bits);
    }
}
