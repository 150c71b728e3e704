package dev.laurel.core.analytics;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.analytics.Counter.Cohorts;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.key.TenantId;
import java.math.BigDecimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Counters of one kind, object and segment in consecutive cells: the unit in which counters are stored. For one thread at a time. */
public final class CounterBlock {

    public static final int MAX_SIZE = Cohorts.CELLS;

    /** Null: the numbers are decimal. */
    private final long @Nullable [] numbers;

    /** Null: the numbers are whole. */
    private final BigDecimal @Nullable [] decimals;

    /** @param number of the block: the cell {@code c} is in the block {@code c / counter.cells()} */
    public record Key(TenantId tenant, Counter counter, int object, Segment segment, int number) {}

    private CounterBlock(long @Nullable [] numbers, BigDecimal @Nullable [] decimals) {
        this.numbers = numbers;
        this.decimals = decimals;
    }

    /** A block of zeros. */
    public static CounterBlock of(Counter counter) {
        return ofSize(counter.cells(), counter.isDecimal());
    }

    /** A block of zeros. @param size {@link #MAX_SIZE} at most */
    public static CounterBlock ofSize(int size, boolean isDecimal) {
        if (isDecimal) {
            var decimals = new BigDecimal[size];
            Arrays.fill(decimals, BigDecimal.ZERO);
            return new CounterBlock(null, decimals);
        }
        return new CounterBlock(new long[size], null);
    }

    /** The number of the block of a cell. */
    public static int blockOf(Counter counter, int cell) {
        return Math.floorDiv(cell, counter.cells());
    }

    /** The place of a cell in its block. */
    public static int indexOf(Counter counter, int cell) {
        return Math.floorMod(cell, counter.cells());
    }

    public int size() {
        return numbers != null ? numbers.length : requireNonNull(decimals).length;
    }

    public boolean isDecimal() {
        return decimals != null;
    }

    /** A whole number. */
    public long number(int index) {
        return requireNonNull(numbers, "the numbers are decimal")[index];
    }

    /** A decimal number. */
    public BigDecimal decimal(int index) {
        return requireNonNull(decimals, "the numbers are whole")[index];
    }

    public void add(int index, long change) {
        requireNonNull(numbers, "the numbers are decimal")[index] += change;
    }

    public void add(int index, BigDecimal change) {
        BigDecimal[] all = requireNonNull(decimals, "the numbers are whole");
        all[index] = Amounts.canonical(all[index].add(change));
    }

    /** Adds or subtracts another block of the same kind. @param sign 1 or -1 */
    public void add(CounterBlock other, int sign) {
        for (int i = 0; i < size(); i++) {
            if (numbers != null) {
                add(i, sign * other.number(i));
            } else {
                add(i, sign > 0 ? other.decimal(i) : other.decimal(i).negate());
            }
        }
    }

    public boolean isZero() {
        for (int i = 0; i < size(); i++) {
            if (!isZero(i)) {
                return false;
            }
        }
        return true;
    }

    public boolean isZero(int index) {
        return numbers != null ? numbers[index] == 0 : decimal(index).signum() == 0;
    }
}
