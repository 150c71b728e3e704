package dev.laurel.processors.core.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts users by a number, in the order of the numbers, so that the users below a number are found without visiting them. A list of
 * pages of primitives with 12 to 24 bytes per number, since there may be as many numbers as users. Not thread-safe.
 */
final class SortedCounts {

    /** A page with twice as many numbers as the average costs an insertion some hundred bytes to move. */
    private static final int PAGE_MAX = 256;
    private static final int PAGE_MIN = 4;

    private final List<Page> pages = new ArrayList<>(1);
    private long sum;

    /** Numbers in ascending order, each with at least one user; never empty. */
    private static final class Page {

        private long[] numbers;
        private int[] users;
        private int size;
        private long sum;

        Page(int capacity) {
            numbers = new long[capacity];
            users = new int[capacity];
        }

        /** The index of the number, or -1 - the index at which it belongs. */
        int indexOf(long number) {
            return Arrays.binarySearch(numbers, 0, size, number);
        }

        void insert(int index, long number) {
            if (size == numbers.length) {
                resize(size * 2);
            }
            System.arraycopy(numbers, index, numbers, index + 1, size - index);
            System.arraycopy(users, index, users, index + 1, size - index);
            numbers[index] = number;
            users[index] = 1;
            size++;
            sum++;
        }

        void delete(int index) {
            size--;
            System.arraycopy(numbers, index + 1, numbers, index, size - index);
            System.arraycopy(users, index + 1, users, index, size - index);
            if (size * 4 < numbers.length && numbers.length > PAGE_MIN) {
                resize(numbers.length / 2);
            }
        }

        private void resize(int capacity) {
            numbers = Arrays.copyOf(numbers, capacity);
            users = Arrays.copyOf(users, capacity);
        }

        /** Moves the upper half to a new page. */
        Page split() {
            int half = size / 2;
            var upper = new Page(numbers.length);
            upper.append(this, half);
            size = half;
            sum -= upper.sum;
            return upper;
        }

        /** Appends the numbers of a page from an index on. */
        void append(Page other, int from) {
            int more = other.size - from;
            if (size + more > numbers.length) {
                resize(PAGE_MAX);
            }
            System.arraycopy(other.numbers, from, numbers, size, more);
            System.arraycopy(other.users, from, users, size, more);
            size += more;
            for (int i = from; i < other.size; i++) {
                sum += other.users[i];
            }
        }
    }

    void add(long number) {
        sum++;
        if (pages.isEmpty()) {
            pages.add(new Page(PAGE_MIN));
        }
        int at = pageOf(number);
        Page page = pages.get(at);
        int index = page.indexOf(number);
        if (index >= 0) {
            page.users[index]++;
            page.sum++;
            return;
        }
        int free = -1 - index;
        if (page.size == PAGE_MAX) {
            Page upper = page.split();
            pages.add(at + 1, upper);
            if (free > page.size) {
                free -= page.size;
                page = upper;
            }
        }
        page.insert(free, number);
    }

    /** @throws IllegalStateException if there is no user with this number */
    void remove(long number) {
        int at = pages.isEmpty() ? -1 : pageOf(number);
        int index = at < 0 ? -1 : pages.get(at).indexOf(number);
        if (index < 0) {
            throw new IllegalStateException("no user was counted under " + number);
        }
        Page page = pages.get(at);
        sum--;
        page.sum--;
        if (--page.users[index] > 0) {
            return;
        }
        page.delete(index);
        if (page.size == 0) {
            pages.remove(at);
        } else if (at + 1 < pages.size() && page.size + pages.get(at + 1).size <= PAGE_MAX / 2) {
            page.append(pages.remove(at + 1), 0);
        }
    }

    /** The number of all users. */
    long sum() {
        return sum;
    }

    /** The number of users with lower numbers. */
    long below(long number) {
        if (pages.isEmpty()) {
            return 0;
        }
        int at = pageOf(number);
        long found = 0;
        for (int i = 0; i < at; i++) {
            found += pages.get(i).sum;
        }
        Page page = pages.get(at);
        int index = page.indexOf(number);
        int end = index < 0 ? -1 - index : index;
        for (int i = 0; i < end; i++) {
            found += page.users[i];
        }
        return found;
    }

    /** The index of the page that has the number or would have it: the last one that does not start above it, or the first. */
    private int pageOf(long number) {
        int low = 0;
        int high = pages.size() - 1;
        while (low < high) {
            int middle = low + high + 1 >>> 1;
            if (pages.get(middle).numbers[0] <= number) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
