package dev.laurel.processors.core.user;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Immutable values by the numbers of ruleset objects, in ascending order: equal content is equal in any history, which
 * keeps stored state byte for byte the same. Small (tens of entries), so a sorted array copied on change beats a map in
 * both space and time.
 */
public final class Numbered<T> {

    private static final Numbered<?> EMPTY = new Numbered<>(new int[0], new Object[0]);

    private final int[] numbers;
    private final Object[] values;

    private Numbered(int[] numbers, Object[] values) {
        this.numbers = numbers;
        this.values = values;
    }

    @SuppressWarnings("unchecked") // it holds no T
    public static <T> Numbered<T> empty() {
        return (Numbered<T>) EMPTY;
    }

    /**
     * @param numbers strictly ascending
     * @param values one for each, all of them {@code T}s; both arrays are kept as they are
     */
    public static <T> Numbered<T> ofSorted(int[] numbers, Object[] values) {
        if (numbers.length != values.length) {
            throw new IllegalArgumentException(numbers.length + " numbers for " + values.length + " values");
        }
        for (int i = 1; i < numbers.length; i++) {
            if (numbers[i] <= numbers[i - 1]) {
                throw new IllegalArgumentException("numbers are not ascending");
            }
        }
        return numbers.length == 0 ? empty() : new Numbered<>(numbers, values);
    }

    public int size() {
        return numbers.length;
    }

    public int numberAt(int index) {
        return numbers[index];
    }

    @SuppressWarnings("unchecked") // only Ts are put in
    public T valueAt(int index) {
        return (T) values[index];
    }

    /** Null if there is none. */
    public T get(int number) {
        int index = Arrays.binarySearch(numbers, number);
        return index < 0 ? null : valueAt(index);
    }

    public boolean contains(int number) {
        return Arrays.binarySearch(numbers, number) >= 0;
    }

    public Numbered<T> with(int number, T value) {
        int index = Arrays.binarySearch(numbers, number);
        if (index >= 0) {
            Object[] changed = values.clone();
            changed[index] = value;
            return new Numbered<>(numbers, changed);
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
        return new Numbered<>(moreNumbers, moreValues);
    }

    /** Without the entries whose number is not wanted; the same object if all are. */
    public Numbered<T> retaining(IntPredicate wanted) {
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
        return other instanceof Numbered<?> that && Arrays.equals(numbers, that.numbers)
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
