package dev.laurel.core.user;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map from the numbers of ruleset objects to values, in ascending order, so that equal maps have equal stored
 * bytes. Maps have tens of entries: a sorted array that is copied on change takes less space and time than a hash map.
 */
public final class IntKeyedMap<T> {

    private static final IntKeyedMap<?> EMPTY = new IntKeyedMap<>(new int[0], new Object[0]);

    private final int[] numbers;
    private final Object[] values;

    private IntKeyedMap(int[] numbers, Object[] values) {
        this.numbers = numbers;
        this.values = values;
    }

    @SuppressWarnings("unchecked") // it has no values
    public static <T> IntKeyedMap<T> empty() {
        return (IntKeyedMap<T>) EMPTY;
    }

    /**
     * @param numbers strictly ascending
     * @param values one of type {@code T} per number; neither array may be changed afterwards
     */
    public static <T> IntKeyedMap<T> ofSorted(int[] numbers, Object[] values) {
        if (numbers.length != values.length) {
            throw new IllegalArgumentException(numbers.length + " numbers for " + values.length + " values");
        }
        for (int i = 1; i < numbers.length; i++) {
            if (numbers[i] <= numbers[i - 1]) {
                throw new IllegalArgumentException("numbers are not ascending");
            }
        }
        return numbers.length == 0 ? empty() : new IntKeyedMap<>(numbers, values);
    }

    public int size() {
        return numbers.length;
    }

    public int numberAt(int index) {
        return numbers[index];
    }

    @SuppressWarnings("unchecked") // only values of type T are put in
    public T valueAt(int index) {
        return (T) values[index];
    }

    public @Nullable T get(int number) {
        int index = Arrays.binarySearch(numbers, number);
        return index < 0 ? null : valueAt(index);
    }

    public boolean contains(int number) {
        return Arrays.binarySearch(numbers, number) >= 0;
    }

    public IntKeyedMap<T> with(int number, T value) {
        int index = Arrays.binarySearch(numbers, number);
        if (index >= 0) {
            Object[] changed = values.clone();
            changed[index] = value;
            return new IntKeyedMap<>(numbers, changed);
        }
        int at = -index - 1;
        var moreNumbers = new int[numbers.length + 1];
        var moreValues = new Object[numbers.length + 1];
        System.arraycopy(numbers, 0, moreNumbers, 0, at);
        System.arraycopy(values, 0, moreValues, 0, at);
        moreNumbers[at] = number;
        moreValues[at] = value;
        System.arraycopy(numbers, at, moreNumbers, at + 1, numbers.length - at);
        System.arraycopy(values, at, moreValues, at + 1, numbers.length - at);
        return new IntKeyedMap<>(moreNumbers, moreValues);
    }

    /** The map without the entries whose number is not wanted; this map if all are. */
    public IntKeyedMap<T> retaining(IntPredicate wanted) {
        int kept = 0;
        for (int number : numbers) {
            kept += wanted.test(number) ? 1 : 0;
        }
        if (kept == numbers.length) {
            return this;
        }
        var fewerNumbers = new int[kept];
        var fewerValues = new Object[kept];
        int at = 0;
        for (int i = 0; i < numbers.length; i++) {
            if (wanted.test(numbers[i])) {
                fewerNumbers[at] = numbers[i];
                fewerValues[at++] = values[i];
            }
        }
        return ofSorted(fewerNumbers, fewerValues);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IntKeyedMap<?> that
                && Arrays.equals(numbers, that.numbers)
                && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(numbers) + Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        var text = new StringBuilder("{");
        for (int i = 0; i < numbers.length; i++) {
            text.append(i == 0 ? "" : ", ").append(numbers[i]).append('=').append(values[i]);
        }
        return text.append('}').toString();
    }
}
